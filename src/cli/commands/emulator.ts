import { once } from "node:events";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { Command, Option } from "commander";
import { withoutSandbox } from "../../chromium/launch.js";
import type { Emulator, EmulatorOptions, RecordedRequest } from "../../emulator/index.js";
import { defaultApiKey } from "../../emulator/seed/options.js";
import { InputError } from "../../errors.js";
import { shorten } from "../../text/escape.js";
import { shellQuoted } from "../../text/shell.js";
import { CommandEnd, exitCodesText } from "../exit-code.js";
import {
  type BackgroundEmulator,
  defaultPort,
  emulatorLog,
  startInBackground,
  stopInBackground,
} from "../processes/background.js";
import { runInForeground } from "../processes/foreground.js";
import { openPage } from "../processes/open-page.js";
import { ownPackage } from "../processes/own-package.js";
import { type CheckedOutput, OutputLost } from "../terminal/checked-output.js";
import { interruptible } from "../terminal/interrupt.js";
import { anyNumber, collect, wholeNumber } from "../terminal/option-values.js";
import { quietSqliteWarning, type Streams } from "../terminal/streams.js";
import { displayText, jsonText } from "../terminal/text.js";
import { listCommand, stopCommand } from "./emulators.js";
import { newCommand } from "./new-command.js";

/** Maximum length of a path in the log, in characters. */
const pathCharactersMax = 300;

interface EmulatorFlags
  extends Pick<
    EmulatorOptions,
    "host" | "port" | "seed" | "speed" | "requestsPerSecond" | "allowRemote" | "browser"
  > {
  readonly data?: string;
  readonly apiKey?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly quiet?: true;
  readonly untilStdinEnds?: true;
  readonly detach?: true;
  readonly open?: true;
  readonly json?: true;
}

/** Arguments for Node that start the command as a part of `browser-infra`. */
const inBrowserInfra = () => [join(ownPackage().folder, "dist/cli/main.js"), "emulator"];

/**
 * `browser-infra emulator`: runs the service offline until a signal or until its input ends. `name` and
 * `start`, the arguments for Node: for the command alone.
 */
export function emulatorCommand(streams: Streams, name = "emulator", start = inBrowserInfra): Command {
  const command = newCommand(name, "Run the service offline, on this machine, until Ctrl+C.");
  return command
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option(
      "--port <number>",
      "port to listen on; 0 means any free port",
      wholeNumber(0, 65_535),
      defaultPort,
    )
    .option("--data <folder>", "folder for all data (default: in memory, lost when the emulator stops)")
    .option(
      "--api-key <key>",
      `an API key that the emulator accepts; repeatable (default: ${defaultApiKey}, or a new key with --allow-remote)`,
      collect,
    )
    .option(
      "--seed <file>",
      "JSON file with initial data, such as projects, API keys, extensions, browser pools, login scenarios and faults",
    )
    .option(
      "--speed <factor>",
      "run logins and fill browser pools this many times faster, 0.01 to 1000 (default: 1)",
      anyNumber,
    )
    .addOption(browserOption())
    .option(
      "--requests-per-second <number>",
      "refuse requests above this rate with 429, as the service does (default: no limit)",
      anyNumber,
    )
    .option(
      "--allow-remote",
      "allow a --host that other machines can reach, and requests under IP addresses and this machine's name",
    )
    .option(
      "--allow-host <name>",
      "allow requests under a further host name, such as that of a container; repeatable (default: none)",
      collect,
    )
    .option(
      "--allow-origin <origin>",
      "allow requests from web pages of this origin, such as http://localhost:3000; repeatable (default: none)",
      collect,
    )
    .option("--quiet", "do not log requests to standard error")
    .option(
      "--until-stdin-ends",
      "stop when standard input ends, for instance with the program at the other end of the pipe",
    )
    .option("--detach", `start in the background and print shell lines for eval; the log is ${emulatorLog}`)
    .option("--open", "open the emulator's page in the browser of this machine")
    .option(
      "--json",
      "print the address, the API keys and the process id as one line of JSON, and an error as JSON",
    )
    .action(({ detach, ...flags }: EmulatorFlags) =>
      interruptible((signal) =>
        detach
          ? runDetached(flags, start, command.getOptionValueSource("port") === "cli", streams, signal)
          : runAttached(flags, streams, signal),
      ),
    )
    .addCommand(execCommand(streams))
    .addCommand(listCommand(streams))
    .addCommand(stopCommand(streams));
}

