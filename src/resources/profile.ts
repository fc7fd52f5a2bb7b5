import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import { getProfileOutput } from "../functions/functions.js";
import type { profileState } from "../providers/profile/profile.js";
import { type Find, getResource, idOf, type ResourceState } from "./lookup.js";
import { giveUndefined, importFile, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of a {@link Profile}. */
export interface ProfileArgs {
  /**
   * Name, unique in the project whatever its case: 1 to 255 of the characters `A-Z a-z 0-9 . _ -`,
   * but not 24 of `a-z 0-9`, which looks like an id. Another name renames the profile in place.
   * Default: `<logical name>-<7 hexadecimal digits>`, which stays.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id of the project that the profile belongs to. Another one replaces the profile, and what was
   * saved in it is lost. Default: the project of the settings, or else of the API key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
}

/** @internal What its classes know of it. */
export const profile = {
  kind: "Profile",
  outputs: { name: true, projectId: true, createdAt: true },
  insteadOfImport: importFile("profiles"),
  // Names are unique, so in a forced replacement the old profile must go first.
  deletesFirst: () => true,
} satisfies Noun<typeof profileState>;

/** What is known of a profile that {@link Profile.get} looks up. Its id or name is enough. */
export type ProfileState = ResourceState<Profile>;

/** The outputs and the lookup of a profile, which are the same for both bridges. */
export abstract class ProfileResource extends pulumi.CustomResource {
  /** Name of the profile. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the project that it belongs to; undefined when it is that of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** When the profile was created, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /** @internal How one is found by its name. */
  declare protected static readonly find: Find;

  /**
   * Looks up a profile that this program does not manage. `id`: its id or its exact name. `state`:
   * its `projectId`, if it is not in the project of the settings.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ProfileState,
    opts?: pulumi.CustomResourceOptions,
  ): Profile {
    return getResource<ProfileArgs, Profile>(this, name, idOf(this.find, id, state, opts), state, opts);
  }

  /** Whether `value` is a Profile, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is Profile {
    return isOfKind("Profile", value);
  }
}

/**
 * A browser profile: what browsers keep of one use for the next, such as cookies and logins. Pass
 * `profile.id` as `profileId` to a `BrowserPool`.
 *
 * - It is empty at first. Only browsers and logins fill it, so a program sees no change of that.
 * - Deleting it, and replacing it, deletes what was saved in it. The resource option `protect`
 *   prevents both.
 * - A refresh finds a profile that was renamed or deleted outside of the program. The next
 *   deployment names it, or creates an empty one.
 */
export class Profile extends ProfileResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Profile");
  /** @internal */
  protected static override readonly find = getProfileOutput;

  constructor(name: string, args?: ProfileArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, profile, name, args, opts));
    giveUndefined(this);
  }
}
