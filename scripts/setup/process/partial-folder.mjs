import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../set-up-error.mjs";

/** Folders with unfinished work: `partial-<process>-<host>-<random>`. */
const pattern = /^partial-(\d+)-(.*)-\w{6}$/;

/**
 * Gives the work an empty folder beside its target, for `putInPlace`. So commands that set up the
 * same thing at once cannot meet: each makes its own, and the first complete one stays. Removes the
 * folder afterwards. After an interrupt it stays until the next set-up.
 *
 * @template T
 * @param {string} parent the folder the result will be in. Made when it is missing.
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
 * Puts a finished file or folder into its place, and what was there beside the finished one.
 *
 * @param {string} made in a partial folder.
 * @param {string} place on the same file system.
 */
export function putInPlace(made, place) {
  // The old one moves away first: a rename replaces an empty folder only.
  if (existsSync(place)) {
    renameSync(place, join(dirname(made), `${basename(place)}-before`));
  }
  renameSync(made, place);
}

/**
 * Removes what interrupted processes of this host left.
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
    // EPERM: it belongs to another user.
    return codeOf(error) !== "ESRCH";
  }
}

/** @param {string} folder */
function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
