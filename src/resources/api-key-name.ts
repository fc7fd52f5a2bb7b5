import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../dynamic/contract.js";
import { declare } from "../dynamic/declare.js";

/** Arguments of an {@link ApiKeyName}. */
export interface ApiKeyNameArgs {
  /**
   * Id of the API key, as a list of the keys shows it. A name, a secret key or the masked form of one is refused before anything is sent, and
   * not repeated. Another id replaces the resource: the former key gets its previous name back. Two resources of a program cannot name
   * the same key.
   */
  readonly keyId: pulumi.Input<string>;
  /**
   * What the key is to be called: 1 to 255 characters (Unicode code points) of any kind, none of them a blank at the beginning or the end, which
   * the service would remove. Names are not unique, and compared as they are written: case, accents and Unicode normalization count.
   */
  readonly name: pulumi.Input<string>;
  /**
   * What becomes of the name when this resource is deleted: `restore` puts the previous name back, `keep` leaves it. Default `restore`.
   * Changing it sends nothing.
   */
  readonly onDelete?: pulumi.Input<"restore" | "keep">;
}

/** Who made an API key. */
export interface ApiKeyNameCreator {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email: string;
  /** The person's name; undefined when the service has none. */
  readonly name?: string;
}

const outputs = [
  "keyId",
  "name",
  "previousName",
  "maskedKey",
  "projectId",
  "projectName",
  "createdAt",
  "createdBy",
  "expiresAt",
  "onDelete",
];

/**
 * The name of an API key that exists. The key itself is never made and never deleted, and may be the one that the deployment uses.
 *
 * - The name that the key had is remembered, and put back when the resource is deleted, unless `onDelete` says otherwise, the key is gone, or
 *   somebody else has renamed it since.
 * - A refresh finds a key that was renamed outside, and says both names; the next deployment puts that right. It drops a key that was deleted, which
 *   cannot be made here: the next deployment then fails and says so. That a key has expired is said, and is no difference.
 * - A resource of another logical name takes the key over with the name it has. Give it an alias to keep `previousName`.
 */
export class ApiKeyName extends pulumi.CustomResource {
  /** Id of the key; the same as `id`. */
  declare readonly keyId: pulumi.Output<string>;
  /** Name of the key. */
  declare readonly name: pulumi.Output<string>;
  /** What becomes of the name when this resource is deleted. Undefined for a key looked up by {@link ApiKeyName.get}. */
  declare readonly onDelete: pulumi.Output<"restore" | "keep">;
  /** Name the key had before this resource. Undefined for a key looked up by {@link ApiKeyName.get}. */
  declare readonly previousName: pulumi.Output<string>;
  /** Beginning and end of the secret, such as `sk_1234...abcd`. */
  declare readonly maskedKey: pulumi.Output<string>;
  /** Project the key is confined to; undefined for a key of the whole organization. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Name of that project; undefined also when the service does not tell it. */
  declare readonly projectName: pulumi.Output<string | undefined>;
  /** When the key was made, ISO 8601. */
  declare readonly createdAt: pulumi.Output<string>;
  /** Who made the key. */
  declare readonly createdBy: pulumi.Output<ApiKeyNameCreator>;
  /** When the key expires or has expired, ISO 8601; undefined when never. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;

  /**
   * Looks up the name of an API key that this program does not manage.
   *
   * @param name logical name of the lookup in this program
   * @param id the key's id
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ApiKeyName {
    return new ApiKeyName(name, {} as ApiKeyNameArgs, { ...options, id });
  }

  /** Whether `value` is an ApiKeyName, of this copy of the package or of another. */
  static override isInstance(value: unknown): value is ApiKeyName {
    const type = (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType;
    return pulumi.CustomResource.isInstance(value) && type === resourceType("ApiKeyName");
  }

  constructor(name: string, args: ApiKeyNameArgs, options: pulumi.CustomResourceOptions = {}) {
    // A forced replacement, which no diff announces, gives a provider no old state. When the old resource goes first, it puts the previous
    // name back, and the new one finds it there.
    const declaration = declare("ApiKeyName", name, { ...args }, outputs, {
      ...options,
      deleteBeforeReplace: true,
    });
    super(declaration.type, name, declaration.inputs, declaration.options);
  }
}
