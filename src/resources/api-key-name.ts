import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import type { apiKeyNameState } from "../providers/api-key-name/properties.js";
import { getResource, type LookedUp, type ResourceState } from "./lookup.js";
import { giveUndefined, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of an {@link ApiKeyName}. */
export interface ApiKeyNameArgs {
  /**
   * Id of the API key, as the list of API keys shows it. A name, a secret key or the masked form of
   * one is refused before anything is sent, and not repeated. Another id replaces the resource: the
   * former key gets its previous name back. Two resources of a program cannot name the same key.
   */
  readonly keyId: pulumi.Input<string>;
  /**
   * The name that the key is to have: 1 to 255 characters (Unicode code points) of any kind,
   * without whitespace at the start or the end, which the service would trim. Names are not unique,
   * and compared as they are written: case, accents and Unicode normalization count.
   */
  readonly name: pulumi.Input<string>;
  /**
   * What becomes of the name when this resource is deleted: `restore` (the default) restores the
   * previous name, `keep` leaves it. Changing it sends nothing.
   */
  readonly onDelete?: pulumi.Input<"restore" | "keep" | undefined>;
}

/** The person who created an API key. */
export interface ApiKeyNameCreator {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email: string;
  /** The person's name; undefined when the service has none. */
  readonly name?: string;
}

/** @internal What its classes know of it. */
export const apiKeyName = {
  kind: "ApiKeyName",
  outputs: {
    keyId: true,
    name: true,
    previousName: true,
    maskedKey: true,
    projectId: true,
    projectName: true,
    createdAt: true,
    createdBy: true,
    expiresAt: true,
    onDelete: true,
  },
  insteadOfImport: 'Leave the option out: an ApiKeyName takes over the existing key that "keyId" names.',
  // A forced replacement, which no diff announces, gives a provider no old state. If the old
  // resource is deleted first, it restores the previous name, and the new one finds it there.
  deletesFirst: () => true,
} satisfies Noun<typeof apiKeyNameState>;

/** What is known of a key that {@link ApiKeyName.get} looks up. Its id is enough. */
export type ApiKeyNameState = ResourceState<ApiKeyName>;

/** What {@link ApiKeyName.get} finds. */
export type FoundApiKeyName = LookedUp<ApiKeyNameResource, "previousName" | "onDelete">;

/** The outputs and the lookup of an API key name, which are the same for both bridges. */
export abstract class ApiKeyNameResource extends pulumi.CustomResource {
  /** Id of the key; the same as `id`. */
  declare readonly keyId: pulumi.Output<string>;
  /** Name of the key. */
  declare readonly name: pulumi.Output<string>;
  /** What becomes of the name on delete. Undefined for a lookup by `get`. */
  declare readonly onDelete: pulumi.Output<"restore" | "keep">;
  /** Name that the key had before. Undefined for a lookup by `get`. */
  declare readonly previousName: pulumi.Output<string>;
  /** Beginning and end of the secret, such as `sk_1234...abcd`; undefined if not readable. */
  declare readonly maskedKey: pulumi.Output<string | undefined>;
  /** Project that the key is scoped to; undefined for a key of the whole organization. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Name of that project; undefined also when the service does not give it. */
  declare readonly projectName: pulumi.Output<string | undefined>;
  /** When the key was created, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** Who created the key; undefined if not readable. */
  declare readonly createdBy: pulumi.Output<ApiKeyNameCreator | undefined>;
  /** When the key expires or expired, ISO 8601; undefined when it never does. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;

  /** Looks up an API key that this program does not manage. `id`: the key's id. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ApiKeyNameState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundApiKeyName {
    return getResource<ApiKeyNameArgs, FoundApiKeyName>(this, name, id, state, opts);
  }

  /** Whether `value` is an ApiKeyName, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is ApiKeyName {
    return isOfKind("ApiKeyName", value);
  }
}

/**
 * The name of an existing API key. The key itself is never created and never deleted, and may be
 * the one that the deployment uses.
 *
 * - The name that the key had is remembered, and restored when the resource is deleted, unless
 *   `onDelete` says otherwise, the key is gone, or it was renamed outside of the program since.
 * - A refresh finds a key that was renamed outside, and reports both names; the next deployment
 *   corrects that. It drops a key that was deleted. Keys cannot be created here, so the next
 *   deployment then fails and says so. An expired key is reported, but is no difference.
 * - A resource with another logical name takes the key with the name it has, and gets
 *   `previousName` from the old one with the deployment after that. With an alias, it stays the
 *   same resource.
 */
export class ApiKeyName extends ApiKeyNameResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ApiKeyName");

  constructor(name: string, args: ApiKeyNameArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, apiKeyName, name, args, opts));
    giveUndefined(this);
  }
}
