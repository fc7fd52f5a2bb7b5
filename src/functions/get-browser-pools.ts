import type * as pulumi from "@pulumi/pulumi";
import type { GetBrowserPoolArgs, GetBrowserPoolsArgs } from "../queries/arguments.js";
import { browserPoolQuery, browserPoolsQuery } from "../queries/project.js";
import type { GetBrowserPoolResult, GetBrowserPoolsResult } from "../queries/results.js";
import type { InputsOf } from "./arguments.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetBrowserPoolArgs, GetBrowserPoolResult, GetBrowserPoolsArgs, GetBrowserPoolsResult };

/** Arguments of {@link getBrowserPoolOutput}. */
export type GetBrowserPoolOutputArgs = InputsOf<GetBrowserPoolArgs>;

/** Arguments of {@link getBrowserPoolsOutput}. */
export type GetBrowserPoolsOutputArgs = InputsOf<GetBrowserPoolsArgs>;

/**
 * Reads one browser pool by id or by exact name, also one that this program does not declare. Looks
 * in the project that the setting `browser-infra:projectId` or the provider names, or else in that
 * of the API key.
 *
 * Rejects as `getExtension`.
 */
export function getBrowserPool(
  args: GetBrowserPoolArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetBrowserPoolResult> {
  return plainForm(browserPoolQuery, args, options);
}

/** As {@link getBrowserPool}, for arguments that may be Outputs; unknown while one is. */
export function getBrowserPoolOutput(
  args: GetBrowserPoolOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBrowserPoolResult> {
  return outputForm(browserPoolQuery, args, options);
}

/**
 * Lists the browser pools of one project, found as {@link getBrowserPool} does, over every page.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` when
 * pages repeat or do not end.
 */
export function getBrowserPools(
  args: GetBrowserPoolsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetBrowserPoolsResult> {
  return plainForm(browserPoolsQuery, args, options);
}

/** As {@link getBrowserPools}, for arguments that may be Outputs; unknown while one is. */
export function getBrowserPoolsOutput(
  args: GetBrowserPoolsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBrowserPoolsResult> {
  return outputForm(browserPoolsQuery, args, options);
}
