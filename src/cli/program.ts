import { Command, CommanderError } from "commander";
import { BrowserInfraError, ConfigError } from "../errors.js";
import { emulatorCommand } from "./emulator-command.js";
import { importCommand } from "./import-command.js";
import { packageVersion } from "./package-version.js";

/** Exit code of a command that did what it was asked to. */
const exitDone = 0;

/** Exit code of a command that failed at its work. */
const exitFailed = 1;

/** Exit code of a command line that cannot be carried out as written. */
const exitUsage = 2;

/**
 * Runs the command line and resolves with the exit code: 0 done, 1 failed, 2 wrong usage. What went wrong is one sentence or
 * two on standard error, without a stack trace.
 */
export async function run(argv: readonly string[]): Promise<number> {
  const program = new Command("browser-infra")
    .description("Works with a browser infrastructure service from a shell.")
    .version(packageVersion(), "--version", "print the version")
    .showSuggestionAfterError();
  for (const command of [emulatorCommand(), importCommand()]) program.addCommand(command);
  settle(program);

  try {
    await program.parseAsync(argv, { from: "user" });
    return exitDone;
  } catch (error) {
    // Commander has printed its own message; help and version arrive here, too, with the exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitDone : exitUsage;
    const known = error instanceof BrowserInfraError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `error: ${known ? message : `Unexpected: ${message} This is a fault of this package; please report it.`}\n`,
    );
    return error instanceof ConfigError ? exitUsage : exitFailed;
  }
}

/** Commands that are added do not inherit these settings from the one they are added to. */
function settle(command: Command): void {
  command.exitOverride().helpCommand(false);
  for (const each of command.commands) settle(each as Command);
}
