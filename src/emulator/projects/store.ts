import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { InputError } from "../../errors.js";
import { idProblem, nameProblem, newId } from "../storage/ids-and-names.js";
import { type Page, type PageRequest, selectPage } from "../storage/select-page.js";

/** What a project may use at most. Null means no cap, so that of its organization applies. */
export interface EmulatedLimits {
  /** Browsers at once, those of pools included. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at once. */
  readonly maxConcurrentInvocations: number | null;
  /**
   * Browsers in pools. Deprecated: null, except in an organization that still has such caps. Only
   * the emulator's program and seed can set it.
   */
  readonly maxPooledSessions: number | null;
}

/** A project of the emulated organization. */
export interface EmulatedProject {
  readonly id: string;
  /** Unique within the organization. */
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

/** Limits to set; null for no cap. Those that are undefined stay. */
export type LimitChanges = { readonly [K in keyof EmulatedLimits]?: EmulatedLimits[K] | undefined };

/** What a list of projects asks for. */
interface ProjectQuery extends PageRequest {
  /** Only names equal to this one except for case and accents. */
  readonly name?: string | undefined;
  /** Only names that contain this text in any case. */
  readonly query?: string | undefined;
  /** Only the project with this id. */
  readonly id?: string | undefined;
}

/** Name of the project that requests without a scope belong to. Source: the published guide. */
const defaultProjectName = "Default";

/** The projects in the database. */
export class ProjectStore {
  readonly #database: DatabaseSync;
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Creates the default project if it is missing. Throws `InputError` like `create`. */
  ensureDefault({
    name = defaultProjectName,
    ...more
  }: Omit<NewProject, "name"> & { name?: string | undefined }): void {
    if (this.#one("is_default = ?", 1) === undefined) {
      this.#setDefault(this.create({ name, ...more }).id);
    }
  }

  /** The project of requests that name none, with an organization-wide key. */
  get defaultProject(): EmulatedProject {
    const project = this.#one("is_default = ?", 1);
    if (project === undefined) {
      throw new Error("there is no default project");
    }
    return project;
  }

  /** Creates a project. Throws `InputError` for a bad id, name or limit, or one that exists. */
  create({ id = newId(), name, status = "active", limits = {} }: NewProject): EmulatedProject {
    const problem = idProblem(id);
    if (problem !== undefined) {
      throw new InputError("id_invalid", "id", `A project's "id" ${problem}.`);
    }
    checkName(name);
    const project = this.insert({ id, name, status, limits });
    if (project) {
      return project;
    }
    throw new InputError(
      "project_exists",
      "name",
      `A project with the id "${id}" or the name "${name}" already exists. Choose others.`,
    );
  }

