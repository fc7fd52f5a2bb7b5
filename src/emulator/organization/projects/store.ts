import { InputError } from "../../../errors.js";
import type { Database } from "../../storage/database.js";
import {
  foldedName,
  idProblem,
  nameProblem,
  newId,
  refuse,
  refuseProblem,
  required,
} from "../../storage/ids-and-names.js";
import { type Filters, fitting, type Page, type PageRequest, Table } from "../../storage/table.js";

/** Limits of a project. Null: no limit of the project, so the organization's limit applies. */
export interface EmulatedLimits {
  /** Browsers at once, including browsers of pools. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at once. */
  readonly maxConcurrentInvocations: number | null;
  /** Browsers in pools. Deprecated: only the emulator's program and seed can set the limit. */
  readonly maxPooledSessions: number | null;
}

/** Project of the emulated organization. */
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

/** Project to create. Defaults: a new id, active, no limits. */
export interface NewProject {
  readonly id?: string | undefined;
  readonly name: string;
  readonly status?: EmulatedProject["status"] | undefined;
  readonly limits?: LimitChanges | undefined;
}

/** Limits to set; null for no limit. Undefined limits are unchanged. */
export type LimitChanges = { readonly [K in keyof EmulatedLimits]?: EmulatedLimits[K] | undefined };

/** Name of the project of requests without a scope. Source: the published guide. */
const defaultProjectName = "Default";

/**
 * Projects in the database.
 *
 * @internal
 */
export class ProjectStore extends Table<EmulatedProject> {
  readonly #now: () => Date;
  /** Id of the default project, as the only record. */
  readonly #default: Table<{ readonly id: string }>;

  constructor(database: Database, now: () => Date) {
    super(database, "projects");
    this.#now = now;
    this.#default = new Table(database, "defaultProject");
  }

  /** Creates a missing default project. Throws `InputError` like `create`. */
  ensureDefault({
    name = defaultProjectName,
    ...more
  }: Omit<NewProject, "name"> & { name?: string | undefined }): void {
    if (this.#findDefault() === undefined) {
      this.#setDefault(this.create({ name, ...more }).id);
    }
  }

  /** Project of requests with an organization-wide key and no named project. */
  get defaultProject(): EmulatedProject {
    return this.#findDefault() ?? refuse(new Error("there is no default project"));
  }

  /** Creates a project. Throws `InputError` for a bad id, name or limit, or if id or name exist. */
  create(project: NewProject): EmulatedProject {
    const { id = newId(), name } = project;
    refuseProblem("id_invalid", "id", 'A project\'s "id"', idProblem(id));
    checkName(name);
    const problem = `A project with the id "${id}" or the name "${name}" already exists. Choose others. Case and accents of a name do not count.`;
    return this.insert({ ...project, id }) ?? refuse(new InputError("project_exists", "name", problem));
  }

  /** Stores a project; undefined if the id exists, or if the name has a {@link holder}. */
  insert({ id = newId(), name, status = "active", limits = {} }: NewProject): EmulatedProject | undefined {
    if (this.holder(name)) {
      return undefined;
    }
    const time = this.#now().toISOString();
    return this.add({
      ...{ id, name, status, createdAt: time, updatedAt: time },
      limits: { ...noLimits, ...checkedLimits(limits) },
    });
  }

  /** Changes name or status; undefined if a different project is the {@link holder} of the name. */
  update(
    id: string,
    { name, status }: { name?: string | undefined; status?: EmulatedProject["status"] | undefined },
  ): EmulatedProject | undefined {
    const project = this.require(id);
    if (name !== undefined && (this.holder(name)?.id ?? id) !== id) {
      return undefined;
    }
    if ((name ?? project.name) === project.name && (status ?? project.status) === project.status) {
      return project;
    }
    return this.set(id, { name, status, updatedAt: this.#now().toISOString() });
  }

  /** Renames a project. Throws `InputError` for an unknown id, or a bad or existing name. */
  rename(id: string, name: string): EmulatedProject {
    checkName(name);
    const problem = `A project named "${name}" already exists. Choose another name. Case and accents do not count.`;
    return this.update(id, { name }) ?? refuse(new InputError("project_exists", "name", problem));
  }

  /** Sets limits. Throws `InputError` `limit_invalid` or `project_unknown`. */
  setLimits(id: string, changes: LimitChanges): EmulatedProject {
    const limits = { ...this.require(id).limits, ...checkedLimits(changes) };
    return this.set(id, { limits }) as EmulatedProject;
  }

  /** Whether no other project is active. */
  isLastActive(id: string): boolean {
    return this.first((other) => other.status === "active" && other.id !== id) === undefined;
  }

  /**
   * Removes a project and frees the name. The caller has checked that the project is empty and not
   * the last active project. The oldest active project replaces a removed default project: a guess.
   */
  override remove(id: string): void {
    super.remove(id);
    const oldest = this.first(({ status }) => status === "active");
    if (oldest && this.#findDefault() === undefined) {
      this.#setDefault(oldest.id);
    }
  }

  /** Finds a project by id, archived or not. Throws `InputError` for an unknown id. */
  require(id: string): EmulatedProject {
    return required(this.byId(id), "project_unknown", id, "projectId");
  }

  /** Id of a project, by default of the default project. Throws like `require`. */
  idOf(projectId = this.defaultProject.id): string {
    return this.require(projectId).id;
  }

  /** Finds a project by name, whatever the case and accents, archived or not. */
  holder(name: string): EmulatedProject | undefined {
    const folded = foldedName(name);
    return this.first((project) => foldedName(project.name) === folded);
  }

  /** Finds a project by id, or else by name, archived or not. */
  override find(idOrName: string): EmulatedProject | undefined {
    return super.find(idOrName) ?? this.holder(idOrName);
  }

  /** Finds a project by id, archived or not. */
  byId(id: string): EmulatedProject | undefined {
    return super.find(id);
  }

  /** Finds an active project by id. */
  activeById(id: string): EmulatedProject | undefined {
    const project = this.byId(id);
    return project?.status === "active" ? project : undefined;
  }

  /** Finds an active project by name, whatever the case and accents. */
  activeByName(name: string): EmulatedProject | undefined {
    const project = this.holder(name);
    return project?.status === "active" ? project : undefined;
  }

  /** Returns one page, including archived projects, newest first. The order is a guess. */
  page(request: PageRequest & Filters<EmulatedProject>): Page<EmulatedProject> {
    return this.selectPage(
      request,
      fitting(request, ({ name }) => [name]),
    );
  }

  /** Every project, including archived projects, newest first. */
  all(): readonly EmulatedProject[] {
    return this.select();
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
