import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** The entry of `takeCalls` for the packages of the lock file. */
export const installPackages = "npm install";

/** Entries of `takeCalls` for the language host of YAML programs. */
export const yamlHost = ["go version", "go build pulumi-language-yaml"];

/** Entries of `takeCalls` for a Pulumi CLI built from source. */
export const fromSource = [
  "go version",
  "go build pulumi",
  "go version",
  "go build pulumi-language-nodejs",
  "go list",
  ...yamlHost,
];

const repository = dirname(dirname(dirname(__dirname)));

/**
 * Fake npm: logs the arguments, and installs packages just large enough for the next steps.
 * FAKE_NPM=fail ends with an error; FAKE_NPM=hang leaves an unfinished package and does not end;
 * FAKE_NPM=slow takes a moment.
 */
const npm = String.raw`
const { appendFileSync, chmodSync, copyFileSync, mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const args = process.argv.slice(2);
appendFileSync(process.env.FAKE_LOG, "npm " + args.filter((arg) => !arg.startsWith("--")).join(" ") + "\n");
const put = (path, text) => {
  const full = join("node_modules", path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  chmodSync(full, 0o755);
};
const mode = process.env.FAKE_NPM;
if (mode === "fail") {
  console.error("npm error code ENOTFOUND\nnpm error network is down");
  process.exit(1);
}
if (mode === "hang") {
  put("half/made", "");
  writeFileSync(process.env.FAKE_LOG + ".pid", String(process.pid));
  setInterval(() => {}, 1000);
  return;
}
if (args[0] === "pack") {
  copyFileSync(process.env.FAKE_TARBALL, "node.tgz");
  return;
}
put("typescript/bin/tsc", ${JSON.stringify(`
const { mkdirSync, writeFileSync } = require("node:fs");
const out = process.argv[process.argv.indexOf("--outDir") + 1];
if (process.argv.includes("--noEmit")) process.exit(process.env.FAKE_TSC === "fail" ? 2 : 0);
if (process.env.FAKE_TSC === "fail") {
  console.log("src/index.ts(1,1): error TS1005: ';' expected.");
  process.exit(2);
}
mkdirSync(out + "/cli", { recursive: true });
writeFileSync(out + "/index.js", "");
writeFileSync(out + "/cli/main.js", "");
`)});
put("@biomejs/biome/bin/biome", "");
put("knip/bin/knip.js", "");
put("dependency-cruiser/bin/dependency-cruiser.mjs", "");
put("jest/bin/jest.js", ${JSON.stringify(`
const { writeFileSync } = require("node:fs");
console.error("jest got " + JSON.stringify(process.argv.slice(2).filter((arg) => !arg.startsWith("--"))));
console.error("jest sees " + Object.keys(process.env).filter((name) => /^(KERNEL|PULUMI|BROWSER_INFRA)_/.test(name)).sort());
const plan = JSON.parse(process.env.FAKE_JEST ?? "{}");
const output = process.argv.find((arg) => arg.startsWith("--outputFile="));
const assertionResults = (plan.statuses ?? []).map((status, index) => ({ status, fullName: "test " + index }));
if (!plan.crash) {
  writeFileSync(output.slice(13), JSON.stringify({ numRuntimeErrorTestSuites: plan.unloadable ?? 0, testResults: [{ assertionResults }] }));
}
process.exit(plan.code ?? 0);
`)});
if (mode === "slow") setTimeout(() => {}, 700);
`;

/**
 * Fake Go: prints a version and the folder of Pulumi's SDK, and builds programs that print the
 * version of the CLI. FAKE_GO is the version of Go; FAKE_GO_FAILS is the program whose build fails.
 */
const go = String.raw`
const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const args = process.argv.slice(2);
appendFileSync(process.env.FAKE_LOG, "go " + args[0] + " " + (args[0] === "build" ? args.at(-1).split("/").at(-1) : "") + "\n");
if (args[0] === "version") console.log("go version go" + (process.env.FAKE_GO ?? "1.26.8") + " linux/amd64");
else if (args[0] === "list") {
  const sdk = process.env.FAKE_LOG + "-sdk";
  for (const path of ["/python/cmd/pulumi-language-python-exec", "/nodejs/dist/pulumi-resource-pulumi-nodejs"]) {
    mkdirSync(dirname(sdk + path), { recursive: true });
    rmSync(sdk + path, { force: true });
    writeFileSync(sdk + path, "#!/usr/bin/env python", { mode: 0o444 });
  }
  console.log(sdk);
} else if (args.at(-1).endsWith("/" + process.env.FAKE_GO_FAILS)) {
  console.error("proxy: 403 Forbidden");
  process.exit(1);
} else {
  const version = /version\.Version=(\S+)/.exec(args.join(" "));
  const log = args.at(-1) === "./sdk-generator" ? 'echo "generator $@" >> ' + process.env.FAKE_LOG : "";
  const program = "#!/bin/sh\n" + log + "\necho " + (version ? version[1] : "") + "\n";
  writeFileSync(args[args.indexOf("-o") + 1], program, { mode: 0o755 });
}
`;

