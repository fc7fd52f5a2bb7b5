import type * as pulumi from "@pulumi/pulumi";
import type { ApiKey } from "../client/types.js";
import type { InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./invoke.js";
import type { WithoutNull } from "./results.js";

/** Which API key. */
export interface GetApiKeyArgs {
  /** Id of the key. Not its name, which several keys may share, and not its secret. */
  readonly id: string;
}

/** Arguments of {@link getApiKeyOutput}. */
export type GetApiKeyOutputArgs = InputsOf<GetApiKeyArgs>;

/** The record of an API key, without its secret. */
export type GetApiKeyResult = WithoutNull<ApiKey>;

const definition: FunctionDefinition<GetApiKeyArgs, ApiKey> = {
  name: "getApiKey",
  takes: { exactlyOneOf: ["id"] },
  scope: "organization",
  ask: (client, { id }) => client.apiKeys.get(id),
};

/**
 * Reads the record of one API key. Finds expired keys, but no deleted ones.
 *
 * Rejects with `InputError` before any request, also for a secret, a masked key or a name in place
 * of the id (the message repeats none of them); `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getApiKey(args: GetApiKeyArgs, options?: pulumi.InvokeOptions): Promise<GetApiKeyResult> {
  return plainForm(definition, args, options);
}

/** As {@link getApiKey}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeyOutput(
  args: GetApiKeyOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetApiKeyResult> {
  return outputForm(definition, args, options);
}
