/** A browser profile of a project: what browsers keep of one use for the next, such as logins. */
export interface Profile {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project as far as the service checks it. No value: it has none. */
  readonly name: string | null;
  /** When it was created, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** When it last changed, as an ISO 8601 date-time, if the service says so. */
  readonly updatedAt: string | null;
  /** When a browser last used it, as an ISO 8601 date-time, if the service says so. */
  readonly lastUsedAt: string | null;
}
