import { z } from "zod";
import type { Open } from "../open-enum.js";
import { dateTime, ifReadable, orNull, record, recordId } from "../schema.js";

/** Source of a proxy's addresses. `custom`: your own proxy. */
export type ProxyType = "isp" | "residential" | "mobile" | "custom";

/** Choice of a proxy within a type. Every comment names the types that accept the member. */
export interface NewProxyConfig {
  /**
   * `isp`: US, GB, FR, DE, SG or KR; default US. `residential`, `mobile`: default any country;
   * required with any member below except `os`.
   */
  readonly country?: string | undefined;
  /** `residential`, `mobile`: a state of the US, for `residential` as two letters. */
  readonly state?: string | undefined;
  /** `residential`: in lower case, without spaces. `mobile`: the provider's name for a city. */
  readonly city?: string | undefined;
  /** `residential`: ZIP code of the US, five digits, in place of a state and a city. */
  readonly zip?: string | undefined;
  /** `residential`: number of an autonomous system, `AS7922`, in place of a state and a city. */
  readonly asn?: string | undefined;
  /** `residential`: windows, macos or android. */
  readonly os?: string | undefined;
  /** `custom`: host name or address of your own proxy. */
  readonly host?: string | undefined;
  /** `custom`: port of your own proxy, 1 to 65535. */
  readonly port?: number | undefined;
  /** `custom`: user name. */
  readonly username?: string | undefined;
  /** `custom`: password of at least 5 characters. Never shown by the service. */
  readonly password?: string | undefined;
  /**
   * `custom`: certificates of authorities in PEM, at most 64 KiB, for a proxy that ends TLS itself.
   * Never shown by the service.
   */
  readonly caBundle?: string | undefined;
}

export interface NewProxy {
  /** 1 to 255 characters, without whitespace at the start or the end. Not unique. Default: none. */
  readonly name?: string | undefined;
  /** Source of the addresses. */
  readonly type: ProxyType;
  /** Protocol between browsers and proxy. Default: https. */
  readonly protocol?: "http" | "https" | undefined;
  /**
   * Hosts that browsers reach without the proxy: at most 100 hostnames, perhaps with `*.` in front.
   * The service converts hosts to lower case. Default: none.
   */
  readonly bypassHosts?: readonly string[] | undefined;
  /** Configuration, required for a `custom` proxy. Default: the service's choice. */
  readonly config?: NewProxyConfig | undefined;
}

/** The members of a proxy's configuration that the service shows. */
export interface ReadProxyConfig {
  /** Country code, if any. */
  readonly country: string | null;
  /** State, if any. */
  readonly state: string | null;
  /** City, if any. */
  readonly city: string | null;
  /** ZIP code, if any. */
  readonly zip: string | null;
  /** Number of an autonomous system, if any. */
  readonly asn: string | null;
  /** Operating system, if any. */
  readonly os: string | null;
  /** Host of a custom proxy. */
  readonly host: string | null;
  /** Port of a custom proxy. */
  readonly port: number | null;
  /** User name at a custom proxy, if any. */
  readonly username: string | null;
  /** Whether the proxy has a password, if reported. */
  readonly hasPassword: boolean | null;
  /** Whether the proxy has certificates, if reported. */
  readonly hasCaBundle: boolean | null;
}

/** A proxy of a project. The service reports no creation time. */
export interface Proxy {
  /** Unique id. */
  readonly id: string;
  /** Name, not unique. No value: no name. */
  readonly name: string | null;
  /** Source of the addresses. The service may add more. */
  readonly type: Open<ProxyType>;
  /** Protocol between browsers and proxy: `http` or `https`, if reported. */
  readonly protocol: string | null;
  /** Hosts that browsers reach without the proxy. */
  readonly bypassHosts: readonly string[];
  /** Configuration without secrets, if reported. */
  readonly config: ReadProxyConfig | null;
  /** `available` or `unavailable` at the last check, if reported. */
  readonly status: string | null;
  /** IP address of a proxy with a stable address. */
  readonly ipAddress: string | null;
  /** Time of the last check, as an ISO 8601 date-time, if reported. */
  readonly lastChecked: string | null;
}

const text = ifReadable(z.string());
const flag = ifReadable(z.boolean());

/** A proxy. Unknown members of a configuration are omitted. @internal */
export const proxySchema: z.ZodType<Proxy> = record({
  id: recordId,
  name: orNull(z.string()),
  type: z.string().min(1),
  protocol: text,
  bypass_hosts: orNull(z.array(z.string())).transform((hosts) => hosts ?? []),
  config: ifReadable(
    record({
      country: text,
      state: text,
      city: text,
      zip: text,
      asn: text,
      os: text,
      host: text,
      port: ifReadable(z.int()),
      username: text,
      has_password: flag,
      has_ca_bundle: flag,
    }),
  ),
  status: text,
  ip_address: text,
  last_checked: ifReadable(dateTime),
});
