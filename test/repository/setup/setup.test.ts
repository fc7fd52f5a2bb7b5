import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { fromSource, installPackages, TemporaryClone } from "./temporary-clone.js";

let clone: TemporaryClone;
beforeEach(() => {
  clone = new TemporaryClone();
});

/** Puts a Pulumi CLI of the version on PATH; `companions`: with the related programs. */
function installPulumi(version: string, companions: boolean): void {
  clone.install("pulumi", `console.log("v${version}")`);
  if (!companions) {
    return;
  }
  for (const name of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs", "pulumi-language-yaml"]) {
    clone.install(name, "");
  }
}

describe("set-up", () => {
  test("makes a bare clone ready, says what it does in plain lines, and has nothing to do the next time", async () => {
    const first = await clone.run("setup.mjs");
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(
      /^Ready after .*: Node \S+, the npm packages, dist, and the Pulumi CLI 3\.\d+\.\d+\.\n$/,
    );
    expect(first.stderr).toContain("Installing the npm packages of package-lock.json, because ");
    expect(first.stderr).toMatch(/Usually takes .*\.\n {2}done after \d+ s\n/);
    expect(first.stderr).not.toContain("\r");
    expect(first.stderr).not.toContain("\x1b");
    expect(clone.takeCalls()).toEqual([installPackages, ...fromSource]);
    expect(statSync(join(clone.folder, "dist", "cli", "main.js")).mode & 0o111).toBe(0o111);
    expect(readdirSync(join(clone.folder, "dist")).sort()).toEqual(["cli", "index.js"]);
    expect(readdirSync(join(clone.folder, "plugin"))).toEqual(["plugin.cjs"]);
    expect(clone.leftovers()).toEqual([]);

    const second = await clone.run("setup.mjs");
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(clone.takeCalls()).toEqual([]);
  });

  test("lets the examples import the package of the clone by its name and run its commands, also after npm removed the links", async () => {
    const command = join(clone.folder, "node_modules", ".bin", "it");
    const own = join(clone.folder, "node_modules", "pulumi-browser-infra");
    await clone.run("setup.mjs");
    rmSync(own, { recursive: true });
    rmSync(command);
    expect(await clone.run("setup.mjs")).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["package.json", "dist", "plugin"]) {
      expect(realpathSync(join(own, name))).toBe(realpathSync(join(clone.folder, name)));
    }
    expect(realpathSync(command)).toBe(realpathSync(join(clone.folder, "dist", "cli", "main.js")));
  });

  test("leaves no link to the clone in the clone, also where npm made one, which Pulumi would follow in a circle", async () => {
    const own = join(clone.folder, "node_modules", "pulumi-browser-infra");
    const manifest = readFileSync(join(clone.folder, "package.json"), "utf8");
    await clone.run("setup.mjs");
    rmSync(own, { recursive: true });
    symlinkSync("..", own);
    expect(await clone.run("setup.mjs")).toMatchObject({ code: 0, stderr: "" });
    expect(realpathSync(own)).toBe(join(realpathSync(clone.folder), "node_modules", "pulumi-browser-infra"));
    expect(readFileSync(join(clone.folder, "package.json"), "utf8")).toBe(manifest);
  });

  test("repeats exactly the step whose input has changed", async () => {
    await clone.run("setup.mjs");
    clone.takeCalls();

    clone.writeSource("export {};");
    const compiled = /^Compiling src into dist and plugin.*\n {2}done after \d+ s\n$/;
    expect((await clone.run("setup.mjs")).stderr).toMatch(compiled);
    writeFileSync(join(clone.folder, "schema.json"), "{ }");
    expect((await clone.run("setup.mjs")).stderr).toMatch(compiled);
    writeFileSync(join(clone.folder, "scripts", "plugin", "wrapper", "plugin.cjs"), "");
    expect((await clone.run("setup.mjs")).stderr).toMatch(compiled);
    rmSync(join(clone.folder, "plugin"), { recursive: true });
    expect((await clone.run("setup.mjs")).stderr).toMatch(compiled);
    expect(clone.takeCalls()).toEqual([]);

    writeFileSync(join(clone.folder, "package-lock.json"), "{ }");
    expect((await clone.run("setup.mjs")).stderr).toContain("because it has changed since the last time");
    expect(clone.takeCalls()).toEqual([installPackages]);

    const [pulumi] = readdirSync(clone.tools).filter((name) => name.startsWith("pulumi-3"));
    rmSync(join(clone.tools, pulumi ?? "", "pulumi-language-nodejs"));
    await clone.run("setup.mjs");
    expect(clone.takeCalls()).toEqual(fromSource.slice(2, 5));
  });

  test("uses the Pulumi CLI on PATH before it gets another one", async () => {
    installPulumi("3.999.0", true);
    expect((await clone.run("setup.mjs")).stdout).toContain("the Pulumi CLI 3.999.0.");
    expect(clone.takeCalls()).toEqual([installPackages]);
  });

  test("skips a Pulumi CLI on PATH that is too old or lacks a language host", async () => {
    installPulumi("3.100.0", true);
    expect((await clone.run("setup.mjs")).code).toBe(0);
    expect(clone.takeCalls()).toContain("go build pulumi");

    const other = new TemporaryClone();
    other.install("pulumi", 'console.log("v3.999.0")');
    expect((await other.run("setup.mjs")).code).toBe(0);
    expect(other.takeCalls()).toContain("go build pulumi");

    installPulumi("3.999.0", true);
    clone.uninstall("pulumi-language-yaml");
    rmSync(clone.tools, { recursive: true });
    clone.takeCalls();
    expect((await clone.run("setup.mjs")).code).toBe(0);
    expect(clone.takeCalls()).toContain("go build pulumi");
  });

  test("names every way to get a Pulumi CLI, why it failed, and the remedy, when none works", async () => {
    installPulumi("3.100.0", true);
    const { code, stderr } = await clone.run("setup.mjs", [], { FAKE_GO: "1.19" });
    expect(code).toBe(1);
    expect(stderr).toContain("1. PATH: its pulumi is 3.100.0, older than 3.254.0");
    expect(stderr).toContain("2. an earlier set-up: it left no complete one");
    expect(stderr).toContain("3. the vendor's release archive: ");
    expect(stderr).toContain("ECONNREFUSED 127.0.0.1:2");
    expect(stderr).toMatch(
      /4\. a build from the published Go module: the go on PATH is 1\.19, older than 1\.25/,
    );
    expect(stderr).toMatch(
      /that Go 1\.25\.\d+ or newer is installed, or put Pulumi 3\.254\.0 or newer with pulumi and .* on PATH .*, and run the same command again\./,
    );
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(clone.leftovers()).toEqual([]);
  });

  test("shows what npm said when it fails, and continues from there the next time", async () => {
    const { code, stderr } = await clone.run("setup.mjs", [], { FAKE_NPM: "fail" });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Installing the npm packages failed: "npm install" ended with exit code 1: code ENOTFOUND network is down. Check',
    );
    expect((await clone.run("setup.mjs")).code).toBe(0);
  });

  test("shows the compiler's own lines when the sources do not compile, and keeps the old dist", async () => {
    await clone.run("setup.mjs");
    clone.writeSource("oops");
    const { code, stderr } = await clone.run("setup.mjs", [], { FAKE_TSC: "fail" });
    expect(code).toBe(1);
    expect(stderr).toContain("Compiling src failed:\nsrc/index.ts(1,1): error TS1005");
    expect(existsSync(join(clone.folder, "dist", "index.js"))).toBe(true);
    expect(clone.leftovers()).toEqual([]);
  });

  test("shows the bundler's own lines when the plugin cannot be bundled, and keeps the old one", async () => {
    await clone.run("setup.mjs");
    clone.writeSource("oops");
    const { code, stderr } = await clone.run("setup.mjs", [], { FAKE_BUNDLE: "fail" });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "Bundling the plugin failed:\nsrc/bridges/plugin/main.ts:1:7: ERROR: It is broken",
    );
    expect(existsSync(join(clone.folder, "plugin", "plugin.cjs"))).toBe(true);
    expect(clone.leftovers()).toEqual([]);
  });

  test("shares the BROWSER_INFRA_TOOLS folder with the next clone", async () => {
    const tools = join(clone.folder, "..", "kept");
    expect((await clone.run("setup.mjs", [], { BROWSER_INFRA_TOOLS: tools })).code).toBe(0);
    const other = new TemporaryClone();
    expect((await other.run("setup.mjs", [], { BROWSER_INFRA_TOOLS: tools })).code).toBe(0);
    expect(other.takeCalls()).toEqual([installPackages]);
  });
});

