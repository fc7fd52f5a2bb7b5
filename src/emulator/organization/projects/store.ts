import { InputError } from "../../../errors.js";
import { noArgument, only } from "../../http/seed-members.js";
import type { Written } from "../../objects/controls.js";
import type { Database } from "../../storage/database.js";
import {
  idProblem,
  nameProblem,
  newId,
  refuse,
  refuseProblem,
  requireFound,
} from "../../storage/ids-and-names.js";
import { NamedTable, Table } from "../../storage/table.js";
import { limitsShape, type NewProject, projectEntry } from "./entry.js";

/**
 * Limits of a project. Null: the limits of the organization apply, for sessions also the default of
 * projects.
 */
export interface EmulatedLimits {
  /** Browsers at once, including browsers of pools. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at once. */
  readonly maxConcurrentInvocations: number | null;
  /** Browsers in pools. Deprecated: only the emulator's program and seed can set the limit. */
  readonly maxPooledSessions: number | null;
}

export interface EmulatedProject {
  readonly id: string;
  /** Unique within the organization; case and accents do not count. */
  readonly name: string;
  readonly status: "active" | "archived";
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** Time of the last change of name or status, as an ISO 8601 date-time. */
  readonly updatedAt: string;
  readonly limits: EmulatedLimits;
}

/** Limits to set; null for no limit. Undefined limits are unchanged. */
export type LimitChanges = { readonly [K in keyof EmulatedLimits]?: EmulatedLimits[K] | undefined };

/** Name of the project of requests without a scope. Source: the published guide. */
const defaultProjectName = "Default";

/** Projects of an emulator. Methods throw `InputError` for an unknown id or a bad value. */
export class EmulatedProjects {
  /** @internal */
  readonly operations = {
    rename: only("name", projectEntry.shape.name),
    activate: noArgument,
    setLimits: limitsShape,
    remove: noArgument,
  };

  /** @internal */
  readonly noun = "project";

  /** Removes the contents of a project. @internal */
  removeContents: (id: string) => void = () => {};
  /** @internal */
  readonly table: NamedTable<EmulatedProject>;
  readonly #database: Database;
  /** Id of the default project, as the only record. */
  readonly #default: Table<{ readonly id: string }>;

