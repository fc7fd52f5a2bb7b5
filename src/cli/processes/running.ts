/** Emulators in the background that this user has started, as files in a private folder. */
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateMode } from "../../emulator/storage/private-file.js";

export interface RunningEmulator {
  readonly pid: number;
  readonly url: string;
  /** Working folder, with `emulator.log`. */
  readonly folder: string;
}

const ownFolder = () => join(tmpdir(), `browser-infra-emulators-${process.getuid?.() ?? ""}`);

/**
 * Whether the folder exists and is this user's. Whoever was first in a shared folder for temporary files could
 * name processes of ours, or lead a write elsewhere by a link.
 */
function isFolderOurs(): boolean {
  const stats = lstatSync(ownFolder(), { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

/** Adds an emulator to the list. The list is a convenience, so an unwritable folder is no failure. */
export function recordRunning({ pid, url, folder }: RunningEmulator): void {
  try {
    mkdirSync(ownFolder(), { recursive: true, mode: 0o700 });
    if (isFolderOurs()) {
      writeFileSync(join(ownFolder(), `${pid}.json`), JSON.stringify({ url, folder }), { mode: privateMode });
    }
  } catch {
    // The process id is printed, too.
  }
}

/** Lists the recorded emulators that still run, by process id. Forgets the others. */
export function runningEmulators(): readonly RunningEmulator[] {
  const place = ownFolder();
  if (!isFolderOurs()) {
    return [];
  }
  return readdirSync(place).flatMap((file) => {
    const pid = Number.parseInt(file, 10);
    if (isEmulator(pid)) {
      return [{ pid, ...JSON.parse(readFileSync(join(place, file), "utf8")) }];
    }
    rmSync(join(place, file), { force: true });
    return [];
  });
}

/** Whether a process is an emulator in the background: the system gives a process id again. */
export function isEmulator(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  return /[ /\\]emulator(-main\.js)? (.* )?--port=\d+ --json\s*$/.test(stdout ?? "");
}
