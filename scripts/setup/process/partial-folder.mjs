import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const prefix = "partial-";
/** Age of a folder whose work was interrupted: no work takes this long. */
const leftoverMs = 24 * 3_600_000;

/**
 * Gives the work an empty folder beside the target, for `putInPlace`. Concurrent commands that set
 * up the same part therefore do not collide: each command makes a separate folder. Removes the
 * folder afterwards. After an interrupt, the folder stays until a set-up on another day.
 *
 * @template T
 * @param {string} parent folder of the result. Created if missing.
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withPartialFolder(parent, work) {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
    const stats = statSync(join(parent, name), { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > leftoverMs) {
      remove(join(parent, name));
    }
  }
  const folder = mkdtempSync(join(parent, prefix));
  try {
    return await work(folder);
  } finally {
    remove(folder);
  }
}

/**
 * Puts a finished file or folder into place, and moves a predecessor into the partial folder.
 *
 * @param {string} made in a partial folder.
 * @param {string} place on the same file system.
 */
export function putInPlace(made, place) {
  // The old folder is moved away first: a rename replaces only an empty folder.
  if (existsSync(place)) {
    renameSync(place, join(dirname(made), `${basename(place)}-before`));
  }
  renameSync(made, place);
}

/** @param {string} folder */
function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
