import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { type Listing, type ListOptions, nameTakenAdvice } from "../operations/list.js";
import { NamedOperations } from "../operations/named.js";
import { checkSettings } from "../options.js";
import {
  type BrowserNetwork,
  type BrowserPool,
  type BrowserPoolSettings,
  browserPoolSchema,
} from "./browser-pool.js";
import { browserPoolProblems, networkOnWire, settingsOnWire } from "./browser-pool-settings.js";

/** Largest response, in bytes (16 MiB): a policy has at most 5 MiB, few have more than some KiB. */
const poolsBytesMax = 16_777_216;

export interface BrowserPoolListOptions extends ListOptions {
  /** Only pools of the region, such as `eu-west`. Default: pools of every region. */
  readonly region?: string | undefined;
}

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

export interface BrowserPoolDeleteOptions extends CallOptions {
  /** Whether to end leased browsers. Default false: they prevent the deletion (`pool_in_use`). */
  readonly force?: boolean | undefined;
}

/**
 * The browser pools of a project (`/browser_pools`). Reads are retried, and so is `update`, which
 * sets absolute values; `create` and `delete` are retried only while a rate limit refuses the
 * request.
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
    return this.createNamed(name, settingsOnWire(settings, "create"), options);
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
    const { expectedNetwork } = options;
    checkSettings("browser pool", browserPoolProblems(settings));
    const changes = {
      ...settingsOnWire(settings, "update"),
      discard_all_idle: options.rebuildIdleBrowsers || undefined,
      expected_network: expectedNetwork === undefined ? undefined : networkOnWire(expectedNetwork),
    };
    return this.change(id, changes, options);
  }

  /**
   * Deletes a browser pool with all browsers (`DELETE /browser_pools/{id_or_name}`). Sent once, and
   * again only while a rate limit refuses the request. Throws `ApiError` (also `pool_in_use` while
   * browsers are leased, unless `force`; no such pool: `isNotFound`), and `OutcomeUnknownError`
   * when the pool may be deleted.
   */
  override async delete(id: string, options: BrowserPoolDeleteOptions = {}): Promise<void> {
    return this.remove(id, options, { body: jsonBody(options.force === true ? { force: true } : {}) });
  }

  /** @internal */
  protected override listing({ region }: BrowserPoolListOptions): Listing<BrowserPool> {
    return {
      path: "/browser_pools",
      noun: "browser pool",
      schema: browserPoolSchema,
      bodyBytesMax: poolsBytesMax,
      conflictAdvice: nameTakenAdvice,
      parameters: { region },
    };
  }
}
