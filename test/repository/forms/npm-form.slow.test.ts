import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { fixtures, noise } from "../../archive/fixtures.js";
import { extensionOf, folderOf } from "../../archive/folders.js";
import { goldenChecksums } from "../../archive/same-bytes/goldens.js";
import { builtFile } from "../../support/built-file.js";
import { filesBelow } from "../../support/files-below.js";
import { startService } from "../../support/stacks/service.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { manifest } from "../documents/packed.js";
import { root } from "../documents/pages.js";
import { askPlugin, type PluginStart } from "./started-plugin.js";

const minimum = manifest.engines.node.replace(">=", "");
const name = "pulumi-resource-browser-infra";

/** Copy of the package's folder `plugin`, alone: no dependency can lie beside the folder. */
let plugin: string;
/** The environment of a user whose folder for caches is `home/.cache`. */
let environment: NodeJS.ProcessEnv;
let home: string;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  plugin = join(temporaryFolder(), "plugin");
  cpSync(dirname(builtFile("plugin/bundle.cjs")), plugin, { recursive: true });
  service = await startService();
});

beforeEach(() => {
  home = temporaryFolder();
  environment = { PATH: dirname(process.execPath), HOME: home, ...service.environment };
});

/** Runs the wrapper script from an otherwise empty folder, and checks the paths. */
function ask(
  paths: readonly string[],
  { command = join(plugin, name), env = environment, signal }: Partial<AskOptions> = {},
) {
  return askPlugin(command, paths, { environment: env, folder: temporaryFolder(), signal });
}

