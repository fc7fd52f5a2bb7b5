import { requireFound } from "../../storage/ids-and-names.js";
import type { ExtensionStore } from "../extensions/store.js";
import { endSession, type RunningBrowsers } from "./running.js";
import type { SessionService } from "./service.js";
import { asSession, type Session } from "./store.js";

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

/** Page of a leased browser, as it looks now. */
export interface BrowserPicture {
  readonly url: string;
  readonly title: string;
  /** Picture as base64 of a JPEG; null if the page gives none within five seconds, such as a hidden page. */
  readonly jpeg: string | null;
}

interface BrowserParts {
  readonly sessions: SessionService;
  readonly extensions: ExtensionStore;
  readonly running: RunningBrowsers | undefined;
  readonly startsBrowsers: boolean;
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
  readonly #parts: BrowserParts;

  /** @internal */
  constructor(parts: BrowserParts) {
    this.#parts = parts;
  }

  /** Every leased browser of the organization, the newest lease first. */
  list(): readonly LeasedBrowser[] {
    const { sessions } = this.#parts;
    sessions.bringUpToDate();
    return sessions.browsers
      .select()
      .flatMap((browser) => asSession(browser) ?? [])
      .toSorted((a, b) => b.lease.acquiredMs - a.lease.acquiredMs)
      .map((session) => this.#shown(session));
  }

  /** Page that was opened last and has an address; null if no browser runs, or if the browser has no page. */
  async picture(id: string): Promise<BrowserPicture | null> {
    const browser = this.#parts.running?.find(this.#require(id).id);
    const [page] = (await browser?.pages().catch(() => [])) ?? [];
    if (!browser || !page) {
      return null;
    }
    return { url: page.url, title: page.title, jpeg: await browser.picture(page.id).catch(() => null) };
  }

  /** Ends a lease and its browser, as a client does that deletes the session. */
  async end(id: string): Promise<void> {
    const { sessions, running } = this.#parts;
    await endSession(sessions.browsers, running, this.#require(id).id);
  }

  #require(id: string): Session {
    return requireFound(asSession(this.#parts.sessions.browsers.find(id)), "browser_unknown", id);
  }

  #shown({ id, projectId, poolId, lease, extensionIds }: Session): LeasedBrowser {
    const { extensions, running, startsBrowsers } = this.#parts;
    const browser = running?.find(id);
    const reason = running ? reasons.lease : startsBrowsers ? reasons.machine : reasons.option;
    return {
      ...{ id, projectId, poolId, name: lease.name, apiKeyId: lease.apiKeyId },
      acquiredAt: new Date(lease.acquiredMs).toISOString(),
      clients: running?.clients(id) ?? 0,
      missing: browser ? null : reason,
      extensions:
        browser?.extensions() ??
        extensionIds.map((each) => ({ name: extensions.find(each)?.name ?? each, errors: [] })),
      pageErrors: browser?.pageErrors() ?? [],
    };
  }
}
