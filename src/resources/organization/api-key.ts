import * as pulumi from "@pulumi/pulumi";
import type { apiKeyState } from "../../providers/organization/api-key/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of an {@link ApiKey}. All are optional. */
export interface ApiKeyArgs {
  /**
   * Name of the key: 1 to 255 characters (Unicode code points) of any kind, without whitespace at
   * the start or the end. Names are not unique. Changed in place. Default: the resource's name, a
   * hyphen and seven hexadecimal digits.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id of the project that the key is limited to, regardless of the project of the settings.
   * Default: none, for a key of the whole organization. A change replaces the key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Days until the key expires, 1 to 3650. Default: no expiry. A change rotates the key. Removing
   * this input replaces the key, because a rotation cannot create a key without expiry.
   */
  readonly daysToExpire?: pulumi.Input<number | undefined>;
  /**
   * Expiry, a date-time in the future such as `2030-01-31T00:00:00Z`. Not together with
   * `daysToExpire` and `keepOldKeyDays`. Default: no expiry. A change of `expiresAt` or of
   * `triggers`, or an expiry changed outside of the program, replaces the key.
   */
  readonly expiresAt?: pulumi.Input<string | undefined>;
  /**
   * Allowed actions: only those of the statements. Default: all actions, in the project of the key
   * or the whole organization. A change updates the key in place. Removing this input replaces the
   * key, and so does a second deployment of a policy that the service has refused (400).
   * Undeclared members, such as conditions that somebody added, are kept.
   */
  readonly policy?: pulumi.Input<ApiKeyPolicy | undefined>;
  /**
   * Days before the expiry from which a deployment rotates the key. Requires `daysToExpire` and
   * must be less. Default: the key expires without a rotation.
   */
  readonly rotateBeforeDays?: pulumi.Input<number | undefined>;
  /** Any values. The deployment rotates the key when a value changes. */
  readonly triggers?: pulumi.Input<unknown[] | undefined>;
  /**
   * Days that the old key works after a rotation, 0 to 3650 and at most `daysToExpire`: the time
   * for users to switch to the new key. Default: 7, or `daysToExpire` if less.
   */
  readonly keepOldKeyDays?: pulumi.Input<number | undefined>;
}

/** Allowed actions of an API key. */
export interface ApiKeyPolicy {
  /** Allowed actions, at least one statement. Everything else is denied. */
  readonly statements: ApiKeyStatement[];
  /** Further members of the service, such as conditions. Sent and compared unchanged. */
  readonly [member: string]: unknown;
}

/** A grant in a policy of an API key. */
export interface ApiKeyStatement {
  /** Kind and action, such as `browsers:use` or `vaults:read`. */
  readonly action: string;
  /**
   * Objects of the action: `organizations/<organization id>/*`, `projects/<project id>/*` or
   * `projects/<project id>/<kind>/<id>`. The object must exist.
   */
  readonly resource: string;
  /** Further members of the service, such as conditions. Sent and compared unchanged. */
  readonly [member: string]: unknown;
}

/** The person who created an API key. */
export interface ApiKeyCreator {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email: string;
  /** The person's name; undefined if the service has none. */
  readonly name?: string;
}

/** An old key, replaced by a rotation. */
export interface PreviousApiKey {
  /** Id of the key. */
  readonly id: string;
  /** Expiry of the old key, ISO 8601; undefined if not known. */
  readonly expiresAt?: string;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const apiKey = {
  kind: "ApiKey",
  outputs: {
    name: true,
    keyId: true,
    previousKeys: true,
    projectId: true,
    key: "secret",
    maskedKey: true,
    projectName: true,
    createdAt: true,
    createdBy: true,
    expiresAt: true,
    policy: true,
  },
  importAdvice:
    "Only the provider plugin can import a key, without the secret, which the service never shows again. Or let this resource create a new key, and delete the old key.",
} satisfies ResourceDeclaration<typeof apiKeyState>;

/** State for {@link ApiKey.get}. Optional: the id of the key is enough. */
export type ApiKeyState = ResourceState<ApiKey>;

/** Outputs and lookup of an API key, shared by both bridges. */
export abstract class ApiKeyResource extends pulumi.CustomResource {
  /** Name of the key. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the current key. A rotation changes `keyId`; `id` remains the id of the first key. */
  declare readonly keyId: pulumi.Output<string>;
  /**
   * The key itself, sent after `Bearer ` in requests. A secret. Undefined for an imported key until
   * a rotation, and for a lookup by `get`: the service shows a key only once.
   */
  declare readonly key: pulumi.Output<string | undefined>;
  /** Beginning and end of the key, such as `sk_1234...abcd`; undefined if not readable. */
  declare readonly maskedKey: pulumi.Output<string | undefined>;
  /** Project that the key is limited to; undefined for a key of the whole organization. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Name of the project; undefined also if the service reports no name. */
  declare readonly projectName: pulumi.Output<string | undefined>;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** Creator of the key; undefined if not readable. */
  declare readonly createdBy: pulumi.Output<ApiKeyCreator | undefined>;
  /** Expiry, ISO 8601, also in the past; undefined for a key without expiry. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** Allowed actions; undefined if all actions are allowed. */
  declare readonly policy: pulumi.Output<ApiKeyPolicy | undefined>;
  /** Old keys, replaced by rotations, oldest first. Deleted with the resource. */
  declare readonly previousKeys: pulumi.Output<PreviousApiKey[]>;

  /** Looks up an API key that this program does not manage. `id`: the key's id. */
  static get(...args: GetArguments<ApiKeyState>): ApiKey {
    return getResource<ApiKey>(this, ...args);
  }

  /** Whether `value` is an ApiKey, from any copy of the package. */
  static override isInstance(value: unknown): value is ApiKey {
    return isOfKind("ApiKey", value);
  }
}

/**
 * An API key with its secret, which is encrypted in the state.
 *
 * - A rotation changes the outputs in place. The old key works for `keepOldKeyDays`, so that users
 *   can switch to the new key, and is deleted with the resource at the latest.
 * - If the response to a creation is lost, so is the secret: the key is deleted and created again.
 *   A killed deployment may leave an orphan; the next deployment names the orphan in a warning.
 * - The key that the deployment itself uses is never rotated, restricted or deleted: the deployment
 *   fails with `own_api_key`.
 * - A refresh finds a key that was renamed, deleted or rotated outside. A refresh also reports an
 *   expired key.
 */
export class ApiKey extends ApiKeyResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ApiKey");

  constructor(name: string, args?: ApiKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, apiKey, name, args, opts));
    nullsToUndefined(this);
  }
}
