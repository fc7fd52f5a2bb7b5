import type * as pulumi from "@pulumi/pulumi";
import type { GetProjectArgs } from "../queries/arguments.js";
import { projectQuery } from "../queries/organization.js";
import type { GetProjectResult } from "../queries/results.js";
import type { InputsOf } from "./arguments.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetProjectArgs, GetProjectResult };

/** Arguments of {@link getProjectOutput}. */
export type GetProjectOutputArgs = InputsOf<GetProjectArgs>;

/**
 * Reads one project by id or by exact name. When an active project and archived ones have the same
 * name, it is the active one.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`,
 * which lists names that differ only by case or accent, with their ids, or `name_ambiguous`;
 * `ApiError`, such as `not_found` for an id.
 */
export function getProject(args: GetProjectArgs, options?: pulumi.InvokeOptions): Promise<GetProjectResult> {
  return plainForm(projectQuery, args, options);
}

/** As {@link getProject}, for arguments that may be Outputs; unknown while one is. */
export function getProjectOutput(
  args: GetProjectOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectResult> {
  return outputForm(projectQuery, args, options);
}
