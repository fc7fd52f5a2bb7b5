import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A running process. A number alone may belong to another process a minute later. */
export interface RunningProcess {
  readonly pid: number;
  /** When it was started, as the system prints it. */
  readonly started: string;
}

/** A process and all below it, itself first. Without a number, or once it has ended: nothing. */
export function processTree(pid: number | undefined): readonly RunningProcess[] {
  const all = runningProcesses();
  const tree = all.filter((one) => one.pid === pid);
  for (const { pid: parent } of tree) {
    tree.push(...all.filter((one) => one.parent === parent));
  }
  return tree;
}

/**
 * Sends SIGKILL to processes and to the groups that they lead: the engine gives each plugin a
 * process group of its own. Those that have ended since are left alone.
 */
export function killAll(processes: readonly RunningProcess[]): void {
  for (const { pid } of stillRunning(processes)) {
    for (const target of [-pid, pid]) {
      try {
        process.kill(target, "SIGKILL");
      } catch {
        // It has ended, or it is not the leader of a group.
      }
    }
  }
}

/** Ids of the processes below `pid` that have `text` in their command line. */
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
      // The shell that starts the process has its path in its command line as well.
      .filter((id) => commands.get(id)?.includes(text) && !/^\S*sh\s/.test(commands.get(id) ?? ""))
  );
}

/** Whether a process does nothing any more: SIGSTOP has reached all its threads, or it is over. */
export function isAtRest({ pid }: Pick<RunningProcess, "pid">): boolean {
  try {
    return /^[TZ]/.test(stateOf(pid)) && threadsOf(pid).every((state) => /^[TZX]/.test(state));
  } catch {
    // There is no such process.
    return true;
  }
}

/** What the system says each thread of a process does. Nothing where there is no `/proc`. */
function threadsOf(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map((id) => threadState(join(folder, id, "stat"))) : [];
}

function threadState(file: string): string {
  try {
    // After the name of the program, which is in brackets and may have any character.
    return readFileSync(file, "utf8").replace(/^.*\) /s, "");
  } catch {
    // It has ended.
    return "X";
  }
}

/** What the system says a process does. Throws when there is none. */
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

/** Whether a process runs. One that has ended may wait some seconds until the system forgets it. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^Z/.test(stateOf(pid));
  } catch {
    return false;
  }
}

/** Checks again and again, not too often: the machine has other work. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** How long a process exists from now on, 20 s at most. */
export async function msUntilGone(pid: number): Promise<number> {
  const startedAtMs = performance.now();
  await until(() => !exists(pid) || performance.now() - startedAtMs > 20_000);
  return performance.now() - startedAtMs;
}
