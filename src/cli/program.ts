import { Command, CommanderError } from "commander";
import { completionCommands } from "./commands/completion.js";
import { emulatorCommand } from "./commands/emulator.js";
import { loginCommand } from "./commands/logins/login.js";
import { recordsOf } from "./commands/nouns.js";
import { plan } from "./commands/organization/plan.js";
import { whoami } from "./commands/organization/whoami.js";
import { driftCommand } from "./commands/stack/drift.js";
import { importCommand } from "./commands/stack/import.js";
import { pending } from "./commands/stack/pending.js";
import { CommandEnd, exitCode, exitCodeFor, exitCodesText } from "./exit-code.js";
import { initCommand } from "./init/command.js";
import { ownPackage } from "./own-package.js";
import { FailureReporter, hasJsonOption } from "./report.js";
import { serviceCommand } from "./session.js";
import { OutputLost } from "./terminal/checked-output.js";
import { Interrupted } from "./terminal/interrupt.js";
import { checkedStreams, type ProcessStreams, painter, type Streams } from "./terminal/streams.js";
import { displayText } from "./terminal/text.js";

/**
 * Runs a command line. Resolves with the exit code: a value of `exitCode`, 128 plus the number of the
 * signal that ended the command, or the exit code of the program that `emulator exec` ran. Standard
 * output gets only the result. Standard error gets the error: one or two sentences without a stack
 * trace, or with `--json` a line of JSON. If standard output cannot be written, standard error also
 * gets the outcome.
 */
export async function run(argv: readonly string[], given: ProcessStreams = process): Promise<number> {
  const streams = checkedStreams(given);
  const report = new FailureReporter(streams, hasJsonOption(argv));
  const code = await runCommand(argv, streams, report);
  await streams.stdout.flush();
  const ended = report.reportLostOutput(code);
  await streams.stderr.flush();
  return ended;
}

async function runCommand(
  argv: readonly string[],
  streams: Streams,
  report: FailureReporter,
): Promise<number> {
  try {
    await createProgram(streams, report).parseAsync(argv, { from: "user" });
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

function createProgram(streams: Streams, report: FailureReporter): Command {
  const configured = (program: Command) => {
    configure(program, streams, report);
    return program;
  };
  const [completion, complete] = completionCommands(() => configured(commandsOf(streams)));
  return configured(commandsOf(streams).addCommand(completion).addCommand(complete, { hidden: true }));
}

/** All commands but the completion of commands. */
function commandsOf(streams: Streams): Command {
  const program = new Command("browser-infra");
  program
    .description("Work with a browser infrastructure service from a shell.")
    .version(ownPackage().version, "--version", "print the version")
    .addHelpText("after", "\nFor options and exit codes: browser-infra help <command>")
    .addCommand(initCommand(streams))
    .addCommand(emulatorCommand(streams))
    .addCommand(serviceCommand(whoami, streams))
    .addCommand(serviceCommand(plan, streams));
  for (const { command } of recordsOf.values()) {
    program.addCommand(command(streams));
  }
  return program
    .addCommand(loginCommand(streams))
    .addCommand(importCommand(streams))
    .addCommand(driftCommand(streams))
    .addCommand(serviceCommand(pending, streams))
    .addCommand(helpCommand(program));
}

/** `browser-infra help`: the help of a command, as `--help` after the command prints. */
function helpCommand(program: Command): Command {
  return new Command("help")
    .description("Show the help of a command.")
    .addHelpText("after", exitCodesText())
    .argument("[command...]", "command, such as projects list")
    .action((names: readonly string[]) => {
      let found = program;
      for (const name of names) {
        found =
          found.commands.find((command) => command.name() === name) ??
          program.error(`error: unknown command '${displayText(names.join(" "))}'`);
      }
      found.help();
    });
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
