import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { fromSource, repository, TemporaryClone } from "./temporary-clone.js";

const pins = "scripts/setup/pulumi-cli/archives.json";
const { version, sha256 } = JSON.parse(readFileSync(join(repository, pins), "utf8")) as {
  version: string;
  sha256: Record<string, string>;
};
const platform = `${process.platform}-${process.arch}`;
const installPackages = "npm install";

let clone: TemporaryClone;
beforeEach(() => {
  clone = new TemporaryClone();
});

/** Archive with executable scripts below a folder. */
function archiveOf(folder: string, scripts: Readonly<Record<string, string>>): Buffer {
  const root = temporaryFolder();
  for (const [path, script] of Object.entries(scripts)) {
    mkdirSync(join(root, folder, path, ".."), { recursive: true });
    writeFileSync(join(root, folder, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return execFileSync("tar", ["-czf", "-", folder], { cwd: root });
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("the set-up of a fresh clone", () => {
  test("the set-up of a fresh clone prepares everything with plain lines of progress, and a second run does nothing", async () => {
    const first = await clone.setUp();
    expect(first.stdout).toMatch(
      /^Ready after .*: Node \S+, the npm packages, dist, and the Pulumi CLI 3\.\d+\.\d+\.\n$/,
    );
    expect(first.code).toBe(0);
    expect(first.stderr).toContain("Installing the npm packages of package-lock.json, because ");
    expect(first.stderr).toMatch(/Usually takes .*\.\n {2}done after \d+ s\n/);
    expect(first.stderr).not.toContain("\r");
    expect(clone.takeCalls()).toEqual([installPackages, ...fromSource]);
    expect(clone.leftovers()).toEqual([]);
    expect(await clone.setUp()).toMatchObject({ code: 0, stderr: "" });
    expect(clone.takeCalls()).toEqual([]);
  });

  test("the set-up repeats only the step whose input has changed", async () => {
    await clone.setUp();
    clone.takeCalls();
    clone.write("src/index.ts", "export {};");
    expect((await clone.setUp()).stderr).toMatch(/^Compiling src into dist and plugin.*\n$/);
    expect(clone.takeCalls()).toEqual([]);
    clone.write("package-lock.json", "{ }");
    expect((await clone.setUp()).stderr).toContain("because it has changed since the last time");
    expect(clone.takeCalls()).toEqual([installPackages]);
    rmSync(join(clone.pulumi, "pulumi-language-yaml"));
    expect((await clone.setUp()).code).toBe(0);
    expect(clone.takeCalls()).toEqual(["go build pulumi-language-yaml"]);
    expect((await clone.setUp(["--hosts"])).code).toBe(0);
    expect(clone.takeCalls()).toEqual(["go build pulumi-language-python", "go build pulumi-language-go"]);
  });

  test("the set-up lets the examples import the package by name, without a circular link", async () => {
    await clone.setUp();
    const own = join(clone.folder, "node_modules", "pulumi-browser-infra");
    rmSync(own, { recursive: true });
    // "npm link" makes such a link.
    symlinkSync("..", own);
    expect(await clone.setUp()).toMatchObject({ code: 0, stderr: "" });
    expect(realpathSync(own)).toBe(join(realpathSync(clone.folder), "node_modules", "pulumi-browser-infra"));
    for (const name of ["package.json", "dist", "plugin"]) {
      expect(realpathSync(join(own, name))).toBe(realpathSync(join(clone.folder, name)));
    }
  });

  test("the set-up quotes npm when npm fails, and succeeds in the next run", async () => {
    const { code, stderr } = await clone.setUp([], { FAKE_NPM: "fail" });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Installing the npm packages failed: "npm install" ended with exit code 1: code ENOTFOUND network is down. Check',
    );
    expect((await clone.setUp()).code).toBe(0);
  });

  test("the set-up can run twice at the same time", async () => {
    const results = await Promise.all([clone.setUp(), clone.setUp()]);
    expect(results.map(({ code, stderr }) => [code, code === 0 ? "" : stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    expect(await clone.setUp()).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("the Pulumi CLI of the set-up", () => {
  /** Sets up with pinned SHA-256, from a server with the archive. */
  async function setUpFrom(archive: Buffer, pinned: string, ...args: string[]) {
    const server = createServer((request, response) => {
      const found = request.url === `/sdk/pulumi-v${version}-${platform}.tar.gz`;
      response.writeHead(found ? 200 : 404).end(archive);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    clone.write(pins, JSON.stringify({ version, sha256: { [platform]: pinned } }));
    const { port } = server.address() as AddressInfo;
    const result = await clone.setUp(args, {
      BROWSER_INFRA_PULUMI_ARCHIVES: `http://127.0.0.1:${port}/sdk/`,
    });
    server.close();
    return result;
  }
  const trace = join(temporaryFolder(), "trace");
  const programs = ["pulumi", "pulumi-resource-pulumi-nodejs", "pulumi-language-python-exec"].concat(
    ["nodejs", "yaml", "python", "go"].map((language) => `pulumi-language-${language}`),
  );
  const archive = archiveOf(
    "pulumi",
    Object.fromEntries(programs.map((name) => [name, `echo ran > ${trace}`])),
  );

  test("the set-up uses the Pulumi CLI on PATH if the CLI is new enough and complete", async () => {
    clone.installPulumi("3.999.0");
    expect((await clone.setUp()).stdout).toContain("the Pulumi CLI 3.999.0.");
    expect(clone.takeCalls()).toEqual([installPackages]);
    clone.uninstall("pulumi-language-yaml");
    expect((await clone.setUp()).code).toBe(0);
    expect(clone.takeCalls()).toEqual(fromSource);
  });

  test("the set-up takes the Pulumi CLI and its language hosts from the vendor's archive if the SHA-256 matches", async () => {
    const { code, stdout } = await setUpFrom(archive, hashOf(archive), "--hosts");
    expect(stdout).toContain(`the Pulumi CLI ${version} with its hosts for Python and Go.`);
    expect(code).toBe(0);
    expect(clone.takeCalls()).toEqual([installPackages]);
    expect(readdirSync(clone.pulumi).sort()).toEqual(programs.sort());
  });

  test("X16: the set-up does not unpack a Pulumi archive with a different SHA-256, and builds the CLI with Go", async () => {
    const other = Buffer.from(archive);
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    const { code, stderr } = await setUpFrom(other, hashOf(archive));
    expect(code).toBe(0);
    expect(stderr).toContain(`its SHA-256 is ${hashOf(other)}, expected ${hashOf(archive)}`);
    expect(existsSync(trace)).toBe(false);
    expect(clone.takeCalls()).toEqual([installPackages, ...fromSource]);
    expect(clone.leftovers()).toEqual([]);
  });

  test("the set-up fails with every reason and the remedy if no source of the Pulumi CLI works", async () => {
    clone.installPulumi("3.100.0");
    const { code, stderr } = await clone.setUp([], { FAKE_GO: "proxy: 403 Forbidden" });
    expect(code).toBe(1);
    expect(stderr).toContain("1. PATH: its pulumi is 3.100.0, older than 3.254.0");
    expect(stderr).toMatch(/2\. the vendor's release archive: .*ECONNREFUSED 127\.0\.0\.1:2/);
    expect(stderr).toMatch(/3\. a build from the published Go module: .*proxy: 403 Forbidden/);
    expect(stderr).toMatch(
      /that Go 1\.25\.\d+ or newer is installed, or put Pulumi 3\.254\.0 or newer with pulumi and/,
    );
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("X16: the archives of the Pulumi CLI are pinned for every platform, in the version that Go would build", () => {
    const goMod = readFileSync(join(repository, "scripts/setup/pulumi/go.mod"), "utf8");
    expect(goMod).toContain(`github.com/pulumi/pulumi/pkg/v3 v${version}\n`);
    expect(Object.keys(sha256).sort()).toEqual(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"]);
    expect(new Set(Object.values(sha256)).size).toBe(4);
    expect(Object.values(sha256).filter((each) => !/^[0-9a-f]{64}$/.test(each))).toEqual([]);
  });
});

describe("the Node of the set-up", () => {
  test("X16: the set-up replaces an old Node by the pinned Node, and refuses a package with a different hash", async () => {
    const old = new TemporaryClone({ nodeMinimum: ">=99" });
    const tarball = join(temporaryFolder(), "node.tgz");
    writeFileSync(tarball, archiveOf("package", { "bin/node": `exec ${process.execPath} "$@"` }));
    const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
    const refused = await old.setUp([], { FAKE_TARBALL: tarball });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`is not the one this project pins (integrity ${integrity})`);
    expect(old.takeCalls()).toHaveLength(1);

    const text = readFileSync(join(old.folder, "scripts/setup/node.mjs"), "utf8");
    const entry = new RegExp(`("${platform}": \\{[^}]*integrity:\\s*)"[^"]+"`);
    old.write("scripts/setup/node.mjs", text.replace(entry, `$1"${integrity}"`));
    expect((await old.setUp([], { FAKE_TARBALL: tarball })).code).toBe(0);
    expect(old.takeCalls()[0]).toMatch(/^npm pack node-\S+@\d/);
    expect((await old.setUp()).stderr).toBe("");
  });
});

describe("the scripts", () => {
  test("X15: package.json and package-lock.json name the same dependencies", () => {
    const [manifest, lock] = ["package.json", "package-lock.json"].map((name) =>
      JSON.parse(readFileSync(join(repository, name), "utf8")),
    );
    for (const kind of ["dependencies", "devDependencies", "peerDependencies"]) {
      expect(lock.packages[""][kind]).toEqual(manifest[kind]);
    }
  });

  test("X16: no script of the repository runs a script from the network or an installer of a different package", () => {
    const scripts = readdirSync(join(repository, "scripts"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".mjs"))
      .map((file) => readFileSync(join(repository, "scripts", file), "utf8"));
    expect(scripts.length).toBeGreaterThan(10);
    const suspicious = /PulumiCommand\.install|curl |wget |\| *(?:ba)?sh\b|\beval\(|new Function\(/;
    expect(scripts.filter((text) => suspicious.test(text))).toEqual([]);
  });

  test("the tests run without a developer's settings of the service and of Pulumi, and print only the names", () => {
    const code = `import { isolateTests } from ${JSON.stringify(join(repository, "scripts/test/isolation.mjs"))};
      const env = { PATH: "/bin", KERNEL_API_KEY: "sk-1", BROWSER_INFRA_BASE_URL: "https://sk-2", PULUMI_ACCESS_TOKEN: "sk-3" };
      console.log(JSON.stringify(isolateTests(env, { pulumi: "/tools/pulumi", toolsDir: "/tools" })));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
    const { env, removed } = JSON.parse(printed);
    expect(removed).toEqual(["KERNEL_API_KEY", "BROWSER_INFRA_BASE_URL", "PULUMI_ACCESS_TOKEN"]);
    expect(env).toMatchObject({ PATH: "/bin", BROWSER_INFRA_TEST_PULUMI: "/tools" });
    expect(env).toHaveProperty("npm_config_before");
    expect(printed).not.toContain("sk-");
  });
});
