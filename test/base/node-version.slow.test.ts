import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { nodeVersionProblem } from "../../src/node-version.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = resolve(__dirname, "../..");
const { engines, exports: entries } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const range: string = engines.node;
const minimum = range.replace(">=", "");

/** Entries with code: the imports, and the executable. */
const libraries = Object.keys(entries)
  .filter((entry) => !entry.endsWith(".json"))
  .map((entry) => `pulumi-browser-infra${entry.slice(1)}`);
const executable = join(root, "dist/cli/main.js");

/** Old Node in which scripts run. */
interface OldNode {
  readonly what: string;
  readonly version: string;
  readonly run: (...args: string[]) => { status: number | null; stdout: string; stderr: string };
}

function nodeThatRuns(what: string, version: string, command: string, before: string[] = []): OldNode {
  const run = (...args: string[]) =>
    spawnSync(command, [...before, ...args], { cwd: root, encoding: "utf8", timeout: 60_000 });
  return { what, version, run };
}

/** Node of this machine that is too old for the package, if any. */
function installedOldNodes(): OldNode[] {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  for (const command of new Set(folders.map((folder) => join(folder, "node")))) {
    const { stdout, status } = spawnSync(command, ["--version"], { encoding: "utf8" });
    const version = (stdout ?? "").trim().replace(/^v/, "");
    if (status === 0 && nodeVersionProblem({ node: version }, "pulumi-browser-infra", range) !== undefined) {
      return [nodeThatRuns(`Node ${version} of this machine`, version, command)];
    }
  }
  return [];
}

/** Current Node, pretending to be an old version. */
function pretendedOldNode(): OldNode {
  const preload = join(temporaryFolder(), "old-node.cjs");
  const version = "20.20.2";
  writeFileSync(
    preload,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
  );
  return nodeThatRuns("a Node that says it is old", version, process.execPath, ["--require", preload]);
}

test("package.json states the required Node version in the only form that the version check compares", () => {
  expect(range).toMatch(/^>=\d+(\.\d+){0,2}$/);
});

test.each([
  ["22.19.0", true],
  ["22.20.0", true],
  ["23.0.0", true],
  ["100.0.0", true],
  ["22.19.0-nightly20260101", true],
  ["22.18.9", false],
  ["22.9.0", false],
  ["20.20.2", false],
  ["18.0.0", false],
  ["2.19.0", false],
])("Node %s is accepted by a package that needs 22.19 or newer: %p", (node, accepted) => {
  const problem = nodeVersionProblem({ node }, "pulumi-browser-infra", ">=22.19");
  expect(problem).toBe(
    accepted ? undefined : `pulumi-browser-infra needs Node 22.19 or newer, and this is Node ${node}.`,
  );
});

test("the version check ignores the Node version that Bun and Deno report", () => {
  expect(nodeVersionProblem({ node: "22.6.0", bun: "1.1.0" }, "pulumi-browser-infra", range)).toBeUndefined();
  expect(
    nodeVersionProblem({ node: "20.11.1", deno: "2.0.0" }, "pulumi-browser-infra", range),
  ).toBeUndefined();
  expect(nodeVersionProblem({}, "pulumi-browser-infra", range)).toBeUndefined();
});

describe.each([pretendedOldNode(), ...installedOldNodes()])("in $what", ({ version, run }) => {
  const sentence = `pulumi-browser-infra needs Node ${minimum} or newer, and this is Node ${version}.`;

  test.each(libraries)("%s reports the required Node version before anything is loaded", (entry) => {
    const script = `
      let failure;
      // The tests preload a guard, and an old Node is pretended.
      const preloaded = new Set(Object.keys(require.cache));
      try { require(${JSON.stringify(entry)}); } catch (error) { failure = error; }
      const loaded = Object.keys(require.cache).filter((file) => !preloaded.has(file));
      console.log(JSON.stringify({ message: failure?.message, stack: failure?.stack, code: failure?.code, loaded }));`;
    const { stdout, stderr } = run("--eval", script);
    expect(stderr).toBe("");
    const { loaded, ...failure } = JSON.parse(stdout);
    expect(failure).toEqual({ message: sentence, stack: sentence, code: "node_too_old" });
    // The cache no longer contains a module after a failed load.
    expect(loaded).toEqual([]);
  });

  test("the command reports the required Node version in one line and exits with 1", () => {
    expect(run(executable, "--version")).toMatchObject({ status: 1, stdout: "", stderr: `${sentence}\n` });
  });
});

test("every entry loads in the running Node", () => {
  for (const entry of libraries) {
    execFileSync(process.execPath, ["--eval", `require(${JSON.stringify(entry)})`], { cwd: root });
  }
  const version = execFileSync(process.execPath, [executable, "--version"], { encoding: "utf8" });
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});
