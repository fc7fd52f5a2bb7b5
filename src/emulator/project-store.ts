import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../errors.js";
import { newId } from "./random-text.js";

/** A project of the emulated organization. */
export interface EmulatedProject {
  readonly id: string;
  /** Unique within the organization. */
  readonly name: string;
}

/** Name of the project that requests without a scope belong to. The service's own name for it is not published: a guess. */
const defaultProjectName = "Default";

/** The projects in the database. The first opening makes the default project. */
export class ProjectStore {
  readonly #database: DatabaseSync;
  readonly #now: () => Date;
  /** The project of requests that name none, with an organization-wide key. */
  readonly defaultProject: EmulatedProject;

  constructor(database: DatabaseSync, now: () => Date) {
    this.#database = database;
    this.#now = now;
    this.defaultProject =
      this.#one("is_default = ?", 1) ?? this.#insert({ id: newId(), name: defaultProjectName }, true);
  }

  /** Makes an active project. Throws `InputError` when the id or the name is malformed or taken. */
  create({ id = newId(), name }: { id?: string | undefined; name: string }): EmulatedProject {
    // An id travels in a header and in paths; the service's are 24 of a-z and 0-9, tests like readable ones.
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
      throw new InputError(
        "invalid_id",
        "id",
        'A project\'s "id" must be 1 to 64 of the characters A-Z a-z 0-9 _ -.',
      );
    }
    if (typeof name !== "string" || name.trim() === "" || [...name].length > 255) {
      throw new InputError(
        "invalid_name",
        "name",
        'A project\'s "name" must have 1 to 255 characters, not only blanks.',
      );
    }
    if (this.#one("id = ?", id) || this.#one("name = ?", name)) {
      throw new InputError(
        "project_exists",
        "name",
        `A project with the id "${id}" or the name "${name}" exists. Choose another.`,
      );
    }
    return this.#insert({ id, name }, false);
  }

  /** Archives a project: a request that names it is then refused. Throws `InputError` when there is none with this id. */
  archive(id: string): void {
    this.require(id);
    this.#database
      .prepare("UPDATE projects SET status = 'archived', updated_at = ? WHERE id = ?")
      .run(this.#now().toISOString(), id);
  }

  /** The project with this id, archived or not. Throws `InputError` when there is none. */
  require(id: string): EmulatedProject {
    const row = this.#one("id = ?", id);
    if (row) return row;
    throw new InputError(
      "unknown_project",
      "projectId",
      `The emulator has no project with the id "${id}". Create it first.`,
    );
  }

  /** The active project with this id. */
  activeById(id: string): EmulatedProject | undefined {
    return this.#one("status = 'active' AND id = ?", id);
  }

  /** The active project with exactly this name. */
  activeByName(name: string): EmulatedProject | undefined {
    return this.#one("status = 'active' AND name = ?", name);
  }

  #one(condition: string, value: string | number): EmulatedProject | undefined {
    const row = this.#database.prepare(`SELECT id, name FROM projects WHERE ${condition}`).get(value);
    return row && { id: String(row.id), name: String(row.name) };
  }

  #insert(project: EmulatedProject, isDefault: boolean): EmulatedProject {
    const time = this.#now().toISOString();
    this.#database
      .prepare(
        "INSERT INTO projects (id, name, status, is_default, created_at, updated_at) VALUES (?, ?, 'active', ?, ?, ?)",
      )
      .run(project.id, project.name, isDefault ? 1 : 0, time, time);
    return project;
  }
}
