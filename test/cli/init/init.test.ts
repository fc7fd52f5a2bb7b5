import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { filesBelow } from "../../support/files-below.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";

const root = resolve(__dirname, "../../..");
const nowhere = { url: "http://127.0.0.1:9", apiKeys: ["sk_0123456789abcdefghij"] };

const examples = { extension: "quickstart", environment: "whole-environment", login: "login-gate" };
/** Suffixes of example names, by language. */
const endings = { typescript: "", javascript: "", yaml: "-yaml", python: "-python", go: "-go" };
const combinations = Object.entries(endings).flatMap(([language, ending]) =>
  Object.entries(examples).map(([what, name]) => ({ language, what, example: `${name}${ending}` })),
);
const adapted = ["Pulumi.yaml", "package.json", "go.mod", "README.md"];

const init = (folder: string, language: string, what: string, ...more: string[]) =>
  play(nowhere, ["init", folder, "--language", language, "--declare", what, ...more]);

describe("browser-infra init", () => {
  test.each(combinations)(
    "init writes $what in $language: the example $example, under the name of the folder",
    async ({ language, what, example }) => {
      const folder = join(temporaryFolder(), "Corner Shop");
      const { exitCode, err } = await init(folder, language, what);
      expect([exitCode, err]).toEqual([0, ""]);
      const contents = (path: string) => readFileSync(join(folder, path), "utf8");
      const original = join(root, "examples", example);
      const isJavaScript = language === "javascript";
      const named = (path: string) => (isJavaScript ? path.replace("index.ts", "index.js") : path);
      const copied = filesBelow(original).map((path) => path.slice(original.length + 1));
      const written = filesBelow(folder).map((path) => path.slice(folder.length + 1));
      expect(written.sort()).toEqual([...copied.map(named), ".gitignore"].sort());
      for (const path of copied.filter((each) => !adapted.includes(each))) {
        expect(contents(named(path))).toBe(readFileSync(join(original, path), "utf8"));
      }
      const ofExample = parse(readFileSync(join(original, "Pulumi.yaml"), "utf8"));
      const runtime = isJavaScript ? { name: "nodejs", options: { typescript: false } } : ofExample.runtime;
      expect(parse(contents("Pulumi.yaml"))).toEqual({ ...ofExample, name: "corner-shop", runtime });
      const { name, dependencies } = JSON.parse(contents("package.json"));
      expect([name, dependencies["pulumi-browser-infra"]]).toEqual(["corner-shop", `file:${root}`]);
      expect("typescript" in dependencies).toBe(language === "typescript");
      if (isJavaScript) {
        execFileSync(process.execPath, ["--check", "index.js"], { cwd: folder });
      }
      expect(contents("README.md")).toMatch(
        /^# corner-shop\n[^#]*```sh\nnpm install\n[^#]*pulumi up --yes\n```\n/,
      );
    },
  );

  test.each([
    ["4 Shops!", "4-shops"],
    ["_shop.", "shop"],
    ["...店", "browsers"],
    ["a".repeat(120), "a".repeat(100)],
  ])("init makes a valid project name of the folder name %j", async (named, name) => {
    const folder = join(temporaryFolder(), named);
    await init(folder, "go", "extension");
    expect(parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).name).toBe(name);
    expect(readFileSync(join(folder, "go.mod"), "utf8")).toContain(`module ${name}\n`);
  });

  test("init asks in a terminal for the language and the content, and writes into the current folder", async () => {
    const folder = temporaryFolder();
    const down = "\u001b[B";
    const keys = [`${down}${down}\r`, `${down}\r`];
    const { exitCode, out, err } = await play(nowhere, ["init"], { terminal: 80, keys, cwd: folder });
    expect([exitCode, readdirSync(folder)]).toEqual([
      0,
      expect.arrayContaining(["Pulumi.yaml", "seed.json"]),
    ]);
    expect(err).toContain("Which language?");
    expect(err).toContain("What does the program declare?");
    expect(parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8"))).toMatchObject({
      runtime: "yaml",
      resources: { pool: {} },
    });
    expect(out).not.toContain("cd ");
  });

  test.each([
    ["Escape", "\u001b"],
    ["Ctrl+C", "\u0003"],
  ])("init writes nothing after %s at a question", async (_key, pressed) => {
    const folder = temporaryFolder();
    const { exitCode, err } = await play(nowhere, ["init", folder], { terminal: 80, keys: [pressed] });
    expect([exitCode, readdirSync(folder)]).toEqual([4, []]);
    expect(err).toContain("Nothing was written.\n");
  });

  test("init without a terminal asks nothing, and names both required options with the allowed values", async () => {
    const folder = temporaryFolder();
    const { exitCode, err } = await play(nowhere, ["init", folder, "--language", "go"]);
    expect([exitCode, readdirSync(folder)]).toEqual([2, []]);
    expect(err).toContain("--language (typescript, javascript, yaml, python, go)");
    expect(err).toContain("--declare (extension, environment, component, login)");
  });

  test("init refuses a folder that already has a file to be written, names the file, and writes nothing", async () => {
    const folder = temporaryFolder();
    for (const name of ["README.md", "extension", "notes.txt"]) {
      writeFileSync(join(folder, name), "mine\n");
    }
    const { exitCode, err } = await init(folder, "yaml", "extension");
    expect([exitCode, readdirSync(folder).sort()]).toEqual([2, ["README.md", "extension", "notes.txt"]]);
    expect(err).toContain("already has README.md, extension. Nothing was written.");
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("mine\n");
  });

  test.each(["local.env.sh", ".pulumi", ".emulator"])(
    "init refuses a folder with %s of an earlier --up",
    async (name) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, name), "mine\n");
      const { exitCode, err } = await init(folder, "yaml", "extension");
      expect([exitCode, readdirSync(folder)]).toEqual([2, [name]]);
      expect(err).toContain(`already has ${name}. Nothing was written.`);
    },
  );

  test("init --up lists the programs missing on PATH, starts nothing, and keeps the files", async () => {
    const folder = join(temporaryFolder(), "shop");
    const args = ["init", folder, "--language", "python", "--declare", "login", "--up"];
    const { exitCode, err } = await play(nowhere, args, { env: { PATH: "/nowhere" } });
    expect([exitCode, readdirSync(folder)]).toEqual([1, expect.not.arrayContaining(["emulator.log"])]);
    expect(err).toContain(
      "--up needs programs that are missing on PATH: npm, which comes with Node.js (https://nodejs.org); ",
    );
    expect(err).toContain(
      "Python 3.9 or newer (https://www.python.org/downloads/); the Pulumi CLI (https://",
    );
    expect(err).toContain("To continue, read README.md there.");
  });

  test("init fails with the reason and the remedy if the target folder is a file", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const { exitCode, err } = await init(file, "yaml", "extension");
    expect([exitCode, err]).toEqual([
      1,
      expect.stringContaining("failed (ENOTDIR). Check the disk and the "),
    ]);
  });
});
