import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { page } from "../../documents/pages.js";
import { programsFolder } from "../../stacks/install-package.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const blocks = page("README.md").blocks.filter(({ chapter }) => chapter === "Quick start");
const [commandBlock] = blocks.filter(({ language }) => language === "sh");
const script = commandBlock?.code.trim() ?? "";
/** What the quick start says to write first. The words before each block name the file. */
const files = blocks.slice(0, commandBlock && blocks.indexOf(commandBlock)).map(({ before, code }) => {
  const [, name = ""] = /`([^`]+)`[^`]*:$/.exec(before) ?? [];
  return { name, code };
});

describe("the quick start of the README, with the packed package in a new folder", () => {
  test("leads to a deployed extension in at most six commands, run exactly as written, and leaves Git what belongs there", async () => {
    expect(script.split("\n").length).toBeLessThanOrEqual(6);
    expect(script).toContain("npm install pulumi-browser-infra");
    expect(script).toContain("pulumi up --yes");
    const folder = temporaryFolder();
    for (const { name, code } of files) {
      expect(name).toMatch(/^[\w./-]+$/);
      mkdirSync(dirname(join(folder, "program", name)), { recursive: true });
      writeFileSync(join(folder, "program", name), code);
    }
    const commands = await withFreePort(
      script.replace("npm install pulumi-browser-infra", `npm install ${programsFolder}/package.tgz`),
    );
    const shell = new Shell(folder);
    try {
      await shell.run(commands);
      const { url, apiKey } = settingsIn(commands);
      const client = new BrowserInfraClient({ apiKey, baseUrl: url });
      const extensions = await client.extensions.list();
      await client.close();
      expect(extensions.map(({ name }) => name)).toEqual([expect.stringMatching(/^[\w-]+-[0-9a-f]{7}$/)]);
      expect(shell.output()).toContain(extensions[0]?.id);
      const others = "git init --quiet && git ls-files --others --exclude-standard";
      const kept = execFileSync("bash", ["-c", others], { cwd: join(folder, "program"), encoding: "utf8" });
      const written = ["Pulumi.dev.yaml", "package-lock.json", "package.json"];
      expect(kept.trim().split("\n").sort()).toEqual([...files.map(({ name }) => name), ...written].sort());
    } finally {
      shell.end();
    }
  });
});

/**
 * The script as it is, unless something else on this machine has the emulator's port: then with
 * another port.
 */
async function withFreePort(commands: string): Promise<string> {
  const { port } = new URL(settingsIn(commands).url);
  for (const candidate of [Number(port), 0]) {
    const server = createServer().listen(candidate, "127.0.0.1");
    const free = await once(server, "listening").then(
      () => (server.address() as AddressInfo).port,
      () => undefined,
    );
    if (free !== undefined) {
      server.close();
      await once(server, "close");
      return String(free) === port
        ? commands
        : commands
            .replaceAll(`:${port}`, `:${free}`)
            .replace("browser-infra emulator", `browser-infra emulator --port ${free}`);
    }
  }
  throw new Error("This machine has no free port.");
}

/** The address and the key of the emulator, as the script exports them. */
function settingsIn(commands: string): { url: string; apiKey: string } {
  const setting = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(commands)?.[1] ?? "";
  return { url: setting("BROWSER_INFRA_BASE_URL"), apiKey: setting("BROWSER_INFRA_API_KEY") };
}

/** A shell as a newcomer has it: an empty folder, an empty home, Node, npm and the Pulumi CLI. */
class Shell {
  readonly #folder: string;
  #pid: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    for (const name of ["program", "home"]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
  }

  /** Runs a script; rejects with its output when a command fails. */
  async run(commands: string): Promise<void> {
    const home = join(this.#folder, "home");
    const settings = join(homedir(), ".npmrc");
    // npm alone may leave this machine, for @pulumi/pulumi, and keeps its own settings and cache.
    const npm = [
      "env -u NODE_OPTIONS npm_config_prefer_offline=true",
      `npm_config_cache='${process.env.npm_config_cache ?? join(homedir(), ".npm")}'`,
      ...(existsSync(settings) ? [`npm_config_userconfig='${settings}'`] : []),
    ];
    const output = openSync(join(this.#folder, "output"), "a");
    const child = spawn("bash", ["-e", "-c", `npm() { ${npm.join(" ")} npm "$@"; }\n${commands}\n`], {
      cwd: join(this.#folder, "program"),
      env: {
        PATH: process.env.PATH,
        HOME: home,
        PULUMI_HOME: join(home, ".pulumi"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      },
      stdio: ["ignore", output, output],
      detached: true,
    });
    this.#pid = child.pid;
    const [code] = await once(child, "exit");
    if (code !== 0) {
      throw new Error(`The quick start ended with ${code}:\n${this.output()}`);
    }
  }

  /** What the commands printed. */
  output(): string {
    return readFileSync(join(this.#folder, "output"), "utf8");
  }

  /** Ends the shell and what it has left in the background. */
  end(): void {
    try {
      process.kill(-Number(this.#pid), "SIGKILL");
    } catch {
      // Nothing is left.
    }
  }
}
