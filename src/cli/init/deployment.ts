/** `browser-infra init --up`: deploys a new program to a separate emulator, as in the README. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setInterval } from "node:timers/promises";
import { BrowserInfraClient } from "../../client/index.js";
import { createPrivate, makePrivate } from "../../emulator/storage/private-file.js";
import { BrowserInfraError, LocalError } from "../../errors.js";
import { shellQuoted } from "../../text/shell.js";
import { optionsOf } from "../commands/emulator.js";
import { type BackgroundEmulator, stopInBackground } from "../processes/background.js";
import { painter, type Streams } from "../terminal/streams.js";
import { displayText } from "../terminal/text.js";
import { requirePrograms, runLine, settingsFile, startEmulator } from "./pulumi.js";
import type { NewProgram } from "./template.js";

/** Measured: 304 seconds of processor time for a first build, with the modules already downloaded. */
const goBuildTime = `Go first compiles Pulumi's SDK, in silence:
usually about three minutes on two cores, once per machine.`;

/**
 * Runs the commands of the program's README. Throws `LocalError`: `program_missing` before the
 * first command, `command_failed`, `command_not_started`, `interrupted`; and as `startEmulator`.
 * After an error, the emulator is stopped and the files stay.
 */
export async function deploy(
  { language, subject, isUnattended, browser }: NewProgram,
  folder: string,
  { env, stderr }: Streams,
  signal: AbortSignal,
): Promise<BackgroundEmulator> {
  const printLine = (text: string) => stderr.write(`${painter(stderr, env)("dim", text)}\n`);
  const howToLogIn = {
    extension: undefined,
    component: undefined,
    environment: "This command starts the login, and the emulator enters the declared credential.",
    login: isUnattended
      ? "Without a terminal, the emulator logs in by itself."
      : `To log in, run in another terminal, in the folder of the program:
. ./${settingsFile}; npx browser-infra login follow shop`,
  }[subject];
  const [, block = ""] = /```sh\n([\s\S]*?)\n```/.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? [];
  const commands = block.split("\n").filter((line) => !line.startsWith("export "));
  const exports = block.split("\n").filter((line) => line.startsWith("export "));
  const quiet = { npm_config_audit: "false", npm_config_fund: "false", npm_config_loglevel: "error" };
  const place = { folder, env: { ...env, ...quiet }, signal };
  const over = new AbortController();
  let emulator: BackgroundEmulator | undefined;
  try {
    requirePrograms(commands, env);
    for (const command of commands) {
      signal.throwIfAborted();
      printLine(`\n$ ${command}`);
      const [, flags] = /^eval "\$\(npx browser-infra emulator --detach(.*)\)"$/.exec(command) ?? [];
      if (flags !== undefined) {
        const more = optionsOf({ data: ".emulator", ...(browser !== undefined && { browser }) });
        const options = [...flags.split(" ").filter(Boolean), ...more];
        emulator = await startEmulator(options, place);
        const { url, apiKeys } = emulator;
        const start = `npx browser-infra emulator --detach ${options.map(shellQuoted).join(" ")} --port ${new URL(url).port}`;
        const text = `# 1. The emulator, unless it runs: ${start}
# 2. In this folder: . ./${settingsFile}
# 3. The commands of README.md that have not run yet, then "pulumi up".
export BROWSER_INFRA_BASE_URL=${url} BROWSER_INFRA_API_KEY=${apiKeys[0]}
${exports.join("\n")}
export BROWSER_INFRA_PROJECT_ID= KERNEL_PROJECT_ID= KERNEL_PROJECT= PULUMI_STACK=dev
`;
        const settings = join(folder, settingsFile);
        createPrivate(settings);
        makePrivate(settings);
        writeFileSync(settings, text);
        continue;
      }
      if (command.startsWith("pulumi up") && language === "go") {
        printLine(goBuildTime);
      }
      if (command.startsWith("pulumi up") && emulator !== undefined && howToLogIn !== undefined) {
        printLine(`The deployment waits for a login.\n${howToLogIn}`);
        if (subject === "environment") {
          void startLogin(emulator, AbortSignal.any([signal, over.signal])).catch(() => {});
        }
      }
      await runLine(command, place);
    }
    return emulator as BackgroundEmulator;
  } catch (cause) {
    if (emulator !== undefined) {
      stopInBackground(emulator);
    }
    const goOn = `The program is in "${displayText(folder)}". To continue, read ${emulator ? settingsFile : "README.md"} there.`;
    const error = signal.aborted
      ? new LocalError("interrupted", "The program was not deployed.", { cause })
      : cause;
    throw error instanceof BrowserInfraError ? error.withAdvice(goOn) : error;
  } finally {
    over.abort();
  }
}

/** Starts the first login of the newest project, as soon as the project has an auth connection. */
async function startLogin({ url, apiKeys }: BackgroundEmulator, signal: AbortSignal): Promise<void> {
  const [apiKey = ""] = apiKeys;
  const client = new BrowserInfraClient({ baseUrl: url, apiKey });
  try {
    for await (const _tick of setInterval(300, undefined, { signal })) {
      const [project] = await client.projects.list({ signal });
      const { authConnections } = client.inProject(project?.id);
      const [connection] = await authConnections.list({ signal });
      if (connection !== undefined) {
        await authConnections.startLogin(connection.id, { signal });
        return;
      }
    }
  } finally {
    await client.close();
  }
}
