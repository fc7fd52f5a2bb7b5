import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { BrowserInfraError, CanceledError } from "../errors.js";
import { apiKeysCommand } from "./commands/api-keys.js";
import { emulatorCommand } from "./commands/emulator.js";
import { extensionsCommand } from "./commands/extensions.js";
import { importCommand } from "./commands/import.js";
import { loginCommand } from "./commands/login.js";
import { projectsCommand } from "./commands/projects.js";
import { whoamiCommand } from "./commands/whoami.js";
import { exitCode, exitCodeFor, exitCodesText } from "./exit-code.js";
import { OutputLost, outputProblem } from "./terminal/checked-output.js";
import { Interrupted } from "./terminal/interrupt.js";
import { checkedStreams, type ProcessStreams, painter, type Streams } from "./terminal/streams.js";
import { displayText } from "./terminal/text.js";

/**
 * Runs a command line. Resolves with the exit code: one of `exitCode`, or 128 plus the number of
 * the signal that ended the command. Standard output gets the result and nothing else. Standard
 * error gets the error, in one or two sentences and without a stack trace, and what a command has
 * done if standard output cannot be written.
 */
export async function run(argv: readonly string[], given: ProcessStreams = process): Promise<number> {
  const streams = checkedStreams(given);
  const code = await runCommand(argv, streams);
  await streams.stdout.flushed();
  const ended = withLostOutput(code, streams);
  await streams.stderr.flushed();
  return ended;
}

/** Runs the command, and reports an error it throws. */
async function runCommand(argv: readonly string[], streams: Streams): Promise<number> {
  try {
    await createProgram(streams).parseAsync(argv, { from: "user" });
    return exitCode.done;
  } catch (error) {
    // Commander has printed its own message. Help and version end up here too, with exit code 0.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    }
    if (error instanceof OutputLost) {
      return exitCodeFor(error);
    }
    if (!(error instanceof Interrupted)) {
      printError(error, streams);
      return exitCodeFor(error);
    }
    // The terminal has shown ^C and is still on that line.
    if (streams.stderr.isTTY) {
      streams.stderr.write("\n");
    }
    const { cause } = error;
    if (!(cause instanceof CanceledError) && (cause as Error | undefined)?.name !== "AbortError") {
      printError(cause, streams);
    }
    return error.exitCode;
  }
}

/** Says what happened if standard output has lost anything. Returns the exit code. */
function withLostOutput(code: number, { stdout, stderr, env }: Streams): number {
  const { failure, outcomes } = stdout;
  // A reader that stops reading (`browser-infra projects list | head -1`) is no reason to fail.
  if (failure === undefined || (failure.code === "EPIPE" && outcomes === "")) {
    return code;
  }
  const advice =
    outcomes === ""
      ? "Fix that, or write it to another place."
      : `The command itself succeeded, so do not repeat it. Its result:\n${outcomes}`.trimEnd();
  stderr.write(
    `${painter(stderr, env)("red", "error:")} Standard output cannot be written: ${outputProblem(failure)}. ${advice}\n`,
  );
  return code === exitCode.done ? exitCode.outputLost : code;
}

function createProgram(streams: Streams): Command {
  const program = new Command("browser-infra")
    .description("Work with a browser infrastructure service from a shell.")
    .version(packageVersion(), "--version", "print the version")
    .addHelpText("afterAll", exitCodesText)
    .addCommand(emulatorCommand(streams))
    .addCommand(whoamiCommand(streams))
    .addCommand(projectsCommand(streams))
    .addCommand(apiKeysCommand(streams))
    .addCommand(extensionsCommand(streams))
    .addCommand(loginCommand(streams))
    .addCommand(importCommand(streams));
  configure(program, streams);
  return program;
}

/** This package's version. Its `package.json` is found by name, wherever this file is built to. */
function packageVersion(): string {
  const file = require.resolve("pulumi-browser-infra/package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

function printError(error: unknown, { stderr, env }: Streams): void {
  const message = error instanceof Error ? error.message : String(error);
  // Answering no is not an error.
  if (exitCodeFor(error) === exitCode.declined) {
    stderr.write(`${message}\n`);
    return;
  }
  const text =
    error instanceof BrowserInfraError
      ? displayText(message)
      : `${displayText(message).replace(/\.?$/, ".")} This is a bug in pulumi-browser-infra; please report it.`;
  stderr.write(`${painter(stderr, env)("red", "error:")} ${text}\n`);
}

/** Configures a command and those below it: Commander does not pass these settings on to them. */
function configure(command: Command, streams: Streams): void {
  const { stdout, stderr, env } = streams;
  command
    .exitOverride()
    .helpCommand(false)
    .helpOption("-h, --help", "show this help")
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text) => stderr.write(text.replace("error:", painter(stderr, env)("red", "error:"))),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    });
  for (const each of command.commands) {
    configure(each as Command, streams);
  }
}
