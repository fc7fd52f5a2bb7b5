import type * as pulumi from "@pulumi/pulumi";
import type { GetAuthConnectionArgs } from "../queries/arguments.js";
import { authConnectionQuery } from "../queries/project.js";
import type { GetAuthConnectionResult } from "../queries/results.js";
import type { InputsOf } from "./arguments.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetAuthConnectionArgs, GetAuthConnectionResult };

/** Arguments of {@link getAuthConnectionOutput}. */
export type GetAuthConnectionOutputArgs = InputsOf<GetAuthConnectionArgs>;

/**
 * Reads the state of an auth connection, for programs that decide by it. To wait for a login,
 * declare a `LoginFlow`.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getAuthConnection(
  args: GetAuthConnectionArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetAuthConnectionResult> {
  return plainForm(authConnectionQuery, args, options);
}

/** As {@link getAuthConnection}, for arguments that may be Outputs; unknown while one is. */
export function getAuthConnectionOutput(
  args: GetAuthConnectionOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAuthConnectionResult> {
  return outputForm(authConnectionQuery, args, options);
}
