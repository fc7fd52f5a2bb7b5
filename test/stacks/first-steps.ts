import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { BrowserInfraClient, type Extension } from "../../src/client/index.js";
import { page } from "../documents/pages.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { programsFolder } from "./install-package.js";

/** What a page has a newcomer write and run in an empty folder. */
export interface FirstSteps {
  readonly files: readonly { readonly name: string; readonly code: string }[];
  readonly commands: string;
}

/** Where the first steps of a page have led. */
export interface Followed {
  /** The folder of the program. */
  readonly program: string;
  /** What the commands have printed. */
  readonly output: string;
  /** What the service has then. */
  readonly extensions: readonly Extension[];
}

/**
 * The first steps of some chapters of a page, one after the other. A file is a block after words
 * that end with its name and a colon, and the blocks of the language `sh` are the commands.
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
 * Follows the first steps as written, as a newcomer with an empty folder and an empty home. Only the
 * name of the package gives way to the packed one. Rejects with the output when a command fails.
 *
 * @param settings more of the environment: what a language has outside of its folder.
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
  // What a person types when "pulumi config set --secret" asks for a value.
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

/** A newcomer's environment: nothing but the tools on PATH, and how they reach their registries. */
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

/** The address and the key of the emulator, as the commands have printed them. */
function settingsIn(printed: string): { url: string; apiKey: string } {
  const setting = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(printed)?.[1] ?? "";
  return { url: setting("BROWSER_INFRA_BASE_URL"), apiKey: setting("BROWSER_INFRA_API_KEY") };
}

/** Stops the emulators that the commands have started in the background. */
function stopEmulators(printed: string): void {
  for (const [, pid] of printed.matchAll(/^emulator\.log has its log\. To stop it: kill (\d+)$/gm)) {
    process.kill(Number(pid));
  }
}

/** Ends a shell and what it has left in the background. */
function endGroup(shell: number): void {
  try {
    process.kill(-shell, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}
