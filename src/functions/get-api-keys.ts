import type * as pulumi from "@pulumi/pulumi";
import type { ApiKey } from "../client/types.js";
import type { InputsOf } from "./arguments.js";
import type { GetApiKeyResult } from "./get-api-key.js";
import { type FunctionDefinition, outputForm, plainForm } from "./invoke.js";

/** Which API keys. Default: all but deleted ones; expired ones are included. */
export interface GetApiKeysArgs {
  /** Only keys found for this: part of the name, creator or project, an id or a masked key. */
  readonly query?: string | undefined;
  /** Only keys with exactly this name, byte for byte. Several keys may have one name. */
  readonly name?: string | undefined;
}

/** Arguments of {@link getApiKeysOutput}. */
export type GetApiKeysOutputArgs = InputsOf<GetApiKeysArgs>;

/** What {@link getApiKeys} finds. */
export interface GetApiKeysResult {
  /** The keys, newest first, each once and without its secret. */
  readonly apiKeys: GetApiKeyResult[];
}

const definition: FunctionDefinition<GetApiKeysArgs, { apiKeys: ApiKey[] }> = {
  name: "getApiKeys",
  takes: { anyOf: ["query", "name"] },
  scope: "organization",
  ask: async (client, args) => ({ apiKeys: [...(await client.apiKeys.list(args))] }),
};

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
  return plainForm(definition, args, options);
}

/** As {@link getApiKeys}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeysOutput(
  args: GetApiKeysOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetApiKeysResult> {
  return outputForm(definition, args, options);
}
