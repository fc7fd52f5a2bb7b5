import { InputError } from "../../../errors.js";
import { foldedName, newId, refuse, refuseProblem } from "../../storage/ids-and-names.js";
import { NamedTable } from "../../storage/table.js";
import { type CreateRequest, proxyNameProblem } from "./requests.js";

export type ProxyType = "isp" | "residential" | "mobile" | "custom";

/** Result of a proxy's last health check. */
export type ProxyStatus = "available" | "unavailable";

/** Proxy, as stored by the emulator. Running browsers use a custom proxy without a password. */
export interface EmulatedProxy {
  /** As given, at most 64 characters; otherwise 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly projectId: string;
  /** Several proxies may have the same name; null for a proxy without a name. */
  readonly name: string | null;
  readonly type: ProxyType;
  readonly protocol: "http" | "https";
  readonly bypassHosts: readonly string[] | null;
  /** Configuration in a response: without secrets, but with a flag for every secret. */
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly status: ProxyStatus;
  /** Stable address of a range for documentation (RFC 5737); null unless `isp`. */
  readonly ipAddress: string | null;
  /** Time of the last health check, as an ISO 8601 date-time; null before the first check. */
  readonly lastChecked: string | null;
}

/** Proxies in the database. Passwords and certificates are not stored. @internal */
export class ProxyStore extends NamedTable<EmulatedProxy> {
  /** Stores a proxy. Throws `InputError` `proxy_exists`. */
  insert(
    projectId: string,
    { name, type, protocol, bypass_hosts: bypassHosts, config }: CreateRequest,
    id = newId(),
    status: ProxyStatus = "available",
  ): EmulatedProxy {
    const problem = `A proxy with the id "${id}" already exists. Choose another.`;
    const proxy = this.add({
      ...{ id, projectId, name: name ?? null, type, protocol, bypassHosts: bypassHosts ?? null },
      config: config ? shownConfig(config) : null,
      status,
      ipAddress: type === "isp" ? `203.0.113.${1 + (Buffer.from(id).readUInt8(0) % 254)}` : null,
      lastChecked: null,
    });
    return proxy ?? refuse(new InputError("proxy_exists", "id", problem));
  }

  /** Renames a proxy, which must exist. Throws `InputError` for a bad name. */
  rename(id: string, name: string): EmulatedProxy {
    refuseProblem("proxy_invalid", "name", 'A proxy\'s "name"', proxyNameProblem(name));
    return this.set(id, { name: name.trim() }) as EmulatedProxy;
  }

  /** Records the result of a health check of a proxy, which must exist. */
  setStatus(id: string, status: ProxyStatus): EmulatedProxy {
    return this.set(id, {
      status,
      lastChecked: this.now().toISOString(),
    }) as EmulatedProxy;
  }

  /** Finds the proxies of a project by id or name. An id wins over an equal name. */
  allIn(projectId: string, idOrName: string): readonly EmulatedProxy[] {
    const byId = this.find(idOrName);
    const name = foldedName(idOrName);
    return byId?.projectId === projectId
      ? [byId]
      : this.select((proxy) => proxy.projectId === projectId && foldedName(proxy.name ?? "") === name);
  }

  // The host of a custom proxy, too. Source: the published interface.
  protected override searched({ name, config }: EmulatedProxy) {
    return [name, config?.host as string | undefined];
  }

  /** Finds the proxy for an object of a project. Throws `InputError` unless exactly one fits. */
  requireIn(projectId: string, idOrName: string): EmulatedProxy {
    const [proxy, ...others] = this.allIn(projectId, idOrName);
    const problem =
      others.length > 0
        ? `Several proxies of the project are named "${idOrName}". Use an id.`
        : `The project has no proxy "${idOrName}".`;
    return proxy && others.length === 0 ? proxy : refuse(new InputError("proxy_unknown", "proxy", problem));
  }
}

function shownConfig({ password, ca_bundle: bundle, ...config }: Readonly<Record<string, unknown>>) {
  return "host" in config
    ? { ...config, has_password: password !== undefined, has_ca_bundle: bundle !== undefined }
    : config;
}
