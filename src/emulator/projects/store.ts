import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../errors.js";
import { idProblem, nameProblem, newId, refuse, refuseProblem, required } from "../storage/ids-and-names.js";
import { oneOfIds, type Page, type PageRequest, Table } from "../storage/table.js";

/** What a project may use at most. Null: no limit of its own, so its organization's applies. */
export interface EmulatedLimits {
  /** Browsers at once, those of pools included. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at once. */
  readonly maxConcurrentInvocations: number | null;
  /** Browsers in pools. Deprecated: only the emulator's program and seed can set it. */
  readonly maxPooledSessions: number | null;
}

/** A project of the emulated organization. */
export interface EmulatedProject {
  readonly id: string;
  /** Unique within the organization; case and accents do not count. */
  readonly name: string;
  readonly status: "active" | "archived";
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** When name or status last changed, as an ISO 8601 date-time. */
  readonly updatedAt: string;
  readonly limits: EmulatedLimits;
}

/** A project to create. By default it has a new id, is active and has no limits. */
export interface NewProject {
  readonly id?: string | undefined;
  readonly name: string;
  readonly status?: EmulatedProject["status"] | undefined;
  readonly limits?: LimitChanges | undefined;
}

/** Limits to set; null for no limit. Those that are undefined stay. */
export type LimitChanges = { readonly [K in keyof EmulatedLimits]?: EmulatedLimits[K] | undefined };

/** What a list of projects asks for. */
interface ProjectQuery extends PageRequest {
  /** Only names equal to this one except for case and accents. */
  readonly name?: string | undefined;
  /** Only names that contain this text in any case. */
  readonly query?: string | undefined;
  /** Only the project with this id. */
  readonly id?: string | undefined;
  /** Only projects with one of these ids. */
  readonly ids?: readonly string[] | undefined;
}

/** Name of the project that requests without a scope belong to. Source: the published guide. */
const defaultProjectName = "Default";

/**
 * The projects in the database.
 *
 * @internal
 */
