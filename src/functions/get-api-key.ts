import type * as pulumi from "@pulumi/pulumi";
import type { GetApiKeyArgs } from "../queries/arguments.js";
import { apiKeyQuery } from "../queries/organization.js";
import type { GetApiKeyResult } from "../queries/results.js";
import type { InputsOf } from "./arguments.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetApiKeyArgs, GetApiKeyResult };

/** Arguments of {@link getApiKeyOutput}. */
export type GetApiKeyOutputArgs = InputsOf<GetApiKeyArgs>;

/**
 * Reads the record of one API key. Finds expired keys, but no deleted ones.
 *
 * Rejects with `InputError` before any request, also for a secret, a masked key or a name in place
 * of the id (the message repeats none of them); `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getApiKey(args: GetApiKeyArgs, options?: pulumi.InvokeOptions): Promise<GetApiKeyResult> {
  return plainForm(apiKeyQuery, args, options);
}

/** As {@link getApiKey}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeyOutput(
  args: GetApiKeyOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetApiKeyResult> {
  return outputForm(apiKeyQuery, args, options);
}
