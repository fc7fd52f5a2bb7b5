import { join } from "node:path";
import { programsFolder } from "./install-package.js";

/** Declaration of a resource of this package in a YAML program, below the logical name. */
export interface YamlResource {
  /** Last part of the type token, after `browser-infra:index:`, or a whole token. */
  readonly type: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Object to look up, instead of a declaration. */
  readonly get?: { readonly id: string; readonly state?: Readonly<Record<string, unknown>> };
}

/** Parts of a YAML program besides the resources. */
export interface YamlProgram {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** Reference to a resource, an output or a variable in YAML, such as `reference("reader.id")`. */
export function reference(path: string): string {
  return `\${${path}}`;
}

/** Provider plugin of the packed package, for the Pulumi.yaml of a program. */
export const pluginFolder = join(programsFolder, "node_modules", "pulumi-browser-infra", "plugin");

/**
 * Text of a Pulumi.yaml with a whole program, as JSON: every JSON text is YAML.
 *
 * Such a program runs without a separate process, and the resources run through the provider
 * plugin. So a test of a life cycle, not of the dynamic bridge, takes a fraction of the time.
 */
export function yamlProject(
  resources: Readonly<Record<string, YamlResource>>,
  program: YamlProgram = {},
): string {
  const declared = Object.entries(resources).map(([logicalName, { type, ...others }]) => [
    logicalName,
    { type: type.includes(":") ? type : `browser-infra:index:${type}`, ...others },
  ]);
  const project = {
    name: "shop",
    runtime: "yaml",
    plugins: { providers: [{ name: "browser-infra", path: pluginFolder }] },
    resources: Object.fromEntries(declared),
    ...program,
  };
  return JSON.stringify(project, undefined, 2);
}
