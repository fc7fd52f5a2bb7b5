import { z } from "zod";
import { trimmedNameProblem } from "../names.js";
import { type SettingProblem, settingProblems, wholeNumberProblem } from "../options.js";
import { dateTime, ifReadable, listOf, orNull, record, recordId } from "../schema.js";

/** Changes of a credential provider. Omitted settings stay unchanged. */
export interface CredentialProviderChanges {
  /**
   * Name, unique in the organization: 1 to 255 characters, without whitespace at the start or the
   * end. Auth connections contain the name.
   */
  readonly name?: string | undefined;
  /** Token of a service account of the password manager. Secret, and never shown. */
  readonly token?: string | undefined;
  /** Seconds for which the service keeps a list of items, at least 0. Never shown. */
  readonly cacheTtlSeconds?: number | undefined;
  /** Whether logins may read from the provider. */
  readonly enabled?: boolean | undefined;
  /** Order of the providers, a whole number. The service asks lower numbers first. */
  readonly priority?: number | undefined;
}

/** A credential provider to create. A creation cannot set `enabled` and `priority`. */
export interface NewCredentialProvider extends Omit<CredentialProviderChanges, "enabled" | "priority"> {
  readonly name: string;
  readonly token: string;
  /** Password manager. Default: `onepassword`, the only value so far. */
  readonly providerType?: string | undefined;
}

/** A password manager from which logins read values, without the token. */
export interface CredentialProvider {
  /** Unique id; treat it as opaque. */
  readonly id: string;
  /** Unique within the organization. */
  readonly name: string;
  /** Password manager, such as `onepassword`. */
  readonly providerType: string | null;
  /** Whether logins may read from the provider. */
  readonly enabled: boolean;
  /** Order of the providers: lower numbers first. */
  readonly priority: number;
  /** Creation time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** Time of the last change, as an ISO 8601 date-time, if readable. */
  readonly updatedAt: string | null;
}

/** Item of a password manager, without values. */
export interface CredentialProviderItem {
  /** Path for an auth connection: `<vault>/<item>`. */
  readonly path: string;
  /** Name of the item in its vault, if the service reports the name. */
  readonly title: string | null;
  /** Web addresses of the item, with which the mode `auto` compares a login. */
  readonly urls: readonly string[];
}

/** Result of the service's own test of a credential provider. */
export interface CredentialProviderTest {
  /** Whether the token works. */
  readonly success: boolean;
  /** Reason of a failure, in the words of the service. */
  readonly error: string | null;
  /** Vaults that the token can read. */
  readonly vaults: readonly { readonly id: string; readonly name: string }[];
}

/** Reports all problems of the settings, without the token. No limits are published. @internal */
export function credentialProviderProblems({
  name,
  token,
  cacheTtlSeconds,
  priority,
}: CredentialProviderChanges): readonly SettingProblem[] {
  return settingProblems([
    ["name", name !== undefined && trimmedNameProblem(name)],
    ["token", token?.trim() === "" && "is empty"],
    ["cacheTtlSeconds", wholeNumberProblem(cacheTtlSeconds, 0)],
    ["priority", priority !== undefined && !Number.isSafeInteger(priority) && "must be a whole number"],
  ]);
}

/** A credential provider. @internal */
export const credentialProviderSchema: z.ZodType<CredentialProvider> = record({
  id: recordId,
  name: z.string(),
  provider_type: orNull(z.string()),
  enabled: z.boolean(),
  priority: z.int(),
  created_at: ifReadable(dateTime),
  updated_at: ifReadable(dateTime),
});

/** Items of a credential provider. The service may omit the list. @internal */
export const providerItemsSchema = record({
  items: z
    .array(record({ path: z.string(), title: orNull(z.string()), urls: listOf(z.string()) }))
    .default([]),
});

/** Result of the test of a credential provider. @internal */
export const providerTestSchema = record({
  success: z.boolean(),
  error: orNull(z.string()),
  vaults: listOf(z.object({ id: z.string(), name: z.string() })),
});
