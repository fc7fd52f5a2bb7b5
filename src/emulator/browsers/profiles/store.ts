import { NamedTable } from "../../storage/table.js";

/** Profile, as stored by the emulator. Contents are files of a running browser. */
export interface EmulatedProfile {
  /** As given, at most 64 characters; otherwise 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null for a profile without a name. */
  readonly name: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** Time of the last renaming, as an ISO 8601 date-time; null before. */
  readonly updatedAt: string | null;
}

/** Profiles in the database. @internal */
export class ProfileStore extends NamedTable<EmulatedProfile> {
  /** Stores a profile; undefined if the id or the name is taken. */
  insert(profile: {
    readonly id?: string | undefined;
    readonly projectId: string;
    readonly name: string | null;
  }): EmulatedProfile | undefined {
    return this.addNamed({ ...profile, updatedAt: null });
  }

  /** Returns the profile of a project with a name. Creates a missing profile. */
  ensure(projectId: string, name: string): EmulatedProfile {
    return this.holderOf(projectId, name) ?? (this.insert({ projectId, name }) as EmulatedProfile);
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
