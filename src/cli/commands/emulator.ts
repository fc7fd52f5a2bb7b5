import { Command, InvalidArgumentError } from "commander";
import { defaultApiKey, type Emulator, startEmulator } from "../../emulator/index.js";
import { shellQuoted } from "../terminal/shell-quoted.js";

/** The port when none is given: fixed, so that the printed lines stay valid from one start to the next. */
const defaultPort = 4010;

interface EmulatorFlags {
  readonly host: string;
  readonly port: number;
  readonly data?: string;
  readonly apiKey?: readonly string[];
  readonly seed?: string;
  readonly speed?: number;
  readonly allowRemote?: true;
  readonly json?: true;
}

/** `browser-infra emulator`: runs the service offline until SIGINT or SIGTERM. */
export function emulatorCommand(): Command {
  return new Command("emulator")
    .description("Run the service offline, on this machine, until Ctrl+C.")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 takes any free one", readPort, defaultPort)
    .option("--data <folder>", "keep everything in this folder (default: in memory, gone at the end)")
    .option(
      "--api-key <key>",
      `an API key that is valid, repeatable (default: ${defaultApiKey})`,
      (key: string, keys: readonly string[] = []) => [...keys, key],
    )
    .option(
      "--seed <file>",
      "fill it with what this JSON file names: projects, limits, API keys, extensions, auth connections, login scenarios",
    )
    .option(
      "--speed <factor>",
      "run logins so many times faster than written, 0.01 to 1000 (default: 1)",
      readNumber,
    )
    .option("--allow-remote", "allow an address that other machines can reach")
    .option("--json", "print one line of JSON and nothing else")
    .action(async (flags: EmulatorFlags) => {
      // Before the start, so that a signal that comes during it is not lost.
      const ended = firstSignal();
      const emulator = await startEmulator({
        host: flags.host,
        port: flags.port,
        ...(flags.data !== undefined && { dataDir: flags.data }),
        ...(flags.apiKey && { apiKeys: flags.apiKey }),
        ...(flags.seed !== undefined && { seed: flags.seed }),
        ...(flags.speed !== undefined && { speed: flags.speed }),
        ...(flags.allowRemote && { allowRemote: true }),
      });
      process.stdout.write(flags.json ? describeAsJson(emulator) : describe(emulator, flags.data));
      await ended;
      await emulator.close();
    });
}

function describeAsJson({ url, apiKeys }: Emulator): string {
  return `${JSON.stringify({ url, apiKeys, pid: process.pid })}\n`;
}

function describe({ url, apiKeys }: Emulator, dataDir: string | undefined): string {
  const [apiKey = ""] = apiKeys;
  return [
    `Emulator   ${url}`,
    `${apiKeys.length === 1 ? "API key " : "API keys"}   ${apiKeys.join(", ")}`,
    `Data       ${dataDir ?? "in memory, gone when it ends"}`,
    "",
    "For the shell of your program:",
    "",
    `  export BROWSER_INFRA_BASE_URL=${shellQuoted(url)}`,
    `  export BROWSER_INFRA_API_KEY=${shellQuoted(apiKey)}`,
    "",
    "Ctrl+C ends it.",
    "",
  ].join("\n");
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) {
    return port;
  }
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}

/** The emulator itself says which numbers it takes. */
function readNumber(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Number(text);
  }
  throw new InvalidArgumentError("It must be a number.");
}

/** Ends with the first SIGINT or SIGTERM. A second one ends the process at once, as without a handler. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      process.off("SIGINT", end);
      process.off("SIGTERM", end);
      resolve();
    };
    process.on("SIGINT", end);
    process.on("SIGTERM", end);
  });
}
