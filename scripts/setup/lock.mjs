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
import { onInterrupt } from "./interrupt.mjs";
import { partialPrefix, removeLeftovers } from "./partial-folder.mjs";
import { showProgress } from "./progress.mjs";

/** How often a holder shows that it lives. */
const heartbeatSeconds = 5;
/** A holder that has been silent this long is dead, whatever runs under its process id now, or on whichever machine it ran. */
const silenceSecondsMax = 60;
const pollMilliseconds = 200;

/**
 * Lets one set-up at a time work in a folder; the others wait and say so. What a dead one left half-made there is removed.
 *
 * The lock is a folder `lock` that holds one file, named at random, of its holder. It is made complete elsewhere and renamed into
 * place, which the file system refuses when a holder is in there; a dead holder's file is deleted by its name, so two waiters that
 * both saw it dead can never delete the file of a third that came after.
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
      // Taken over after a long pause of this process; its folders have names of their own, so nothing is mixed up.
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

async function waitFor(lock, name) {
  const holder = readHolders(lock)[0];
  await showProgress(
    {
      what: "Waiting for another set-up",
      why: `${holder ? `process ${holder.pid} on ${holder.host}` : "another process"} is setting up the same folder`,
      usually: "as long as that one needs",
    },
    async () => {
      while (!tryToTake(lock, name)) {
        await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
      }
    },
  );
}

function tryToTake(lock, name) {
  const [dead, living] = [[], []];
  for (const holder of readHolders(lock)) {
    (isDead(holder) ? dead : living).push(holder);
  }
  if (living.length > 0) {
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
    // Another one was quicker: its lock has something in it (two names for that), or it has removed our folder as a leftover.
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(error.code)) {
      throw error;
    }
    return false;
  }
}

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
    // EPERM: alive, and another user's.
    return error.code === "ESRCH";
  }
}

function ignoringErrors(action) {
  try {
    action();
  } catch {
    // Someone else has done it.
  }
}
