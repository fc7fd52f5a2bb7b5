import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { filesBelow } from "../support/files-below.js";

const root = resolve(__dirname, "../..");
const folder = join(root, "scripts/publish/schema/examples");

interface Declared {
  readonly inputs: readonly string[];
  readonly required: readonly string[];
  readonly outputs: readonly string[];
}

const { resources, functions } = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));

/** Inputs and outputs of a resource or function, by the last part of the token. */
function declared(name: string): Declared | undefined {
  const token = `browser-infra:index:${name}`;
  const [resource, called] = [resources[token], functions[token]];
  if (resource !== undefined) {
    return {
      inputs: Object.keys(resource.inputProperties),
      required: resource.requiredInputs,
      outputs: ["id", ...Object.keys(resource.properties)],
    };
  }
  return (
    called && {
      inputs: Object.keys(called.inputs.properties),
      required: called.inputs.required,
      outputs: Object.keys(called.outputs.properties),
    }
  );
}

/** Use of a resource or function in a program: the given inputs, and the outputs read. */
interface Use {
  readonly name: string;
  readonly given: readonly string[];
  readonly read: readonly string[];
}

function usesInYaml(text: string): Use[] {
  const program = parse(text) as {
    resources?: Record<string, { type: string; properties: object }>;
    variables?: Record<string, { "fn::invoke": { function: string; arguments: object } }>;
  };
  const readOf = (variable: string) =>
    Array.from(text.matchAll(new RegExp(`\\$\\{${variable}\\.(\\w+)\\}`, "g")), ([, output = ""]) => output);
  const nameIn = (token: string) => token.replace(/^browser-infra:/, "");
  return [
    ...Object.entries(program.resources ?? {}).map(([variable, { type, properties }]) => ({
      name: nameIn(type),
      given: Object.keys(properties),
      read: readOf(variable),
    })),
    ...Object.entries(program.variables ?? {}).map(([variable, { "fn::invoke": invoke }]) => ({
      name: nameIn(invoke.function),
      given: Object.keys(invoke.arguments),
      read: readOf(variable),
    })),
  ];
}

function usesInPython(text: string): Use[] {
  const camel = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  const uses = text.matchAll(/^(\w+) = browser_infra\.(\w+)\(([\s\S]*?)\)$/gm);
  return Array.from(uses, ([, variable = "", name = "", args = ""]) => ({
    name: /^[A-Z]/.test(name) ? name : camel(name.replace(/_output$/, "")),
    given: Array.from(args.matchAll(/(?:^|[\s(])(\w+)=(?!=)/g), ([, given = ""]) => camel(given)).filter(
      (given) => !["opts", "deleteBeforeReplace"].includes(given),
    ),
    read: Array.from(text.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g")), ([, output = ""]) =>
      camel(output),
    ),
  }));
}

describe("the examples in schema.json", () => {
  const programs = filesBelow(folder).map((file) => relative(folder, file));

  test("are those of the programs, each for YAML and for Python", () => {
    const text = JSON.stringify({ resources, functions });
    for (const file of programs) {
      expect(text).toContain(JSON.stringify(readFileSync(join(folder, file), "utf8").trimEnd()).slice(1, -1));
    }
    const examples = [...new Set(programs.map((file) => dirname(file)))];
    expect(programs.map((file) => basename(file)).sort()).toEqual(
      ["program.py", "program.yaml"].flatMap((file) => examples.map(() => file)),
    );
  });

  test.each(programs)("%s gives and reads what the schema has", (file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const uses = file.endsWith(".yaml") ? usesInYaml(text) : usesInPython(text);
    expect(uses.map(({ name }) => name)).toContain(basename(dirname(dirname(file))));
    for (const { name, given, read } of uses) {
      const known = declared(name);
      expect(known?.inputs).toEqual(expect.arrayContaining([...given]));
      expect(given).toEqual(expect.arrayContaining([...(known?.required ?? [])]));
      expect(read.length).toBeGreaterThan(0);
      expect(known?.outputs).toEqual(expect.arrayContaining([...read]));
    }
  });
});
