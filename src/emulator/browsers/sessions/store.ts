import { newId } from "../../storage/ids-and-names.js";
import { ProjectTable } from "../../storage/table.js";
import type { PoolSettings } from "../browser-pools/settings.js";

/** Profile of a lease: loaded in place of the pool's, and saved at the end if asked. */
export interface LeaseProfile {
  readonly id: string;
  readonly savesChanges: boolean;
}

/** Values of a session: of a leased browser of a pool, or of a browser of its own. */
export interface Lease {
  /** Unique among the sessions of the project; null for a session without a name. */
  readonly name: string | null;
  readonly startUrl: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly profile: LeaseProfile | null;
  /** Id of the API key of the request; null for a lease without a request. */
  readonly apiKeyId: string | null;
  /** Time of the acquisition, in milliseconds since 1970. */
  readonly acquiredMs: number;
}

/** Page of a leased browser, as it looks now. */
export interface BrowserPicture {
  readonly url: string;
  readonly title: string;
  /** Picture as base64 of a JPEG; null if the page gives none within five seconds, such as a hidden page. */
  readonly jpeg: string | null;
}

/** Browser of a pool, or of its own: a record. `RunningBrowsers` has the process, if there is one. */
export interface Browser {
  readonly id: string;
  readonly projectId: string;
  /** Null for a browser outside of pools. */
  readonly poolId: string | null;
  /** Settings of the pool when the browser was built. */
  readonly settings: PoolSettings;
  /** Ids of the extensions with which the browser was built. */
  readonly extensionIds: readonly string[];
  /** Id of the profile with which the browser was built; null without a profile. */
  readonly profileId: string | null;
  readonly builtMs: number;
  /** Null while the browser is idle. */
  readonly lease: Lease | null;
  /**
   * Time at which a leased browser is destroyed, in milliseconds since 1970; null while the browser is
   * idle, or while a client is connected.
   */
  readonly expiresMs: number | null;
}

/** Leased browser. */
export interface Session extends Browser {
  readonly lease: Lease;
}

/** Browsers in the database. @internal */
export class BrowserStore extends ProjectTable<Browser> {
  /** Called after the removal of a browser. */
  onRemove: (browser: Browser) => void = () => {};

  /** Every browser of a pool, oldest first. */
  listByPool(poolId: string): readonly Browser[] {
    return this.select((browser) => browser.poolId === poolId).toReversed();
  }

  /** Stores an idle browser, built at a time, in milliseconds since 1970. */
  build(built: Omit<Browser, "id" | "builtMs" | "lease" | "expiresMs">, builtMs: number): Browser {
    return this.add({ ...built, id: newId(), builtMs, lease: null, expiresMs: null }) as Browser;
  }

  /** Leases an idle browser, now. `settings` have the time. */
  lease({ id }: Browser, lease: Omit<Lease, "acquiredMs">, settings: PoolSettings): Session {
    const acquiredMs = this.now().getTime();
    return this.set(id, { lease: { ...lease, acquiredMs }, expiresMs: this.expiryMs(settings) }) as Session;
  }

  /** Time at which a session ends without a client from now on, in milliseconds since 1970. */
  expiryMs({ timeoutSeconds }: PoolSettings): number {
    return this.now().getTime() + timeoutSeconds * 1_000;
  }

  override remove(id: string): void {
    const browser = this.find(id);
    super.remove(id);
    if (browser) {
      this.onRemove(browser);
    }
  }

  /** Leased browsers whose time is over, in the order of their ends. */
  expired(condition: (browser: Browser) => boolean): readonly Browser[] {
    const nowMs = this.now().getTime();
    const isOver = ({ expiresMs }: Browser) => expiresMs !== null && expiresMs <= nowMs;
    return this.select((browser) => condition(browser) && isOver(browser)).toSorted(
      (a, b) => Number(a.expiresMs) - Number(b.expiresMs),
    );
  }

  /** Finds the session of a project by id, or else by name. */
  override findIn(projectId: string | undefined, idOrName: string): Browser | undefined {
    const found = super.findIn(projectId, idOrName);
    const hasName = (each: Browser) => each.projectId === projectId && each.lease?.name === idOrName;
    return found?.lease ? found : this.first(hasName);
  }

  protected override searched({ id, lease, profileId, poolId }: Browser) {
    return [id, lease?.name, profileId, poolId];
  }
}

/** The browser as a session; undefined for an idle browser. */
export function asSession(browser: Browser | undefined): Session | undefined {
  return browser?.lease ? (browser as Session) : undefined;
}
