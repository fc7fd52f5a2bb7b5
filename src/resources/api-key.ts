import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import type { apiKeyState } from "../providers/api-key/properties.js";
import { getResource, type ResourceState } from "./lookup.js";
import { giveUndefined, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of an {@link ApiKey}. All are optional. */
export interface ApiKeyArgs {
  /**
   * The name of the key: 1 to 255 characters (Unicode code points) of any kind, without whitespace
   * at the start or the end. Names are not unique. Changed in place. Default: the resource's name,
   * a hyphen and seven hexadecimal digits.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id of the project that the key is limited to, whatever project the settings name. Default:
   * none, so the key may do everything in the organization. Another project replaces the key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Days until the key expires, 1 to 3650. Default: it never expires. A change rotates the key; to
   * remove it replaces the key, because no rotation makes one that never expires.
   */
  readonly daysToExpire?: pulumi.Input<number | undefined>;
  /**
   * When the key expires, a date-time in the future such as `2030-01-31T00:00:00Z`; not with
   * `daysToExpire` and `keepOldKeyDays`. Default: never. Another time replaces the key, and so do
   * `triggers` that change, and an expiry that somebody else has changed.
   */
  readonly expiresAt?: pulumi.Input<string | undefined>;
  /**
   * What the key may do: only what a statement allows. Default: everything, in its project if it
   * has one. Another policy replaces the key, and so does a deployment that finds another one.
   * Members that the program does not declare, such as conditions that somebody added, are kept.
   */
  readonly policy?: pulumi.Input<ApiKeyPolicy | undefined>;
  /**
   * A deployment rotates the key when it expires in this many days or fewer. Less than
   * `daysToExpire`, which it needs. Default: the key expires without being rotated.
   */
  readonly rotateBeforeDays?: pulumi.Input<number | undefined>;
  /** Any values. When one of them changes, the deployment rotates the key. */
  readonly triggers?: pulumi.Input<unknown[] | undefined>;
  /**
   * Days that the old key works after a rotation, 0 to 3650 and at most `daysToExpire`: the time
   * that its users have to get the new one. Default: 7, or `daysToExpire` if that is less.
   */
  readonly keepOldKeyDays?: pulumi.Input<number | undefined>;
}

/** What an API key may do. */
export interface ApiKeyPolicy {
  /** At least one; what none of them allows is denied. */
  readonly statements: ApiKeyStatement[];
  /** Members that this version does not know, such as conditions. Sent and compared unchanged. */
  readonly [member: string]: unknown;
}

/** A grant in a policy of an API key. */
export interface ApiKeyStatement {
  /** A kind and what may be done with it, such as `browsers:use` or `vaults:read`. */
  readonly action: string;
  /**
   * What it may be done with: `organizations/<organization id>/*`, `projects/<project id>/*` or
   * `projects/<project id>/<kind>/<id>`. The object must exist.
   */
  readonly resource: string;
  /** Members that this version does not know, such as conditions. Sent and compared unchanged. */
  readonly [member: string]: unknown;
}

/** The person who created an API key. */
export interface ApiKeyCreator {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email: string;
  /** The person's name; undefined when the service has none. */
  readonly name?: string;
}

/** A key that a rotation has replaced. */
export interface PreviousApiKey {
  /** Id of the key. */
  readonly id: string;
  /** When it stops working, ISO 8601; undefined if that is not known. */
  readonly expiresAt?: string;
}

/** @internal What its classes know of it. */
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
  insteadOfImport:
    "A key that exists cannot be imported: the service never shows its secret again. Let this resource create another one, and delete the old one.",
} satisfies Noun<typeof apiKeyState>;

/** What is known of a key that {@link ApiKey.get} looks up. Its id is enough. */
export type ApiKeyState = ResourceState<ApiKey>;

/** The outputs and the lookup of an API key, which are the same for both bridges. */
export abstract class ApiKeyResource extends pulumi.CustomResource {
  /** Name of the key. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the present key. A rotation changes it; `id` stays that of the first key. */
  declare readonly keyId: pulumi.Output<string>;
  /**
   * The key itself, as it follows `Bearer ` in a request. A secret. Undefined for a key that was
   * imported or looked up, until it is rotated: the service shows it only once.
   */
  declare readonly key: pulumi.Output<string | undefined>;
  /** Beginning and end of the key, such as `sk_1234...abcd`; undefined if not readable. */
  declare readonly maskedKey: pulumi.Output<string | undefined>;
  /** Project that the key is limited to; undefined for a key of the whole organization. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Name of that project; undefined also when the service does not give it. */
  declare readonly projectName: pulumi.Output<string | undefined>;
  /** When the key was created, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** Who created the key; undefined if not readable. */
  declare readonly createdBy: pulumi.Output<ApiKeyCreator | undefined>;
  /** When the key expires or expired, ISO 8601; undefined when it never does. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** What the key may do; undefined for a key that may do everything. */
  declare readonly policy: pulumi.Output<ApiKeyPolicy | undefined>;
  /** Keys that rotations have replaced, oldest first. They are deleted with the resource. */
  declare readonly previousKeys: pulumi.Output<PreviousApiKey[]>;

  /** Looks up an API key that this program does not manage. `id`: the key's id. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ApiKeyState,
    opts?: pulumi.CustomResourceOptions,
  ): ApiKey {
    return getResource<ApiKeyArgs, ApiKey>(this, name, id, state, opts);
  }

  /** Whether `value` is an ApiKey, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is ApiKey {
    return isOfKind("ApiKey", value);
  }
}

/**
 * An API key with its secret, which is encrypted in the state.
 *
 * - A rotation changes the outputs in place. The old key works for `keepOldKeyDays`, so that
 *   whoever has it can get the new one, and is deleted with the resource at the latest.
 * - A key whose answer was lost is deleted and made again: its secret is gone. So a deployment
 *   leaves exactly one live key, also when it was killed.
 * - The key that the deployment itself uses is never rotated or deleted.
 * - A refresh finds a key that was renamed, deleted or rotated outside. An expired key is reported.
 */
export class ApiKey extends ApiKeyResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ApiKey");

  constructor(name: string, args?: ApiKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, apiKey, name, args, opts));
    giveUndefined(this);
  }
}
