import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { parseAllDocuments } from "yaml";
import { play } from "../../cli/played-terminal.js";
import { filesBelow } from "../../support/files-below.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { manifest } from "./packed.js";
import { type CodeBlock, pages, root } from "./pages.js";
import { schemaExamples, withEntry } from "./schema-examples.js";

const blocks = pages.flatMap(({ blocks: ofPage }) => ofPage);
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

/** Removes indentation: a page may show a part of a file further to the left. */
const flat = (code: string) => code.replace(/^ +/gm, "").trim();

/** Sources that run in tests. Pages show parts of these sources. */
const sources = ["test/programs/mocks", "test/engine", "test/slow", "examples"]
  .flatMap((folder) => filesBelow(join(root, folder)))
  .filter((file) => /\.(ts|mts|js|mjs|cjs)$/.test(file) && !file.includes("node_modules"))
  .map((file) => flat(readFileSync(file, "utf8")));

/** Whether a block shows a part of a file that runs in tests. `// …` stands for omitted lines. */
function isPartOfSource({ code }: CodeBlock): boolean {
  const parts = code.split(/^\s*\/\/ …$/m).map(flat);
  return sources.some((source) => parts.every((part) => source.includes(part)));
}

/** Programs of schema.json, some of which pages show. All run in the suite "languages". */
const generated = new Set(
  schemaExamples.flatMap(({ programs }) => Object.values(programs).map((program) => withEntry(program))),
);
const typescriptOfSchema = schemaExamples.map(({ of, programs: { typescript: code = "" } }) => ({
  ...{ place: `schema.json, ${of}`, language: "ts", code, before: "", chapter: "" },
}));

