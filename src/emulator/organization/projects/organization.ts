import type { Database } from "../../storage/database.js";
import { newId, refuse } from "../../storage/ids-and-names.js";
import { Table } from "../../storage/table.js";

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

interface Organization extends OrganizationLimits {
  readonly id: string;
}

const defaultLimits: OrganizationLimits = {
  // A guess, since the limit depends on the plan.
  maxConcurrentSessions: 100,
  defaultProjectMaxConcurrentSessions: null,
  maxAuthConnections: null,
  // As in the largest plan. Source: the published interface.
  minHealthCheckIntervalSeconds: 300,
};

/** Limits and plan, which a test can change without a client. */
export class EmulatedOrganization {
  readonly #records: Table<Organization>;

  /** @internal */
  constructor(database: Database) {
    this.#records = new Table(database, "organization");
  }

  /** Creates the organization. Does nothing if the organization exists. @internal */
  ensure({
    id = newId(),
    ...limits
  }: { readonly [K in keyof Organization]?: Organization[K] | undefined }): void {
    if (this.#records.select().length === 0) {
      this.#records.add({ id, ...defaultLimits });
      this.#records.set(id, limits);
    }
  }

  /** Id of the organization. @internal */
  get id(): string {
    return this.#record().id;
  }

  limits(): OrganizationLimits {
    const { id, ...limits } = this.#record();
    return limits;
  }

  /** Sets the limit of projects without their own limit; null removes the limit. No check is made. */
  setDefaultProjectLimit(limit: number | null): void {
    this.#records.set(this.id, { defaultProjectMaxConcurrentSessions: limit });
  }

  #record() {
    return this.#records.select()[0] ?? refuse(new Error("there is no organization"));
  }
}
