import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { pathSegment } from "../http/path.js";
import { changeRecord, createRecord, deleteRecord, readRecord } from "../http/record-calls.js";
import type { Listing, ListOptions } from "../operations/list.js";
import { NamedOperations } from "../operations/named.js";
import { checkSettings } from "../options.js";
import {
  type BrowserNetwork,
  type BrowserPool,
  type BrowserPoolSettings,
  browserPoolSchema,
} from "./browser-pool.js";
import { browserPoolProblems, networkOnWire, settingsOnWire } from "./browser-pool-settings.js";

/** Largest response with a single pool, in bytes (8 MiB): a policy alone may have 5 MiB. */
const poolBytesMax = 8_388_608;

/** Largest page of pools, in bytes (16 MiB). Few policies have more than some kilobytes. */
const poolsBytesMax = 16_777_216;

const poolNotFoundAdvice =
  "Check the pool's id, and that the pool is in the project of the settings: pools of other projects are not found.";

/** Options of the list of browser pools. */
export interface BrowserPoolListOptions extends ListOptions {
  /** Only pools of the region, such as `eu-west`. Default: pools of every region. */
  readonly region?: string | undefined;
}

/** Options of `update`. */
export interface BrowserPoolUpdateOptions extends CallOptions {
  /**
   * Whether idle browsers are destroyed and rebuilt with the new settings. Leased browsers keep the
   * old settings. Default false: only browsers built from now on have the new settings.
   */
  readonly rebuildIdleBrowsers?: boolean | undefined;
  /**
   * The pool's `network` as last read, or null for none. If the network differs by now, the service
   * changes nothing (409 `stale_network`). Default: the change does not depend on the network.
   */
  readonly expectedNetwork?: BrowserNetwork | null | undefined;
}

/** Options of `delete`. */
export interface BrowserPoolDeleteOptions extends CallOptions {
  /** Whether to end leased browsers. Default false: they prevent the deletion (`pool_in_use`). */
  readonly force?: boolean | undefined;
}

/**
 * The browser pools of a project. Reads are retried, and so is `update`, which sets absolute
 * values; `create` and `delete` are retried only while a rate limit refuses the request.
 *
 * Users of a pool acquire and release browsers with the service's own client.
 */
export class BrowserPoolOperations extends NamedOperations<BrowserPool, BrowserPoolListOptions> {
  /**
   * Creates a browser pool (`POST /browser_pools`), which the service fills from then on. Sent
   * once, and again only while a rate limit refuses the request. Null settings count as omitted.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused, so that nothing
   * was created (409: the name is already used); `ConnectionError` when nothing was sent;
   * `OutcomeUnknownError` when the pool may exist: look for the name.
   */
  async create(
    settings: BrowserPoolSettings & { readonly size: number },
    options: CallOptions = {},
  ): Promise<BrowserPool> {
    const { name } = settings;
    // A new pool without the setting is not headless.
    const headless = settings.headless ?? false;
    checkSettings("browser pool", browserPoolProblems({ ...settings, headless }));
    return createRecord(this.transport, {
      path: "/browser_pools",
      operation:
        name === undefined ? "Creating a browser pool without a name" : `Creating the browser pool "${name}"`,
      unknownOutcomeAdvice: "List the browser pools and compare names before creating it again.",
      body: jsonBody(settingsOnWire(settings, "create")),
      bodyBytesMax: poolBytesMax,
      schema: browserPoolSchema,
      wrongIf: [(pool) => pool.name !== (name ?? null), "it describes another browser pool"],
      signal: options.signal,
    });
  }

  /**
   * Reads a browser pool by id (`GET /browser_pools/{id_or_name}`), with retries. Throws `ApiError`
   * (no such pool: `isNotFound`), and `ContractError` if the service took the id for the name of a
   * different pool.
   */
  async get(id: string, options: CallOptions = {}): Promise<BrowserPool> {
    return readRecord(this.transport, {
      path: poolPath(id),
      operation: `Reading the browser pool "${id}"`,
      notFoundAdvice: poolNotFoundAdvice,
      bodyBytesMax: poolBytesMax,
      ...expectedRecord(id),
      signal: options.signal,
    });
  }

  /**
   * Changes the given settings (`PATCH /browser_pools/{id_or_name}`), with retries, and returns the
   * pool as stored by the service. Null clears a setting. A region cannot be changed.
   *
   * Throws `InputError` before any request; `ApiError` or `ConnectionError` when nothing changed;
   * `OutcomeUnknownError` when the pool may have the old or the new settings.
   */
  async update(
    id: string,
    settings: Omit<BrowserPoolSettings, "region">,
    options: BrowserPoolUpdateOptions = {},
  ): Promise<BrowserPool> {
    const path = poolPath(id);
    const { expectedNetwork } = options;
    checkSettings("browser pool", browserPoolProblems(settings));
    return changeRecord(this.transport, {
      path,
      operation: `Changing the browser pool "${id}"`,
      unknownOutcomeAdvice:
        "The pool has either the old settings or the new settings. Read the pool to see which. Repeating the change is safe.",
      notFoundAdvice: poolNotFoundAdvice,
      body: jsonBody({
        ...settingsOnWire(settings, "update"),
        discard_all_idle: options.rebuildIdleBrowsers || undefined,
        expected_network: expectedNetwork === undefined ? undefined : networkOnWire(expectedNetwork),
      }),
      bodyBytesMax: poolBytesMax,
      ...expectedRecord(id),
      signal: options.signal,
    });
  }

  /**
   * Deletes a browser pool with all browsers (`DELETE /browser_pools/{id_or_name}`). Sent once, and
   * again only while a rate limit refuses the request. Throws `ApiError` (also `pool_in_use` while
   * browsers are leased, unless `force`; no such pool: `isNotFound`), and `OutcomeUnknownError`
   * when the pool may be deleted.
   */
  async delete(id: string, options: BrowserPoolDeleteOptions = {}): Promise<void> {
    return deleteRecord(this.transport, {
      path: poolPath(id),
      operation: `Deleting the browser pool "${id}"`,
      unknownOutcomeAdvice: "Read the browser pool; if it still exists, delete it again.",
      notFoundAdvice: poolNotFoundAdvice,
      body: jsonBody(options.force === true ? { force: true } : {}),
      signal: options.signal,
    });
  }

  /** @internal */
  protected override listing({ region }: BrowserPoolListOptions): Listing<BrowserPool> {
    return {
      path: "/browser_pools",
      noun: "browser pool",
      schema: browserPoolSchema,
      bodyBytesMax: poolsBytesMax,
      parameters: { region },
    };
  }
}

function expectedRecord(id: string) {
  return {
    schema: browserPoolSchema,
    wrongIf: [(pool: BrowserPool) => pool.id !== id, "it describes another browser pool"] as const,
  };
}

function poolPath(id: string): string {
  return `/browser_pools/${pathSegment("id", id, "the pool's id")}`;
}