describe("set-up of Node", () => {
  test("gets the pinned one when the running one is too old, and refuses another package under its name", async () => {
    const old = new TemporaryClone({ nodeMinimum: ">=99" });
    const platform = `${process.platform}-${process.arch}`;
    const folder = temporaryFolder();
    mkdirSync(join(folder, "package", "bin"), { recursive: true });
    const script = `#!/bin/sh\nexec ${process.execPath} "$@"\n`;
    writeFileSync(join(folder, "package", "bin", "node"), script, { mode: 0o755 });
    execFileSync("tar", ["-czf", "node.tgz", "package"], { cwd: folder });
    const tarball = join(folder, "node.tgz");
    const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;

    const refused = await old.run("setup.mjs", [], { FAKE_TARBALL: tarball });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`is not the one this project pins (integrity ${integrity})`);
    expect(old.leftovers()).toEqual([]);

    const pins = join(old.folder, "scripts/setup/node.mjs");
    const entry = new RegExp(
      `("${platform}": \\{\\s*name: "(\\S+)",\\s*version: "(\\S+)",\\s*integrity:\\s*)"[^"]+"`,
    );
    const text = readFileSync(pins, "utf8");
    const [, , name, version] = entry.exec(text) ?? [];
    writeFileSync(pins, text.replace(entry, `$1"${integrity}"`));
    old.takeCalls();
    const taken = await old.run("setup.mjs", [], { FAKE_TARBALL: tarball });
    expect(taken.stdout).toContain(`Node ${version},`);
    expect(old.takeCalls().slice(0, 2)).toEqual([`npm pack ${name}@${version}`, installPackages]);
    expect((await old.run("setup.mjs")).stderr).toBe("");
    expect(old.takeCalls()).toEqual([]);
  });
});

describe("version comparison", () => {
  test("is by number and part, and no string without a number is new enough", async () => {
    expect(
      await clone.evaluate(
        "setup/version.mjs",
        '[["22.19.0", ">=22.19"], ["24.0.0", "22.19"], ["v3.254.0", "3.254.0"], ["1.26", "1.25.11"], ["22.9.0", "22.19"], ["3.253.9", "3.254.0"], ["dev", "1"]].map(([found, minimum]) => module.isAtLeast(found, minimum))',
      ),
    ).toEqual([true, true, true, true, false, false, false]);
  });
});

describe("package-lock.json", () => {
  test("X15: names the same dependencies as package.json", () => {
    const [manifest, lock] = ["package.json", "package-lock.json"].map((name) =>
      JSON.parse(readFileSync(join(__dirname, "..", "..", "..", name), "utf8")),
    );
    for (const kind of ["dependencies", "devDependencies", "peerDependencies"]) {
      expect(lock.packages[""][kind]).toEqual(manifest[kind]);
    }
  });
});
