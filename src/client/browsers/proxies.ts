import type { CallOptions } from "../http/call.js";
import { trimmedNameProblem } from "../names.js";
import { type RenamableListing, RenamableOperations } from "../operations/renamable.js";
import { checkSettings } from "../options.js";
import { type NewProxy, type Proxy, proxySchema } from "./proxy.js";
import { proxyProblems } from "./proxy-settings.js";

/**
 * The proxies of a project (`/proxies`). Reads and `rename` are retried; `create` and `delete` only
 * while a rate limit refuses the request. Names are not unique. A proxy used by an auth connection
 * is not deleted (`resource_in_use`).
 *
 * Source: the service's published description.
 */
export class ProxyOperations extends RenamableOperations<Proxy> {
  /**
   * Creates a proxy. Sent once, and again only while a rate limit refuses the request. No error
   * contains the password or the certificates, except strings of fewer than 6 characters.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused, so that nothing
   * was created; `ConnectionError` when nothing was sent; `OutcomeUnknownError` when the proxy may
   * exist. Only a unique name then identifies the proxy.
   */
  async create(proxy: NewProxy, options: CallOptions = {}): Promise<Proxy> {
    const { name, type, protocol, bypassHosts, config } = proxy;
    checkSettings("proxy", proxyProblems(proxy));
    const { caBundle, ...others } = config ?? {};
    const settings = {
      type,
      protocol,
      bypass_hosts: bypassHosts,
      config: config && { ...others, ca_bundle: caBundle },
    };
    return this.createNamed(name, settings, options, {
      wrongIf: [(made) => made.name !== (name ?? null) || made.type !== type, "it describes another proxy"],
    });
  }

  /** @internal */
  protected override listing(): RenamableListing<Proxy> {
    return { path: "/proxies", noun: "proxy", schema: proxySchema, nameProblem: trimmedNameProblem };
  }
}
