import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../errors.js";
import { extensionNameProblem } from "../extensions/store.js";
import { idProblem, nameProblem, refuse, refuseProblem, required } from "../storage/ids-and-names.js";
import { NamedTable } from "../storage/table.js";

/** A profile as the emulator holds it. It has no contents: no real browser runs. */
export interface EmulatedProfile {
  /** 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null when it was created without one. */
  readonly name: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** When it was renamed, as an ISO 8601 date-time; null before. */
  readonly updatedAt: string | null;
}

/**
 * The profiles in the database.
 *
 * @internal
 */
export class ProfileStore extends NamedTable<EmulatedProfile> {
  // Of names and ids, unlike in other lists. Source: the published interface.
  protected override readonly searched = ["name", "id"];

  constructor(database: DatabaseSync, now: () => Date) {
    super(database, "profiles", now);
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
    return this.insertNamed(profile) ?? refuse(profileExists(name));
  }

  /** The profile of a project with this name, which is made if it is missing. */
  ensure(projectId: string, name: string): EmulatedProfile {
    return this.holder(projectId, name) ?? (this.insertNamed({ projectId, name }) as EmulatedProfile);
  }

  /** The profile with this id. Throws `InputError` when there is none. */
  require(id: string): EmulatedProfile {
    return required(this.find(id), "profile_unknown", id);
  }

  /** Renames a profile; undefined when the name is another's. */
  rename(profile: EmulatedProfile, name: string): EmulatedProfile | undefined {
    return this.change(profile, { name, updatedAt: this.now().toISOString() });
  }
}

/** The refusal of a name that another profile has. */
export function profileExists(name: string): InputError {
  const problem = `A profile with this id, or with the name "${name}" in its project, already exists. Choose others.`;
  return new InputError("profile_exists", "name", problem);
}

/**
 * Says what is wrong with the name by which a profile is selected, as the end of a sentence; or
 * undefined. The published rule is that of extensions. A profile may have a name that cannot be
 * selected: for the profile itself only the length is published.
 */
export const selectedNameProblem = extensionNameProblem;
