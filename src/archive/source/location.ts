import { type BigIntStats, statSync } from "node:fs";
import { extname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";

/** A folder to read. Unlike an {@link ExtensionLocation}, it can be sent to a worker. */
export interface FolderSource {
  /** Path for the file system. Labels show the typed path; only the error for a missing path shows both. */
  readonly absolutePath: string;
  /** Label for messages, with the path as typed by the caller: `Folder "./extension"`. */
  readonly label: string;
  /**
   * Glob patterns of excluded files and folders, relative to the extension's folder: `tests/**`.
   * See `compileExclude`. Not for a ready archive, which is uploaded unchanged.
   */
  readonly exclude: readonly string[];
  /**
   * API key of the deployment, which no file may contain in any usual spelling. A key of fewer than
   * 16 characters is not searched for. The key is not stored. Default: none.
   */
  readonly apiKey?: string | undefined;
  /**
   * Content digest of the folder in an earlier check that succeeded. A folder with this digest is read
   * without another check of the files that Chromium reads besides the manifest. Default: every check.
   */
  readonly knownDigest?: string | undefined;
  /** Set for the code of an app instead of an extension. */
  readonly app?: AppSource | undefined;
}

/** Code of an app that a service builds. */
export interface AppSource {
  /** Path of the entrypoint below the folder, with `/` between names. */
  readonly entrypoint: string;
  /** Whether files stay out that Git ignores. */
  readonly gitignore: boolean;
}

export interface ExtensionLocation extends Pick<FolderSource, "absolutePath" | "label"> {
  readonly kind: "folder" | "zip";
  readonly stats: BigIntStats;
}

/**
 * Finds the folder, or the file ending in `.zip` or `.crx`, at `path`. The path may be a symbolic
 * link, because the caller chose the path. A relative path requires `baseFolder`: the bridges pass
 * the program's folder, and the archive code never reads the current directory.
 *
 * Throws `InputError` on `path`: `path_invalid`, `path_not_found`, `path_unreadable` or
 * `path_not_extension`.
 */
export function locateExtension(path: string, baseFolder?: string): ExtensionLocation {
  if (typeof path !== "string" || path.trim() === "" || path.includes("\0")) {
    throw pathError(
      "path_invalid",
      '"path" must name the folder of an unpacked extension, or a ready .zip file. The value is empty or not a path.',
    );
  }
  if (/^file:/i.test(path)) {
    throw pathError(
      "path_invalid",
      `${quotePath(path)} is an address, not a path. Write the path${fileUrlHint(path)}.`,
    );
  }
  if (baseFolder === undefined && !isAbsolute(path)) {
    throw pathError("path_invalid", `${quotePath(path)} is relative, and "baseFolder" is missing.`);
  }
  const folder = baseFolder ?? "/";
  const absolutePath = resolve(folder, path);
  const stats = statOf(path, absolutePath, folder);
  if (stats.isDirectory()) {
    return { kind: "folder", absolutePath, label: `Folder ${quotePath(path)}`, stats };
  }
  const extension = extname(path).toLowerCase();
  if (stats.isFile() && (extension === ".zip" || extension === ".crx")) {
    return { kind: "zip", absolutePath, label: `Archive ${quotePath(path)}`, stats };
  }
  throw pathError(
    "path_not_extension",
    `${quotePath(path)} is neither a folder nor a .zip or .crx file. Point "path" at the folder that holds manifest.json, or at a .zip of its contents.`,
  );
}

/** Path of a file URL, as the end of a sentence; empty if there is none. */
function fileUrlHint(address: string): string {
  try {
    return `: ${quotePath(fileURLToPath(address))}`;
  } catch {
    return "";
  }
}

/** Hint that the percent-decoded path exists, as a sentence; otherwise empty. */
function decodedHint(path: string, folder: string): string {
  try {
    const decoded = decodeURIComponent(path);
    const exists = decoded !== path && statSync(resolve(folder, decoded), { throwIfNoEntry: false });
    return exists ? ` ${quotePath(decoded)} exists: write "path" without percent-encoding.` : "";
  } catch {
    return "";
  }
}

function statOf(path: string, absolutePath: string, folder: string): BigIntStats {
  try {
    return statSync(absolutePath, { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = quotePath(path);
    const tried = absolutePath === path ? what : `${what} (${quotePath(absolutePath)})`;
    throw code === "ENOENT" || code === "ENOTDIR"
      ? pathError(
          "path_not_found",
          `${tried} does not exist.${decodedHint(path, folder) || ' A relative "path" starts at the working folder of the program.'}`,
        )
      : pathError(
          "path_unreadable",
          `${tried} cannot be read (${code}). Check the path and its permissions.`,
        );
  }
}

function pathError(code: string, message: string): InputError {
  return new InputError(code, "path", message);
}
