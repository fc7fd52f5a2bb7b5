import { Command, CommanderError } from "commander";
import { BrowserInfraError, CanceledError } from "../errors.js";
import { apiKeysCommand } from "./commands/api-keys.js";
import { emulatorCommand } from "./commands/emulator.js";
import { extensionsCommand } from "./commands/extensions.js";
import { importCommand } from "./commands/import-command.js";
import { loginCommand } from "./commands/login.js";
import { projectsCommand } from "./commands/projects.js";
import { whoamiCommand } from "./commands/whoami.js";
import { exitCode, exitCodeFor, exitCodesText } from "./exit-code.js";
import { packageVersion } from "./package-version.js";
import { Interrupted } from "./terminal/interrupt.js";
import { painter } from "./terminal/paint.js";
import type { Streams } from "./terminal/streams.js";
import { displayText } from "./terminal/text.js";

/**
 * Runs the command line and resolves with the exit code, one of `exitCode`, or 128 and the number of the signal that ended it. The result is
 * all that stands on standard output. What went wrong is one sentence or two on standard error, without a stack trace.
 */
export async function run(argv: readonly string[], streams: Streams = process): Promise<number> {
  const program = new Command("browser-infra")
    .description("Works with a browser infrastructure service from a shell.")
    .version(packageVersion(), "--version", "print the version")
    .addHelpText("afterAll", exitCodesText);
  const commands = [
    emulatorCommand(),
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
  settle(program, streams);

  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode.done;
  } catch (error) {
    // Commander has printed its own message; help and version arrive here, too, with the exit code 0.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    }
    if (!(error instanceof Interrupted)) {
      tell(error, streams);
      return exitCodeFor(error);
    }
    // The terminal has shown ^C, and the line is not ended.
    if (streams.stderr.isTTY) {
      streams.stderr.write("\n");
    }
    const { cause } = error;
    const wasOnlyCanceled =
      cause instanceof CanceledError || (cause as Error | undefined)?.name === "AbortError";
    if (!wasOnlyCanceled) {
      tell(cause, streams);
    }
    return error.exitCode;
  }
}

function tell(error: unknown, { stderr, env }: Streams): void {
  const message = error instanceof Error ? error.message : String(error);
  // An answer is no error.
  if (exitCodeFor(error) === exitCode.declined) {
    stderr.write(`${message}\n`);
    return;
  }
  const text =
    error instanceof BrowserInfraError
      ? displayText(message)
      : `Unexpected: ${message} This is a fault of this package; please report it.`;
  stderr.write(`${painter(stderr, env)("red", "error:")} ${text}\n`);
}

/** Commands that are added do not inherit these settings from the one they are added to. */
function settle(command: Command, streams: Streams): void {
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
    settle(each as Command, streams);
  }
}
