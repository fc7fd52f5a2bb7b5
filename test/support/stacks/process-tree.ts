import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Running process. A pid alone may belong to a new process a minute later. */
export interface RunningProcess {
  readonly pid: number;
  /** Start time, as printed by the system. */
  readonly started: string;
}

/** A process and all descendants, the process first. Empty without a pid or after the end. */
export function processTree(pid: number | undefined): readonly RunningProcess[] {
  const all = runningProcesses();
  const tree = all.filter((one) => one.pid === pid);
  for (const { pid: parent } of tree) {
    tree.push(...all.filter((one) => one.parent === parent));
  }
  return tree;
}

/**
 * Sends SIGKILL to processes and to their process groups: the engine gives every plugin a separate
 * process group. Skips processes that have ended since.
 */
export function killAll(processes: readonly RunningProcess[]): void {
  for (const { pid } of stillRunning(processes)) {
    for (const target of [-pid, pid]) {
      try {
        process.kill(target, "SIGKILL");
      } catch {
        // The process has ended, or is not the leader of a group.
      }
    }
  }
}

/** Ids of the processes below `pid` with `text` in the command line. */
export function processesBelow(pid: number | undefined, text = ""): number[] {
  const commands = new Map(
    execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" })
      .split("\n")
      .map((line) => /^\s*(\d+)\s(.*)$/.exec(line))
      .filter((match) => match !== null)
      .map(([, id, command = ""]) => [Number(id), command]),
  );
  return (
    processTree(pid)
      .slice(1)
      .map((one) => one.pid)
      // Not the shell that starts the process: its command line contains the path as well.
      .filter((id) => commands.get(id)?.includes(text) && !/^\S*sh\s/.test(commands.get(id) ?? ""))
  );
}

/** Whether a process rests: SIGSTOP has reached all threads, or the process has ended. */
export function isAtRest({ pid }: Pick<RunningProcess, "pid">): boolean {
  try {
    return /^[TZ]/.test(stateOf(pid)) && threadsOf(pid).every((state) => /^[TZX]/.test(state));
  } catch {
    // There is no such process.
    return true;
  }
}

/** System's states of the threads of a process. Empty without `/proc`. */
function threadsOf(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map((id) => threadState(join(folder, id, "stat"))) : [];
}

function threadState(file: string): string {
  try {
    // The state follows the program name, which is in brackets and may contain any character.
    return readFileSync(file, "utf8").replace(/^.*\) /s, "");
  } catch {
    // The thread has ended.
    return "X";
  }
}

/** System's state of a process. Throws if the process does not exist. */
function stateOf(pid: number): string {
  return execFileSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" });
}

function stillRunning(processes: readonly RunningProcess[]): readonly RunningProcess[] {
  const now = new Map(runningProcesses().map(({ pid, started }) => [pid, started]));
  return processes.filter(({ pid, started }) => now.get(pid) === started);
}

function runningProcesses() {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,lstart="], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, parent, started = ""] = /^\s*(\d+)\s+(\d+)\s+(.+)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), started }];
  });
}

/** Whether a process runs. Excludes zombies: the system may keep an ended process for seconds. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^Z/.test(stateOf(pid));
  } catch {
    return false;
  }
}

/** Waits for a condition, checked every 20 ms. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Milliseconds until a process ends, 20 s at most. */
export async function msUntilGone(pid: number): Promise<number> {
  const startedAtMs = performance.now();
  await until(() => !exists(pid) || performance.now() - startedAtMs > 20_000);
  return performance.now() - startedAtMs;
}
