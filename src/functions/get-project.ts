import type * as pulumi from "@pulumi/pulumi";
import type { ExactlyOne, InputsOf } from "./arguments.js";
import { projectById } from "./project-by-id.js";
import { type FunctionDefinition, outputForm, plainForm } from "./two-forms.js";

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
export interface GetProjectResult {
  /** Id, as other functions and the setting `browser-infra:projectId` take it. */
  readonly id: string;
  /** Name, unique within the organization. */
  readonly name: string;
  /** `active` or `archived`; the service may add to them. */
  readonly status: string;
  /** When it was made, as an ISO 8601 date-time. */
  readonly createdAt: string;
  /** When it was last changed, as an ISO 8601 date-time. */
  readonly updatedAt: string;
}

const definition: FunctionDefinition<GetProjectArgs, GetProjectResult> = {
  name: "getProject",
  takes: { exactlyOneOf: ["id", "name"] },
  scope: "organization",
  ask: (client, { id, name }) =>
    id === undefined ? client.projects.getByName(name) : projectById(client, id, "id", "name"),
};

/**
 * Reads one project by id or by exact name. Where an active project and archived ones have the very same name, the active one is meant.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`, which lists with their ids the names that differ
 * only by case or accent, or `name_ambiguous`; `ApiError`, such as `not_found` for an id.
 */
export function getProject(args: GetProjectArgs, options?: pulumi.InvokeOptions): Promise<GetProjectResult> {
  return plainForm(definition, args, options);
}

/** As {@link getProject}, for arguments that may be Outputs; not known, and nothing is asked, while one of them is not. */
export function getProjectOutput(
  args: GetProjectOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectResult> {
  return outputForm(definition, args, options);
}
