import { Command } from "commander";
import { completionCommands } from "./commands/completion.js";
import { emulatorCommand } from "./commands/emulator.js";
import { loginCommand } from "./commands/logins/login.js";
import { newCommand } from "./commands/new-command.js";
import { recordsOf } from "./commands/nouns.js";
import { plan } from "./commands/organization/plan.js";
import { whoami } from "./commands/organization/whoami.js";
import { driftCommand } from "./commands/stack/drift.js";
import { importCommand } from "./commands/stack/import.js";
import { pending } from "./commands/stack/pending.js";
import { initCommand } from "./init/command.js";
import { ownPackage } from "./processes/own-package.js";
import { runProgram } from "./run.js";
import { serviceCommand } from "./session.js";
import type { ProcessStreams, Streams } from "./terminal/streams.js";
import { displayText } from "./terminal/text.js";

/** Runs a command line of `browser-infra`, as `runProgram` describes. */
export function run(argv: readonly string[], given: ProcessStreams = process): Promise<number> {
  return runProgram(makeProgram, argv, given);
}

function makeProgram(streams: Streams, configured: (program: Command) => Command): Command {
  const [completion, complete] = completionCommands(() => configured(commandsOf(streams)));
  return commandsOf(streams).addCommand(completion).addCommand(complete, { hidden: true });
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
  return newCommand("help", "Show the help of a command.")
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