describe("the code in README, docs and schema.json", () => {
  test("no code block of the pages names an unknown language", () => {
    const known = [
      "ts",
      "js",
      "json",
      "yaml",
      "sh",
      "console",
      "text",
      "diff",
      "gitattributes",
      "ini",
      "dockerfile",
      "python",
      "go",
      "csharp",
      "java",
    ];
    const unknown = blocks.filter(({ language }) => language !== "" && !known.includes(language));
    expect(unknown.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
  });

  test("a page names the plugin before its first program in TypeScript: both bridges have programs", () => {
    const ours = /from "(pulumi-browser-infra(\/plugin)?|@pulumi\/browser-infra)"/;
    const silent = pages
      .filter(({ path }) => path === "README.md" || path.startsWith("docs/"))
      .filter(({ blocks: ofPage, text }) => {
        const first = ofPage.find(({ language, code }) => language === "ts" && ours.test(code));
        return first !== undefined && !text.slice(0, text.indexOf(first.code)).includes("plugin");
      });
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test("code in TypeScript or JavaScript on the pages compiles, or is a part of a tested source", () => {
    const ofPages = inLanguage("ts", "js").filter(
      (block) => !isPartOfSource(block) && !generated.has(block.code),
    );
    const programs = [...ofPages, ...typescriptOfSchema];
    expect(programs.length).toBeGreaterThan(5);
    const folder = temporaryFolder(join(root, ".tools"));
    const places = new Map(
      programs.map(({ place, language, code }, index) => {
        const file = join(folder, `block-${index}.${language}`);
        writeFileSync(file, `${withEntry(code)}\nexport {};\n`);
        return [file, place];
      }),
    );
    // Like a user's program: strict, with the module rules of bundlers and type stripping, so that
    // a sample may await at the top level.
    const program = ts.createProgram([...places.keys(), join(__dirname, "other-providers.d.ts")], {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      allowJs: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: ["node", "jest"],
      typeRoots: [join(root, "node_modules/@types")],
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      const place = file === undefined ? "" : (places.get(file.fileName) ?? relative(root, file.fileName));
      return `${place}, line ${line} of the block: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
    expect(problems).toEqual([]);
  });

  test("a program in Python or Go on the pages is a part of a tested example", () => {
    const programs = inLanguage("python", "go").filter(
      ({ code }) => code.includes("pulumi") && !generated.has(code),
    );
    expect(programs.map(({ language }) => language).sort()).toEqual(["go", "go", "python", "python"]);
    for (const { place, language, code } of programs) {
      const file =
        language === "go" ? "examples/quickstart-go/main.go" : "examples/quickstart-python/__main__.py";
      const lines = statements(readFileSync(join(root, file), "utf8"));
      const missing = statements(code).filter((line) => !lines.includes(line));
      expect({ place, missing }).toEqual({ place, missing: [] });
    }
  });

  test("a complete Pulumi.yaml on the pages for a language other than Node takes the plugin from the package", () => {
    const projects = inLanguage("yaml").filter(
      ({ code }) => /^runtime:/m.test(code) && !/^runtime:\s+(name: )?nodejs$/m.test(code),
    );
    expect(projects.length).toBeGreaterThan(2);
    const without = projects.filter(
      ({ code }) => !/path: (\.\.\/[\w-]+\/)?node_modules\/pulumi-browser-infra\/plugin( \})?\n/.test(code),
    );
    expect(without.map(({ place }) => place)).toEqual([]);
  });

  test("code in Python on the pages parses", () => {
    const problems = inLanguage("python").flatMap(({ place, code }) =>
      problemOf(place, () =>
        execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], {
          input: code,
          stdio: "pipe",
        }),
      ),
    );
    expect(problems).toEqual([]);
  });

  test("a diff on the pages changes a program that a page or a test contains, and results in valid code", () => {
    const diffs = inLanguage("diff");
    expect(diffs.length).toBeGreaterThan(0);
    const side = (code: string, sign: "+" | "-") =>
      code
        .split("\n")
        .filter((line) => !line.startsWith(sign))
        .map((line) => line.replace(/^[-+ ]/, ""));
    for (const { place, code } of diffs) {
      const before = side(code, "+").filter((line) => line !== "…");
      const shown = [...sources, ...inLanguage("ts").map((block) => flat(block.code))];
      const unknown = before.filter((line) => !shown.some((source) => source.includes(line.trim())));
      const { diagnostics = [] } = ts.transpileModule(side(code, "-").join("\n").replaceAll("…", ""), {
        reportDiagnostics: true,
      });
      const problems = diagnostics.map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, " "),
      );
      expect({ place, unknown, problems }).toEqual({ place, unknown: [], problems: [] });
    }
  });

  test("code in JSON or YAML on the pages parses", () => {
    const problems = [
      ...inLanguage("json").flatMap(({ place, code }) => problemOf(place, () => JSON.parse(code))),
      ...inLanguage("yaml").flatMap(({ place, code }) =>
        parseAllDocuments(code).flatMap((document) =>
          [...document.errors, ...document.warnings].map(({ message }) => `${place}: ${message}`),
        ),
      ),
    ];
    expect(problems).toEqual([]);
  });

  test("shell code on the pages is valid, and uses existing commands, options and scripts", async () => {
    const scripts = [...inLanguage("sh"), ...inLanguage("console").map(typed)];
    expect(scripts.length).toBeGreaterThan(3);
    const problems: string[] = [];
    for (const { place, code } of scripts) {
      problems.push(
        ...problemOf(place, () => execFileSync("bash", ["-n"], { input: filledIn(code), stdio: "pipe" })),
      );
      for (const [, script = ""] of code.matchAll(/\bnpm run ([\w:-]+)/g)) {
        // The pages in docs speak of the reader's own package.json.
        if (manifest.scripts[script] === undefined && !place.startsWith("docs/")) {
          problems.push(`${place}: package.json has no script ${script}`);
        }
      }
      for (const command of commandsIn(code)) {
        problems.push(...(await usageProblems(command)).map((problem) => `${place}: ${problem}`));
      }
    }
    expect(problems).toEqual([]);
  });

  test("shell code of the README, languages.md and the examples is in the chapters that tests run as written", () => {
    const shells = inLanguage("sh");
    const chaptersOf = (path: string) =>
      shells.filter(({ place }) => place.startsWith(`${path}:`)).map(({ chapter }) => chapter);
    // "npm run demo" and "npm test": test/slow/examples/demo.test.ts, and this run. The rest:
    // test/engine/first-steps.
    expect(chaptersOf("README.md")).toEqual(["Quick start", "An agent in a browser", "From a clone"]);
    // The agent: the commands of the example's page, after the copy.
    const [agent, ofExample] = ["README.md", "examples/agent/README.md"].map((path) =>
      shells
        .filter(({ place }) => place.startsWith(`${path}:`))
        .flatMap(({ code }) => code.trim().split("\n")),
    );
    const copied = agent?.slice(agent.findIndex((line) => line.startsWith("cp -r")) + 1) ?? [];
    expect(copied.slice(0, 7).filter((line) => !ofExample?.includes(line))).toEqual([]);
    // test/slow/examples/languages.test.ts
    expect(chaptersOf("docs/programs/languages.md")).toEqual([
      "Start",
      "In YAML",
      "In Python",
      "In Go",
      "Settings",
    ]);
    // scripts/suites/examples.mjs runs a block of each page.
    const examples = pages.filter(({ path }) => /^examples\/.*README\.md$/.test(path));
    expect(examples.length).toBeGreaterThan(15);
    const others = examples.filter(({ path }) => chaptersOf(path).length !== 1);
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  test("the check of shell code reports an unknown command and an unknown option", async () => {
    expect(await usageProblems("extensions uplaod ./dist")).toEqual([
      "there is no command extensions uplaod",
    ]);
    expect(await usageProblems("projects list --staus active")).toEqual(["projects list has no --staus"]);
    expect(await usageProblems("projects list --status active")).toEqual([]);
    expect(commandsIn("npx browser-infra whoami | tee log   # shows the settings")).toEqual(["whoami"]);
  });
});

/** The lines of a program in Python or Go without comments, empty lines and indentation. */
function statements(code: string): string[] {
  return code
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(#|\/\/)/.test(line));
}

function problemOf(place: string, attempt: () => unknown): string[] {
  try {
    attempt();
    return [];
  } catch (error) {
    return [`${place}: ${(error as Error).message}`];
  }
}

/** Commands typed in a recording: the lines after a prompt, with continuation lines. */
function typed(block: CodeBlock): CodeBlock {
  const commands = block.code.match(/^\$ .*(?:\\\n.*)*/gm) ?? [];
  return { ...block, code: commands.map((command) => command.slice(2)).join("\n") };
}

/** Replaces placeholders such as `<connection-id>` in a script by a word. */
function filledIn(script: string): string {
  return script.replace(/<[a-z][a-z -]*>/g, "word");
}

/** Arguments after `browser-infra` in each line of a script, up to a pipe, `>` or a comment. */
function commandsIn(script: string): string[] {
  const lines = filledIn(script).replace(/\\\n/g, " ").split("\n");
  return lines.flatMap((line) =>
    Array.from(line.matchAll(/(?:^|[\s(])browser-infra ([^|>&;#)]*)/g), ([, command = ""]) => command.trim()),
  );
}

const helps = new Map<string, Promise<string>>();

/** Problems of a call of the command line, according to the help of the command. */
async function usageProblems(command: string): Promise<string[]> {
  const words = command.split(/\s+/);
  const path: string[] = [];
  let help = await helpOf([]);
  for (const word of words) {
    if (!help.includes("Commands:")) {
      break;
    }
    if (word.startsWith("-")) {
      break;
    }
    path.push(word);
    const next = new RegExp(`^  ${word.replace(/[^\w-]/g, "")}\\b`, "m").test(help)
      ? await helpOf(path)
      : undefined;
    if (next === undefined) {
      return [`there is no command ${path.join(" ")}`];
    }
    help = next;
  }
  const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/=.*/, ""));
  return options
    .filter((option) => !new RegExp(`(^|[\\s,])${option}\\b`, "m").test(help))
    .map((option) => `${path.join(" ")} has no ${option}`);
}

function helpOf(path: readonly string[]): Promise<string> {
  const key = path.join(" ");
  const known = helps.get(key);
  if (known !== undefined) {
    return known;
  }
  const nowhere = { url: "http://127.0.0.1:9", apiKeys: ["sk_0123456789abcdefghij"] };
  const help = play(nowhere, [...path, "--help"]).then(({ out }) => out);
  helps.set(key, help);
  return help;
}
