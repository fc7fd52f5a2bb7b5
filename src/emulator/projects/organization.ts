import type { DatabaseSync } from "node:sqlite";
import { newId } from "../storage/ids-and-names.js";

/** What an organization may use at most. */
export interface OrganizationLimits {
  /** Browsers at once, over all projects. Comes from the plan, so no request changes it. */
  readonly maxConcurrentSessions: number;
  /** Browsers at once of each project that has no cap of its own; null for none. */
  readonly defaultProjectMaxConcurrentSessions: number | null;
}

/** Browsers at once when the seed does not say. The service's figure depends on the plan: a guess. */
const maxConcurrentSessionsDefault = 100;

/** The one organization in the database. */
export class OrganizationStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Makes the organization. Does nothing when it is there. */
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

  /** Sets the cap of projects that have none of their own; null removes it. */
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
