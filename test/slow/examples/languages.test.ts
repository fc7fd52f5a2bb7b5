import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { page } from "../../repository/documents/pages.js";
import { firstStepsOf, follow, goSettings } from "../../support/stacks/first-steps.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { manifest, startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { storedZip } from "../../support/stored-zip.js";
import { newHostsEnvironment, sdks, testWithNewHosts, testWithSdks } from "../../support/where-available.js";

const examples = resolve(__dirname, "../../../examples");

/** A way to write the program of the examples. */
interface Language {
  readonly name: string;
  readonly declareTest: (title: string, run: () => Promise<void>) => void;
  /** The environment of the commands. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** Changes the copy of the example where the test must differ from the README. */
  readonly install: (program: string) => void;
  /** Options of `pulumi import`: whether the host in use can write the code, too. */
  readonly imports: readonly string[];
}

const languages: readonly Language[] = [
  { name: "YAML", declareTest: test, environment: () => ({}), install: () => {}, imports: [] },
  {
    name: "Python",
    declareTest: testWithSdks,
    // The published host for Python does not read "virtualenv" in Pulumi.yaml.
    environment: () => ({ PATH: [join(sdks, "venv/bin"), process.env.PATH].join(delimiter) }),
    install: (program) => symlinkSync(join(sdks, "venv"), join(program, "venv")),
    imports: ["--generate-code=false"],
  },
  {
    name: "Go",
    declareTest: testWithSdks,
    environment: () => ({ ...goSettings(), GOPROXY: "off", GOWORK: "off" }),
    install: (program) => {
      for (const file of ["go.mod", "go.sum"]) {
        cpSync(join(sdks, "go", file), join(program, file));
      }
    },
    imports: ["--generate-code=false"],
  },
];

/** First block of a chapter whose code contains a text. Throws if there is none. */
function firstBlock(path: string, chapter: string, text: string) {
  const found = page(path).blocks.find((block) => block.chapter === chapter && block.code.includes(text));
  if (found === undefined) {
    throw new Error(`${path} has no block with "${text}" in "${chapter}".`);
  }
  return found;
}

describe("docs/programs/languages.md, with the packed package in a new folder", () => {
  test("languages.md, run exactly as written, deploys an extension in YAML and sets the settings of a stack", async () => {
    const { extensions, output, program } = await follow(
      firstStepsOf("docs/programs/languages.md", "Start", "In YAML", "Settings"),
    );
    expect(output).toContain(`extensionId: "${extensions[0]?.id}"`);
    const { config } = parse(readFileSync(join(program, "Pulumi.dev.yaml"), "utf8"));
    expect(config).toEqual({
      "browser-infra:apiKey": { secure: expect.any(String) },
      "browser-infra:baseUrl": "https://api.example.com",
    });
  });

  test("the YAML program of languages.md deploys with the provider and the function of the page", async () => {
    const seed = { projects: [{ id: "staging-1", name: "staging" }] };
    const { emulator, environment } = await startService({ seed });
    const [program, provider, functions] = page("docs/programs/languages.md")
      .blocks.filter(
        ({ language, chapter }) =>
          language === "yaml" && ["In YAML", "Settings", "Functions"].includes(chapter),
      )
      .map(({ code }) => parse(code.replace("https://eu.example.com", emulator.url)));
    const stack = await Stack.create(
      { EU_API_KEY: emulator.apiKeys[0], ...environment },
      stringify({ ...program, ...functions, resources: provider.resources }),
    );
    try {
      symlinkSync(join(programsFolder, "node_modules"), stack.path("node_modules"));
      stack.write("extension/manifest.json", manifest());
      await stack.up();
      expect(await stack.outputs()).toEqual({ projectId: "staging-1" });
      expect(emulator.extensions.list()).toHaveLength(1);
    } finally {
      stack.remove();
    }
  });
});

