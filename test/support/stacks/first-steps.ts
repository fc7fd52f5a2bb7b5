import { execFileSync, spawn } from "node:child_process";
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

/** Newcomer after the first steps, while the emulator runs. */
export interface Newcomer extends Followed {
  /** Client of the emulator that the commands started. */
  readonly client: BrowserInfraClient;
  /** Runs further commands in the same shell. Returns the output; rejects when a command fails. */
  readonly run: (commands: string) => Promise<string>;
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
 * @param next further steps of the newcomer. Default: none.
 */
export async function follow(
  { files, commands }: FirstSteps,
  settings: NodeJS.ProcessEnv = {},
  next: (newcomer: Newcomer) => Promise<void> = async () => {},
): Promise<Followed> {
  const folder = temporaryFolder();
  const program = join(folder, "program");
  mkdirSync(join(folder, "home"));
  for (const { name, code } of files) {
    mkdirSync(dirname(join(program, name)), { recursive: true });
    writeFileSync(join(program, name), code);
  }
  // Variables that the commands have exported.
  const exported = join(folder, "exported");
  writeFileSync(exported, "");
  const env = { ...newcomersEnvironment(join(folder, "home")), ...settings };
  let printed = "";
  const run = async (script: string): Promise<string> => {
    const { code, output } = await runInShell(
      `. ${exported}\n${script}\nexport -p > ${exported}`,
      join(folder, "output"),
      { cwd: program, env },
    );
    printed += output;
    if (code !== 0) {
      throw new Error(`The commands of the page ended with ${code}:\n${printed}`);
    }
    return output;
  };
  try {
    const output = await run(
      commands.replace("npm install pulumi-browser-infra", `npm install ${programsFolder}/package.tgz`),
    );
    const { url, apiKey } = settingsIn(output);
    const client = new BrowserInfraClient({ apiKey, baseUrl: url });
    const followed = { program, output, extensions: await client.extensions.list() };
    await next({ ...followed, client, run });
    await client.close();
    return followed;
  } finally {
    stopEmulators(printed);
  }
}

/** Runs a script, and ends all its processes but detached ones. `file`: file for the output. */
async function runInShell(script: string, file: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const descriptor = openSync(file, "w");
  const shell = spawn("bash", ["-e", "-c", script], {
    ...options,
    stdio: ["pipe", descriptor, descriptor],
    detached: true,
  });
  // Input of a person when "pulumi config set --secret" requests a value.
  shell.stdin?.end("sk_typed\n");
  try {
    const [code] = await once(shell, "exit");
    return { code, output: readFileSync(file, "utf8") };
  } finally {
    endGroup(Number(shell.pid));
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

/** Settings of a Go program: this machine's caches, which an empty home lacks, and no C compiler. */
export function goSettings(): NodeJS.ProcessEnv {
  const names = ["GOCACHE", "GOENV", "GOMODCACHE"];
  const ofMachine = JSON.parse(execFileSync("go", ["env", "-json", ...names], { encoding: "utf8" }));
  return { ...ofMachine, CGO_ENABLED: "0" };
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
