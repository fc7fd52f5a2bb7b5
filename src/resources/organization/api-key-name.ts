import * as pulumi from "@pulumi/pulumi";
import type { apiKeyNameState } from "../../providers/organization/api-key-name/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of an {@link ApiKeyName}. */
export interface ApiKeyNameArgs {
  /**
   * Id of the API key, as in the list of API keys. A secret key or a masked key is refused before any
   * request, and the error does not repeat the value. A change replaces the resource and, unless
   * `onDelete` is `keep`, restores the previous name of the old key. Two resources of a program
   * cannot name the same key.
   */
  readonly keyId: pulumi.Input<string>;
  /**
   * Name for the key: 1 to 255 characters (Unicode code points) of any kind, without whitespace at
   * the start or the end, because the service would trim the name. Names are not unique. The
   * comparison is exact: case, accents and Unicode normalization count.
   */
  readonly name: pulumi.Input<string>;
  /**
   * Action on delete. `restore` (default): restores the previous name. `keep`: leaves the name
   * unchanged. A change of this input sends no request.
   */
  readonly onDelete?: pulumi.Input<"restore" | "keep" | undefined>;
}

/** The person who created an API key. */
export interface ApiKeyNameCreator {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email: string;
  /** The person's name; undefined if the service has none. */
  readonly name?: string;
}

/** @internal Kind and outputs, for the classes of both bridges. */
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
  importAdvice: 'Leave the option out: an ApiKeyName takes over the existing key that "keyId" names.',
  // A forced replacement appears in no diff and gives the provider no old state. Deleting the old
  // resource first restores the previous name, for the new resource to record.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof apiKeyNameState>;

/** State for {@link ApiKeyName.get}. Optional: the id of the key is enough. */
export type ApiKeyNameState = ResourceState<ApiKeyName>;

/** Result of {@link ApiKeyName.get}. */
export type FoundApiKeyName = LookedUp<ApiKeyNameResource, "previousName" | "onDelete">;

/** Outputs and lookup of an API key name, shared by both bridges. */
export abstract class ApiKeyNameResource extends pulumi.CustomResource {
  /** Id of the key; the same as `id`. */
  declare readonly keyId: pulumi.Output<string>;
  /** Name of the key. */
  declare readonly name: pulumi.Output<string>;
  /** Action on delete. Undefined for a lookup by `get`. */
  declare readonly onDelete: pulumi.Output<"restore" | "keep">;
  /** Previous name of the key. Undefined for a lookup by `get`. */
  declare readonly previousName: pulumi.Output<string>;
  /** Beginning and end of the secret, such as `sk_1234...abcd`; undefined if not readable. */
  declare readonly maskedKey: pulumi.Output<string | undefined>;
  /** Project that the key is scoped to; undefined for a key of the whole organization. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Name of the project; undefined also if the service reports no name. */
  declare readonly projectName: pulumi.Output<string | undefined>;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** Creator of the key; undefined if not readable. */
  declare readonly createdBy: pulumi.Output<ApiKeyNameCreator | undefined>;
  /** Expiry, ISO 8601, also in the past; undefined for a key without expiry. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;

  /** Looks up an API key that this program does not manage. `id`: the key's id. */
  static get(...args: GetArguments<ApiKeyNameState>): FoundApiKeyName {
    return getResource<FoundApiKeyName>(this, ...args);
  }

  /** Whether `value` is an ApiKeyName, from any copy of the package. */
  static override isInstance(value: unknown): value is ApiKeyName {
    return isOfKind("ApiKeyName", value);
  }
}

/**
 * The name of an existing API key. The key itself is never created or deleted, and may be the key
 * that the deployment uses.
 *
 * - Deleting the resource restores the previous name, unless `onDelete` is `keep`, the key does not
 *   exist, or the key has since been renamed outside of the program.
 * - A refresh reports a key that was renamed outside, with both names; the next deployment corrects
 *   the name. A refresh drops a deleted key. The next deployment then fails with an error, because
 *   the resource cannot create keys. An expired key is reported, but is not drift.
 * - Without an alias, a resource with a new logical name records the present name of the key as the
 *   previous name, and a warning contains the earlier name. With an alias, the resource stays the
 *   same.
 */
export class ApiKeyName extends ApiKeyNameResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ApiKeyName");

  constructor(name: string, args: ApiKeyNameArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, apiKeyName, name, args, opts));
    nullsToUndefined(this);
  }
}
