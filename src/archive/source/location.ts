import { type BigIntStats, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { InputError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";

/** Where an extension is. */
export interface ExtensionLocation {
  readonly kind: "folder" | "zip";
  /** For the file system. Never shown: it may be an absolute path that nobody typed. */
  readonly absolutePath: string;
  /** For messages, with the path as the caller typed it: `Folder "./extension"`. */
  readonly label: string;
  readonly stats: BigIntStats;
}

/**
 * Finds what `path` names: a folder, or a file that ends in `.zip`. The path itself may be a
 * symbolic link, since the caller chose it. Throws `InputError` on `path`: `path_invalid`,
 * `path_not_found`, `path_unreadable` or `path_not_extension`.
 */
export function locateExtension(path: string, baseFolder = process.cwd()): ExtensionLocation {
  if (typeof path !== "string" || path.trim() === "" || path.includes("\0")) {
    throw new InputError(
      "path_invalid",
      "path",
      '"path" has to name the folder of an unpacked extension, or a ready .zip file; it is empty or not a path.',
    );
  }
  const absolutePath = resolve(baseFolder, path);
  const stats = statOf(path, absolutePath);
  if (stats.isDirectory()) {
    return { kind: "folder", absolutePath, label: `Folder ${quotePath(path)}`, stats };
  }
  if (stats.isFile() && extname(path).toLowerCase() === ".zip") {
    return { kind: "zip", absolutePath, label: `Archive ${quotePath(path)}`, stats };
  }
  const remedy =
    extname(path).toLowerCase() === ".crx"
      ? "Unpack the .crx into a folder first"
      : 'Point "path" at the folder that holds manifest.json, or at a .zip of its contents';
  throw new InputError(
    "path_not_extension",
    "path",
    `${quotePath(path)} is neither a folder nor a .zip file. ${remedy}.`,
  );
}

function statOf(path: string, absolutePath: string): BigIntStats {
  try {
    return statSync(absolutePath, { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    throw new InputError(
      isMissing ? "path_not_found" : "path_unreadable",
      "path",
      isMissing
        ? `${quotePath(path)} does not exist. A relative "path" starts at the folder the program runs in.`
        : `${quotePath(path)} cannot be read (${code}). Check the path and its permissions.`,
    );
  }
}