  /** @internal */
  constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.table = new NamedTable(database, "projects", now);
    this.#default = new Table(database, "defaultProject");
  }

  /** Creates a missing default project. Throws `InputError` like `createFrom`. @internal */
  ensureDefault({
    name = defaultProjectName,
    ...more
  }: Omit<NewProject, "name"> & { name?: string | undefined }): void {
    if (this.#findDefault() === undefined) {
      this.#setDefault(this.createFrom({ name, ...more }).id);
    }
  }

  /** Project of requests with an organization-wide key and no named project. @internal */
  get defaultProject(): EmulatedProject {
    return this.#findDefault() ?? refuse(new Error("there is no default project"));
  }

  /**
   * Creates a project. Throws `InputError` for a bad id, name or limit, or if id or name exist.
   * @internal
   */
  createFrom(project: NewProject): EmulatedProject {
    const { id = newId(), name } = project;
    refuseProblem("id_invalid", "id", 'A project\'s "id"', idProblem(id));
    checkName(name);
    const problem = `A project with the id "${id}" or the name "${name}" already exists. Choose others. Case and accents of a name do not count.`;
    return this.insert({ ...project, id }) ?? refuse(new InputError("project_exists", "name", problem));
  }

  /** Stores a project; undefined if the id exists or the name is taken. @internal */
  insert({ id, name, status = "active", limits = {} }: NewProject): EmulatedProject | undefined {
    const updatedAt = this.table.now().toISOString();
    const given = { ...noLimits, ...checkedLimits(limits) };
    return this.table.addNamed({ id, name, status, updatedAt, limits: given });
  }

  /** Changes name or status; undefined if another project holds the name. @internal */
  update(
    id: string,
    { name, status }: { name?: string | undefined; status?: EmulatedProject["status"] | undefined },
  ): EmulatedProject | undefined {
    const project = this.require(id);
    const isSame = (name ?? project.name) === project.name && (status ?? project.status) === project.status;
    const updatedAt = this.table.now().toISOString();
    return isSame ? project : this.table.change(project, { name, status, updatedAt });
  }

  rename(id: string, name: string): EmulatedProject {
    checkName(name);
    const problem = `A project named "${name}" already exists. Choose another name. Case and accents do not count.`;
    return this.update(id, { name }) ?? refuse(new InputError("project_exists", "name", problem));
  }

  /** Sets limits; null removes a limit of the project. Omitted limits are unchanged. */
  setLimits(id: string, changes: LimitChanges): EmulatedProject {
    const limits = { ...this.require(id).limits, ...checkedLimits(changes) };
    return this.table.set(id, { limits }) as EmulatedProject;
  }

  /** Whether no other project is active. @internal */
  isLastActive(id: string): boolean {
    return this.table.first((other) => other.status === "active" && other.id !== id) === undefined;
  }

  activate(id: string): EmulatedProject {
    return this.update(id, { status: "active" }) as EmulatedProject;
  }

  /**
   * Deletes a project with all contents, unless the project is the last active project. The API
   * keys of the project remain and get 404 `project_not_found`. The oldest active project replaces
   * a deleted default project: a guess.
   */
  remove(id: string): void {
    this.require(id);
    if (this.isLastActive(id)) {
      const problem = `The project "${id}" cannot be removed: no other project is active. Create another one first.`;
      throw new InputError("project_last_active", "id", problem);
    }
    this.#database.atomically(() => {
      this.removeContents(id);
      this.table.remove(id);
      const oldest = this.table.first(({ status }) => status === "active");
      if (oldest && this.#findDefault() === undefined) {
        this.#setDefault(oldest.id);
      }
    });
  }

  /** Finds a project by id, archived or not. Throws `InputError` for an unknown id. @internal */
  require(id: string): EmulatedProject {
    return requireFound(this.byId(id), "project_unknown", id, "projectId");
  }

  /** Id of a project, by default of the default project. Throws like `require`. @internal */
  idOf(projectId = this.defaultProject.id): string {
    return this.require(projectId).id;
  }

  /** Finds a project by id, or else by name, archived or not. @internal */
  find(idOrName: string): EmulatedProject | undefined {
    return this.table.findIn(undefined, idOrName);
  }

  /** Finds a project by id, archived or not. @internal */
  byId(id: string): EmulatedProject | undefined {
    return this.table.find(id);
  }

  /** Finds an active project by id. @internal */
  activeById(id: string): EmulatedProject | undefined {
    const project = this.byId(id);
    return project?.status === "active" ? project : undefined;
  }

  /** Finds an active project by name, whatever the case and accents. @internal */
  activeByName(name: string): EmulatedProject | undefined {
    const project = this.table.holderOf(undefined, name);
    return project?.status === "active" ? project : undefined;
  }

  /** Every project, including archived projects, newest first. */
  list(): readonly EmulatedProject[] {
    return this.table.select();
  }

  /** @internal */
  existing(project: NewProject): EmulatedProject | undefined {
    return this.table.existing(project, undefined);
  }

  /** Every project but the default project, which has its own entry. @internal */
  records(): readonly EmulatedProject[] {
    return this.table.select(({ id }) => id !== this.defaultProject.id).toReversed();
  }

  /** @internal */
  written({ id, name, status, limits }: EmulatedProject): Written<NewProject> {
    return { id, name, status, limits };
  }

  #findDefault(): EmulatedProject | undefined {
    const [record] = this.#default.select();
    return record && this.byId(record.id);
  }

  #setDefault(id: string): void {
    for (const former of this.#default.select()) {
      this.#default.remove(former.id);
    }
    this.#default.add({ id });
  }
}

const noLimits: EmulatedLimits = {
  maxConcurrentSessions: null,
  maxConcurrentInvocations: null,
  maxPooledSessions: null,
};

function checkName(name: unknown): void {
  refuseProblem("name_invalid", "name", 'A project\'s "name"', nameProblem(name));
}

/** Checks limits, and omits undefined limits. Throws `InputError` `limit_invalid`. */
function checkedLimits(limits: LimitChanges): Partial<EmulatedLimits> {
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  for (const [name, limit] of given) {
    const isLimit = limit === null || (Number.isSafeInteger(limit) && Number(limit) > 0);
    const problem = isLimit ? undefined : "must be a whole number of at least 1, or null for no limit";
    refuseProblem("limit_invalid", name, `The limit "${name}"`, problem);
  }
  return Object.fromEntries(given.filter(([name]) => name in noLimits));
}
