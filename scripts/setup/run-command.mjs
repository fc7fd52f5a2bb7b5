import { spawn } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isInterrupted, onInterrupt } from "./interrupt.mjs";

const guard = join(dirname(fileURLToPath(import.meta.url)), "end-with-parent.mjs");
/** Lines of a command's output that are kept for the message when it fails. */
const keptLinesMax = 200;
/** How long a command in the background may take to end after it was asked to, before it is killed. */
const endingSecondsMax = 3;
/** The same for one in the foreground, which may have servers to stop and folders to remove. */
const foregroundEndingSecondsMax = 10;

/** A command ended with an exit code other than 0, could not be started, or took too long. `lines`: the end of its output. */
export class CommandFailed extends Error {
  name = "CommandFailed";
  constructor(message, lines) {
    super(message);
    this.lines = lines;
  }

  /** What failed and the last words of the command, on one line. */
  get reason() {
    // What a tool says first is the cause, what it says last is advice. npm's mark on each line says nothing new.
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
 * Runs a command in the background of the set-up and waits for its end. It and all its children end when this process does.
 *
 * @param {string} command absolute path of the program.
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(line: string) => void} [options.onLine] gets every line of output, from both streams.
 * @param {RegExp} [options.noise] lines that are no part of an explanation when the command fails.
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
  const lines = [];
  let stdout = "";
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
  // Ended by our own hand: the interrupt speaks, not a step that would report a failure.
  if (isInterrupted()) {
    await new Promise(() => {});
  }
  forget();

  const name = [command, ...args.slice(0, 1)].map((word) => basename(word)).join(" ");
  if (error) {
    throw new CommandFailed(`"${name}" cannot be started: ${error.message}`, []);
  }
  if (tookTooLong) {
    throw new CommandFailed(`"${name}" was ended after ${secondsMax} s without a result`, lines);
  }
  if (code !== 0) {
    throw new CommandFailed(`"${name}" ended with ${signal ?? `exit code ${code}`}`, lines);
  }
  return stdout;
}

/**
 * Runs a command that speaks to the user itself: it has the terminal, and Ctrl-C reaches it directly.
 *
 * @returns {Promise<number>} its exit code, 1 when a signal ended it.
 */
export async function runInForeground(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: "inherit" });
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
  const forget = onInterrupt(async (signal) => {
    // The terminal has sent SIGINT to the child already; another one would make it skip its own tidying.
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

async function endGroup(pid, ended) {
  signalGroup(pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), endingSecondsMax * 1000);
  await ended;
  clearTimeout(timer);
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}