/** Replaces the script that bundles the plugin. FAKE_BUNDLE=fail ends with an error. */
const bundle = `
import { mkdirSync, writeFileSync } from "node:fs";
if (process.env.FAKE_BUNDLE === "fail") {
  console.error("src/bridges/plugin/main.ts:1:7: ERROR: It is broken");
  process.exit(1);
}
mkdirSync(process.argv[2]);
writeFileSync(process.argv[2] + "/plugin.cjs", "");
`;

/** Result of a script run. `stderr` contains the progress. */
export interface ScriptResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Running script, and its end. */
export interface RunningScript {
  readonly child: ChildProcess;
  readonly ended: Promise<ScriptResult>;
}

/**
 * Clone in a temporary folder with this repository's scripts, a single source file, and a PATH with
 * only the fake programs of the test.
 */
export class TemporaryClone {
  readonly folder: string;
  readonly tools: string;
  private readonly bin: string;
  private readonly log: string;

  constructor({ nodeMinimum = ">=18" }: { nodeMinimum?: string } = {}) {
    const root = temporaryFolder();
    this.folder = join(root, "clone");
    this.tools = join(this.folder, ".tools");
    this.bin = join(root, "bin");
    this.log = join(root, "calls");
    for (const folder of [join(this.folder, "src"), this.bin]) {
      mkdirSync(folder, { recursive: true });
    }
    cpSync(join(repository, "scripts"), join(this.folder, "scripts"), { recursive: true });
    // There is no plugin and nothing to publish.
    writeFileSync(join(this.folder, "scripts", "plugin", "bundle.mjs"), bundle);
    for (const lint of ["check-package.mjs", "generate-schema.mjs"]) {
      writeFileSync(join(this.folder, "scripts", "publish", lint), "");
    }
    writeFileSync(
      join(this.folder, "package.json"),
      JSON.stringify({
        engines: { node: nodeMinimum },
        main: "./dist/index.js",
        bin: { it: "./dist/cli/main.js" },
      }),
    );
    writeFileSync(
      join(this.folder, "jest.config.js"),
      'module.exports = { projects: [{ displayName: "unit" }, { displayName: "engine" }] };\n',
    );
    for (const name of ["package-lock.json", "schema.json", "tsconfig.json", "tsconfig.build.json"]) {
      writeFileSync(join(this.folder, name), "{}");
    }
    this.writeSource("");
    writeFileSync(this.log, "");
    this.install("npm", npm);
    this.install("go", go);
    this.installFromMachine("tar");
    this.installFromMachine("gzip");
  }

  /** Puts a JavaScript program on PATH. */
  install(name: string, source: string): void {
    const path = join(this.bin, name);
    writeFileSync(path, `#!${process.execPath}\n${source}`);
    chmodSync(path, 0o755);
  }

  /** Puts a program of this machine on PATH. */
  installFromMachine(name: string): void {
    const path = (process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find((each) => existsSync(each));
    if (path === undefined) {
      throw new Error(`This machine has no ${name}.`);
    }
    symlinkSync(path, join(this.bin, name));
  }

  /** Takes a program off PATH. */
  uninstall(name: string): void {
    rmSync(join(this.bin, name));
  }

  /** Replaces the only source file. */
  writeSource(text: string): void {
    writeFileSync(join(this.folder, "src", "index.ts"), text);
  }

  /** Calls of the programs on PATH since the previous `takeCalls`. */
  takeCalls(): string[] {
    const calls = readFileSync(this.log, "utf8").split("\n").filter(Boolean);
    writeFileSync(this.log, "");
    return calls.map((call) => call.trim());
  }

  /** Resolves to the process id of npm as soon as npm hangs. */
  async hangingNpm(): Promise<number> {
    const path = `${this.log}.pid`;
    while (!existsSync(path) || readFileSync(path, "utf8") === "") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return Number(readFileSync(path, "utf8"));
  }

  /** Unfinished folders in the tools folder. */
  leftovers(): string[] {
    return readdirSync(this.tools).filter((name) => name.startsWith("partial-"));
  }

  start(script: string, args: readonly string[] = [], env: Record<string, string> = {}): RunningScript {
    const child = spawn(process.execPath, [join(this.folder, "scripts", script), ...args], {
      cwd: this.folder,
      env: {
        PATH: this.bin,
        HOME: this.bin,
        FAKE_LOG: this.log,
        // Nothing listens there. The tests download only from this machine.
        BROWSER_INFRA_PULUMI_ARCHIVES: "http://127.0.0.1:2",
        ...env,
      },
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (bytes) => {
      output.stdout += bytes;
    });
    child.stderr.on("data", (bytes) => {
      output.stderr += bytes;
    });
    const ended = new Promise<ScriptResult>((resolve) =>
      child.once("close", (code) => resolve({ code, ...output })),
    );
    return { child, ended };
  }

  run(script: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<ScriptResult> {
    return this.start(script, args, env).ended;
  }

  /** Value of an expression; in the expression, `module` has the exports of a script. */
  async evaluate(module: string, expression: string): Promise<unknown> {
    const url = JSON.stringify(`file://${join(this.folder, "scripts", module)}`);
    writeFileSync(
      join(this.folder, "scripts", "evaluate.mjs"),
      `import * as module from ${url};\nconsole.log(JSON.stringify(${expression}));\n`,
    );
    const { code, stdout, stderr } = await this.run("evaluate.mjs");
    if (code !== 0) {
      throw new Error(stderr);
    }
    return JSON.parse(stdout);
  }
}
