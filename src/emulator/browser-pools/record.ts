import type { PoolSettings } from "./settings.js";

/** A browser pool as the emulator holds it. */
export interface BrowserPool {
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null when it was created without one. */
  readonly name: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  readonly settings: PoolSettings;
  /** The extensions of `settings`, resolved when they were set. */
  readonly extensionIds: readonly string[];
  /** The profile of `settings`, resolved when it was set; null without one. */
  readonly profileId: string | null;
  /** Since when the next browser is being built, in milliseconds since 1970. */
  readonly buildingMs: number;
}

/** What somebody who has acquired a browser gave it, for this lease only. */
export interface Lease {
  readonly name: string | null;
  readonly startUrl: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  /** When it was acquired, in milliseconds since 1970. */
  readonly acquiredMs: number;
}

/** A browser of a pool: a record only. */
export interface PoolBrowser {
  /** Id of its session. */
  readonly id: string;
  readonly poolId: string;
  /** Settings of the pool when it was built. */
  readonly settings: PoolSettings;
  readonly builtMs: number;
  /** Null while it is idle. */
  readonly lease: Lease | null;
  /** When it is destroyed unless it is released, in milliseconds since 1970; null while idle. */
  readonly expiresMs: number | null;
}