/** Runs an emulator in this process until the signal or the end of standard input. */
async function runAttached(
  { quiet, untilStdinEnds, open, json, ...flags }: EmulatorFlags,
  streams: Streams,
  signal: AbortSignal,
): Promise<void> {
  const emulator = await startWithLog(flags, streams, quiet !== true);
  const { url, apiKeys, browser = null } = emulator;
  streams.stdout.write(
    json
      ? `${jsonText({ url, apiKeys, pid: process.pid, browser })}\n`
      : describe({ url, apiKeys, browser }, "Press Ctrl+C to stop the emulator.", flags),
  );
  const isLost = await isAddressLost(streams.stdout);
  if (open && !isLost) {
    await openPage(`${url}/`, streams);
  }
  if (!isLost && !signal.aborted) {
    await (untilStdinEnds ? waitForEnd(streams.stdin, signal) : once(signal, "abort"));
  }
  await emulator.close();
  if (isLost) {
    throw addressLostError();
  }
}

/** Whether the address was lost. A reader may have closed the pipe after reading the address. */
async function isAddressLost(stdout: CheckedOutput): Promise<boolean> {
  await stdout.flush();
  return stdout.failure !== undefined && stdout.failure.code !== "EPIPE";
}

const addressLostError = () => new OutputLost("The address of the emulator cannot be written.");

/**
 * `--detach`: starts an emulator that outlives the command. Without `--json`, a standard output
 * other than a terminal is for a shell's `eval`. After a failure, the `eval` fails, too.
 */
async function runDetached(
  { json, port, untilStdinEnds, open, ...flags }: EmulatorFlags,
  start: () => readonly string[],
  isPortGiven: boolean,
  streams: Streams,
  signal: AbortSignal,
): Promise<void> {
  const { stdout, stderr, env } = streams;
  try {
    if (untilStdinEnds) {
      const problem = "--detach cannot be used with --until-stdin-ends. Use only one.";
      throw new InputError("usage_invalid", "until-stdin-ends", problem);
    }
    const emulator = await startInBackground({
      command: start(),
      options: optionsOf(flags),
      port: isPortGiven ? port : undefined,
      folder: process.cwd(),
      env,
      signal,
    });
    const { pid } = emulator;
    if (json) {
      stdout.write(`${jsonText(emulator)}\n`);
    } else {
      const people = stdout.isTTY ? stdout : stderr;
      people.write(describe(emulator, `The log is ${emulatorLog}. To stop the emulator: kill ${pid}`, flags));
    }
    if (!json && !stdout.isTTY) {
      stdout.write(`${settingsFor(emulator)}\nexport BROWSER_INFRA_EMULATOR_PID=${pid}\n`);
    }
    if (await isAddressLost(stdout)) {
      stopInBackground(emulator);
      throw addressLostError();
    }
    if (open) {
      await openPage(`${emulator.url}/`, streams);
    }
  } catch (error) {
    if (!json && !stdout.isTTY) {
      stdout.write("false\n");
    }
    throw error;
  }
}

