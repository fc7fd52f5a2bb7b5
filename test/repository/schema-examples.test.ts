import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { kinds, type ResourceKind } from "../../src/bridges/kinds.js";
import { descriptions, schemaExamples } from "./documents/schema-examples.js";

const root = resolve(__dirname, "../..");

describe("the examples in schema.json", () => {
  test.each([...descriptions.keys()])("the examples in schema.json show %s in six languages", (name) => {
    const examples = schemaExamples.filter(({ of }) => of === name);
    expect(examples).not.toEqual([]);
    for (const { programs } of examples) {
      expect(Object.keys(programs)).toEqual(["typescript", "python", "go", "csharp", "java", "yaml"]);
      const noun = RegExp(name.replace(/^get/, ""), "i");
      const others = Object.values(programs).filter((code) => !noun.test(code.replaceAll("_", "")));
      expect(others).toEqual([]);
    }
  });

  test("the examples in schema.json import the packages that the schema names", () => {
    const { nodejs, python, go, java } = JSON.parse(readFileSync(join(root, "schema.json"), "utf8")).language;
    const packages = {
      typescript: `from "${nodejs.packageName}";`,
      python: `import ${python.packageName} as`,
      go: `"${go.importBasePath}"`,
      java: `import ${java.basePackage}.browserinfra.`,
    };
    for (const { programs } of schemaExamples) {
      expect(programs).toMatchObject(
        Object.fromEntries(
          Object.entries(packages).map(([language, name]) => [language, expect.stringContaining(name)]),
        ),
      );
    }
  });

  test("the examples in schema.json and on the pages are translations of the YAML programs", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, "scripts/publish/examples/generate.mjs"), "--check"],
      { encoding: "utf8" },
    );
    expect([status, stdout]).toEqual([0, "The examples are up to date.\n"]);
  });
});

describe("the import sections in schema.json", () => {
  const sectionOf = (name: string) => descriptions.get(name)?.split("## Import\n\n")[1] ?? "";

  test.each(Object.keys(kinds) as ResourceKind[])(
    "the import section names every form of the id of %s, or states that nothing can be imported",
    (kind) => {
      const forms = kinds[kind].lifecycle().importIds;
      const section = sectionOf(kind);
      expect(forms.filter((form) => !section.includes(form))).toEqual([]);
      expect(section.includes(`pulumi import browser-infra:index:${kind} `)).toBe(forms.length > 0);
      expect(section.includes("has nothing to import")).toBe(forms.length === 0);
    },
  );

  test("the import sections name the project id for kinds whose objects belong to a project", () => {
    const inProject = Object.keys(kinds).filter((kind) => sectionOf(kind).includes("`<project id>/<"));
    expect(inProject.sort()).toEqual([
      "AppDeployment",
      "AuthConnection",
      "BrowserPool",
      "Credential",
      "Extension",
      "Profile",
      "Proxy",
    ]);
    expect(sectionOf("ProjectLimits")).toContain('"<project id>"');
    expect(sectionOf("OrganizationLimits")).toContain('"organization"');
  });
});
