import type * as pulumi from "@pulumi/pulumi";
import type { GetProjectLimitsArgs } from "../queries/arguments.js";
import { projectLimitsQuery } from "../queries/organization.js";
import type { GetProjectLimitsResult } from "../queries/results.js";
import type { InputsOf } from "./arguments.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetProjectLimitsArgs, GetProjectLimitsResult };

/** Arguments of {@link getProjectLimitsOutput}. */
export type GetProjectLimitsOutputArgs = InputsOf<GetProjectLimitsArgs>;

/** Reads the caps that a project sets for itself, after the project. Rejects as `getProject`. */
export function getProjectLimits(
  args: GetProjectLimitsArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetProjectLimitsResult> {
  return plainForm(projectLimitsQuery, args, options);
}

/** As {@link getProjectLimits}, for arguments that may be Outputs; unknown while one is. */
export function getProjectLimitsOutput(
  args: GetProjectLimitsOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectLimitsResult> {
  return outputForm(projectLimitsQuery, args, options);
}
