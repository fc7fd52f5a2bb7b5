import type * as pulumi from "@pulumi/pulumi";
import type { InputsOf } from "./arguments.js";
import type { GetApiKeyResult } from "./get-api-key.js";
import { type FunctionDefinition, outputForm, plainForm } from "./two-forms.js";

/** Which API keys; default all that were not deleted, expired ones included. */
export interface GetApiKeysArgs {
  /** Only keys the service finds for this text: part of the name, of the creator or of the project, or an id or a masked key. */
  readonly query?: string | undefined;
  /** Only keys with exactly this name, byte for byte. Names are not unique: a rotation leaves two keys of one name. */
  readonly name?: string | undefined;
}

/** Arguments of {@link getApiKeysOutput}. */
export type GetApiKeysOutputArgs = InputsOf<GetApiKeysArgs>;

/** What {@link getApiKeys} finds. */
export interface GetApiKeysResult {
  /** The keys, newest first. Each is there once, and none with its secret. */
  readonly apiKeys: GetApiKeyResult[];
}

const definition: FunctionDefinition<GetApiKeysArgs, GetApiKeysResult> = {
  name: "getApiKeys",
  takes: { anyOf: ["query", "name"] },
  scope: "organization",
  ask: async (client, args) => ({ apiKeys: [...(await client.apiKeys.list(args))] }),
};

/**
 * Lists the API keys that the configured one may see, over every page.
 *
 * Rejects with `InputError` before any request, also for a secret in place of a search text; `ConfigError`; `ApiError`; `ContractError` when pages repeat or
 * do not end.
 */
export function getApiKeys(
  args: GetApiKeysArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetApiKeysResult> {
  return plainForm(definition, args, options);
}

/** As {@link getApiKeys}, for arguments that may be Outputs; not known, and nothing is asked, while one of them is not. */
export function getApiKeysOutput(
  args: GetApiKeysOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetApiKeysResult> {
  return outputForm(definition, args, options);
}
