/** The programs that `browser-infra init --up` runs: one after the other, and the emulator. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, closeSync, constants, openSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { LocalError } from "../../errors.js";
import type { Streams } from "../terminal/streams.js";

/** Where a program runs. */
export interface Place {
  readonly folder: string;
  readonly env: Streams["env"];
  /** Ends the program when it is aborted. */
  readonly signal: AbortSignal;
}

/** What to install where a program is missing. */
const installable: Readonly<Record<string, string>> = {
  npm: "npm, which comes with Node.js (https://nodejs.org)",
  pulumi: "the Pulumi CLI (https://www.pulumi.com/docs/install/)",
  python3: "Python 3.9 or newer (https://www.python.org/downloads/)",
  go: "Go 1.25 or newer (https://go.dev/doc/install)",
};

/** Throws `LocalError` `program_missing` when one of these commands needs what is not on PATH. */
export function requirePrograms(commands: readonly string[], env: Streams["env"]): void {
  const names = new Set(commands.map((command) => command.split(" ", 1)[0] ?? ""));
  const missing = [...names].filter((name) => name in installable && !isOnPath(name, env));
  if (missing.length > 0) {
    const what = missing.map((name) => installable[name]).join(" and ");
    const message = `--up needs ${missing.join(" and ")}, which PATH does not have. Install ${what}.`;
    throw new LocalError("program_missing", message);
  }
}

function isOnPath(name: string, { PATH = "" }: Streams["env"]): boolean {
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Runs a line of a shell in the terminal of this process, and waits for its end. Throws
 * `LocalError` `command_failed`, and the reason of `signal` when that ended it.
 */
export async function runLine(line: string, { folder, env, signal }: Place): Promise<void> {
  signal.throwIfAborted();
  const child = spawn("sh", ["-c", `exec ${line}`], { cwd: folder, env, stdio: "inherit" });
  // A terminal has sent Ctrl+C to the program as well, and twice would stop it without its orderly end.
  const stop = () => process.stdin.isTTY || child.kill("SIGINT");
  signal.addEventListener("abort", stop);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    signal.throwIfAborted();
    if (code !== 0) {
      throw new LocalError("command_failed", `"${line}" failed with exit code ${code ?? "none"}.`);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** An emulator in the background. */
export interface RunningEmulator {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  /** Ends it, and waits until it has written its data. */
  stop(): Promise<void>;
}

/** The port of the emulator where it is free, because pages name it; otherwise any. */
const preferredPort = 4010;

/**
 * Starts the program's own emulator, which Ctrl+C does not reach, and waits until it answers. It
 * writes `emulator.log`. Throws `LocalError` `command_failed`, and the reason of `signal`.
 */
export async function startEmulator(options: readonly string[], place: Place): Promise<RunningEmulator> {
  const { folder, env, signal } = place;
  const port = (await isFree(preferredPort)) ? preferredPort : 0;
  const log = openSync(join(folder, "emulator.log"), "a");
  const program = join(folder, "node_modules/pulumi-browser-infra/dist/cli/main.js");
  const child = spawn(process.execPath, [program, "emulator", ...options, `--port=${port}`, "--json"], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  const stop = async () => {
    child.ref();
    if (child.kill()) {
      await once(child, "exit");
    }
  };
  const ready = child.stdout as Readable;
  try {
    const [line] = (await Promise.race([
      once(createInterface({ input: ready }), "line", { signal }),
      once(child, "exit", { signal }).then(() => {
        throw new LocalError("command_failed", "The emulator did not start. emulator.log says why.");
      }),
    ])) as [string];
    const { url, apiKeys, pid } = JSON.parse(line) as {
      url: string;
      apiKeys: readonly [string];
      pid: number;
    };
    // From now on, neither process waits for the other.
    ready.destroy();
    child.unref();
    return { url, apiKey: apiKeys[0], pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
