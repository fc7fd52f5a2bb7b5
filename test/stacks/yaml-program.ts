import { join } from "node:path";
import { programsFolder } from "./install-package.js";

/** A resource of this package, as a YAML program declares it below its logical name. */
export interface YamlResource {
  /** What follows `browser-infra:index:` in its type token, or a whole token. */
  readonly type: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
  /** What to look up instead of declaring it. */
  readonly get?: { readonly id: string; readonly state?: Readonly<Record<string, unknown>> };
}

/** Everything of a YAML program but its resources. */
export interface YamlProgram {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** What a YAML program writes for a resource, an output or a variable: `reference("reader.id")`. */
export function reference(path: string): string {
  return `\${${path}}`;
}

/** The provider plugin of the packed package, which a program names in its Pulumi.yaml. */
export const pluginFolder = join(programsFolder, "node_modules", "pulumi-browser-infra", "plugin");

/**
 * The text of a Pulumi.yaml that is a whole program. As every JSON text is YAML, this is JSON.
 *
 * Such a program runs without a process of its own, and its resources through the provider plugin.
 * So a test that is about a life cycle, and not about the dynamic bridge, takes a fraction of the
 * time.
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
