import { type Command, CommanderError } from "commander";
import { CommandEnd, exitCode, exitCodeFor } from "./exit-code.js";
import { FailureReporter, hasJsonOption } from "./report.js";
import { OutputLost } from "./terminal/checked-output.js";
import { Interrupted } from "./terminal/interrupt.js";
import { checkedStreams, type ProcessStreams, painter, type Streams } from "./terminal/streams.js";

/** Makes the commands. `configured`: configures a program and its subcommands, and returns the program. */
export type MakeProgram = (streams: Streams, configured: (program: Command) => Command) => Command;

/**
 * Runs a command line with the commands of `make`. Resolves with the exit code: a value of `exitCode`, 128 plus
 * the number of the signal that ended the command, or the exit code of the program that `emulator exec` ran. Standard
 * output gets only the result. Standard error gets the error: one or two sentences without a stack
 * trace, or with `--json` a line of JSON. If standard output cannot be written, standard error also
 * gets the outcome.
 */
export async function runProgram(
  make: MakeProgram,
  argv: readonly string[],
  given: ProcessStreams,
): Promise<number> {
  const streams = checkedStreams(given);
  const report = new FailureReporter(streams, hasJsonOption(argv));
  const code = await runCommand(make, argv, streams, report);
  await streams.stdout.flush();
  const ended = report.reportLostOutput(code);
  await streams.stderr.flush();
  return ended;
}

async function runCommand(
  make: MakeProgram,
  argv: readonly string[],
  streams: Streams,
  report: FailureReporter,
): Promise<number> {
  try {
    const configured = (program: Command) => {
      configure(program, streams, report);
      return program;
    };
    await configured(make(streams, configured)).parseAsync(argv, { from: "user" });
    return exitCode.done;
  } catch (error) {
    // Help and version end up here, too, with exit code 0.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCode.done : report.reportUsage(error);
    }
    if (error instanceof CommandEnd) {
      return error.exitCode;
    }
    if (error instanceof OutputLost) {
      return exitCodeFor(error);
    }
    return error instanceof Interrupted ? report.reportInterruption(error) : report.reportError(error);
  }
}

/** Narrowest column of explanations in `--help` that is still wrapped, in cells. */
const helpTextWidthMin = 20;

/** Configures a command and all subcommands: Commander does not pass these settings on. */
function configure(command: Command, streams: Streams, report: FailureReporter): void {
  const { stdout, stderr, env } = streams;
  // With --json, the report contains the message.
  const writeError = (text: string) => (report.json ? undefined : stderr.write(text));
  command
    .exitOverride()
    .helpCommand(false)
    .helpOption("-h, --help", "show this help")
    .showSuggestionAfterError()
    .configureHelp({ minWidthToWrap: helpTextWidthMin })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => writeError(text),
      outputError: (text) => writeError(text.replace("error:", painter(stderr, env)("red", "error:"))),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    });
  for (const each of command.commands) {
    configure(each as Command, streams, report);
  }
}