describe("docs/programs/plugin.md, with the packed package", () => {
  /** Commands that convert a program, and those that make the converted one run. */
  function conversionTo(language: string): readonly [convert: string, complete: string] {
    const { code } = firstBlock("docs/programs/plugin.md", "The folder in commands", "pulumi convert");
    expect(code).toContain("--language typescript");
    const [convert = "", complete = ""] = code
      .replace("--language typescript", `--language ${language}`)
      .replaceAll(" pulumi-browser-infra\n", ` ${programsFolder}/package.tgz\n`)
      .split(/^(?=cd )/m);
    return [convert, complete];
  }

  testWithSdks("the commands of plugin.md convert a program in YAML", async () => {
    const { files, commands } = firstStepsOf("docs/programs/languages.md", "Start", "In YAML");
    // The published hosts generate no programs; the CLI itself writes Pulumi's own language.
    const [convert] = conversionTo("pcl");
    const { program } = await follow({ files, commands: `${commands}${convert}` });
    const converted = readFileSync(join(program, "../shop-ts/program.pp"), "utf8");
    expect(converted).toMatch(/^resource pageReader "browser-infra:index:Extension" \{$/m);
    expect(converted).toMatch(/^\tpath = "\.\/extension"$/m);
  });

  for (const language of ["typescript", "python", "go"]) {
    testWithNewHosts(
      `the commands of plugin.md convert a program in YAML to ${language}, which deploys`,
      async () => {
        const { files, commands } = firstStepsOf("docs/programs/languages.md", "Start", "In YAML");
        const [convert, complete] = conversionTo(language);
        const ofLanguage = language === "typescript" ? complete : complete.replace(/^npm .*\n/gm, "");
        const settings = { ...goSettings(), ...newHostsEnvironment() };
        await follow({ files, commands: `${commands}${convert}` }, settings, async ({ run, client }) => {
          await run(
            `${ofLanguage}cp -r ../program/extension .\npulumi stack init ${language}\npulumi up --yes`,
          );
          expect(await client.extensions.list()).toHaveLength(2);
          await run("cd ../shop-ts\npulumi preview --expect-no-changes --non-interactive");
        });
      },
    );
  }
});

describe("a program in another language, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  /** Stack with a copy of an example, in a folder without any other way to the package. */
  async function deploy({ name, environment, install }: Language): Promise<void> {
    const service = await startService();
    emulator = service.emulator;
    const folder = join(examples, `quickstart-${name.toLowerCase()}`);
    stack = await Stack.create(
      { ...service.environment, ...environment() },
      readFileSync(join(folder, "Pulumi.yaml"), "utf8"),
    );
    cpSync(folder, stack.path(), { recursive: true });
    symlinkSync(join(programsFolder, "node_modules"), stack.path("node_modules"));
    install(stack.path());
  }

  afterEach(async () => {
    stack?.remove();
    await emulator?.close();
  });

  for (const language of languages) {
    language.declareTest(
      `a program in ${language.name} deploys an extension, names an edited file, shows drift, refreshes, imports and destroys`,
      async () => {
        await deploy(language);
        const first = await stack.succeed("up", "--yes");
        expect(first).not.toContain("warning");
        expect(await outputs()).toEqual({
          extensionId: idInService(),
          extensionName: expect.any(String),
          checksum: expect.any(String),
        });
        await stack.up("--expect-no-changes");

        stack.write("extension/content.js", "// version two\n");
        const preview = await stack.preview();
        expect(preview.exitCode).toBe(0);
        expect(preview.output).toContain("content.js");
        const before = idInService();
        await stack.up();
        expect(idInService()).not.toBe(before);

        emulator.extensions.remove(idInService());
        const drift = await stack.preview("--refresh", "--run-program", "--expect-no-changes");
        expect(drift.exitCode).toBe(7);
        expect(drift.output).toContain("page-reader");
        await stack.refresh();
        expect(stack.extensions()).toEqual([]);

        const theirs = await uploadElsewhere();
        await stack.succeed(
          ...["import", "browser-infra:index:Extension", "theirs", theirs.id],
          ...["--yes", "--skip-preview", "--protect=false", ...language.imports],
        );
        expect(stack.extension()).toMatchObject({ id: theirs.id, outputs: { name: "theirs" } });
        await stack.destroy();
        expect(emulator.extensions.list()).toEqual([]);
      },
    );
  }

  async function outputs(): Promise<unknown> {
    return await stack.outputs();
  }

  /** The id of the only extension in the service. */
  function idInService(): string {
    const [only, ...others] = emulator.extensions.list();
    if (only === undefined || others.length > 0) {
      throw new Error(`The service holds ${others.length + (only === undefined ? 0 : 1)} extensions.`);
    }
    return only.id;
  }

  /** Uploads an extension without Pulumi, as a colleague with the service's command line would. */
  function uploadElsewhere() {
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const manifest = { manifest_version: 3, name: "Theirs", version: "1.0.0" };
    const archive = storedZip([{ name: "manifest.json", contents: JSON.stringify(manifest) }]);
    return client.extensions.upload({ name: "theirs", archive });
  }
});
