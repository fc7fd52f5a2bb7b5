import { InputError } from "../../../errors.js";
import type { Database } from "../../storage/database.js";
import { idProblem, nameProblem, refuse, refuseProblem, required } from "../../storage/ids-and-names.js";
import { NamedTable } from "../../storage/table.js";
import { extensionNameProblem } from "../extensions/store.js";

/** Profile, as stored by the emulator. Without contents: no real browser runs. */
export interface EmulatedProfile {
  /** 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null for a profile without a name. */
  readonly name: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** Time of the last renaming, as an ISO 8601 date-time; null before. */
  readonly updatedAt: string | null;
}

/**
 * Profiles in the database.
 *
 * @internal
 */
export class ProfileStore extends NamedTable<EmulatedProfile> {
  constructor(database: Database, now: () => Date) {
    super(database, "profiles", now);
  }

  /** Stores a profile; undefined if the id or the name is taken. */
  insert(profile: {
    readonly id?: string | undefined;
    readonly projectId: string;
    readonly name: string | null;
  }): EmulatedProfile | undefined {
    return this.addNamed({ ...profile, updatedAt: null });
  }

  /**
   * Creates a profile for a program or a seed. Throws `InputError` `profile_invalid` or
   * `profile_exists`.
   */
  create(profile: {
    readonly id?: string | undefined;
    readonly projectId: string;
    readonly name: string;
  }): EmulatedProfile {
    const { id, name } = profile;
    const problems = { id: id === undefined ? undefined : idProblem(id), name: nameProblem(name) };
    for (const [property, problem] of Object.entries(problems)) {
      refuseProblem("profile_invalid", property, `A profile's "${property}"`, problem);
    }
    return this.insert(profile) ?? refuse(profileExists(name));
  }

  /** Returns the profile of a project with a name. Creates a missing profile. */
  ensure(projectId: string, name: string): EmulatedProfile {
    return this.holder(projectId, name) ?? (this.insert({ projectId, name }) as EmulatedProfile);
  }

  /** Finds a profile by id. Throws `InputError` for an unknown id. */
  require(id: string): EmulatedProfile {
    return required(this.find(id), "profile_unknown", id);
  }

  /** Renames a profile; undefined if the name is taken. */
  rename(profile: EmulatedProfile, name: string): EmulatedProfile | undefined {
    return this.change(profile, { name, updatedAt: this.now().toISOString() });
  }

  // Names and ids, unlike in the remaining lists. Source: the published interface.
  protected override searched({ id, name }: EmulatedProfile) {
    return [id, name];
  }
}

/** Refusal of an id or a name that is taken. */
export function profileExists(name: string): InputError {
  const problem = `A profile with this id, or with the name "${name}" in its project, already exists. Choose others.`;
  return new InputError("profile_exists", "name", problem);
}

/**
 * Describes the problem of a name that selects a profile, as the end of a sentence; undefined for a
 * valid name. The published rule is the rule of extensions. A profile may have a name that cannot
 * be selected: for the profile itself only the length is published.
 */
export const selectedNameProblem = extensionNameProblem;
