/** `browser-infra init --up`: deploys a new program as its README says, to an emulator of its own. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { BrowserInfraClient } from "../../client/index.js";
import { BrowserInfraError, LocalError } from "../../errors.js";
import { paragraph } from "../../text/words.js";
import { painter, type Streams } from "../terminal/streams.js";
import { displayText } from "../terminal/text.js";
import { type Place, type RunningEmulator, requirePrograms, runLine, startEmulator } from "./processes.js";
import type { NewProgram } from "./template.js";

/** Pause between two looks for the connection whose login is started, in milliseconds. */
const lookPauseMs = 300;

/** What is said before the deployment waits for a login. */
const aboutLogin = {
  byCommand:
    "The deployment waits for a login. This command starts it, and the emulator logs in with\nthe credential that the program declares.",
  byPerson:
    "The deployment waits for a login. Open the address that its row shows in a browser, and\nenter any name and any password.",
  byItself: "The deployment waits for a login. No person is here, so the emulator plays one.",
};

/**
 * Runs what the program's README says: installs, starts an emulator in the background, creates a
 * local stack and deploys it. Returns what it has started. Throws `LocalError` `program_missing`
 * before it runs anything, or `command_failed`; and `interrupted` after `signal`. Whatever ends it
 * early, the emulator is stopped and the files stay.
 */
export async function deploy(
  program: Pick<NewProgram, "subject" | "withoutPerson">,
  folder: string,
  streams: Streams,
  signal: AbortSignal,
): Promise<RunningEmulator> {
  const commands = commandsOf(folder);
  let next = "README.md";
  let emulator: RunningEmulator | undefined;
  try {
    requirePrograms(commands, streams.env);
    const place = { folder, env: { ...streams.env, ...quiet }, signal };
    for (const command of commands) {
      say(`\n$ ${command}`, streams);
      if (isEmulator(command)) {
        const seed = existsSync(join(folder, "seed.json")) ? ["--seed", "seed.json"] : [];
        emulator = await startEmulator([...seed, "--data", ".emulator"], place);
        const settings = settingsFor(emulator);
        Object.assign(place.env, settings);
        writeFileSync(join(folder, "local.env.sh"), settingsFile(settings, emulator.url, seed));
        next = "local.env.sh";
      } else if (emulator !== undefined && isDeployment(command)) {
        await up(command, program, { emulator, place, streams });
      } else {
        await runLine(command, place);
      }
    }
    return emulator as RunningEmulator;
  } catch (error) {
    await emulator?.stop();
    const stopped = emulator === undefined ? "" : "The emulator is stopped, and its data stays.";
    const goOn = `The program is in "${displayText(folder)}": ${next} there says how to go on.`;
    if (signal.aborted) {
      throw new LocalError("interrupted", paragraph("It is not deployed.", stopped, goOn), { cause: error });
    }
    throw error instanceof BrowserInfraError ? error.withAdvice(paragraph(stopped, goOn)) : error;
  }
}

/** The commands of the program's README. The settings that it exports are `settingsFor`. */
function commandsOf(folder: string): readonly string[] {
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? [];
  return block
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("export "));
}

const isEmulator = (command: string) => command.startsWith("npx browser-infra emulator ");
const isDeployment = (command: string) => command.startsWith("pulumi up ");

/** Keeps what npm and pip say to what a person needs. */
const quiet = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_QUIET: "1",
};

/** The settings of the stack. Those of another project, which the emulator does not have, go. */
function settingsFor({ url, apiKey }: RunningEmulator) {
  return {
    BROWSER_INFRA_BASE_URL: url,
    BROWSER_INFRA_API_KEY: apiKey,
    BROWSER_INFRA_PROJECT_ID: undefined,
    KERNEL_PROJECT_ID: undefined,
    KERNEL_PROJECT: undefined,
    PULUMI_BACKEND_URL: "file://.",
    PULUMI_CONFIG_PASSPHRASE: "",
  };
}

function settingsFile(
  settings: ReturnType<typeof settingsFor>,
  url: string,
  seed: readonly string[],
): string {
  const start = ["npx browser-infra emulator", ...seed, "--data .emulator --port", new URL(url).port].join(
    " ",
  );
  const lines = Object.entries(settings).map(([name, value]) =>
    value === undefined ? `unset ${name}` : `export ${name}=${value}`,
  );
  return `# To go on with the stack "dev" in this folder, after ". ./local.env.sh": pulumi up
# To start the emulator, unless it runs:
#   ${start} >> emulator.log 2>&1 &
${lines.join("\n")}
`;
}

/** What a deployment works with. */
interface Deployment {
  readonly emulator: RunningEmulator;
  readonly place: Place;
  readonly streams: Streams;
}

/** Deploys, and starts the login that a whole environment waits for. */
async function up(
  command: string,
  { subject, withoutPerson }: Pick<NewProgram, "subject" | "withoutPerson">,
  { emulator, place, streams }: Deployment,
): Promise<void> {
  if (subject === "extension") {
    return runLine(command, place);
  }
  if (subject === "login") {
    say(withoutPerson ? aboutLogin.byItself : aboutLogin.byPerson, streams);
    return runLine(command, place);
  }
  say(aboutLogin.byCommand, streams);
  const over = new AbortController();
  const started = startLogin(emulator, AbortSignal.any([place.signal, over.signal])).catch(() => {});
  try {
    await runLine(command, place);
  } finally {
    over.abort();
    await started;
  }
}

/** Starts the login of the first auth connection that a project gets, as "login start" would. */
async function startLogin({ url, apiKey }: RunningEmulator, signal: AbortSignal): Promise<void> {
  const client = new BrowserInfraClient({ baseUrl: url, apiKey });
  try {
    for (;;) {
      for (const { id } of await client.projects.list({ signal })) {
        const { authConnections } = client.inProject(id);
        const [connection] = await authConnections.list({ signal });
        if (connection !== undefined) {
          await authConnections.startLogin(connection.id, { signal });
          return;
        }
      }
      await setTimeout(lookPauseMs, undefined, { signal });
    }
  } finally {
    await client.close();
  }
}

function say(text: string, { stderr, env }: Streams): void {
  stderr.write(`${painter(stderr, env)("dim", text)}\n`);
}