interface AskOptions extends Pick<PluginStart, "signal"> {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs the wrapper script to the end, for a plugin that cannot start. */
function start(env: NodeJS.ProcessEnv) {
  const { status, stdout, stderr } = spawnSync("/bin/sh", [join(plugin, name), "127.0.0.1:1"], {
    env,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

describe("the plugin in the npm package", () => {
  test("the plugin starts without dependencies, with version and schema of the package, and packs to the recorded bytes", async () => {
    const folders = fixtures.map(({ files }) => folderOf(files));
    const { version, schema, checksums } = await ask(folders, { signal: "SIGINT" });
    expect(version).toBe(manifest.version);
    expect(schema).toBe(readFileSync(join(root, "schema.json"), "utf8"));
    expect(checksums).toEqual(Object.values(goldenChecksums));
  });

  test("the plugin of the npm package packs a folder with a large file in a thread", async () => {
    const folder = extensionOf([["bundle.js", Buffer.alloc(4_200_000, noise(3, 10_000))]]);
    const notes = join(home, "workers");
    const preload = `--require ${JSON.stringify(join(__dirname, "note-workers.cjs"))}`;
    const env = { ...environment, NODE_OPTIONS: preload, NOTE_WORKERS: notes };
    const { checksums } = await ask([folder], { env });
    expect(checksums).toEqual([(await packExtension(folder)).checksum]);
    expect(readFileSync(notes, "utf8")).toBe("browser-infra pack\n");
  });

  test("the plugin starts through a symbolic link to its wrapper script", async () => {
    const [first, second] = [join(temporaryFolder(), "first"), join(temporaryFolder(), name)];
    symlinkSync(join(plugin, name), first);
    symlinkSync(`../${first.split("/").slice(-2).join("/")}`, second);
    // readlink is a program of the system.
    const env = { ...environment, PATH: [environment.PATH, "/usr/bin", "/bin"].join(delimiter) };
    expect(await ask([], { command: second, env })).toMatchObject({ version: manifest.version });
  });

  test("the plugin caches compiled code in the user's cache folder, even if killed, and never in its own folder", async () => {
    const before = filesBelow(plugin);
    await ask([]);
    expect(readdirSync(join(home, ".cache"))).toEqual(["pulumi-browser-infra"]);
    const cached = filesBelow(join(home, ".cache", "pulumi-browser-infra"));
    expect(cached.length).toBeGreaterThan(0);
    expect(filesBelow(plugin)).toEqual(before);

    const cache = temporaryFolder();
    await ask([], { env: { ...environment, XDG_CACHE_HOME: cache } });
    expect(readdirSync(cache)).toEqual(["pulumi-browser-infra"]);
  });

  test("the plugin starts without a cache if the cache folder cannot be written or the user disables the cache", async () => {
    const file = join(home, "file");
    writeFileSync(file, "");
    expect(await ask([], { env: { ...environment, HOME: file } })).toMatchObject({
      version: manifest.version,
    });
    await ask([], { env: { ...environment, NODE_DISABLE_COMPILE_CACHE: "1" } });
    expect(existsSync(join(home, ".cache"))).toBe(false);
  });

  test("the plugin ends with exit code 1 and the required Node version if PATH has no Node", () => {
    const { status, stdout, stderr } = start({ ...environment, PATH: temporaryFolder() });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(
        `^The plugin of pulumi-browser-infra needs Node ${minimum} or newer, and there is no node on PATH\\. Install Node\\. Or .*\\.\\n$`,
      ),
    );
  });

  test("the plugin ends with exit code 1 and one line if Node is too old", () => {
    const preload = join(home, "old-node.cjs");
    writeFileSync(
      preload,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
    );
    const { status, stdout, stderr } = start({ ...environment, NODE_OPTIONS: `--require ${preload}` });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(`pulumi-browser-infra needs Node ${minimum} or newer, and this is Node 20.20.2.\n`);
  });

  test("the plugin starts although a NODE_OPTIONS preload prints a line, and moves the line to standard error", async () => {
    const preload = join(home, "greeting.cjs");
    writeFileSync(preload, 'console.log("a preload is here");');
    const env = { ...environment, NODE_OPTIONS: `--require ${JSON.stringify(preload)}` };
    expect(await ask([], { env })).toMatchObject({ version: manifest.version });
    await expect(ask([], { env, signal: "SIGINT" })).rejects.toThrow("a preload is here");
  });

  test("the wrapper script of the plugin for Windows starts plugin.cjs", () => {
    const script = readFileSync(join(plugin, `${name}.cmd`), "utf8");
    expect(script.split("\r\n").filter((line) => line.startsWith("node "))).toEqual([
      'node "%~dp0plugin.cjs" %*',
    ]);
    expect(script).toContain(`needs Node ${minimum} or newer`);
    expect(script.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });
});

describe("the notices of the plugin", () => {
  const notices = () => readFileSync(join(plugin, "NOTICES.txt"), "utf8");
  /** Name and version of each package. */
  const titles = () => [...notices().matchAll(/^=+\n(.+)\n=+$/gm)].map(([, title = ""]) => title);

  test("the notices of the plugin name every bundled package, with the text of the licence", () => {
    // In a bundle that keeps names, a CommonJS module is a property named by path.
    const code = readFileSync(join(plugin, "bundle.cjs"), "utf8");
    const bundled = new Set(
      [...code.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//g)].map(([, bundledName]) => bundledName),
    );
    expect([...bundled]).toEqual(expect.arrayContaining(["@grpc/grpc-js", "google-protobuf", "undici"]));
    const named = titles().map((title) => title.replace(/ \d.*/, ""));
    expect(named).toEqual(expect.arrayContaining([...bundled, "@pulumi/pulumi", "zod", "libdeflate"]));
    expect(named).toEqual([...named].sort());
    for (const text of notices()
      .split(/^=+\n.+\n=+$/m)
      .slice(1)) {
      expect(text).toMatch(/copyright/i);
    }
  });

  test("the notices of the plugin give version and licence of each package", () => {
    expect(titles().filter((title) => !/^\S+ \d+\.\d+(\.\d+)? \(.+\)$/.test(title))).toEqual([]);
    expect(titles()).toContain("libdeflate 1.26 (MIT)");
  });
});
