import type * as pulumi from "@pulumi/pulumi";
import type { GetApiKeysArgs } from "../queries/arguments.js";
import { apiKeysQuery } from "../queries/organization.js";
import type { GetApiKeysResult } from "../queries/results.js";
import type { InputsOf } from "./arguments.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetApiKeysArgs, GetApiKeysResult };

/** Arguments of {@link getApiKeysOutput}. */
export type GetApiKeysOutputArgs = InputsOf<GetApiKeysArgs>;

/**
 * Lists the API keys that the configured one may see, over every page.
 *
 * Rejects with `InputError` before any request, also for a secret in "query"; `ConfigError`;
 * `ApiError`; `ContractError` when pages repeat or do not end.
 */
export function getApiKeys(
  args: GetApiKeysArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetApiKeysResult> {
  return plainForm(apiKeysQuery, args, options);
}

/** As {@link getApiKeys}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeysOutput(
  args: GetApiKeysOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetApiKeysResult> {
  return outputForm(apiKeysQuery, args, options);
}
