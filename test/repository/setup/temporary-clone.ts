import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";

export const repository = dirname(dirname(dirname(__dirname)));

/** Entries of `takeCalls` for a Pulumi CLI built from source, with the host for YAML. */
export const fromSource = ["pulumi", "pulumi-language-nodejs", "pulumi-language-yaml"].map(
  (name) => `go build ${name}`,
);

/**
 * Fake npm: logs the arguments, and installs a compiler. "npm pack" gives FAKE_TARBALL.
 * FAKE_NPM=fail ends with an error.
 */
const npm = String.raw`
const { appendFileSync, copyFileSync, mkdirSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
appendFileSync(process.env.FAKE_LOG, "npm " + args.join(" ") + "\n");
if (process.env.FAKE_NPM === "fail") {
  console.error("npm error code ENOTFOUND\nnpm error network is down");
  process.exit(1);
}
if (args[0] === "pack") {
  copyFileSync(process.env.FAKE_TARBALL, "node.tgz");
} else {
  mkdirSync("node_modules/typescript/bin", { recursive: true });
  writeFileSync("node_modules/typescript/bin/tsc", ${JSON.stringify(`
const { mkdirSync, writeFileSync } = require("node:fs");
const out = process.argv[process.argv.indexOf("--outDir") + 1];
mkdirSync(out + "/cli", { recursive: true });
writeFileSync(out + "/index.js", "");
writeFileSync(out + "/cli/main.js", "");
`)});
}
`;

/** Fake Go: logs the built programs, or fails as FAKE_GO says. */
const go = String.raw`
const { appendFileSync, mkdirSync, writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const args = process.argv.slice(2);
if (process.env.FAKE_GO) {
  console.error(process.env.FAKE_GO);
  process.exit(1);
}
if (args[0] === "list") {
  const sdk = process.env.FAKE_LOG + "-sdk/";
  for (const file of ["nodejs/dist/pulumi-resource-pulumi-nodejs", "python/cmd/pulumi-language-python-exec"]) {
    mkdirSync(dirname(sdk + file), { recursive: true });
    writeFileSync(sdk + file, "");
  }
  console.log(sdk);
} else {
  appendFileSync(process.env.FAKE_LOG, "go build " + args.at(-1).split("/").at(-1) + "\n");
  writeFileSync(args[args.indexOf("-o") + 1], "#!/bin/sh\n", { mode: 0o755 });
}
`;

/** Replaces the script that bundles the plugin: there is no plugin. */
const bundle = `
import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync(process.argv[2]);
writeFileSync(process.argv[2] + "/plugin.cjs", "");
`;

/** Result of a script run. `stderr` contains the progress. */
export interface ScriptResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Clone in a temporary folder with this repository's scripts, a single source file, and a PATH with
 * only the fake programs of the test, tar and gzip.
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
    mkdirSync(join(this.folder, "src"), { recursive: true });
    mkdirSync(this.bin);
    cpSync(join(repository, "scripts"), join(this.folder, "scripts"), { recursive: true });
    const manifest = {
      engines: { node: nodeMinimum },
      main: "./dist/index.js",
      bin: { it: "./dist/cli/main.js" },
    };
    this.write("package.json", JSON.stringify(manifest));
    for (const name of ["package-lock.json", "schema.json", "tsconfig.json", "tsconfig.build.json"]) {
      this.write(name, "{}");
    }
    this.write("src/index.ts", "");
    this.write("scripts/plugin/bundle.mjs", bundle);
    writeFileSync(this.log, "");
    this.install("npm", npm);
    this.install("go", go);
    for (const name of ["tar", "gzip"]) {
      const path = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
      symlinkSync(path, join(this.bin, name));
    }
  }

  /** Puts a JavaScript program on PATH. */
  install(name: string, source: string): void {
    writeFileSync(join(this.bin, name), `#!${process.execPath}\n${source}`, { mode: 0o755 });
  }

  /** Puts a Pulumi CLI of the version on PATH, with the programs that belong to the CLI. */
  installPulumi(version: string): void {
    this.install("pulumi", `console.log("v${version}")`);
    for (const name of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs", "pulumi-language-yaml"]) {
      this.install(name, "");
    }
  }

  /** Takes a program off PATH. */
  uninstall(name: string): void {
    rmSync(join(this.bin, name));
  }

  /** Writes a file of the clone. */
  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  /** Calls of npm and builds of Go since the previous `takeCalls`. */
  takeCalls(): string[] {
    const calls = readFileSync(this.log, "utf8").split("\n").filter(Boolean);
    writeFileSync(this.log, "");
    return calls;
  }

  /** Folder of the Pulumi CLI that the set-up downloaded or built. */
  get pulumi(): string {
    return join(this.tools, readdirSync(this.tools).find((name) => name.startsWith("pulumi-3")) ?? "");
  }

  /** Unfinished folders in the tools folder. */
  leftovers(): string[] {
    return readdirSync(this.tools).filter((name) => name.startsWith("partial-"));
  }

  /** Runs `npm run setup` in the clone. */
  setUp(args: readonly string[] = [], env: Record<string, string> = {}): Promise<ScriptResult> {
    const child = spawn(process.execPath, [join(this.folder, "scripts/setup.mjs"), ...args], {
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
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...output })));
  }
}
