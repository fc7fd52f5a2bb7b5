/** Programs of `browser-infra init --up`: commands in sequence, and the emulator. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { LocalError } from "../../errors.js";
import { type BackgroundEmulator, startInBackground } from "../processes/background.js";
import { runInForeground } from "../processes/foreground.js";

/** Folder, environment and end signal of a program. */
export interface RunOptions {
  readonly folder: string;
  readonly env: Record<string, string | undefined>;
  readonly signal: AbortSignal;
}

/** Package to install, by missing program. */
const installable: Readonly<Record<string, string>> = {
  npm: "npm, which comes with Node.js (https://nodejs.org)",
  pulumi: "the Pulumi CLI (https://www.pulumi.com/docs/install/)",
  python3: "Python 3.9 or newer (https://www.python.org/downloads/)",
  go: "Go 1.25 or newer (https://go.dev/doc/install)",
};

/** Throws `LocalError` `program_missing` if shell lines run an installable program not in PATH. */
export function requirePrograms(lines: readonly string[], env: RunOptions["env"]): void {
  const names = new Set(lines.map((line) => line.replace(/ .*/, "")).filter((name) => name in installable));
  const has = (name: string) => spawnSync("sh", ["-c", `command -v ${name}`], { env }).status === 0;
  const missing = [...names].filter((name) => !has(name)).map((name) => installable[name]);
  if (missing.length > 0) {
    const message = `--up needs programs that are missing on PATH: ${missing.join("; ")}. Install these programs first.`;
    throw new LocalError("program_missing", message);
  }
}

/** File with the settings of a deployment, for a person's shell and for `runLine`. */
export const settingsFile = "local.env.sh";

/** Runs a shell line in this terminal. Throws `command_failed`, and the reason of `signal`. */
export async function runLine(line: string, { folder, env, signal }: RunOptions): Promise<void> {
  const script = `[ ! -e ${settingsFile} ] || . ./${settingsFile}; exec ${line}`;
  const code = await runInForeground("sh", ["-c", script], { cwd: folder, env });
  signal.throwIfAborted();
  if (code !== 0) {
    throw new LocalError("command_failed", `"${line}" failed with exit code ${code}.`);
  }
}

/** Starts the emulator of the program's own package, as `startInBackground`. */
export function startEmulator(options: readonly string[], place: RunOptions): Promise<BackgroundEmulator> {
  const main = resolve(place.folder, "node_modules/pulumi-browser-infra/dist/cli/main.js");
  return startInBackground({ ...place, command: [main, "emulator"], options });
}
