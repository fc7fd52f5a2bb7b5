import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { BrowserInfraClient, type Extension } from "../../../src/client/index.js";
import { page } from "../../repository/documents/pages.js";
import { temporaryFolder } from "../temporary-folder.js";
import { programsFolder } from "./install-package.js";

/** Files and commands that a page gives a newcomer for an empty folder. */
export interface FirstSteps {
  readonly files: readonly { readonly name: string; readonly code: string }[];
  readonly commands: string;
}

/** Result of the first steps of a page. */
export interface Followed {
  /** Folder of the program. */
  readonly program: string;
  /** Output of the commands. */
  readonly output: string;
  /** Extensions in the service afterwards. */
  readonly extensions: readonly Extension[];
}

/**
 * First steps of some chapters of a page, in sequence. A file is a block after a text that ends
 * with the file name and a colon. Blocks of the language `sh` are the commands.
 */
export function firstStepsOf(path: string, ...chapters: readonly string[]): FirstSteps {
  const blocks = page(path).blocks.filter(({ chapter }) => chapters.includes(chapter));
  return {
    files: blocks.flatMap(({ before, code }) => {
      const [, name] = /`([^`]+)`[^`]*:$/.exec(before) ?? [];
      return name === undefined ? [] : [{ name, code }];
    }),
    commands: blocks.flatMap(({ language, code }) => (language === "sh" ? [code] : [])).join(""),
  };
}

/**
 * Follows the first steps as written, as a newcomer with an empty folder and an empty home. Only
 * the name of the package is replaced, by the packed file. Rejects with the output when a command
 * fails.
 *
 * @param settings further environment variables, for files of a language outside of the program.
 */
export async function follow(
  { files, commands }: FirstSteps,
  settings: NodeJS.ProcessEnv = {},
): Promise<Followed> {
  const folder = temporaryFolder();
  const program = join(folder, "program");
  mkdirSync(join(folder, "home"));
  for (const { name, code } of files) {
    mkdirSync(dirname(join(program, name)), { recursive: true });
    writeFileSync(join(program, name), code);
  }
  const script = commands.replace(
    "npm install pulumi-browser-infra",
    `npm install ${programsFolder}/package.tgz`,
  );
  const output = join(folder, "output");
  const printed = openSync(output, "a");
  const shell = spawn("bash", ["-e", "-c", script], {
    cwd: program,
    env: { ...newcomersEnvironment(join(folder, "home")), ...settings },
    stdio: ["pipe", printed, printed],
    detached: true,
  });
  // Input of a person when "pulumi config set --secret" requests a value.
  shell.stdin?.end("sk_typed\n");
  try {
    const [code] = await once(shell, "exit");
    if (code !== 0) {
      throw new Error(`The first steps ended with ${code}:\n${readFileSync(output, "utf8")}`);
    }
    const { url, apiKey } = settingsIn(readFileSync(output, "utf8"));
    const client = new BrowserInfraClient({ apiKey, baseUrl: url });
    const extensions = await client.extensions.list();
    await client.close();
    return { program, output: readFileSync(output, "utf8"), extensions };
  } finally {
    endGroup(Number(shell.pid));
    stopEmulators(readFileSync(output, "utf8"));
  }
}

/** Newcomer's environment: only the tools on PATH and the settings of the registries. */
export function newcomersEnvironment(home: string): NodeJS.ProcessEnv {
  const settings = join(homedir(), ".npmrc");
  const ofRegistries = Object.entries(process.env).filter(([name]) =>
    /^(npm_config|PIP)_|^(GO(PROXY|SUMDB|NOSUMDB)|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/.test(name),
  );
  return {
    ...Object.fromEntries(ofRegistries),
    PATH: process.env.PATH,
    HOME: home,
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), ".npm"),
    ...(existsSync(settings) && { npm_config_userconfig: settings }),
  };
}

/** Address and key of the emulator, from the output of the commands. */
function settingsIn(printed: string): { url: string; apiKey: string } {
  const setting = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(printed)?.[1] ?? "";
  return { url: setting("BROWSER_INFRA_BASE_URL"), apiKey: setting("BROWSER_INFRA_API_KEY") };
}

/** Stops the emulators that the commands started in the background. */
function stopEmulators(printed: string): void {
  for (const [, pid] of printed.matchAll(/^The log is emulator\.log\. To stop the emulator: kill (\d+)$/gm)) {
    process.kill(Number(pid));
  }
}

/** Ends a shell and all its background processes. */
function endGroup(shell: number): void {
  try {
    process.kill(-shell, "SIGKILL");
  } catch {
    // No process of the group exists.
  }
}
