import { quotePath } from "../../text/escape.js";
import { foldersAbove } from "../rules/entry-name.js";
import type { ShippedFiles } from "./json.js";

/** Stands for the address of the extension. Only an absolute reference leads away from it. */
const root = "https://extension.invalid/";

/**
 * Whether Chromium takes a reference as the address of a file of the extension: relative or with a
 * `/` in front, and not a folder's.
 */
export function isInExtension(reference: string): boolean {
  if (/^\s*[a-z][a-z\d+.-]*:/i.test(reference) || !URL.canParse(reference, root)) {
    return false;
  }
  const { href, pathname } = new URL(reference, root);
  return href.startsWith(root) && !pathname.endsWith("/");
}

/** Whether Chromium takes the path of an icon, which is stricter than the address of a page. */
export function isIconPath(path: string): boolean {
  const relative = path.replace(/^\//, "");
  return (
    relative !== "." &&
    /^[^/\s](?:.*[^/\s])?$/.test(relative) &&
    !/[\\:*?"<>|\p{Cc}]/u.test(path) &&
    !relative.split("/").includes("..") &&
    path === path.trim()
  );
}

/**
 * The paths that a reference may mean, likeliest first. A reference is an address below the
 * extension's root: it may begin with a `/`, and have a query or a fragment. `isEncoded`: it may be
 * percent-encoded, which the scripts of pages are not.
 */
function pathsMeant(reference: string, isEncoded = true): string[] {
  const withoutSuffix = reference.replace(/[?#].*$/s, "");
  const candidates = [reference, withoutSuffix, withoutSuffix.trim().replaceAll("\\", "/")];
  if (isEncoded) {
    try {
      candidates.push(decodeURIComponent(withoutSuffix));
    } catch {
      // A lone "%" is part of the name, which is a candidate already.
    }
  }
  return candidates.map(normalized);
}

/**
 * A path without a `/` in front and without the names `.` and `..`. Node's own function takes
 * minutes for "../" a few hundred thousand times.
 */
export function normalized(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") {
      names.pop();
    } else if (name !== "" && name !== ".") {
      names.push(name);
    }
  }
  return names.join("/");
}

/** Looks up the files and folders that references of a manifest mean. */
export class References {
  readonly #files: ShippedFiles;
  readonly #folders: ReadonlySet<string>;

  constructor(files: ShippedFiles) {
    this.#files = files;
    this.#folders = new Set([...files.sizes.keys()].flatMap(foldersAbove));
  }

  /** Names of the folders, at every level. */
  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  /** The file that a reference means; undefined if it is a folder or does not ship. */
  fileOf(reference: string, isEncoded = true): string | undefined {
    return pathsMeant(reference, isEncoded).find((path) => this.#files.sizes.has(path));
  }

  /** Whether a file ships, or a folder: Chromium only asks whether there is something. */
  exists(reference: string, isEncoded = true): boolean {
    return pathsMeant(reference, isEncoded).some(
      (path) => path === "" || this.#files.sizes.has(path) || this.#folders.has(path),
    );
  }

  /** Whether the program's own `exclude` leaves out the file that a reference means. */
  isExcluded(reference: string): boolean {
    return pathsMeant(reference).some((path) => this.#files.whyLeftOut(path)?.byProgram);
  }

  /** Why a reference means no file, as a sentence without its end. */
  missing(where: string, reference: string): string {
    const subject = `${quotePath(where)} names ${quotePath(reference)}, which`;
    const meant = pathsMeant(reference);
    const leftOut = meant.map(this.#files.whyLeftOut).find((why) => why !== undefined);
    if (leftOut !== undefined) {
      return `${subject} ${leftOut.reason}`;
    }
    const lowered = new Set(meant.map((path) => path.toLowerCase()));
    const twin = [...this.#files.sizes.keys()].find((path) => lowered.has(path.toLowerCase()));
    return twin === undefined
      ? `${subject} does not exist`
      : `${subject} is written ${quotePath(twin)} in the files`;
  }
}
