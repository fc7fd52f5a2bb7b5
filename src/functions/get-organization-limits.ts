import type * as pulumi from "@pulumi/pulumi";
import type { GetOrganizationLimitsArgs } from "../queries/arguments.js";
import { organizationLimitsQuery } from "../queries/organization.js";
import type { GetOrganizationLimitsResult } from "../queries/results.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetOrganizationLimitsArgs, GetOrganizationLimitsResult };

/**
 * Reads what the organization may use at most, over all projects, and what it uses now. Takes no
 * arguments.
 *
 * Rejects with `ConfigError`, and with `ApiError`, also for a service without this operation.
 */
export function getOrganizationLimits(
  args: GetOrganizationLimitsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetOrganizationLimitsResult> {
  return plainForm(organizationLimitsQuery, args, options);
}

/** As {@link getOrganizationLimits}, as an Output. */
export function getOrganizationLimitsOutput(
  args: GetOrganizationLimitsArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetOrganizationLimitsResult> {
  return outputForm(organizationLimitsQuery, args, options);
}
