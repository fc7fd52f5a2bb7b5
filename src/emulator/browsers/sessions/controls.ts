import { requireFound } from "../../storage/ids-and-names.js";
import type { ExtensionStore } from "../extensions/store.js";
import type { SessionService } from "./service.js";
import { asSession, type BrowserPicture, type Session } from "./store.js";

/** Leased browser of a pool or outside of pools, as visible to a test. */
export interface LeasedBrowser {
  /** Id of the session. */
  readonly id: string;
  readonly projectId: string;
  /** Null for a browser outside of pools. */
  readonly poolId: string | null;
  /** Name of the lease; null without a name. */
  readonly name: string | null;
  /** Id of the API key of the request; null for a lease without a request. */
  readonly apiKeyId: string | null;
  /** Time of the lease, as an ISO 8601 date-time. */
  readonly acquiredAt: string;
  /** Number of connected clients. */
  readonly clients: number;
  /** Sentence that says why no browser runs; null while one runs. */
  readonly missing: string | null;
  /** Loaded extensions, with the errors of their content scripts and workers, oldest first. */
  readonly extensions: readonly { readonly name: string; readonly errors: readonly string[] }[];
  /** Errors of the scripts of pages, oldest first. */
  readonly pageErrors: readonly string[];
}

/** Reasons for a lease without a browser. */
const reasons = {
  option:
    "The emulator starts no browsers: the lease is only a record. The option --browser starts browsers.",
  machine:
    "This machine has no Chromium and no Chrome on its PATH: the lease is only a record. Install one, or give the path with --browser.",
  lease: "The browser is starting, or a test made the lease without a request, which starts no browser.",
};

/** Leased browsers of an emulator, without a client. Methods throw `InputError` for an unknown id. */
export class EmulatedBrowsers {
  readonly #sessions: SessionService;
  readonly #extensions: ExtensionStore;

  /** @internal */
  constructor(sessions: SessionService, extensions: ExtensionStore) {
    this.#sessions = sessions;
    this.#extensions = extensions;
  }

  /** Every leased browser of the organization, the newest lease first. */
  list(): readonly LeasedBrowser[] {
    this.#sessions.bringUpToDate();
    return this.#sessions.browsers
      .select()
      .flatMap((browser) => asSession(browser) ?? [])
      .toSorted((a, b) => b.lease.acquiredMs - a.lease.acquiredMs)
      .map((session) => this.#shown(session));
  }

  /** Page that was opened last and has an address; null if no browser runs, or if the browser has no page. */
  async picture(id: string): Promise<BrowserPicture | null> {
    const browser = this.#sessions.running?.find(this.#require(id).id);
    return (await browser?.picture().catch(() => null)) ?? null;
  }

  /** Ends a lease and its browser, as a client does that deletes the session. */
  async end(id: string): Promise<void> {
    await this.#sessions.end(this.#require(id).id);
  }

  #require(id: string): Session {
    return requireFound(asSession(this.#sessions.browsers.find(id)), "browser_unknown", id);
  }

  #shown({ id, projectId, poolId, lease, extensionIds }: Session): LeasedBrowser {
    const { running, startsBrowsers } = this.#sessions;
    const browser = running?.find(id);
    const reason = running ? reasons.lease : startsBrowsers ? reasons.machine : reasons.option;
    return {
      ...{ id, projectId, poolId, name: lease.name, apiKeyId: lease.apiKeyId },
      acquiredAt: new Date(lease.acquiredMs).toISOString(),
      clients: browser?.clients.size ?? 0,
      missing: browser ? null : reason,
      extensions:
        browser?.extensions() ??
        extensionIds.map((each) => ({ name: this.#extensions.find(each)?.name ?? each, errors: [] })),
      pageErrors: browser?.pageErrors() ?? [],
    };
  }
}
