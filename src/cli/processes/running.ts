/** Emulators in the background that this user has started, as files in a private folder. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Running emulator in the background. */
export interface RunningEmulator {
  /** Process id. */
  readonly pid: number;
  /** Address of the service. */
  readonly url: string;
  /** Working folder, with `emulator.log`. */
  readonly folder: string;
}

const ownFolder = () => join(tmpdir(), `browser-infra-emulators-${process.getuid?.() ?? ""}`);

/** Adds an emulator to the list. The list is a convenience, so an unwritable folder is no failure. */
export function recordRunning({ pid, url, folder }: RunningEmulator): void {
  try {
    mkdirSync(ownFolder(), { recursive: true, mode: 0o700 });
    writeFileSync(join(ownFolder(), `${pid}.json`), JSON.stringify({ url, folder }), { mode: 0o600 });
  } catch {
    // The process id is printed, too.
  }
}

/** Lists the recorded emulators that still run, by process id. Forgets the others. */
export function runningEmulators(): readonly RunningEmulator[] {
  const place = ownFolder();
  const stats = statSync(place, { throwIfNoEntry: false });
  // Whoever was first in a shared folder could name processes of ours.
  if (stats === undefined || stats.uid !== process.getuid?.()) {
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