/** Options of the command for flags. */
export function optionsOf(flags: EmulatorFlags): readonly string[] {
  return Object.entries(flags).flatMap(([flag, value]) => {
    const option = `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return [value].flat().map((one) => (one === true ? option : `${option}=${one}`));
  });
}

/** Option for the emulator's browser, also of `browser-infra init --up`. */
export function browserOption(): Option {
  return new Option(
    "--browser [path]",
    "start Chromium or Chrome for each leased browser (default: none; without a path: the browser of this machine)",
  );
}

/** `browser-infra emulator exec`: runs a program with an emulator that stops with the program. */
function execCommand(streams: Streams): Command {
  return new Command("exec")
    .description("Run a command with an emulator on a free port. The emulator stops when the command ends.")
    .argument("<command...>", 'the command and its arguments, after "--"')
    .option("--log", "log each request to standard error")
    .addHelpText(
      "after",
      `
The options of the emulator are allowed before "--". --quiet, --detach, --open,
--json and --until-stdin-ends have no effect there. The exit code is that of the
command, 128 plus the number of a signal, or one of these:
${exitCodesText("notStarted")}`,
    )
    .action(async ([program = "", ...args]: string[], { log }: { log?: true }, command: Command) => {
      const { quiet, untilStdinEnds, detach, open, json, ...flags } =
        command.optsWithGlobals<EmulatorFlags>();
      const port = command.getOptionValueSourceWithGlobals("port") === "cli" ? {} : { port: 0 };
      const emulator = await startWithLog({ ...flags, ...port }, streams, log === true);
      try {
        throw new CommandEnd(await runInForeground(program, args, { env: environmentOf(emulator, streams) }));
      } finally {
        await emulator.close();
      }
    });
}

/** Environment that leads this package and the service's own tools to the emulator, without a project. */
function environmentOf({ url, apiKeys: [key] }: Emulator, { env }: Streams): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !/^(KERNEL_|BROWSER_INFRA_PROJECT_ID$)/.test(name));
  const ours = { BROWSER_INFRA_BASE_URL: url, BROWSER_INFRA_API_KEY: key };
  return { ...Object.fromEntries(others), ...ours, KERNEL_BASE_URL: url, KERNEL_API_KEY: key };
}

async function startWithLog(
  { data, apiKey, allowHost, allowOrigin, ...options }: EmulatorFlags,
  { stderr }: Streams,
  logs: boolean,
): Promise<Emulator> {
  quietSqliteWarning();
  // Loaded here: a static import would delay the start of every command by 0.1 s.
  const { startEmulator } = await import("../../emulator/index.js");
  return startEmulator({
    ...options,
    ...(data !== undefined && { dataDir: data }),
    ...(apiKey && { apiKeys: apiKey }),
    ...(allowHost && { allowedHosts: allowHost }),
    ...(allowOrigin && { allowedOrigins: allowOrigin }),
    ...(logs && { onRequest: (request) => stderr.writeLogLine(`${logLine(request)}\n`) }),
  });
}

/** Resolves at the end of standard input, after a failed read, or when the signal aborts. */
async function waitForEnd(stdin: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
  await finished(stdin.resume(), { writable: false, signal }).catch(() => {});
  // A flowing stream would keep the process alive.
  stdin.pause();
}

/** Shell lines that lead programs to an emulator. */
function settingsFor({ url, apiKeys: [apiKey = ""] }: Pick<Emulator, "url" | "apiKeys">): string {
  return `export BROWSER_INFRA_BASE_URL=${shellQuoted(url)}
export BROWSER_INFRA_API_KEY=${shellQuoted(apiKey)}`;
}

/** Description of an emulator for a person. `end`: the last line. */
function describe(
  emulator: Pick<BackgroundEmulator, "url" | "apiKeys" | "browser">,
  end: string,
  { data = "in memory, lost when the emulator stops", browser: wanted }: EmulatorFlags,
): string {
  const { url, apiKeys, browser } = emulator;
  const started = browser ?? "none found on PATH, so leased browsers do not start";
  const note = browser && withoutSandbox() ? ", without a sandbox, because this user is root" : "";
  return `Emulator   ${url}
Page       ${url}/
${apiKeys.length === 1 ? "API key " : "API keys"}   ${apiKeys.join(", ")}
Data       ${data}${wanted === undefined ? "" : `\nBrowser    ${started}${note}`}

To use the emulator, run in your shell:

${settingsFor(emulator).replace(/^/gm, "  ")}

${end}
`;
}

function logLine({ time, method, path, status }: RecordedRequest): string {
  // A path is percent-encoded, but a client may send anything.
  return displayText(`${time} ${method} ${shorten(path, pathCharactersMax)} ${status ?? "no response"}`);
}
