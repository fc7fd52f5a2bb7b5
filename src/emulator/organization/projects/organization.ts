import type { Database } from "../../storage/database.js";
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

const defaultLimits: OrganizationLimits = {
  // A guess, since the limit depends on the plan.
  maxConcurrentSessions: 100,
  defaultProjectMaxConcurrentSessions: null,
  maxAuthConnections: null,
  // As in the largest plan. Source: the published interface.
  minHealthCheckIntervalSeconds: 300,
};

interface OrganizationRow extends OrganizationLimits {
  readonly id: string;
}

/**
 * The only organization in the database.
 *
 * @internal
 */
export class OrganizationStore extends Table<OrganizationRow> {
  constructor(database: Database) {
    super(database, "organization");
  }

  /** Creates the organization. Does nothing if the organization exists. */
  ensure(limits: { [K in keyof OrganizationLimits]?: OrganizationLimits[K] | undefined }): void {
    if (this.select().length === 0) {
      const made = this.add({ id: newId(), ...defaultLimits });
      this.set(made?.id ?? "", limits);
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
    this.set(this.id, { defaultProjectMaxConcurrentSessions: limit });
  }

  #row() {
    return this.select()[0] ?? refuse(new Error("there is no organization"));
  }
}
