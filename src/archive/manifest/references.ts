import { quotePath } from "../../text/escape.js";
import { foldersAbove } from "../rules/entry-name.js";
import type { ShippedFiles } from "./json.js";

/** Placeholder for the extension's URL. Only absolute references lead to a different root. */
const root = "https://extension.invalid/";

/** Whether Chromium accepts a reference, relative or with a leading `/`, as the URL of a file. */
export function isInExtension(reference: string): boolean {
  if (/^\s*[a-z][a-z\d+.-]*:/i.test(reference) || !URL.canParse(reference, root)) {
    return false;
  }
  const { href, pathname } = new URL(reference, root);
  return href.startsWith(root) && !pathname.endsWith("/");
}

/** Whether Chromium accepts the path of an icon. The rules are stricter than for pages. */
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
 * Lists the possible paths of a reference, likeliest first. A reference is a URL below the
 * extension's root, optionally with a leading `/`, a query or a fragment. `isEncoded`: whether the
 * reference may be percent-encoded, unlike content scripts.
 */
function candidatePaths(reference: string, isEncoded = true): string[] {
  const withoutSuffix = reference.replace(/[?#].*$/s, "");
  const candidates = [reference, withoutSuffix, withoutSuffix.trim().replaceAll("\\", "/")];
  if (isEncoded) {
    try {
      candidates.push(decodeURIComponent(withoutSuffix));
    } catch {
      // A lone "%" is part of the name, already a candidate.
    }
  }
  return candidates.map(normalized);
}

/** Path without a leading `/`, `.` and `..`. Node's function takes minutes for many "../". */
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

export class References {
  readonly #files: ShippedFiles;
  readonly #folders: ReadonlySet<string>;

  constructor(files: ShippedFiles) {
    this.#files = files;
    this.#folders = new Set([...files.sizes.keys()].flatMap(foldersAbove));
  }

  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  /** Finds the file of a reference; undefined for a folder or a file that does not ship. */
  fileOf(reference: string, isEncoded = true): string | undefined {
    return candidatePaths(reference, isEncoded).find((path) => this.#files.sizes.has(path));
  }

  /** Whether a reference leads to a shipped file or a folder: Chromium accepts either. */
  exists(reference: string, isEncoded = true): boolean {
    return candidatePaths(reference, isEncoded).some(
      (path) => path === "" || this.#files.sizes.has(path) || this.#folders.has(path),
    );
  }

  /** Whether `exclude` excludes the file of a reference. */
  isExcluded(reference: string): boolean {
    return candidatePaths(reference).some((path) => this.#files.exclusionOf(path)?.byProgram);
  }

  /** Explains why a reference leads to no file, as a sentence without a full stop. */
  missingProblem(where: string, reference: string): string {
    const subject = `${quotePath(where)} names ${quotePath(reference)}, which`;
    const meant = candidatePaths(reference);
    const leftOut = meant.map(this.#files.exclusionOf).find((why) => why !== undefined);
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
