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
  for (const path of paths) {
    add(hash, root, path);
  }
  return hash.digest("hex");
}

/**
 * @param {import("node:crypto").Hash} hash
 * @param {string} root
 * @param {string} path
 */
function add(hash, root, path) {
  const full = join(root, path);
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) {
      add(hash, root, join(path, name));
    }
    return;
  }
  const bytes = readFileSync(full);
  // Includes the length, so that moving bytes from a file to the next file changes the digest.
  hash.update(`${path}\0${bytes.length}\0`).update(bytes);
}
