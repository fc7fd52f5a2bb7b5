import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * SHA-256 over the names and contents of files, 64 lowercase hexadecimal digits. A folder counts as
 * all files below the folder.
 *
 * @param {string} root
 * @param {string[]} paths relative to `root`.
 */
export function digestOfFiles(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((each) => filesOf(root, each))) {
    const bytes = readFileSync(join(root, path));
    // Includes the length, so that moving bytes from a file to the next file changes the digest.
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(root, path) {
  if (!statSync(join(root, path)).isDirectory()) {
    return [path];
  }
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesOf(root, join(path, name)));
}
