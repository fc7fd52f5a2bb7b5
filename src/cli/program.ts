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
import { Interrupted } from "./terminal/interrupt.js";
import { painter, type Streams } from "./terminal/streams.js";
import { displayText } from "./terminal/text.js";

/**
 * Runs a command line. Resolves with the exit code: one of `exitCode`, or 128 plus the number of
 * the signal that ended the command. Standard output gets the result and nothing else. Standard
 * error gets the error, in one or two sentences and without a stack trace.
 */
export async function run(argv: readonly string[], streams: Streams = process): Promise<number> {
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

  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode.done;
  } catch (error) {
    // Commander has printed its own message. Help and version end up here too, with exit code 0.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCode.done : exitCode.usage;
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
      : `Unexpected: ${message.replace(/\.?$/, ".")} This is a bug in pulumi-browser-infra; please report it.`;
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
