import { spawn } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isInterrupted, onInterrupt } from "./interrupt.mjs";

/**
 * Gets every line of a command's output.
 *
 * @typedef {(line: string) => void} OnLine
 */

/**
 * How a command ended: with an exit code, by a signal, or not even started.
 *
 * @typedef {{ code: number | null, signal?: NodeJS.Signals | null, error?: Error }} End
 */

const guard = join(dirname(fileURLToPath(import.meta.url)), "end-with-parent.mjs");
/** Number of lines kept of a command's output, for the message when it fails. */
const keptLinesMax = 200;
/** How long a command in the background may take to end before it is killed. */
const endingSecondsMax = 3;
/** The same for one in the foreground: it may have servers to stop and folders to remove. */
const foregroundEndingSecondsMax = 10;

/** A command ended with an exit code other than 0, could not be started, or took too long. */
export class CommandFailed extends Error {
  /** @override */
  name = "CommandFailed";

  /**
   * @param {string} message
   * @param {string[]} lines the end of its output.
   */
  constructor(message, lines) {
    super(message);
    this.lines = lines;
  }

  /** What failed and what the command said, on one line. */
  get reason() {
    // A tool says the cause first and its advice last. npm's mark on each line says nothing new.
    const words = this.lines
      .slice(0, 4)
      .join(" ")
      .replace(/npm error\s*/g, "")
      .trim()
      .slice(0, 400);
    return words ? `${this.message}: ${words}` : this.message;
  }
}

/**
 * Runs a command in the background of the set-up and waits for its end. The command and all its
 * children end when this process ends.
 *
 * @param {string} command absolute path of the program.
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {OnLine} [options.onLine] gets every line of output, from both streams.
 * @param {RegExp} [options.noise] lines that explain nothing when the command fails.
 * @param {number} [options.secondsMax] default: no limit.
 * @returns {Promise<string>} the standard output. Rejects with `CommandFailed`.
 */
export async function runCommand(command, args, { cwd, env, onLine, noise, secondsMax }) {
  const child = spawn(process.execPath, [guard, command, ...args], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  /** @type {string[]} */
  const lines = [];
  let stdout = "";
  /** @param {string} line */
  const take = (line) => {
    if (line.trim() === "") {
      return;
    }
    onLine?.(line);
    if (noise?.test(line)) {
      return;
    }
    lines.push(line);
    if (lines.length > keptLinesMax) {
      lines.shift();
    }
  };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", take);
  }

  /** @type {Promise<End>} */
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, error }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const forget = onInterrupt(() => endGroup(child.pid, ended));
  let tookTooLong = false;
  const timer = secondsMax
    ? setTimeout(() => {
        tookTooLong = true;
        void endGroup(child.pid, ended);
      }, secondsMax * 1000)
    : undefined;

  const { code, signal, error } = await ended;
  clearTimeout(timer);
  // The interrupt stopped the command and reports that itself. This step has no failure to report.
  if (isInterrupted()) {
    await new Promise(() => {});
  }
  forget();

  const name = [command, ...args.slice(0, 1)].map((word) => basename(word)).join(" ");
  if (error) {
    throw new CommandFailed(`"${name}" cannot be started: ${error.message}`, []);
  }
  if (tookTooLong) {
    throw new CommandFailed(`"${name}" was stopped after ${secondsMax} s without a result`, lines);
  }
  if (code !== 0) {
    throw new CommandFailed(`"${name}" ended with ${signal ?? `exit code ${code}`}`, lines);
  }
  return stdout;
}

/**
 * Runs a command that talks to the user itself: it has the terminal, and Ctrl-C reaches it
 * directly.
 *
 * @param {string} command absolute path of the program.
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit code, 1 when a signal ended it.
 */
export async function runInForeground(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: "inherit" });
  /** @type {Promise<number>} */
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
  const forget = onInterrupt(async (signal) => {
    // The terminal has sent SIGINT to the child already. A second one would make it skip its
    // clean-up.
    if (signal !== "SIGINT") {
      child.kill(signal);
    }
    const timer = setTimeout(() => child.kill("SIGKILL"), foregroundEndingSecondsMax * 1000);
    await ended;
    clearTimeout(timer);
  });
  const code = await ended;
  if (isInterrupted()) {
    await new Promise(() => {});
  }
  forget();
  return code;
}

/**
 * @param {number | undefined} pid undefined when the command could not be started.
 * @param {Promise<End>} ended
 */
async function endGroup(pid, ended) {
  if (pid === undefined) {
    return;
  }
  signalGroup(pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), endingSecondsMax * 1000);
  await ended;
  clearTimeout(timer);
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}
