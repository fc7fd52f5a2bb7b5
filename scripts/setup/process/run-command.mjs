import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { basename } from "node:path";
import { createInterface } from "node:readline";

/**
 * Gets every line of a command's output.
 *
 * @typedef {(line: string) => void} OnLine
 */

/**
 * Options of a command.
 *
 * @typedef {object} RunOptions
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {OnLine | undefined} [onLine] gets every line of output, from both streams.
 * @property {RegExp} [noise] lines that do not explain a failure.
 * @property {number} [secondsMax] default: no limit.
 */

/** Number of output lines kept for the message about a failure. */
const keptLinesMax = 200;

/** A command ended with an exit code other than 0, could not be started, or took too long. */
export class CommandFailed extends Error {
  /** @override */
  name = "CommandFailed";

  /**
   * @param {string} message
   * @param {string[]} [lines] end of the output.
   */
  constructor(message, lines = []) {
    super(message);
    this.lines = lines;
  }

  /** Failure and output of the command, on one line. */
  get reason() {
    // A tool prints the cause first and advice last. npm's mark on each line adds nothing.
    const output = this.lines
      .slice(0, 4)
      .join(" ")
      .replace(/npm error\s*/g, "");
    return [this.message, output.trim().slice(0, 400)].filter(Boolean).join(": ");
  }
}

/**
 * The reason of a `CommandFailed`. Throws any other error again.
 *
 * @param {unknown} error
 */
export function reasonOf(error) {
  if (error instanceof CommandFailed) {
    return error.reason;
  }
  throw error;
}

/**
 * Runs a command without a terminal and waits for the end. Ctrl-C in a terminal ends both.
 *
 * @param {string} command absolute path of the program.
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<string>} the standard output. Rejects with `CommandFailed`.
 */
export function runCommand(command, args, { cwd, env, onLine, noise, secondsMax = 0 }) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: secondsMax * 1000,
  });
  /** @type {string[]} */
  const lines = [];
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      if (line.trim() === "") {
        return;
      }
      onLine?.(line);
      if (!noise?.test(line)) {
        lines.push(line);
        lines.splice(0, lines.length - keptLinesMax);
      }
    });
  }
  const name = [command, ...args.slice(0, 1)].map((word) => basename(word)).join(" ");
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(new CommandFailed(`"${name}" cannot be started: ${error.message}`));
    });
    child.once("close", (code, signal) => {
      if (code === 0) {
        resolve(stdout);
      } else {
        const how = child.killed
          ? `was stopped after ${secondsMax} s without a result`
          : `ended with ${signal ?? `exit code ${code}`}`;
        reject(new CommandFailed(`"${name}" ${how}`, lines));
      }
    });
  });
}

/**
 * Runs a command that talks to the user itself. The command has the terminal, and Ctrl-C reaches
 * the command directly: this process waits for the command's clean-up, and then ends as well.
 *
 * @param {string} command absolute path of the program.
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} exit code, 1 after a signal.
 */
export async function runInForeground(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: "inherit" });
  /** @type {NodeJS.Signals | undefined} */
  let received;
  /** @param {NodeJS.Signals} signal */
  const wait = (signal) => {
    received = signal;
    // The terminal has already sent SIGINT to the child. A second SIGINT would make the child skip
    // the clean-up.
    if (signal !== "SIGINT") {
      child.kill(signal);
    }
  };
  process.on("SIGINT", wait).on("SIGTERM", wait);
  try {
    const [code] = await once(child, "exit");
    if (received !== undefined) {
      process.exit(128 + constants.signals[received]);
    }
    return code ?? 1;
  } finally {
    process.off("SIGINT", wait).off("SIGTERM", wait);
  }
}
