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
    .addHelpText("afterAll", exitCodesText);
  const commands = [
    emulatorCommand(streams),
    whoamiCommand(streams),
    projectsCommand(streams),
    apiKeysCommand(streams),
    extensionsCommand(streams),
    loginCommand(streams),
    importCommand(streams),
  ];
  for (const command of commands) {
    program.addCommand(command);
  }
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
    const wasOnlyCanceled =
      cause instanceof CanceledError || (cause as Error | undefined)?.name === "AbortError";
    if (!wasOnlyCanceled) {
      printError(cause, streams);
    }
    return error.exitCode;
  }
}

/** This package's version, from its `package.json`. */
function packageVersion(): string {
  // Found by the package's own name, because the path to the file differs between the build and the
  // tests.
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
      : `Unexpected error: ${message} This is a bug in pulumi-browser-infra; please report it.`;
  stderr.write(`${painter(stderr, env)("red", "error:")} ${text}\n`);
}

/**
 * Configures a command and those below it, because Commander does not pass these settings on to
 * added commands.
 */
function configure(command: Command, streams: Streams): void {
  const { stdout, stderr } = streams;
  command
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    });
  for (const each of command.commands) {
    configure(each as Command, streams);
  }
}
