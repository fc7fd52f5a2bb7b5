import { NamedTable } from "../../storage/table.js";
import type { PoolSettings } from "./settings.js";

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

/** Pools in the database. @internal */
export class BrowserPoolStore extends NamedTable<BrowserPool> {
  /** Pools that load an extension, oldest first. */
  poolsWithExtension(extensionId: string): readonly BrowserPool[] {
    return this.select(({ extensionIds }) => extensionIds.includes(extensionId)).toReversed();
  }

  /** All pools, or the pools of one project, newest first. */
  of(projectId?: string): readonly BrowserPool[] {
    return projectId === undefined ? this.select() : this.all(projectId);
  }

  /** Number of browsers reserved by all pools, or by the pools of one project. */
  reserved(projectId?: string): number {
    return this.of(projectId).reduce((sum, { settings }) => sum + settings.size, 0);
  }
}
