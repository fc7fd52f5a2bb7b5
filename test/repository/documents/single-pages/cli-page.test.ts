import { exec } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { play } from "../../../cli/played-terminal.js";
import { builtFile } from "../../../support/built-file.js";
import { shareEmulator } from "../../../support/emulator.js";
import { filesBelow } from "../../../support/files-below.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { page as pageAt, root } from "../pages.js";

const { text: page } = pageAt("docs/reference/cli.md");
const nowhere = { url: "http://127.0.0.1:9", apiKeys: ["sk_0123456789abcdefghij"] };

/** Facts from `--help` of a command at the end of its group. */
interface Helped {
  /** Usage without the options: `browser-infra projects get <id-or-name>`. */
  readonly usage: string;
  /** Options with values: `--limit <number>`. */
  readonly options: readonly string[];
  readonly help: string;
}

/** The part of a help page under a title, up to the next empty line. */
function listed(help: string, title: string): string[] {
  const [, part = ""] = new RegExp(`^${title}:\n((?:.+\n)+)`, "m").exec(help) ?? [];
  return Array.from(part.matchAll(/^ {2}(\S.*?)(?: {2,}.*)?$/gm), ([, entry = ""]) => entry);
}

/** Every command of the program, from `--help` of each group. A group with options counts too. */
async function commandsBelow(path: readonly string[]): Promise<readonly Helped[]> {
  const { out: help } = await play(nowhere, [...path, "--help"]);
  const below = listed(help, "Commands").map((entry) => entry.split(" ", 1)[0] ?? "");
  const [, usage = ""] = /^Usage: (.*)$/m.exec(help) ?? [];
  const options = listed(help, "Options").filter((option) => option !== "-h, --help");
  const itself = { usage: usage.replace(/ \[options\]( \[command\])?/, ""), options, help };
  const commands: Helped[] = below.length === 0 || (path.length > 0 && options.length > 0) ? [itself] : [];
  // In sequence: `play` runs one command at a time.
  for (const name of below) {
    commands.push(...(await commandsBelow([...path, name])));
  }
  return commands;
}

/** Options that a page mentions in backticks. */
function optionsIn(text: string): string[] {
  return Array.from(text.matchAll(/`(--[a-z-]+)(?: <[^>`]+>)?`/g), ([, name = ""]) => name);
}

describe("docs/reference/cli.md", () => {
  const [, chapter = ""] = /^## Commands$([\s\S]*)/m.exec(page) ?? [];
  /** Descriptions by command: a section, or a row of a table. */
  const described = [
    ...Array.from(chapter.matchAll(/^### `([^`]+)`$([\s\S]*?)(?=^###|$(?![\s\S]))/gm)),
    ...Array.from(chapter.matchAll(/^\| `([a-z][^`]+)` *\|(.*)$/gm)).map(
      ([all, command, text]) => [all, `browser-infra ${command}`, text] as const,
    ),
  ].map(([, usage = "", text = ""]) => [usage, text] as const);
  let commands: readonly Helped[];
  beforeAll(async () => {
    commands = await commandsBelow([]);
  });

  test("the page of the command line describes each command once, with the arguments, and no further command", () => {
    expect(commands.length).toBeGreaterThan(15);
    expect(described.map(([usage]) => usage).sort()).toEqual(commands.map(({ usage }) => usage).sort());
  });

  test("the command line has every delete command that a message of a resource names", () => {
    const known = commands.map(({ usage }) => usage.split(" ").slice(0, 3).join(" "));
    const sources = filesBelow(join(root, "src/providers")).map((file) => readFileSync(file, "utf8"));
    const named = sources.flatMap((text) => text.match(/browser-infra (?:[a-z-]+ )?delete\b/g) ?? []);
    expect(named.length).toBeGreaterThan(1);
    expect(known).toEqual(expect.arrayContaining(named));
  });

  test("the page of the command line names only options that exist", () => {
    const ofCommand = new Map(commands.map(({ usage, options }) => [usage, options]));
    for (const [usage, text] of described) {
      const prose = text
        // A section may end with a table of further commands.
        .replace(/^\| `[a-z].*$/gm, "")
        .replace(/^```[\s\S]*?^```$/gm, "");
      const names = (ofCommand.get(usage) ?? []).map((option) => option.split(" ", 1)[0] ?? "");
      const known = [...names, ...(usage.endsWith("emulator") ? [] : ["--json"])];
      expect([usage, optionsIn(prose).filter((name) => !known.includes(name))]).toEqual([usage, []]);
    }
  });

  test("--help of every command fits 80 columns", () => {
    for (const { usage, help } of commands) {
      const widest = Math.max(...help.split("\n").map(({ length }) => length));
      expect([usage, widest <= 80]).toEqual([usage, true]);
    }
  });
});

describe("the examples of docs/reference/cli.md", () => {
  const emulator = shareEmulator({
    now: () => new Date("2026-11-22T10:00:00Z"),
    seed: join(root, "docs/emulator/emulator-seed.example.json"),
  });
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
    // Like a reader: in a project with the package installed.
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/pulumi-browser-infra"));
  });

  /** Removes varying values and the padding of columns. */
  const comparable = (text: string) =>
    text
      .replaceAll(emulator.url, "http://127.0.0.1:4010")
      .replace(/\b[0-9a-f]{64}\b/g, "<checksum>")
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[a-z](?=[a-z]*\d)[a-z0-9]{23}\b|\breq_\w+/g, "<id>")
      .replace(/\b\d+(?:\.\d)? (?:bytes|KiB)(?:, \d+ files?)?/g, "<size>")
      .replace(/\b2026-11-22 10:\d\d:\d\d UTC/g, "<time>")
      .replace(/ {2,}/g, "  ")
      .trimEnd();

  const key = { BROWSER_INFRA_API_KEY: "sk_ci" };
  let last = 0;

  async function played(line: string): Promise<string> {
    const [program, ...args] = words(line);
    expect(program).toBe("browser-infra");
    const { exitCode, out, err } = await play(emulator, args, { env: key, cwd: folder });
    last = exitCode;
    return out + err;
  }

  /** Runs a line with a pipe in a shell. The page contains only the standard output. */
  async function piped(line: string): Promise<string> {
    const command = line.replace("browser-infra", `"${process.execPath}" "${builtFile("dist/cli/main.js")}"`);
    const env = { ...key, PATH: process.env.PATH, BROWSER_INFRA_BASE_URL: emulator.url };
    return (await promisify(exec)(command, { env, cwd: folder })).stdout;
  }

  /** Splits a line like a shell, as far as the page requires. */
  const words = (line: string) =>
    Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare = ""]) => quoted ?? bare);

  test("the examples of the command line page, run one after the other, print the output on the page", async () => {
    const examples = Array.from(page.matchAll(/^```console\n([\s\S]*?)^```$/gm), ([, text = ""]) =>
      text.split(/^\$ /m).slice(1),
    ).flat();
    expect(examples.length).toBeGreaterThan(10);
    for (const example of examples) {
      const [line = "", ...shown] = example.split("\n");
      if (line === "echo $?") {
        expect(comparable(shown.join("\n"))).toBe(String(last));
        continue;
      }
      const text = line.includes(" | ") ? await piped(line) : await played(line);
      expect([line, comparable(text)]).toEqual([line, comparable(shown.join("\n"))]);
    }
  });
});
