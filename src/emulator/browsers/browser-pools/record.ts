import type { PoolSettings } from "./settings.js";

/** Browser pool, as stored by the emulator. */
export interface BrowserPool {
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null for a pool without a name. */
  readonly name: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  readonly settings: PoolSettings;
  /** Ids of the extensions that new browsers load, in order: those in `settings`, resolved when set. */
  readonly extensionIds: readonly string[];
  /** Id of the profile in `settings`, resolved when set; null without a profile. */
  readonly profileId: string | null;
  /** Start of the next browser's build, in milliseconds since 1970. */
  readonly buildingMs: number;
}

/** Values given when a browser is acquired, for the lease only. */
export interface Lease {
  readonly name: string | null;
  readonly startUrl: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  /** Time of the acquisition, in milliseconds since 1970. */
  readonly acquiredMs: number;
}

/** Browser of a pool: a record only. */
export interface PoolBrowser {
  /** Id of the session. */
  readonly id: string;
  readonly poolId: string;
  /** Settings of the pool when the browser was built. */
  readonly settings: PoolSettings;
  readonly builtMs: number;
  /** Null while the browser is idle. */
  readonly lease: Lease | null;
  /** Time at which a leased browser is destroyed, in milliseconds since 1970; null while idle. */
  readonly expiresMs: number | null;
}
