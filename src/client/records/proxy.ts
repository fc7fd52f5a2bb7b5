/** What a proxy can be made of, and what the service says of one. Free of zod. */
import type { Open } from "./open.js";

/** Where a proxy's addresses come from, from the most ordinary to one of your own. */
export type ProxyType = "isp" | "residential" | "mobile" | "custom";

/** How a proxy of a type is chosen. Which members a type takes is said at each of them. */
export interface NewProxyConfig {
  /**
   * `isp`: US, GB, FR, DE, SG or KR; default US. `residential`, `mobile`: default any country; needed
   * with any member below but `os`.
   */
  readonly country?: string | undefined;
  /** A state of the US. `residential`: two letters. */
  readonly state?: string | undefined;
  /** `residential`: in lower case, without spaces. `mobile`: the provider's word for a city. */
  readonly city?: string | undefined;
  /** `residential`: ZIP code of the US, five digits, in place of a state and a city. */
  readonly zip?: string | undefined;
  /** `residential`: number of an autonomous system, `AS7922`, in place of a state and a city. */
  readonly asn?: string | undefined;
  /** `residential`: windows, macos or android. */
  readonly os?: string | undefined;
  /** `custom`: host name or address of your own proxy. */
  readonly host?: string | undefined;
  /** `custom`: its port, 1 to 65535. */
  readonly port?: number | undefined;
  /** `custom`: user name. */
  readonly username?: string | undefined;
  /** `custom`: password of at least 5 characters. The service never shows it. */
  readonly password?: string | undefined;
  /**
   * `custom`: certificates of authorities in PEM, at most 64 KiB, for a proxy that ends TLS itself.
   * The service never shows them.
   */
  readonly caBundle?: string | undefined;
}

/** A proxy to create. */
export interface NewProxy {
  /** 1 to 255 characters, without whitespace at the start or the end. Not unique. Default: none. */
  readonly name?: string | undefined;
  /** Where its addresses come from. */
  readonly type: ProxyType;
  /** How browsers speak to it. Default: https. */
  readonly protocol?: "http" | "https" | undefined;
  /**
   * Hosts that browsers reach without it: at most 100 hostnames, perhaps with `*.` in front. The
   * service makes them lower case. Default: none.
   */
  readonly bypassHosts?: readonly string[] | undefined;
  /** A `custom` proxy needs it. Default: the service's choice. */
  readonly config?: NewProxyConfig | undefined;
}

/** The members of a proxy's configuration that the service shows. */
export interface ReadProxyConfig {
  /** Country code. No value: it has none. */
  readonly country: string | null;
  /** State. No value: it has none. */
  readonly state: string | null;
  /** City. No value: it has none. */
  readonly city: string | null;
  /** ZIP code. No value: it has none. */
  readonly zip: string | null;
  /** Number of an autonomous system. No value: it has none. */
  readonly asn: string | null;
  /** Operating system. No value: it has none. */
  readonly os: string | null;
  /** Host of a custom proxy. */
  readonly host: string | null;
  /** Port of a custom proxy. */
  readonly port: number | null;
  /** User name at a custom proxy. No value: it has none. */
  readonly username: string | null;
  /** Whether it has a password, if the service says so. */
  readonly hasPassword: boolean | null;
  /** Whether it has certificates, if the service says so. */
  readonly hasCaBundle: boolean | null;
}

/** A proxy of a project. The service says of none when it was created. */
export interface Proxy {
  /** Unique id. */
  readonly id: string;
  /** Name, which several proxies may have. No value: it has none. */
  readonly name: string | null;
  /** Where its addresses come from. The service may add more. */
  readonly type: Open<ProxyType>;
  /** How browsers speak to it: `http` or `https`, if the service says so. */
  readonly protocol: string | null;
  /** Hosts that browsers reach without it. */
  readonly bypassHosts: readonly string[];
  /** How it was chosen, without secrets, if the service says so. */
  readonly config: ReadProxyConfig | null;
  /** `available` or `unavailable` at the last check, if the service says so. */
  readonly status: string | null;
  /** Its address, where it has a stable one. */
  readonly ipAddress: string | null;
  /** When it was last checked, as an ISO 8601 date-time, if the service says so. */
  readonly lastChecked: string | null;
}
