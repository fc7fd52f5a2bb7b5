import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { fromSource, installPackages, TemporaryClone } from "./temporary-clone.js";

const repository = dirname(dirname(dirname(__dirname)));
const pins = "scripts/setup/pulumi-cli/archives.json";
const { version, sha256 } = JSON.parse(readFileSync(join(repository, pins), "utf8")) as {
  version: string;
  sha256: Record<string, string>;
};
const platform = `${process.platform}-${process.arch}`;
/** Programs required from the vendor's archive. */
const programs = [
  "pulumi",
  "pulumi-language-go",
  "pulumi-language-nodejs",
  "pulumi-language-python",
  "pulumi-language-python-exec",
  "pulumi-language-yaml",
  "pulumi-resource-pulumi-nodejs",
];

let clone: TemporaryClone;
let server: Server;
let archive: Buffer;
/** Requested paths, and the server's response: an archive, or a status. */
let asked: string[];
let answer: Buffer | number;
/** File created by a program in the archive when run. */
let traces: string;

beforeAll(async () => {
  const folder = temporaryFolder();
  traces = join(folder, "traces");
  mkdirSync(join(folder, "pulumi"));
  for (const name of programs) {
    const script = `#!/bin/sh\necho ran >> ${traces}\necho v${version}\n`;
    writeFileSync(join(folder, "pulumi", name), script, { mode: 0o755 });
  }
  execFileSync("tar", ["-czf", "archive.tar.gz", "pulumi"], { cwd: folder });
  archive = readFileSync(join(folder, "archive.tar.gz"));
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (typeof answer === "number") {
      response.writeHead(answer).end();
    } else {
      response.writeHead(200, { "content-length": answer.length }).end(answer);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  clone = new TemporaryClone();
  asked = [];
  answer = archive;
  rmSync(traces, { force: true });
});

/** Runs the set-up of a clone with the given pins, served by this test. */
function setUp(pinned: { version: string; sha256: Record<string, string> }, ...args: string[]) {
  writeFileSync(join(clone.folder, pins), JSON.stringify(pinned));
  const { port } = server.address() as AddressInfo;
  return clone.run("setup.mjs", args, { BROWSER_INFRA_PULUMI_ARCHIVES: `http://127.0.0.1:${port}/sdk/` });
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("the Pulumi CLI from the vendor's release archive", () => {
  test("is downloaded by version and platform, and used when its SHA-256 is the pinned one", async () => {
    const { code, stdout } = await setUp({ version, sha256: { [platform]: hashOf(archive) } });
    expect(stdout).toContain(`the Pulumi CLI ${version}.`);
    expect(code).toBe(0);
    expect(asked).toEqual([`/sdk/pulumi-v${version}-${platform}.tar.gz`]);
    expect(clone.takeCalls()).toEqual([installPackages]);
    const [folder = ""] = readdirSync(clone.tools).filter((name) => name.startsWith("pulumi-3"));
    expect(readdirSync(join(clone.tools, folder)).sort()).toEqual(programs);
    expect(clone.leftovers()).toEqual([]);
  });

  test("comes with its language hosts, so none is built, not even on demand", async () => {
    const pinned = { version, sha256: { [platform]: hashOf(archive) } };
    const { code, stdout } = await setUp(pinned, "--hosts");
    expect(stdout).toContain(`the Pulumi CLI ${version} with its hosts for Python and Go.`);
    expect(code).toBe(0);
    expect(clone.takeCalls()).toEqual([installPackages]);
  });

  test("X16: is not unpacked and not run when one byte differs; the set-up names both hashes and builds with Go", async () => {
    const other = Buffer.from(archive);
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    answer = other;
    const { code, stderr } = await setUp({ version, sha256: { [platform]: hashOf(archive) } });
    expect(code).toBe(0);
    expect(stderr).toContain("is not the archive that this project pins");
    expect(stderr).toContain(`its SHA-256 is ${hashOf(other)}, expected ${hashOf(archive)}`);
    expect(existsSync(traces)).toBe(false);
    expect(clone.takeCalls()).toEqual([installPackages, ...fromSource]);
    expect(clone.leftovers()).toEqual([]);
  });

  test.each([
    ["the platform", { version, sha256: { "plan9-x64": "0".repeat(64) } }],
    ["this version", { version: "3.258.0", sha256: { [platform]: "0".repeat(64) } }],
  ])("is not even asked for without a pin for %s: the set-up builds with Go", async (_what, pinned) => {
    const { code, stderr } = await setUp(pinned);
    expect(code).toBe(0);
    expect(stderr).toContain(`this project pins no archive of ${version} for ${platform}`);
    expect(asked).toEqual([]);
    expect(existsSync(traces)).toBe(false);
    expect(clone.takeCalls()).toEqual([installPackages, ...fromSource]);
  });

  test("is built with Go when the host refuses it", async () => {
    answer = 403;
    const { code, stderr } = await setUp({ version, sha256: { [platform]: hashOf(archive) } });
    expect(code).toBe(0);
    expect(stderr).toContain("answered 403");
    expect(clone.takeCalls()).toEqual([installPackages, ...fromSource]);
  });

  test("is pinned for every platform of the set-up, in the version that Go would build", () => {
    const goMod = readFileSync(join(repository, "scripts/setup/pulumi/go.mod"), "utf8");
    expect(goMod).toContain(`github.com/pulumi/pulumi/pkg/v3 v${version}\n`);
    expect(Object.keys(sha256).sort()).toEqual(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"]);
    expect(new Set(Object.values(sha256)).size).toBe(4);
    expect(Object.values(sha256).filter((each) => !/^[0-9a-f]{64}$/.test(each))).toEqual([]);
  });

  test("comes from an address in the environment only if that is one", async () => {
    const { code, stderr } = await clone.run("setup.mjs", [], { BROWSER_INFRA_PULUMI_ARCHIVES: "mirror" });
    expect(code).toBe(1);
    expect(stderr).toContain("BROWSER_INFRA_PULUMI_ARCHIVES is not an http or https address.");
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("the scripts of the set-up", () => {
  test("run no script from the network, and no installer of another package", () => {
    const scripts = readdirSync(join(repository, "scripts"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".mjs"))
      .map((file) => readFileSync(join(repository, "scripts", file), "utf8"));
    expect(scripts.length).toBeGreaterThan(10);
    const suspicious = /PulumiCommand\.install|curl |wget |\| *(?:ba)?sh\b|\beval\(|new Function\(/;
    expect(scripts.filter((text) => suspicious.test(text))).toEqual([]);
  });
});
