import type * as pulumi from "@pulumi/pulumi";
import type { Project } from "../client/types.js";
import type { ExactlyOne, InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./invoke.js";
import { projectById } from "./name-as-id.js";
import type { WithoutNull } from "./results.js";

/** Which project: exactly one of id and name. */
export type GetProjectArgs = ExactlyOne<{
  /** Id of the project, 24 characters of a-z and 0-9 at the service. */
  id: string;
  /** Exact name, byte for byte: case, accents and spaces count. */
  name: string;
}>;

/** Arguments of {@link getProjectOutput}. */
export type GetProjectOutputArgs = InputsOf<GetProjectArgs>;

/** A project of the organization. */
export type GetProjectResult = WithoutNull<Project>;

const definition: FunctionDefinition<GetProjectArgs, Project> = {
  name: "getProject",
  takes: { exactlyOneOf: ["id", "name"] },
  scope: "organization",
  ask: (client, { id, name }) =>
    id === undefined ? client.projects.getByName(name) : projectById(client, id, "id", "name"),
};

/**
 * Reads one project by id or by exact name. When an active project and archived ones have the same
 * name, it is the active one.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`,
 * which lists names that differ only by case or accent, with their ids, or `name_ambiguous`;
 * `ApiError`, such as `not_found` for an id.
 */
export function getProject(args: GetProjectArgs, options?: pulumi.InvokeOptions): Promise<GetProjectResult> {
  return plainForm(definition, args, options);
}

/** As {@link getProject}, for arguments that may be Outputs; unknown while one is. */
export function getProjectOutput(
  args: GetProjectOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectResult> {
  return outputForm(definition, args, options);
}
