import type { z } from "zod";
import { id, isNamed, named, noArgument, notNamed, only, project } from "../../http/seed-members.js";
import { exactly } from "../../http/shapes.js";
import { ObjectControls, type Written } from "../../objects/controls.js";
import type { EmulatedProfile, ProfileStore } from "./store.js";

/** Profile in a seed. @internal */
export const profileEntry = exactly({
  id: id.optional(),
  project,
  name: named("Unique within the project. Default: none.").optional(),
}).refine(isNamed, notNamed);

type Entry = z.input<typeof profileEntry>;

/** Profiles, without a client. Methods throw `InputError` for an unknown id or a bad value. */
export class EmulatedProfiles extends ObjectControls<EmulatedProfile> {
  /** @internal */
  declare protected readonly table: ProfileStore;

  /** @internal */
  readonly operations = { rename: only("name", profileEntry.shape.name.unwrap()), remove: noArgument };

  /** Returns the profile of a project with a name. Creates a missing profile. */
  ensure(name: string, projectId?: string): EmulatedProfile {
    return this.table.ensure(this.projectId(projectId), name);
  }

  rename(id: string, name: string): EmulatedProfile {
    return this.stored(this.table.rename(this.require(id), name), name);
  }

  /** @internal */
  createFrom({ id, name }: Entry, projectId: string): EmulatedProfile {
    return this.stored(this.table.insert({ id, projectId, name: name ?? null }), name);
  }

  /** @internal */
  written({ id, name }: EmulatedProfile): Written<Entry> {
    return { id, name };
  }
}
