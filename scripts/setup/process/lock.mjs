import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { codeOf } from "../set-up-error.mjs";
import { onInterrupt } from "./interrupt.mjs";
import { partialPrefix, removeLeftovers } from "./partial-folder.mjs";
import { showProgress } from "./progress.mjs";

/**
 * One that holds the lock: its file in the lock's folder, and when it last touched that file, in
 * milliseconds since 1970.
 *
 * @typedef {{ path: string, beat: number, pid: number, host: string }} Holder
 */

/** How often a holder shows that it is alive. */
const heartbeatSeconds = 5;
/**
 * A holder that has been silent this long is dead, whatever process has its id now and whichever
 * machine it ran on.
 */
const silenceSecondsMax = 60;
const pollMilliseconds = 200;

/**
 * Lets one set-up at a time work in a folder. The others wait and say so. Removes the unfinished
 * files of a dead one.
 *
 * The lock is a folder `lock` with one file of its holder, which has a random name. The holder
 * makes this folder elsewhere and renames it; the file system refuses the rename while another
 * holder's file is there. A dead holder's file is deleted by its name, so two waiters that both saw
 * it dead can never delete the file of a third one.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, work) {
  const lock = join(folder, "lock");
  const name = randomUUID();
  if (!tryToTake(lock, name)) {
    await waitFor(lock, name);
  }
  const heartbeat = setInterval(() => {
    try {
      utimesSync(join(lock, name), new Date(), new Date());
    } catch {
      // Another set-up took the lock during a long pause of this process. Both work in folders with
      // different names, so nothing gets mixed up.
    }
  }, heartbeatSeconds * 1000);
  const release = () => {
    clearInterval(heartbeat);
    ignoringErrors(() => unlinkSync(join(lock, name)));
    ignoringErrors(() => rmdirSync(lock));
  };
  const forget = onInterrupt(release);
  try {
    removeLeftovers(folder);
    return await work();
  } finally {
    release();
    forget();
  }
}

/**
 * @param {string} lock
 * @param {string} name
 */
async function waitFor(lock, name) {
  const holder = readHolders(lock)[0];
  await showProgress(
    {
      what: "Waiting for another set-up",
      why: `${holder ? `process ${holder.pid} on ${holder.host}` : "another process"} is setting up the same folder`,
      usually: "as long as the other one needs",
    },
    async () => {
      while (!tryToTake(lock, name)) {
        await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
      }
    },
  );
}

/**
 * @param {string} lock
 * @param {string} name
 */
function tryToTake(lock, name) {
  const holders = readHolders(lock);
  const dead = holders.filter(isDead);
  if (dead.length < holders.length) {
    return false;
  }
  for (const holder of dead) {
    ignoringErrors(() => unlinkSync(holder.path));
  }
  const prepared = join(dirname(lock), `${partialPrefix}lock-${name}`);
  try {
    mkdirSync(prepared);
    writeFileSync(join(prepared, name), JSON.stringify({ pid: process.pid, host: hostname() }));
    renameSync(prepared, lock);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    // Another set-up was faster: its lock is not empty (two codes mean that), or it has removed our
    // folder as a leftover.
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error) ?? "")) {
      throw error;
    }
    return false;
  }
}

/**
 * @param {string} lock
 * @returns {Holder[]}
 */
function readHolders(lock) {
  try {
    return readdirSync(lock).flatMap((name) => {
      const path = join(lock, name);
      try {
        return [{ path, beat: statSync(path).mtimeMs, ...JSON.parse(readFileSync(path, "utf8")) }];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** @param {Holder} holder */
function isDead({ pid, host, beat }) {
  if (Date.now() - beat > silenceSecondsMax * 1000) {
    return true;
  }
  if (host !== hostname()) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: alive, but it belongs to another user.
    return codeOf(error) === "ESRCH";
  }
}

/** @param {() => void} action */
function ignoringErrors(action) {
  try {
    action();
  } catch {
    // Another set-up has done it already.
  }
}
