import type * as pulumi from "@pulumi/pulumi";
import type { GetProjectsArgs } from "../queries/arguments.js";
import { projectsQuery } from "../queries/organization.js";
import type { GetProjectsResult } from "../queries/results.js";
import type { InputsOf } from "./arguments.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetProjectsArgs, GetProjectsResult };

/** Arguments of {@link getProjectsOutput}. */
export type GetProjectsOutputArgs = InputsOf<GetProjectsArgs>;

/**
 * Lists the projects of the organization that the API key may see, over every page.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` when
 * pages repeat or do not end.
 */
export function getProjects(
  args: GetProjectsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetProjectsResult> {
  return plainForm(projectsQuery, args, options);
}

/** As {@link getProjects}, for arguments that may be Outputs; unknown while one is. */
export function getProjectsOutput(
  args: GetProjectsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectsResult> {
  return outputForm(projectsQuery, args, options);
}
