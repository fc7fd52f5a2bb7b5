import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as infra from "pulumi-browser-infra";

const mocks = ["browsers.ts", "mocked-service.ts", "browsers.test.ts", "with-emulator.test.ts"];
const read = (...path: string[]) => readFileSync(join(__dirname, ...path), "utf8");

describe("the example for tests", () => {
  test("leaves out no function and no resource", () => {
    const program = read("browsers.ts");
    const functions = Object.keys(infra).filter((name) => /^get.*(?<!Output)$/.test(name));
    const resources = Object.entries(infra).filter(
      ([name, value]) =>
        name !== "Provider" && (value as { prototype?: unknown }).prototype instanceof pulumi.CustomResource,
    );
    expect(functions.length).toBeGreaterThan(5);
    expect(resources.length).toBeGreaterThan(1);
    expect(functions.filter((name) => !new RegExp(`\\b${name}(Output)?\\(`).test(program))).toEqual([]);
    expect(resources.filter(([name]) => !program.includes(`new ${name}(`))).toEqual([]);
  });
});

describe("docs/testing.md", () => {
  const page = read("..", "..", "docs", "testing.md");

  test("shows parts of the samples that match", () => {
    const shown = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code.trim());
    const files = [...mocks, "../engine/automation.test.ts"].map((file) => read(file)).join("\n");
    expect(shown.length).toBeGreaterThan(2);
    // The page may leave out lines between two parts, but each part must match.
    const parts = shown.flatMap((code) => code.split(/^\s*\/\/ …$/m)).map((part) => part.trim());
    // In a file, a part may be in a "describe", and therefore further to the right.
    const flat = (code: string) => code.replace(/^ +/gm, "");
    expect(parts.filter((part) => !flat(files).includes(flat(part)))).toEqual([]);
  });

  test.each(mocks)("shows the complete %s", (file) => {
    const [, shown] =
      new RegExp(`\`${file.replaceAll(".", "\\.")}\`:\n\n\`\`\`ts\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
    expect(shown).toBe(read(file));
  });
});
