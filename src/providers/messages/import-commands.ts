import { projectOption, shellQuoted } from "../../text/shell.js";
import { logicalNameOf } from "../names.js";

/** Object of the service, and the resource that is to manage the object. */
interface Import {
  readonly urn: string;
  /** Group of commands for the kind of object: `pools`. */
  readonly group: string;
  readonly id: string;
  /** Project of the object; undefined for the project of the settings, or an organization's object. */
  readonly projectId: string | undefined;
  /** URN of the parent, unless the parent is the stack. */
  readonly parent?: string | undefined;
  readonly provider?: string | undefined;
}

/** Default import file of `browser-infra import <group>`: a file for each group. */
export function importFileOf(group: string): string {
  return `import-${group}.json`;
}

/**
 * Commands that import an object, by the bridge of the resource. Empty for a dynamic resource with
 * a parent: an import file of the command line has no parents. `ofStack`: option of every command.
 */
export function importCommands(
  { urn, group, id, projectId, parent, provider }: Import,
  ofStack = "",
): string[] {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const name = shellQuoted(logicalNameOf(urn));
  // An import protects the object otherwise, and the next replacement would fail.
  const options = "--protect=false --generate-code=false";
  if (!type.startsWith("browser-infra:")) {
    return parent === undefined
      ? [
          `browser-infra import ${group} ${shellQuoted(id)} --as ${name} --force${projectOption(projectId)}${ofStack}`,
          `pulumi import --file ${importFileOf(group)} ${options}${ofStack}`,
        ]
      : [];
  }
  const importId = projectId === undefined ? id : `${projectId}/${id}`;
  const place = Object.entries({ parent, provider }).map(([option, other]) =>
    other === undefined ? "" : ` --${option} ${shellQuoted(`${logicalNameOf(other)}=${other}`)}`,
  );
  return [`pulumi import ${type} ${name} ${shellQuoted(importId)} ${options}${place.join("")}${ofStack}`];
}
