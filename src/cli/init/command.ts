import { PassThrough } from "node:stream";
import { type Command, Option } from "commander";
import { BrowserInfraError, InputError } from "../../errors.js";
import { shellQuoted } from "../../text/shell.js";
import { browserOption } from "../commands/emulator.js";
import { newCommand } from "../commands/new-command.js";
import type { BackgroundEmulator } from "../processes/background.js";
import { declinedCode } from "../terminal/confirm.js";
import { interruptible } from "../terminal/interrupt.js";
import type { Streams } from "../terminal/streams.js";
import { displayText } from "../terminal/text.js";
import { deploy } from "./deployment.js";
import { languages, type NewProgram, subjects, writeProgram } from "./template.js";

interface InitFlags {
  readonly language?: string;
  readonly declare?: string;
  readonly up?: true;
  readonly browser?: string | true;
}

/** `browser-infra init`: writes a new program; `--up` deploys the program to an emulator. */
export function initCommand(streams: Streams): Command {
  const { stdin, stdout, stderr } = streams;
  const help = "Write a new Pulumi program. In a terminal, ask for missing options.";
  return newCommand("init", help, "declined")
    .argument("[folder]", "folder of the program; created if missing", ".")
    .addOption(new Option("--language <name>", "language of the program").choices(languages.map(valueOf)))
    .addOption(new Option("--declare <what>", "what the program declares").choices(subjects.map(valueOf)))
    .option("--up", "install, start an emulator in the background, and deploy to it")
    .addOption(browserOption())
    .action((folder: string, { language, declare, up, browser }: InitFlags) =>
      interruptible(async (signal) => {
        const hasPerson = stdin.isTTY === true && stderr.isTTY;
        if (!hasPerson && (language === undefined || declare === undefined)) {
          const [some, others] = [languages, subjects].map((labels) => labels.map(valueOf).join(", "));
          const problem = `Not a terminal, so nothing can be asked. Pass --language (${some}) and --declare (${others}).`;
          throw new InputError("usage_invalid", language === undefined ? "language" : "declare", problem);
        }
        // Commander and the question allow only valid values.
        const program = {
          language: language ?? (await ask("Which language?", languages, streams, signal)),
          subject: declare ?? (await ask("What does the program declare?", subjects, streams, signal)),
          isUnattended: up === true && !hasPerson,
          browser,
        } as NewProgram;
        const written = writeProgram(folder, program);
        stdout.write(`Written to ${displayText(folder)}:\n  ${written.join("\n  ")}\n`);
        stdout.write(nextSteps(folder, up && (await deploy(program, folder, streams, signal))));
      }),
    );
}

/** Value of an option, for the label that a person chooses. */
const valueOf = (label: string) => label.toLowerCase().replace(/:.*/, "");

/** Asks for a label. Throws `BrowserInfraError` `declined`, and the reason of `signal`. */
async function ask(
  message: string,
  labels: readonly string[],
  { stdin, stderr }: Streams,
  signal: AbortSignal,
): Promise<string> {
  // An ES module that only `init` needs.
  const { isCancel, select } = await import("@clack/prompts");
  const output = new PassThrough().on("data", (chunk) => stderr.write(chunk));
  const choice = await select<string>({
    message,
    options: labels.map((label) => ({ value: valueOf(label), label })),
    input: stdin as NodeJS.ReadStream,
    output: Object.assign(output, { columns: stderr.columns }),
    signal,
  });
  signal.throwIfAborted();
  if (isCancel(choice)) {
    throw new BrowserInfraError(declinedCode, "Nothing was written.");
  }
  return choice;
}

/** Next steps for a person. `emulator`: the running emulator, if the program is deployed. */
function nextSteps(folder: string, emulator: BackgroundEmulator | undefined): string {
  const enter = folder === "." ? "" : `\n  cd ${shellQuoted(folder)}`;
  if (emulator === undefined) {
    return `\nNext steps${enter}\n  README.md explains how to deploy the program.\n`;
  }
  return `
Deployed to the emulator at ${emulator.url}

Next steps${enter}
  . ./local.env.sh      the settings, for this shell
  pulumi preview        after an edit; "pulumi up" deploys it
Stop
  pulumi destroy        deletes what is deployed
  ${`kill ${emulator.pid}`.padEnd(21)} stops the emulator; .emulator keeps the data
README.md explains how to use the real service.
`;
}
