import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readFileSync, truncateSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createPrivate, makePrivate } from "../../emulator/storage/private-file.js";
import { ConfigError, InputError, LocalError } from "../../errors.js";
import { exitCode } from "../exit-code.js";
import { outputProblem } from "../terminal/checked-output.js";
import { recordRunning } from "./running.js";

/** Emulator in a separate process, unaffected by Ctrl+C and by the end of the command. */
export interface BackgroundEmulator {
  readonly url: string;
  readonly apiKeys: readonly string[];
  /** Process id of the emulator; SIGTERM ends the process. */
  readonly pid: number;
  /** Path of the browser that sessions start; null without one. */
  readonly browser: string | null;
}

export interface BackgroundStart {
  /** Arguments for Node that start `browser-infra emulator`. */
  readonly command: readonly string[];
  /** Options of `browser-infra emulator`, except `--port` and the options for the output. */
  readonly options: readonly string[];
  /** Default: 4010 if it is free, otherwise any free port. */
  readonly port?: number | undefined;
  /** Working folder of the emulator, and folder of `emulator.log`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Default port. Fixed, so that the printed lines still work after a restart. */
export const defaultPort = 4010;

/** Log file of an emulator in the background, in the working folder; only the owner may read it. */
export const emulatorLog = "emulator.log";

/** Starts an emulator, and waits until the emulator is ready. Throws the error that ended it. */
export async function startInBackground(start: BackgroundStart): Promise<BackgroundEmulator> {
  try {
    return await startAt(start.port ?? defaultPort, start);
  } catch (error) {
    if (start.port === undefined && isPortTaken(error)) {
      return startAt(0, start);
    }
    throw error;
  }
}

async function startAt(
  port: number,
  { command, options, folder, env, signal }: BackgroundStart,
): Promise<BackgroundEmulator> {
  signal.throwIfAborted();
  const args = [...command, ...options, `--port=${port}`, "--json"];
  const logFile = join(folder, emulatorLog);
  const log = openLog(logFile);
  const { size } = fstatSync(log);
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  const output = child.stdout as Readable;
  const lines = createInterface({ input: output });
  const started = Promise.race([once(lines, "line", { signal }), once(child, "exit", { signal })]);
  const [ready] = await started.catch((error) => {
    child.kill();
    throw error;
  });
  if (typeof ready !== "string") {
    const error = errorIn(readFileSync(logFile).subarray(size).toString());
    if (isPortTaken(error)) {
      // The emulator at another port continues the log.
      truncateSync(logFile, size);
    }
    throw error;
  }
  output.destroy();
  child.unref();
  const emulator: BackgroundEmulator = JSON.parse(ready);
  recordRunning({ ...emulator, folder: resolve(folder) });
  return emulator;
}

function isPortTaken(error: unknown): boolean {
  return error instanceof LocalError && error.code === "emulator_port_unavailable";
}

/** Stops an emulator, unless the emulator has ended. */
export function stopInBackground({ pid }: Pick<BackgroundEmulator, "pid">): void {
  try {
    process.kill(pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") {
      throw error;
    }
  }
}

function openLog(file: string): number {
  try {
    createPrivate(file);
    makePrivate(file);
    return openSync(file, "a");
  } catch (cause) {
    const why = outputProblem(cause as NodeJS.ErrnoException);
    const message = `Writing the emulator's log to "${emulatorLog}" failed: ${why}. Run the command in a folder that you may write to.`;
    throw new LocalError("output_failed", message, { cause });
  }
}

/** Error that ended an emulator: a line of JSON in the log. */
function errorIn(log: string): Error {
  const line = log.split("\n").findLast((each) => each.startsWith('{"error":'));
  if (line === undefined) {
    return new LocalError(
      "command_failed",
      `The emulator did not start. ${emulatorLog} contains the reason.`,
    );
  }
  const { code, property, message, exitCode: ended } = JSON.parse(line).error;
  if (property !== undefined) {
    return new InputError(code, property, message);
  }
  return ended === exitCode.usage ? new ConfigError(code, message) : new LocalError(code, message);
}
