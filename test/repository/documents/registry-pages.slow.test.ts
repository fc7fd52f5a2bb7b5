import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { resolveSettings, type SettingName } from "../../../src/config.js";
import { packedFiles } from "./packed.js";
import { type CodeBlock, page, root, tableRows } from "./pages.js";

const index = page("docs/_index.md");
const installation = page("docs/installation-configuration.md");
const languages = "typescript,python,go,csharp,java,yaml";
const schema = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));

/** Parts of a cell between backticks. */
const names = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);

function programOf({ blocks }: { readonly blocks: readonly CodeBlock[] }, language: string, chapter: string) {
  return blocks.find((block) => block.language === language && block.chapter === chapter)?.code;
}

describe("the pages for Pulumi's registry", () => {
  test.each([index, installation])(
    "$path begins with the title, the description and the layout",
    ({ text }) => {
      const [, front = "", rest = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
      expect(parse(front)).toEqual({
        title: expect.stringContaining(schema.displayName),
        meta_desc: expect.stringMatching(/^.{40,160}$/),
        layout: "package",
      });
      // The registry shows the title as the heading of the first level.
      expect(rest).not.toMatch(/^# /m);
    },
  );

  test.each([index, installation])("$path has a choice of six languages, each exactly once", ({ text }) => {
    expect(text.match(/\{\{< chooser language "(.+)" >\}\}/)?.[1]).toBe(languages);
    const chosen = Array.from(text.matchAll(/\{\{% choosable language (\w+) %\}\}/g), ([, each]) => each);
    expect(chosen).toEqual(languages.split(","));
    expect(text.match(/\{\{% \/choosable %\}\}/g)).toHaveLength(6);
    expect(text.match(/\{\{< \/chooser >\}\}/g)).toHaveLength(1);
    // Space after the braces would end the build of the registry.
    expect(text).not.toMatch(/\{\{\s+[<%]/);
  });

  test.each([index, installation])(
    "$path links to whole addresses only, and is in no npm package",
    ({ links, path }) => {
      expect(links.filter((link) => !link.startsWith("https://"))).toEqual([]);
      expect(packedFiles()).not.toContain(path);
    },
  );

  test("the registry page shows the programs of the README and languages.md, which tests deploy", () => {
    const ofLanguages = page("docs/programs/languages.md");
    const example = (language: string) => programOf(index, language, "Example");
    // Of the package that Pulumi generates, in place of ours.
    const ofReadme = programOf(page("README.md"), "ts", "Quick start")
      ?.replace(
        '{ Extension } from "pulumi-browser-infra"',
        `* as browser_infra from "${schema.language.nodejs.packageName}"`,
      )
      .replace("new Extension", "new browser_infra.Extension");
    expect(example("ts")).toBe(ofReadme);
    expect(example("python")).toBe(programOf(ofLanguages, "python", "In Python"));
    expect(example("go")).toBe(programOf(ofLanguages, "go", "In Go"));
    const { resources, outputs } = parse(programOf(ofLanguages, "yaml", "In YAML") ?? "");
    expect(parse(example("yaml") ?? "")).toEqual({ resources, outputs });
  });

  test("the registry page imports the names of the schema in C# and Java", () => {
    const { csharp, java } = schema.language;
    const namespace = `${csharp.rootNamespace}.${csharp.namespaces["browser-infra"]}`;
    expect(programOf(index, "csharp", "Example")).toContain(`using BrowserInfra = ${namespace};`);
    expect(programOf(index, "java", "Example")).toContain(
      `import ${java.basePackage}.browserinfra.Extension;`,
    );
  });

  test("the registry page lists every setting of a stack with type, secrecy, default and variables", () => {
    const [, , ...rows] = tableRows(installation, "## Configuration");
    const { variables } = schema.config;
    expect(rows.map(([setting = ""]) => names(setting)[0])).toEqual(
      Object.keys(variables).map((name) => `browser-infra:${name}`),
    );
    const given = { apiKey: "sk_1", baseUrl: "https://api.example.com", projectId: "p".repeat(24) };
    for (const [setting = "", type, secret, fallback, environment = ""] of rows) {
      const name = (names(setting)[0] ?? "").replace("browser-infra:", "") as SettingName;
      expect([name, type, secret]).toEqual([
        name,
        variables[name].type,
        variables[name].secret ? "yes" : "no",
      ]);
      expect(variables[name]).not.toHaveProperty("default");

      // The variables have an effect, in the order of the page, and no variable is missing.
      const listed = names(environment);
      for (const [at, variable] of listed.entries()) {
        const later = Object.fromEntries(listed.slice(at).map((each) => [each, given[name]]));
        const { origins } = resolveSettings({
          explicit: { ...given, [name]: undefined },
          environment: later,
        });
        expect(origins[name]).toBe(`environment variable ${variable}`);
      }
      const described = names(variables[name].description).filter((each) => /^[A-Z_]+$/.test(each));
      expect(described).toEqual(listed);

      const without = () => resolveSettings({ explicit: { ...given, [name]: undefined }, environment: {} });
      if (fallback === "none: required") {
        expect(without).toThrow(expect.objectContaining({ code: "config_missing" }));
      } else {
        expect(without().origins[name]).toBe("not set");
      }
    }
  });

  test("the registry page lists every property of a provider with type and secrecy", () => {
    const [, , ...rows] = tableRows(installation, "## Several accounts");
    const declared = Object.entries<{ type: string; secret?: boolean }>(schema.provider.inputProperties);
    const expected = declared.map(([name, { type, secret }]) => [`\`${name}\``, type, secret ? "yes" : "no"]);
    expect(rows.map((row) => row.slice(0, 3)).sort()).toEqual(expected.sort());
  });

  test("schema.json has the metadata that Pulumi's registry requires", () => {
    expect(schema).toMatchObject({
      displayName: "Browser Infrastructure",
      publisher: expect.stringMatching(/./),
    });
    expect(schema.keywords).toEqual(expect.arrayContaining(["category/infrastructure", "kind/native"]));
    const [, tag, file = ""] =
      /^https:\/\/raw\.githubusercontent\.com\/[\w-]+\/[\w-]+\/([^/]+)\/(.+)$/.exec(schema.logoUrl) ?? [];
    expect(tag).toBe(`v${schema.version}`);
    expect(existsSync(join(root, file))).toBe(true);
  });
});
