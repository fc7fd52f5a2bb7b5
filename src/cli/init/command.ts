import { Writable } from "node:stream";
import { Command, Option } from "commander";
import { BrowserInfraError, InputError } from "../../errors.js";
import { declinedCode } from "../terminal/confirm.js";
import { interruptible } from "../terminal/interrupt.js";
import type { Streams } from "../terminal/streams.js";
import { displayText, shellQuoted } from "../terminal/text.js";
import { deploy } from "./deployment.js";
import { writeFiles } from "./folder.js";
import type { RunningEmulator } from "./processes.js";
import { languages, type NewProgram, programFiles, projectName, subjects } from "./template.js";

interface InitFlags {
  readonly language?: NewProgram["language"];
  readonly declare?: NewProgram["subject"];
  readonly up?: true;
}

/** `browser-infra init`: writes a new program, and with `--up` deploys it to an emulator. */
export function initCommand(streams: Streams): Command {
  return new Command("init")
    .description("Write a new Pulumi program, and deploy it to an emulator with --up.")
    .argument("[folder]", "where to write it; made if missing", ".")
    .addOption(
      new Option("--language <name>", "its language (default: asks)").choices(Object.keys(languages)),
    )
    .addOption(
      new Option("--declare <what>", "what it declares (default: asks)").choices(Object.keys(subjects)),
    )
    .option("--up", "install, start an emulator in the background, and deploy to it")
    .action((folder: string, { up, ...flags }: InitFlags) =>
      interruptible(async (signal) => {
        const { stdin, stderr, stdout } = streams;
        const hasPerson = stdin.isTTY === true && stderr.isTTY;
        if (!hasPerson && (flags.language === undefined || flags.declare === undefined)) {
          throw new InputError(
            "usage_invalid",
            flags.language === undefined ? "language" : "declare",
            `Not a terminal, so nothing can be asked. Pass --language (${names(languages)}) and --declare (${names(subjects)}).`,
          );
        }
        const program: NewProgram = {
          language: flags.language ?? (await ask("Which language?", languages, streams, signal)),
          subject: flags.declare ?? (await ask("What does the program declare?", subjects, streams, signal)),
          name: projectName(folder),
          withoutPerson: up === true && !hasPerson,
        };
        const files = programFiles(program);
        writeFiles(folder, files);
        stdout.write(`Written to ${displayText(folder)}:\n${listing(files.keys())}`);
        stdout.write(
          up ? afterUp(await deploy(program, folder, streams, signal), folder) : afterWriting(folder),
        );
      }),
    );
}

const names = (choices: object) => Object.keys(choices).join(", ");

/**
 * Asks in the terminal which of these to take. Throws `BrowserInfraError` `declined` when the
 * person leaves the question, and the reason of `signal`.
 */
async function ask<Choice extends string>(
  message: string,
  labels: Readonly<Record<Choice, string>>,
  { stdin, stderr }: Streams,
  signal: AbortSignal,
): Promise<Choice> {
  // An ES module, which no other command needs.
  const { isCancel, select } = await import("@clack/prompts");
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      stderr.write(chunk);
      done();
    },
  });
  const choice = await select<string>({
    message,
    options: Object.entries<string>(labels).map(([value, label]) => ({ value, label })),
    input: stdin as NodeJS.ReadStream,
    output: Object.assign(output, { columns: stderr.columns }),
    signal,
  });
  signal.throwIfAborted();
  if (isCancel(choice)) {
    throw new BrowserInfraError(declinedCode, "Nothing was written.");
  }
  return choice as Choice;
}

/** The files in the top folder, and the folders, one a line. */
function listing(paths: Iterable<string>): string {
  const entries = new Set(Array.from(paths, (path) => path.replace(/[\\/].*/, "/")));
  return [...entries]
    .sort()
    .map((entry) => `  ${entry}\n`)
    .join("");
}

function afterWriting(folder: string): string {
  return `
Go on
  ${changeFolder(folder)}README.md says how to deploy it: to an emulator, or the service.
`;
}

const changeFolder = (folder: string) => (folder === "." ? "" : `cd ${shellQuoted(folder)}\n  `);

function afterUp({ url, pid }: RunningEmulator, folder: string): string {
  return `
Deployed to the emulator at ${url}

Go on
  ${changeFolder(folder)}. ./local.env.sh           the settings, for this shell
  pulumi preview --diff      after an edit
  pulumi up
Stop
  pulumi destroy             deletes what is deployed
  kill ${String(pid).padEnd(21)} stops the emulator; .emulator keeps its data
Use the service itself
  README.md says how, in another shell
`;
}
