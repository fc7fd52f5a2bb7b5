import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../set-up-error.mjs";

/** Folders with unfinished work: `partial-<process>-<host>-<random>`. */
const pattern = /^partial-(\d+)-(.*)-\w{6}$/;

/**
 * Gives the work an empty folder beside the target, for `putInPlace`. Concurrent commands that set
 * up the same part therefore do not collide: each command makes a separate folder, and the first
 * complete result stays. Removes the folder afterwards. After an interrupt, the folder stays until
 * the next set-up.
 *
 * @template T
 * @param {string} parent folder of the result. Created if missing.
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withPartialFolder(parent, work) {
  mkdirSync(parent, { recursive: true });
  removeLeftovers(parent);
  const folder = mkdtempSync(join(parent, `partial-${process.pid}-${hostname()}-`));
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

/**
 * Removes partial folders of interrupted processes of this host.
 *
 * @param {string} parent
 */
function removeLeftovers(parent) {
  for (const name of readdirSync(parent)) {
    const [, pid, host] = pattern.exec(name) ?? [];
    if (host === hostname() && !isRunning(Number(pid))) {
      remove(join(parent, name));
    }
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to a different user.
    return codeOf(error) !== "ESRCH";
  }
}

/** @param {string} folder */
function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
