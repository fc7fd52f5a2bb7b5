import type { DatabaseSync } from "node:sqlite";
import { newId } from "../storage/ids-and-names.js";

/** What an organization may use at most. */
interface OrganizationLimits {
  /** Browsers at once in all projects. Depends on the plan, so no request changes it. */
  readonly maxConcurrentSessions: number;
  /** Browsers at once in each project without its own cap; null for no cap. */
  readonly defaultProjectMaxConcurrentSessions: number | null;
}

/** Browsers at once when the seed does not say: a guess, since it depends on the plan. */
const maxConcurrentSessionsDefault = 100;

/** The one organization in the database. */
export class OrganizationStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Creates the organization. Does nothing when it exists. */
  ensure({
    maxConcurrentSessions = maxConcurrentSessionsDefault,
    defaultProjectMaxConcurrentSessions = null,
  }: { [K in keyof OrganizationLimits]?: OrganizationLimits[K] | undefined }): void {
    this.#database
      .prepare("INSERT INTO organization SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM organization)")
      .run(newId(), maxConcurrentSessions, defaultProjectMaxConcurrentSessions);
  }

  /** Id of the organization. */
  get id(): string {
    return String(this.#row().id);
  }

  get limits(): OrganizationLimits {
    const row = this.#row();
    const perProject = row.default_project_max_concurrent_sessions;
    return {
      maxConcurrentSessions: Number(row.max_concurrent_sessions),
      defaultProjectMaxConcurrentSessions: perProject === null ? null : Number(perProject),
    };
  }

  /** Sets the cap of projects without their own; null removes it. */
  setDefaultProjectLimit(limit: number | null): void {
    this.#database.prepare("UPDATE organization SET default_project_max_concurrent_sessions = ?").run(limit);
  }

  #row() {
    const row = this.#database.prepare("SELECT * FROM organization").get();
    if (row === undefined) {
      throw new Error("there is no organization");
    }
    return row;
  }
}
