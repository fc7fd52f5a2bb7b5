import { z } from "zod";
import { InputError } from "../../../errors.js";
import { id, named, noArgument, only } from "../../http/entries.js";
import { exactly } from "../../http/shapes.js";
import { foldedName } from "../../storage/ids-and-names.js";
import type { OrganizationLimits, OrganizationStore } from "./organization.js";
import type { EmulatedProject, LimitChanges, NewProject, ProjectStore } from "./store.js";

const notALimit = "must be a whole number of at least 1, or null for no limit";

/** Shape of a limit that is not null. */
export const limit = z.int(notALimit).min(1, notALimit);

const limits = exactly({
  maxConcurrentSessions: limit.nullish().describe("Browsers at once, those of pools included."),
  maxConcurrentInvocations: limit.nullish().describe("App invocations at once."),
  maxPooledSessions: limit
    .nullish()
    .describe("Browsers in pools. Deprecated: no request can set it, but an old project may have it."),
});

/**
 * Project in a seed.
 *
 * @internal
 */
export const projectEntry = exactly({
  id: id.optional(),
  name: named("Unique within the organization."),
  status: z
    .enum(["active", "archived"], 'must be "active" or "archived"')
    .optional()
    .describe("Default: active."),
  limits: limits
    .describe(
      "Limits of the project. Absent or null means no limit of its own, so the organization's limit applies.",
    )
    .optional(),
});

/** Projects, without a client. Methods throw `InputError` for an unknown id or a bad value. */
export class EmulatedProjects {
  readonly #projects: ProjectStore;
  readonly #removeWithContents: (id: string) => void;

  /** @internal */
  readonly entry = projectEntry;

  /** @internal */
  readonly operations = {
    rename: only("name", projectEntry.shape.name),
    activate: noArgument,
    setLimits: limits,
    remove: noArgument,
  };

  /** @internal */
  constructor(projects: ProjectStore, removeWithContents: (id: string) => void) {
    this.#projects = projects;
    this.#removeWithContents = removeWithContents;
  }

  /** Every project, including archived projects, newest first. */
  list(): readonly EmulatedProject[] {
    return this.#projects.all();
  }

  /** Renames a project. */
  rename(id: string, name: string): EmulatedProject {
    return this.#projects.rename(id, name);
  }

  /** Activates an archived project. */
  activate(id: string): EmulatedProject {
    return this.#projects.update(id, { status: "active" }) as EmulatedProject;
  }

  /** Sets limits; null removes a limit of the project. Omitted limits are unchanged. */
  setLimits(id: string, limits: LimitChanges): EmulatedProject {
    return this.#projects.setLimits(id, limits);
  }

  /**
   * Deletes a project with all contents, unless the project is the last active project. The API
   * keys of the project remain and get 404 `project_not_found`.
   */
  remove(id: string): void {
    this.#projects.require(id);
    if (this.#projects.isLastActive(id)) {
      const problem = `The project "${id}" cannot be removed: no other project is active. Create another one first.`;
      throw new InputError("project_last_active", "id", problem);
    }
    this.#removeWithContents(id);
  }

  /** @internal */
  existing({ id, name }: NewProject): EmulatedProject | undefined {
    return this.list().find((project) =>
      id === undefined ? foldedName(project.name) === foldedName(name) : project.id === id,
    );
  }

  /** @internal */
  createFrom(entry: NewProject): EmulatedProject {
    return this.#projects.create(entry);
  }
}

/** The organization, without a client. */
export class EmulatedOrganization {
  readonly #organization: OrganizationStore;

  /** @internal */
  constructor(organization: OrganizationStore) {
    this.#organization = organization;
  }

  /** Limits of the organization. */
  limits(): OrganizationLimits {
    return this.#organization.limits;
  }

  /** Sets the limit of projects without their own limit; null removes the limit. No check is made. */
  setDefaultProjectLimit(limit: number | null): void {
    this.#organization.setDefaultProjectLimit(limit);
  }
}
