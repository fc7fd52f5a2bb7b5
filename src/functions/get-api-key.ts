import type * as pulumi from "@pulumi/pulumi";
import type { InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./two-forms.js";

/** Which API key. */
export interface GetApiKeyArgs {
  /** Id of the key. Keys are not addressed by name, since several may share one, and not by secret. */
  readonly id: string;
}

/** Arguments of {@link getApiKeyOutput}. */
export type GetApiKeyOutputArgs = InputsOf<GetApiKeyArgs>;

/** The record of an API key. The secret is not part of it. */
export interface GetApiKeyResult {
  /** Id, the only thing a key is addressed by. */
  readonly id: string;
  /** Label, 1 to 255 characters; not unique. */
  readonly name: string;
  /** When it was made, as an ISO 8601 date-time. */
  readonly createdAt: string;
  /** Who made it; the person's name is null when the service has none. */
  readonly createdBy: { readonly id: string; readonly email: string; readonly name: string | null };
  /** When it expires or has expired, as an ISO 8601 date-time; null when never. */
  readonly expiresAt: string | null;
  /** When it was deleted, as an ISO 8601 date-time; null for a key that was not. */
  readonly deletedAt: string | null;
  /** Project it is scoped to; null for the whole organization. */
  readonly projectId: string | null;
  /** Name of that project; null for the whole organization, or when the name is not available. */
  readonly projectName: string | null;
  /** Beginning and end of the secret, such as `sk_1234...abcd`. */
  readonly maskedKey: string;
}

const definition: FunctionDefinition<GetApiKeyArgs, GetApiKeyResult> = {
  name: "getApiKey",
  takes: { exactlyOneOf: ["id"] },
  scope: "organization",
  ask: (client, { id }) => client.apiKeys.get(id),
};

/**
 * Reads the record of one API key; expired keys are found, deleted ones are not.
 *
 * Rejects with `InputError` before any request, also for a secret, a masked secret or a name in place of the id, none of which the message repeats;
 * `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getApiKey(args: GetApiKeyArgs, options?: pulumi.InvokeOptions): Promise<GetApiKeyResult> {
  return plainForm(definition, args, options);
}

/** As {@link getApiKey}, for arguments that may be Outputs; not known, and nothing is asked, while one of them is not. */
export function getApiKeyOutput(
  args: GetApiKeyOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetApiKeyResult> {
  return outputForm(definition, args, options);
}
