import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { manifest } from "../documents/packed.js";
import { releaseFolder } from "./released.js";

const { devDependencies } = require("../../../package.json") as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Folder of a program, with the package and the official client from npm's registry. */
let folder: string;
let installed: string;

beforeAll(() => {
  folder = temporaryFolder();
  installed = join(folder, "node_modules", "browser-infra-emulator");
  const tarball = join(releaseFolder, `browser-infra-emulator-${manifest.version}.tgz`);
  const client = `@onkernel/sdk@${devDependencies["@onkernel/sdk"]}`;
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, tarball, client], { cwd: folder });
}, 300_000);

const textsOf = (place: string) =>
  readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(join(place, file)).isFile())
    .map((file) => [file, readFileSync(join(place, file), "utf8")] as const);

test("the emulator's package brings no Pulumi, and mentions it only in the README and in addresses of the repository", () => {
  expect(existsSync(join(folder, "node_modules", "@pulumi"))).toBe(false);
  const texts = textsOf(installed);
  expect(texts.length).toBeGreaterThan(150);
  const mentions = texts.filter(([, text]) =>
    /pulumi/i.test(text.replaceAll(/\bhttps:\/\/[\w.]+\/pulumi-browser-infra/g, "")),
  );
  expect(mentions.map(([file]) => file)).toEqual(["README.md"]);
  expect(texts.find(([file]) => file === "README.md")?.[1]).toContain("needs no Pulumi");
});

test("no file of the emulator's package names a file or a command that the package lacks", () => {
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const missing = textsOf(installed).flatMap(([file, text]) => {
    const links = file.endsWith(".md") ? text.matchAll(/\]\((?!https:|#)([^)#]+)/g) : [];
    const imports = /\.(js|mjs|d\.ts)$/.test(file)
      ? text.matchAll(/(?:from|import|require)\(? ?"([\w@./-]+)"/g)
      : [];
    return [...links, ...imports]
      .map(([, target = ""]) => target)
      .filter((target) => !target.startsWith("node:") && !isThere(join(installed, file, ".."), target))
      .map((target) => `${file}: ${target}`);
  });
  expect(missing).toEqual([]);
  expect(textsOf(installed).filter(([, text]) => /npx browser-infra\s/.test(text))).toEqual([]);

  function isThere(place: string, target: string): boolean {
    const path = join(place, target);
    return target.startsWith(".") || target.endsWith(".md") || target.endsWith(".json")
      ? existsSync(path)
      : Object.hasOwn(dependencies, /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? "") || existsSync(path);
  }
});

test("the first example of the README's client runs against the command, whose page opens", async () => {
  const command = join(folder, "node_modules", ".bin", "browser-infra-emulator");
  const emulator = spawn(command, ["--port=0", "--json", "--until-stdin-ends"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [line] = await once(createInterface({ input: emulator.stdout }), "line");
    const { url, apiKeys } = JSON.parse(line);
    const page = await fetch(`${url}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<title>")]);
    const view = await fetch(`${url}/_emulator/assets/views/stacks.mjs`);
    expect([view.status, await view.text()]).toEqual([200, expect.not.stringMatching(/pulumi/i)]);
    const readme = readFileSync(join(installed, "README.md"), "utf8");
    const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    const given = example.replace("http://127.0.0.1:4010", url).replace("sk_emulator", apiKeys[0]);
    writeFileSync(join(folder, "example.mjs"), given);
    expect(execFileSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" })).toMatch(
      /^\S+\n$/,
    );
  } finally {
    emulator.stdin.end();
    await once(emulator, "exit");
  }
}, 60_000);

test("the face of the emulator's package starts an emulator, and the command has its own name and version", () => {
  const program = `
    const { startEmulator } = require("browser-infra-emulator");
    startEmulator().then(async (emulator) => { console.log(emulator.apiKeys[0]); await emulator.close(); });`;
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, NODE_NO_WARNINGS: "1" },
    });
  expect(run(process.execPath, "-e", program)).toBe("sk_emulator\n");
  const command = join(folder, "node_modules", ".bin", "browser-infra-emulator");
  expect(run(command, "--version")).toBe(`${manifest.version}\n`);
  expect(run(command, "--help")).toMatch(/^Usage: browser-infra-emulator \[options\]/);
  const environment = `process.stdout.write(process.env.KERNEL_BASE_URL)`;
  expect(run(command, "exec", "--", process.execPath, "-e", environment)).toMatch(/^http:/);
});

test("the emulator's package runs in the background, is listed, and is stopped", () => {
  const command = join(folder, "node_modules", ".bin", "browser-infra-emulator");
  const run = (...args: string[]) => execFileSync(command, args, { cwd: folder, encoding: "utf8" });
  const { pid, url } = JSON.parse(run("--detach", "--port=0", "--json"));
  expect(run("list")).toContain(url);
  expect(JSON.parse(run("stop", String(pid), "--json"))).toEqual({ pid });
});
