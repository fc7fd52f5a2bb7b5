import type { DatabaseSync } from "node:sqlite";
import { newId, refuse } from "../../storage/ids-and-names.js";
import { Table } from "../../storage/table.js";

/** Limits of an organization. */
export interface OrganizationLimits {
  /** Browsers at once in all projects. Depends on the plan, so no request changes the limit. */
  readonly maxConcurrentSessions: number;
  /** Browsers at once in every project without a limit of its own; null for no limit. */
  readonly defaultProjectMaxConcurrentSessions: number | null;
  /** Auth connections in all projects; null for no limit. Depends on the plan. */
  readonly maxAuthConnections: number | null;
  /** Shortest interval of health checks of an auth connection, in seconds. Depends on the plan. */
  readonly minHealthCheckIntervalSeconds: number;
}

/** Default of the browsers at once: a guess, since the limit depends on the plan. */
const maxConcurrentSessionsDefault = 100;

/** Default in seconds, as in the largest plan. Source: the published interface. */
const minHealthCheckIntervalDefault = 300;

interface OrganizationRow extends OrganizationLimits {
  readonly id: string;
}

/**
 * The only organization in the database.
 *
 * @internal
 */
export class OrganizationStore extends Table<OrganizationRow> {
  constructor(database: DatabaseSync) {
    super(database, "organization");
  }

  /** Creates the organization. Does nothing if the organization exists. */
  ensure(limits: { [K in keyof OrganizationLimits]?: OrganizationLimits[K] | undefined }): void {
    if (this.countRows("TRUE") === 0) {
      const {
        maxConcurrentSessions = maxConcurrentSessionsDefault,
        minHealthCheckIntervalSeconds = minHealthCheckIntervalDefault,
        ...others
      } = limits;
      this.insertRow({ id: newId(), ...others, maxConcurrentSessions, minHealthCheckIntervalSeconds });
    }
  }

  /** Id of the organization. */
  get id(): string {
    return this.#row().id;
  }

  get limits(): OrganizationLimits {
    const { id, ...limits } = this.#row();
    return limits;
  }

  /** Sets the limit of projects without a limit of their own; null removes the limit. */
  setDefaultProjectLimit(limit: number | null): void {
    this.updateRow(this.id, { defaultProjectMaxConcurrentSessions: limit });
  }

  #row() {
    return this.selectOne("TRUE") ?? refuse(new Error("there is no organization"));
  }
}
