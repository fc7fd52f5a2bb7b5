import type { ResourceKind } from "../../../providers/kinds.js";
import type { Kind, ReadResult } from "../../../providers/lifecycle.js";
import { pluginType } from "../../../resources/type-token.js";
import { capitalized } from "../../../text/words.js";
import { displayText, jsonText } from "../../terminal/text.js";

/** Existing resource, as read by the life cycle. */
export interface ImportedResource extends ReadResult {
  readonly kind: ResourceKind;
  /** Project of an object in a project. Undefined: the project of the settings, or none. */
  readonly projectId: string | undefined;
  readonly logicalName: string;
  readonly args: object;
  /** Remarks of the read, such as values that the service never shows. */
  readonly notes: readonly string[];
}

/** Resource and output that an argument may refer to, by the path of the argument. */
const references: Readonly<Record<string, readonly [kind: ResourceKind, output: "id" | "name"]>> = {
  projectId: ["Project", "id"],
  extensionIds: ["Extension", "id"],
  profileId: ["Profile", "id"],
  profileName: ["Profile", "name"],
  proxyId: ["Proxy", "id"],
  "credential.name": ["Credential", "name"],
};

/** Declaration on a single line of TypeScript. */
export function declarationOf({ kind, logicalName, args }: ImportedResource): string {
  return `new ${kind}(${jsonText(logicalName)}, ${valueText(args, (value) => jsonText(value))});`;
}

/**
 * Forms of a program: dynamic resources in TypeScript, the plugin in YAML. `text`: program with all
 * resources in the given order. An argument with the id or the name of an earlier resource refers
 * to the resource. `use`: what a person does with the file.
 */
export const programForms = {
  typescript: {
    file: "imported.ts",
    text: typeScriptText,
    use: (file: string) => `Then add to index.ts: import "./${file.replace(/\.ts$/, "")}";`,
  },
  yaml: {
    file: "imported.yaml",
    text: yamlText,
    use: (file: string) => {
      const isMain = /^(\.\/)?Main\.yaml$/.test(file);
      const way = isMain ? "keep Main.yaml, which Pulumi reads" : `rename ${file} to Main.yaml`;
      return `Then move the resources to Pulumi.yaml, or, if Pulumi.yaml has none, ${way}.`;
    },
  },
};

function typeScriptText(resources: readonly ImportedResource[]): string {
  const variables = new Map<ImportedResource, string>();
  const used = new Set<string>();
  const declared = resources.map((resource, at) => {
    const print = printer(resources.slice(0, at), jsonText, (found, output) => {
      const variable = variables.get(found) ?? unusedVariable(found, used);
      variables.set(found, variable);
      used.add(variable);
      return `${variable}.${output}`;
    });
    const members = membersOf(resource.args).map(
      ([name, arg]) => `  ${name}: ${valueText(arg, print, name)},\n`,
    );
    return `new ${resource.kind}(${jsonText(resource.logicalName)}, {\n${members.join("")}});\n`;
  });
  const classes = [...new Set(resources.map(({ kind }) => kind))].sort();
  const text = resources.map((resource, at) => {
    const variable = variables.get(resource);
    const start = variable === undefined ? "" : `const ${variable} = `;
    return `\n${notesText(resource, "//")}${start}${declared[at]}`;
  });
  return `import { ${classes.join(", ")} } from "pulumi-browser-infra";\n${text.join("")}`;
}

/** Variable for a resource: `pageReaderExtension`. The kind at the end excludes reserved words. */
function unusedVariable({ logicalName, kind }: ImportedResource, used: ReadonlySet<string>): string {
  const [first = "", ...others] = logicalName.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const start = first.charAt(0).toLowerCase() + first.slice(1);
  const name = [/^\d/.test(start) ? `_${start}` : start, ...others.map(capitalized), kind].join("");
  let variable = name;
  for (let count = 2; used.has(variable); count += 1) {
    variable = `${name}${count}`;
  }
  return variable;
}

function yamlText(
  resources: readonly ImportedResource[],
  kinds: Readonly<Record<ResourceKind, Kind>>,
): string {
  // In YAML, "${" begins a reference, and JSON is YAML.
  const literal = (value: unknown) => jsonText(value).replaceAll("${", () => "$${");
  const declared = resources.map((resource, at) => {
    const { kind, logicalName, args } = resource;
    // Only a plain name can be part of a reference.
    const earlier = resources.slice(0, at).filter((each) => /^[A-Za-z][\w-]*$/.test(each.logicalName));
    const print = printer(earlier, literal, (found, output) =>
      jsonText(`\${${found.logicalName}.${output}}`),
    );
    const members = membersOf(args).map(([name, arg]) => `      ${name}: ${valueText(arg, print, name)}\n`);
    const deletesFirst = kinds[kind].advice?.includes("deleteBeforeReplace") && !("adopt" in args);
    return [
      notesText(resource, "  #"),
      `  ${jsonText(logicalName)}:\n    type: ${pluginType(kind)}\n    properties:\n`,
      ...members,
      deletesFirst ? "    options:\n      deleteBeforeReplace: true\n" : "",
    ].join("");
  });
  return `resources:\n${declared.join("")}`;
}

function notesText({ notes }: ImportedResource, comment: string): string {
  return notes.map((note) => `${comment} ${displayText(note)}\n`).join("");
}

/** Printer of a value at a path of an argument, with references to `earlier` resources. */
function printer(
  earlier: readonly ImportedResource[],
  literal: (value: unknown) => string,
  refer: (found: ImportedResource, output: "id" | "name") => string,
) {
  return (value: unknown, path: string) => {
    const [kind, output = "id"] = references[path] ?? [];
    const found = earlier.find(
      (each) => each.kind === kind && value === (output === "id" ? each.id : each.inputs.name),
    );
    return found === undefined ? literal(value) : refer(found, output);
  };
}

/** Value as a literal of JavaScript or YAML. `print`: prints a string, a number or the like. */
function valueText(value: unknown, print: (value: unknown, path: string) => string, path = ""): string {
  if (Array.isArray(value)) {
    return `[${value.map((each) => valueText(each, print, path)).join(", ")}]`;
  }
  if (typeof value !== "object" || value === null) {
    return print(value, path);
  }
  const members = membersOf(value).map(([name, each]) => {
    // The quotes keep short words of YAML, such as "on" and "no", a name.
    const key = /^[A-Za-z]\w{3,}$/.test(name) ? name : jsonText(name);
    return `${key}: ${valueText(each, print, path === "" ? name : `${path}.${name}`)}`;
  });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function membersOf(object: object): [name: string, value: unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}
