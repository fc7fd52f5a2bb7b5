import * as pulumi from "@pulumi/pulumi";
import type { profileState } from "../../providers/browsers/profile/profile.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of a {@link Profile}. */
export interface ProfileArgs {
  /**
   * Name, unique in the project regardless of case: 1 to 255 characters, but not 24 of `a-z 0-9`,
   * the form of an id. A pool can select the profile by name only if the name has no other characters
   * than `A-Z a-z 0-9 . _ -`. A change renames the profile in place. Default: `<logical name>-<7
   * hexadecimal digits>`, which never changes.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id or name of an existing profile to manage instead of creating a profile; needs `name`. The deployment
   * changes the profile to what is declared, and fails if no change leads there. From then on, the profile
   * belongs to this resource. Counts only when the resource is created, so `adopt` may stay in the
   * program. A preview shows the profile. Default: a new profile.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
  /**
   * Project id. A change replaces the profile and loses the saved contents. Default: the project of
   * the settings, or else of the API key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const profile = {
  kind: "Profile",
  outputs: { name: true, projectId: true, createdAt: true },
  importAdvice: { group: "profiles" },
  find: (functions) => functions.getProfileOutput,
  // Names are unique, so in a forced replacement the old profile must go first.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof profileState>;

/** State for {@link Profile.get}. Optional: the id or name of the profile is enough. */
export type ProfileState = ResourceState<Profile>;

/** Outputs and lookup of a profile, shared by both bridges. */
export abstract class ProfileResource extends pulumi.CustomResource {
  /** Name of the profile. */
  declare readonly name: pulumi.Output<string>;
  /** Project id; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /**
   * Looks up a profile that this program does not manage. `id`: id or exact name. `state`:
   * `projectId`, if the profile is not in the project of the settings.
   */
  static get(...args: GetArguments<ProfileState>): Profile {
    return getResource<Profile>(this, ...args);
  }

  /** Whether `value` is a Profile, from any copy of the package. */
  static override isInstance(value: unknown): value is Profile {
    return isOfKind("Profile", value);
  }
}

/**
 * A browser profile: data kept between browser sessions, such as cookies and logins. Pass
 * `profile.id` as `profileId` to a `BrowserPool`.
 *
 * - A new profile is empty. Only browsers and logins fill it; no diff or refresh shows the
 *   contents.
 * - Deleting or replacing a profile deletes the saved contents. The resource option `protect`
 *   prevents both.
 * - A refresh finds a profile that was renamed or deleted outside of the program. The next
 *   deployment restores the name, or creates an empty profile.
 */
export class Profile extends ProfileResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Profile");

  constructor(name: string, args?: ProfileArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, profile, name, args, opts));
    nullsToUndefined(this);
  }
}
