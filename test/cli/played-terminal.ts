import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Emulator } from "../../src/emulator/index.js";
import { builtFile } from "../support/built-file.js";

/** Environment and input of a command. */
export interface Play {
  /** Additions to the settings for the emulator; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Width of the terminal in cells. Default: none of the streams is a terminal. */
  readonly terminal?: number;
  /** Line typed at a question; `SIGINT` is Ctrl+C. Default: the input ends there. */
  readonly answer?: string;
  /** Keys pressed, in turn, at each list to choose from. */
  readonly keys?: readonly string[];
  /** Working directory of this and all later commands. */
  readonly cwd?: string;
}

/** Exit code and output of a command. */
export interface Played {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

let child: ChildProcess | undefined;

afterAll(async () => {
  if (child === undefined) {
    return;
  }
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
});

/** Runs the built command line against an emulator. Only one command runs at a time. */
export async function play(
  emulator: Pick<Emulator, "url" | "apiKeys">,
  args: readonly string[],
  { env, ...options }: Play = {},
): Promise<Played> {
  builtFile("dist/cli/program.js");
  child ??= fork(join(__dirname, "command-process.cjs"), { serialization: "advanced" });
  const settings = { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] };
  child.send({ args, env: { ...settings, ...env }, ...options });
  const over = new AbortController();
  const early = once(child, "exit", over).then(() => {
    throw new Error("The process of the command ended.");
  });
  early.catch(() => {});
  try {
    const [played] = (await Promise.race([once(child, "message", over), early])) as [Played];
    return played;
  } finally {
    over.abort();
  }
}