export class ProjectStore extends Table<EmulatedProject> {
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    super(database, "projects", { read: fromRow });
    this.#now = now;
  }

  /** Creates the default project if it is missing. Throws `InputError` like `create`. */
  ensureDefault({
    name = defaultProjectName,
    ...more
  }: Omit<NewProject, "name"> & { name?: string | undefined }): void {
    if (this.#findDefault() === undefined) {
      this.#setDefault(this.create({ name, ...more }).id);
    }
  }

  /** The project of requests that name none, with an organization-wide key. */
  get defaultProject(): EmulatedProject {
    return this.#findDefault() ?? refuse(new Error("there is no default project"));
  }

  /** Creates a project. Throws `InputError` for a bad id, name or limit, or one that exists. */
  create(project: NewProject): EmulatedProject {
    const { id = newId(), name } = project;
    refuseProblem("id_invalid", "id", 'A project\'s "id"', idProblem(id));
    checkName(name);
    const problem = `A project with the id "${id}" or the name "${name}" already exists. Choose others. Case and accents of a name do not count.`;
    return this.insert({ ...project, id }) ?? refuse(new InputError("project_exists", "name", problem));
  }

  /** Stores a project; undefined when its id exists, or when it has a {@link holder}. */
  insert({ id = newId(), name, status = "active", limits = {} }: NewProject): EmulatedProject | undefined {
    if (this.holder(name)) {
      return undefined;
    }
    const time = this.#now().toISOString();
    return this.insertRow({
      id,
      name,
      status,
      isDefault: false,
      createdAt: time,
      updatedAt: time,
      ...checkedLimits(limits),
    });
  }

  /** Changes name or status; undefined when the name is another project's, as in {@link holder}. */
  update(
    id: string,
    { name, status }: { name?: string | undefined; status?: EmulatedProject["status"] | undefined },
  ): EmulatedProject | undefined {
    const project = this.require(id);
    if (name !== undefined && this.selectOne("folded(name) = folded(?) AND id <> ?", name, id)) {
      return undefined;
    }
    if ((name ?? project.name) === project.name && (status ?? project.status) === project.status) {
      return project;
    }
    return this.updateRow(id, { name, status, updatedAt: this.#now().toISOString() });
  }

  /** Renames a project. Throws `InputError` for an unknown id, or a bad or existing name. */
  rename(id: string, name: string): EmulatedProject {
    checkName(name);
    const problem = `A project named "${name}" already exists. Choose another name. Case and accents do not count.`;
    return this.update(id, { name }) ?? refuse(new InputError("project_exists", "name", problem));
  }

  /** Sets limits. Throws `InputError` `limit_invalid` or `project_unknown`. */
  setLimits(id: string, changes: LimitChanges): EmulatedProject {
    this.updateRow(id, checkedLimits(changes));
    return this.require(id);
  }

  /** True when no other project is active. */
  isLastActive(id: string): boolean {
    return this.selectOne("status = 'active' AND id <> ?", id) === undefined;
  }

  /**
   * Removes a project, whose name is free then. It owns nothing and is not the last active one. The
   * oldest active project replaces a removed default project: a guess.
   */
  override remove(id: string): void {
    super.remove(id);
    const oldest = this.selectOne("status = 'active' ORDER BY rowid");
    if (oldest && this.#findDefault() === undefined) {
      this.#setDefault(oldest.id);
    }
  }

  /** The project with this id, archived or not. Throws `InputError` when there is none. */
  require(id: string): EmulatedProject {
    return required(super.find(id), "project_unknown", id, "projectId");
  }

  /** The id of a project, by default of the default one. Throws like `require`. */
  idOf(projectId = this.defaultProject.id): string {
    return this.require(projectId).id;
  }

  /** The project that has this name, whatever its case and accents, archived or not. */
  holder(name: string): EmulatedProject | undefined {
    return this.selectOne("folded(name) = folded(?)", name);
  }

  /** The project with this id, else the one that has this name, archived or not. */
  override find(idOrName: string): EmulatedProject | undefined {
    return super.find(idOrName) ?? this.holder(idOrName);
  }

  /** The active project with this id. */
  activeById(id: string): EmulatedProject | undefined {
    return this.selectOne("status = 'active' AND id = ?", id);
  }

  /** The active project that has this name, whatever its case and accents. */
  activeByName(name: string): EmulatedProject | undefined {
    return this.selectOne("status = 'active' AND folded(name) = folded(?)", name);
  }

  /** One page, archived projects included, newest first. The order is a guess. */
  page({ name, query, id, ids, ...page }: ProjectQuery): Page<EmulatedProject> {
    return this.selectPage(page, [
      ["folded(name) = folded(?)", name],
      ["instr(lowered(name), lowered(?)) > 0", query],
      ["id = ?", id],
      oneOfIds(ids),
    ]);
  }

  /** Every project, archived ones included, newest first. */
  all(): readonly EmulatedProject[] {
    return this.select();
  }

  #findDefault(): EmulatedProject | undefined {
    return this.selectOne("is_default = 1");
  }

  #setDefault(id: string): void {
    this.updateRow(id, { isDefault: true });
  }
}

function checkName(name: unknown): void {
  refuseProblem("name_invalid", "name", 'A project\'s "name"', nameProblem(name));
}

function checkedLimits(limits: LimitChanges) {
  for (const [name, limit] of Object.entries(limits)) {
    const isLimit = limit === undefined || limit === null || (Number.isSafeInteger(limit) && limit > 0);
    const problem = isLimit ? undefined : "must be a whole number of at least 1, or null for no limit";
    refuseProblem("limit_invalid", name, `The limit "${name}"`, problem);
  }
  const { maxConcurrentSessions, maxConcurrentInvocations, maxPooledSessions } = limits;
  return { maxConcurrentSessions, maxConcurrentInvocations, maxPooledSessions };
}

/** A project as its row holds it. */
interface ProjectRow extends Omit<EmulatedProject, "limits">, EmulatedLimits {
  readonly isDefault: number;
}

function fromRow({
  isDefault,
  maxConcurrentSessions,
  maxConcurrentInvocations,
  maxPooledSessions,
  ...project
}: ProjectRow): EmulatedProject {
  return { ...project, limits: { maxConcurrentSessions, maxConcurrentInvocations, maxPooledSessions } };
}
