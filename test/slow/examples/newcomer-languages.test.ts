import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { page } from "../../repository/documents/pages.js";
import { schemaExamples } from "../../repository/documents/schema-examples.js";
import { firstStepsOf, follow, goSettings, type Newcomer } from "../../support/stacks/first-steps.js";
import { testWithSdks } from "../../support/where-available.js";

/** A language of the pages. */
interface Language {
  readonly name: string;
  readonly declareTest: (title: string, run: () => Promise<void>) => void;
  /** Page and chapters of the first steps. */
  readonly steps: readonly [path: string, ...chapters: string[]];
  /** Language of the examples in schema.json. The pages of the resources show the same examples, except in Go. */
  readonly block: string;
  /** File of the program. */
  readonly file: string;
  /** Options of `pulumi import`. Undefined: dynamic resources, which only a file imports. */
  readonly importOptions?: readonly string[];
  readonly settings?: () => NodeJS.ProcessEnv;
}

/** Extension outside of the stack, and the program without the extension. */
interface Existing {
  readonly id: string;
  readonly program: string;
}

const languagesPage = "docs/programs/languages.md";
/** The published language hosts of Python and Go write no code. The host of YAML does. */
const withoutCode = ["--generate-code=false"];

const languages: readonly Language[] = [
  {
    name: "TypeScript",
    declareTest: test,
    steps: ["README.md", "Quick start"],
    block: "typescript",
    file: "index.ts",
  },
  {
    name: "YAML",
    declareTest: test,
    steps: [languagesPage, "Start", "In YAML"],
    block: "yaml",
    file: "Pulumi.yaml",
    importOptions: [],
  },
  {
    name: "Python",
    declareTest: testWithSdks,
    steps: [languagesPage, "Start", "In Python"],
    block: "python",
    file: "__main__.py",
    importOptions: withoutCode,
  },
  {
    name: "Go",
    declareTest: testWithSdks,
    steps: [languagesPage, "Start", "In Go"],
    block: "go",
    file: "main.go",
    importOptions: withoutCode,
    settings: goSettings,
  },
];

describe("the pages as written, with the packed package in an empty folder and an empty home", () => {
  for (const language of languages) {
    language.declareTest(
      `a newcomer in ${language.name} deploys, changes, repairs, imports and destroys with the programs and commands of the pages`,
      () => walk(language),
    );
  }
});

async function walk(language: Language): Promise<void> {
  const first = firstStepsOf(...language.steps);
  const written = first.files.find(({ name }) => name === language.file)?.code ?? "";
  // In YAML, the program follows the settings of the project.
  const project = written.slice(0, Math.max(0, written.search(/^resources:$/m)));
  await follow(first, language.settings?.(), async (newcomer) => {
    const { program: folder, output, extensions, client, run } = newcomer;
    const write = (program: string) => writeFileSync(join(folder, language.file), `${project}${program}`);
    expect(output).toContain(`extensionId: "${extensions[0]?.id}"`);

    const small = exampleOf("BrowserPool", language);
    write(small);
    await run("pulumi up --yes");
    const [pool, ...otherPools] = await client.browserPools.list();
    expect([pool?.size, otherPools]).toEqual([5, []]);

    const large = small.replace(/(?<=size\W.*)5/i, "6");
    write(large);
    expect(await run("pulumi up --yes")).toMatch(/ ~ +\S+:BrowserPool researchers updated /);
    expect(await client.browserPools.list()).toMatchObject([{ id: pool?.id, size: 6 }]);

    await client.browserPools.update(pool?.id ?? "", { size: 9 });
    const drift = await run("npx browser-infra drift || test $? -eq 7");
    expect(drift).toContain("researchers (BrowserPool): size is 9 and not 6.\n");
    const [, repair] = /^"(pulumi .+)" repairs the drift\.$/m.exec(drift) ?? [];
    await run(`${repair} --yes`);
    expect(await client.browserPools.list()).toMatchObject([{ id: pool?.id, size: 6 }]);

    await run("npx browser-infra extensions upload ./extension --name reader-by-hand");
    const existing = (await client.extensions.list()).find(({ name }) => name === "reader-by-hand");
    write(await importExtension(newcomer, language, { id: existing?.id ?? "", program: large }));
    await run("pulumi preview --diff --expect-no-changes");
    await run("pulumi up --yes --expect-no-changes");
    expect(await client.extensions.list()).toContainEqual(existing);

    await run("pulumi destroy --yes");
    expect([await client.extensions.list(), await client.browserPools.list()]).toEqual([[], []]);
  });
}

/** First example of a resource. */
function exampleOf(resource: string, { block }: Language): string {
  const program =
    schemaExamples.find(({ of, index }) => of === resource && index === 0)?.programs[block] ?? "";
  // The page of the resource shows the same program with dynamic resources.
  return program.replace('"@pulumi/browser-infra"', '"pulumi-browser-infra"');
}

/** Imports as the pages say. Returns the program with the declaration of the extension. */
function importExtension(newcomer: Newcomer, language: Language, existing: Existing): Promise<string> {
  return language.importOptions === undefined
    ? importWithFile(newcomer, existing)
    : importByCommand(newcomer, language, existing);
}

/** Import of docs/programs/plugin.md. The page of the extension has the declaration. */
async function importByCommand({ run }: Newcomer, language: Language, { id, program }: Existing) {
  const command = commandIn("docs/programs/plugin.md", "Import and get").replace("<id>", id);
  await run([command, "--yes", ...(language.importOptions ?? [])].join(" "));
  const example = exampleOf("Extension", language);
  const end = /^(outputs:|pulumi\.export|\t\treturn nil)/m;
  const declaration = example.slice(example.search(/^\s*reader\b/m), example.search(end));
  return program.replace(end, (found) => `${declaration}${found}`);
}

/** Import of docs/browsers/extension.md. The command prints the declaration. */
async function importWithFile({ run }: Newcomer, { id, program }: Existing) {
  const printed = await run(commandIn("docs/browsers/extension.md", "Import").replace("<id>…", id));
  const [, command] = /^ +(pulumi import .+)$/m.exec(printed) ?? [];
  const [, declaration = ""] = /^ +(new Extension\(.+\);)$/m.exec(printed) ?? [];
  await run(`${command} --yes`);
  return `import { Extension } from "pulumi-browser-infra";\n${program}${declaration.replace("./…", "./extension")}\n`;
}

/** First command of a chapter. */
function commandIn(path: string, heading: string): string {
  const found = page(path).blocks.find(({ chapter, language }) => chapter === heading && language === "sh");
  return found?.code.split("\n")[0] ?? "";
}
