import { importWithFile } from "./import-file.js";
import { Stack } from "./stack.js";
import type { YamlResource } from "./yaml-program.js";

/** What a test declares, the same for both bridges, in the order in which they refer to another. */
type Resources = Readonly<Record<string, YamlResource>>;

/** One of the two ways from a program to our life cycles, with programs that take it. */
export interface Bridge {
  readonly name: string;
  create(environment: NodeJS.ProcessEnv): Promise<Stack>;
  /** Writes the program. `outputs` are references, such as `reference("agents.key")`. */
  declare(stack: Stack, resources: Resources, outputs?: Readonly<Record<string, string>>): void;
  /** Brings what exists into the stack. Its name in the service is its logical name. */
  import(stack: Stack, environment: NodeJS.ProcessEnv, existing: Existing): Promise<void>;
}

interface Existing {
  readonly type: "Project" | "BrowserPool";
  readonly name: string;
  readonly id: string;
  /** The project that has it, for what belongs to a project. */
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

/** The same program in JavaScript. */
function javaScript(resources: Resources, outputs: Readonly<Record<string, string>>): string {
  const declared = Object.entries(resources).map(
    ([logicalName, { type, properties = {}, options = {} }]) =>
      `const ${logicalName} = new infra.${type}("${logicalName}", ${expression(properties)}, ${expression(options)});`,
  );
  const exported = Object.entries(outputs).map(([name, value]) => `exports.${name} = ${expression(value)};`);
  return ['const infra = require("pulumi-browser-infra");', ...declared, ...exported].join("\n");
}

/** A JSON text in which references are expressions. */
function expression(value: unknown): string {
  return JSON.stringify(value).replace(/"\$\{([\w.]+)\}"/g, "$1");
}
