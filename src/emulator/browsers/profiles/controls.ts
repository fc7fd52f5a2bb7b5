import type { z } from "zod";
import { id, named, noArgument, only, project } from "../../http/seed-members.js";
import { exactly } from "../../http/shapes.js";
import { ObjectControls } from "../../objects/controls.js";
import type { EmulatedProjects } from "../../organization/projects/store.js";
import { refuse } from "../../storage/ids-and-names.js";
import { type EmulatedProfile, type ProfileStore, profileExists } from "./store.js";

/** Profile in a seed. @internal */
export const profileEntry = exactly({
  id: id.optional(),
  project,
  name: named("Unique within the project."),
});

type Entry = z.infer<typeof profileEntry>;

/** Profiles, without a client. Methods throw `InputError` for an unknown id or a bad value. */
export class EmulatedProfiles extends ObjectControls<EmulatedProfile> {
  readonly #profiles: ProfileStore;

  /** @internal */
  readonly entry = profileEntry;

  /** @internal */
  readonly operations = { rename: only("name", profileEntry.shape.name), remove: noArgument };

  /** @internal */
  constructor(profiles: ProfileStore, projects: EmulatedProjects) {
    super("profile_unknown", profiles, projects);
    this.#profiles = profiles;
  }

  /** Returns the profile of a project with a name. Creates a missing profile. */
  ensure(name: string, projectId?: string): EmulatedProfile {
    return this.#profiles.ensure(this.projectId(projectId), name);
  }

  /** Renames a profile. */
  rename(id: string, name: string): EmulatedProfile {
    return this.#profiles.rename(this.require(id), name) ?? refuse(profileExists(name));
  }

  /** @internal */
  existing(entry: Entry, projectId: string): { readonly id: string } | undefined {
    return this.#profiles.existing(entry, projectId);
  }

  /** @internal */
  createFrom({ id, name }: Entry, projectId: string): EmulatedProfile {
    return this.#profiles.insert({ id, projectId, name }) ?? refuse(profileExists(name));
  }
}
