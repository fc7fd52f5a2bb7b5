import { spawn } from "node:child_process";
import { once } from "node:events";
import { builtFile } from "../support/built-file.js";
import { compileCache } from "../support/faster/faster-node.js";

/** Environment and streams of a process of the command. */
export interface Start {
  readonly cwd?: string;
  /** Additions to the variables of every process; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Input. Default: none. */
  readonly stdin?: "pipe";
  /** Output as file descriptors. Default: pipes of this test. */
  readonly stdout?: number | undefined;
  readonly stderr?: number | undefined;
}

/** Variables that connect a command to an emulator. */
export function settingsOf({ url, apiKeys }: { readonly url: string; readonly apiKeys: readonly string[] }) {
  return { BROWSER_INFRA_BASE_URL: url, BROWSER_INFRA_API_KEY: apiKeys[0] };
}

/** Starts the built command in a separate process, for tests that `play` cannot do. */
export function startCommand(args: readonly string[], { cwd, env, stdin, stdout, stderr }: Start = {}) {
  const child = spawn(process.execPath, [builtFile("dist/cli/main.js"), ...args], {
    cwd,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: [stdin ?? "ignore", stdout ?? "pipe", stderr ?? "pipe"],
    // A command that never ends fails its test, not the whole run.
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  /** Output so far. */
  const printed = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed.out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    printed.err += text;
  });
  const ended = once(child, "close").then(([exitCode, signal]) => ({
    exitCode: exitCode as number | null,
    signal: signal as NodeJS.Signals | null,
    ...printed,
  }));
  return { child, printed, ended };
}
