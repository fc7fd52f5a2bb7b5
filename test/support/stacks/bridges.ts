import { importWithFile } from "./import-file.js";
import { Stack } from "./stack.js";
import type { YamlResource } from "./yaml-program.js";

/** Resources of a test by logical name, for both bridges. References point to earlier resources. */
type Resources = Readonly<Record<string, YamlResource>>;

/** Way from a program to our life cycles, with suitable programs. */
export interface Bridge {
  readonly name: string;
  create(environment: NodeJS.ProcessEnv): Promise<Stack>;
  /** Writes the program. `outputs` are references, such as `reference("agents.key")`. */
  declare(stack: Stack, resources: Resources, outputs?: Readonly<Record<string, string>>): void;
  /** Imports an object into the stack. The name in the service becomes the logical name. */
  import(stack: Stack, environment: NodeJS.ProcessEnv, existing: Existing): Promise<void>;
}

interface Existing {
  readonly type: "Project" | "BrowserPool";
  readonly name: string;
  readonly id: string;
  /** Project of the object; undefined for objects outside of projects. */
  readonly projectId?: string;
}

const quietly = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];

export const bridges: readonly Bridge[] = [
  {
    name: "the plugin",
    create: (environment) => Stack.createYaml(environment),
    declare: (stack, resources, outputs = {}) => stack.declare(resources, { outputs }),
    import: async (stack, _environment, { type, name, id, projectId }) => {
      const token = `browser-infra:index:${type}`;
      await stack.succeed("import", token, name, projectId ? `${projectId}/${id}` : id, ...quietly);
    },
  },
  {
    name: "dynamic resources",
    create: (environment) => Stack.create(environment),
    declare: (stack, resources, outputs = {}) => stack.write("index.js", javaScript(resources, outputs)),
    import: (stack, environment, { type, id, projectId }) => {
      const settings = { ...environment, ...(projectId && { BROWSER_INFRA_PROJECT_ID: projectId }) };
      return importWithFile(stack, settings, type === "Project" ? "projects" : "pools", id);
    },
  },
];

/** Program in JavaScript with the given resources and outputs. */
function javaScript(resources: Resources, outputs: Readonly<Record<string, string>>): string {
  const declared = Object.entries(resources).map(
    ([logicalName, { type, properties = {}, options = {} }]) =>
      `const ${logicalName} = new infra.${type}("${logicalName}", ${expression(properties)}, ${expression(options)});`,
  );
  const exported = Object.entries(outputs).map(([name, value]) => `exports.${name} = ${expression(value)};`);
  return ['const infra = require("pulumi-browser-infra");', ...declared, ...exported].join("\n");
}

/** Value as a JavaScript expression: JSON in which references are expressions. */
function expression(value: unknown): string {
  return JSON.stringify(value).replace(/"\$\{([\w.]+)\}"/g, "$1");
}