  /** Stores a project; undefined when its id or name exists, byte for byte, which is a guess. */
  insert({ id = newId(), name, status = "active", limits = {} }: NewProject): EmulatedProject | undefined {
    checkLimits(limits);
    const time = this.#now().toISOString();
    const { changes } = this.#database
      .prepare(
        `INSERT INTO projects (id, name, status, is_default, created_at, updated_at,
           max_concurrent_sessions, max_concurrent_invocations, max_pooled_sessions)
         VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .run(
        id,
        name,
        status,
        time,
        time,
        limits.maxConcurrentSessions ?? null,
        limits.maxConcurrentInvocations ?? null,
        limits.maxPooledSessions ?? null,
      );
    return changes === 1 ? this.require(id) : undefined;
  }

  /** Changes name or status; undefined when the name is another project's. */
  update(
    id: string,
    { name, status }: { name?: string | undefined; status?: EmulatedProject["status"] | undefined },
  ): EmulatedProject | undefined {
    const project = this.require(id);
    if (name !== undefined && this.#one("name = ? AND id <> ?", name, id)) {
      return undefined;
    }
    if ((name ?? project.name) === project.name && (status ?? project.status) === project.status) {
      return project;
    }
    this.#database
      .prepare("UPDATE projects SET name = ?, status = ?, updated_at = ? WHERE id = ?")
      .run(name ?? project.name, status ?? project.status, this.#now().toISOString(), id);
    return this.require(id);
  }

  /** Renames a project. Throws `InputError` for an unknown id, or a bad or existing name. */
  rename(id: string, name: string): EmulatedProject {
    checkName(name);
    const project = this.update(id, { name });
    if (project) {
      return project;
    }
    throw new InputError(
      "project_exists",
      "name",
      `A project named "${name}" already exists. Choose another name.`,
    );
  }

  /** Sets limits. Throws `InputError` `limit_invalid` or `project_unknown`. */
  setLimits(id: string, changes: LimitChanges): EmulatedProject {
    checkLimits(changes);
    const { limits } = this.require(id);
    const next = (name: keyof EmulatedLimits) => {
      const limit = changes[name];
      return limit === undefined ? limits[name] : limit;
    };
    this.#database
      .prepare(
        `UPDATE projects SET max_concurrent_sessions = ?, max_concurrent_invocations = ?, max_pooled_sessions = ?
         WHERE id = ?`,
      )
      .run(next("maxConcurrentSessions"), next("maxConcurrentInvocations"), next("maxPooledSessions"), id);
    return this.require(id);
  }

  /** True when no other project is active. */
  isLastActive(id: string): boolean {
    return this.#one("status = 'active' AND id <> ?", id) === undefined;
  }

  /**
   * Removes a project. The caller has checked that it owns nothing and is not the last active one.
   * The oldest active project replaces a removed default project: a guess. No trace of it remains,
   * so its name is free.
   */
  remove(id: string): void {
    const { is_default } =
      this.#database.prepare("DELETE FROM projects WHERE id = ? RETURNING is_default").get(id) ?? {};
    if (is_default !== 1) {
      return;
    }
    const oldest = this.#one("status = 'active' ORDER BY rowid LIMIT 1");
    if (oldest) {
      this.#setDefault(oldest.id);
    }
  }

  /** The project with this id, archived or not. Throws `InputError` when there is none. */
  require(id: string): EmulatedProject {
    const project = this.#one("id = ?", id);
    if (project) {
      return project;
    }
    throw new InputError(
      "project_unknown",
      "projectId",
      `The emulator has no project with the id "${id}". Create it first.`,
    );
  }

  /** The project with this id, else with exactly this name, archived or not. */
  find(idOrName: string): EmulatedProject | undefined {
    return this.#one("id = ?", idOrName) ?? this.#one("name = ?", idOrName);
  }

  /** The active project with this id. */
  activeById(id: string): EmulatedProject | undefined {
    return this.#one("status = 'active' AND id = ?", id);
  }

  /** The active project with exactly this name. */
  activeByName(name: string): EmulatedProject | undefined {
    return this.#one("status = 'active' AND name = ?", name);
  }

  /** One page, archived projects included, newest first. The order is a guess. */
  page({ name, query, id, ...page }: ProjectQuery): Page<EmulatedProject> {
    return selectPage(this.#database, page, {
      select: "SELECT * FROM projects",
      where: [
        ["folded(name) = folded(?)", name],
        ["instr(lowered(name), lowered(?)) > 0", query],
        ["id = ?", id],
      ],
      orderBy: "rowid DESC",
      read: fromRow,
    });
  }

  /** Every project, archived ones included, newest first. */
  all(): readonly EmulatedProject[] {
    return this.#database.prepare("SELECT * FROM projects ORDER BY rowid DESC").all().map(fromRow);
  }

  #setDefault(id: string): void {
    this.#database.prepare("UPDATE projects SET is_default = 1 WHERE id = ?").run(id);
  }

  #one(condition: string, ...values: SQLInputValue[]): EmulatedProject | undefined {
    const row = this.#database.prepare(`SELECT * FROM projects WHERE ${condition}`).get(...values);
    return row && fromRow(row);
  }
}

function checkName(name: unknown): void {
  const problem = nameProblem(name);
  if (problem !== undefined) {
    throw new InputError("name_invalid", "name", `A project's "name" ${problem}.`);
  }
}

/** Says what is wrong with a limit, as the end of a sentence; undefined when nothing is. */
function limitProblem(limit: unknown): string | undefined {
  return limit === null || (Number.isSafeInteger(limit) && (limit as number) > 0)
    ? undefined
    : "must be a whole number of at least 1, or null for no cap";
}

function checkLimits(limits: LimitChanges): void {
  for (const [name, limit] of Object.entries(limits)) {
    const problem = limit === undefined ? undefined : limitProblem(limit);
    if (problem !== undefined) {
      throw new InputError("limit_invalid", name, `The limit "${name}" ${problem}.`);
    }
  }
}

function fromRow(row: Record<string, SQLOutputValue>): EmulatedProject {
  const limit = (value: SQLOutputValue | undefined) => (typeof value === "number" ? value : null);
  return {
    id: String(row.id),
    name: String(row.name),
    status: row.status === "archived" ? "archived" : "active",
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
    limits: {
      maxConcurrentSessions: limit(row.max_concurrent_sessions),
      maxConcurrentInvocations: limit(row.max_concurrent_invocations),
      maxPooledSessions: limit(row.max_pooled_sessions),
    },
  };
}
