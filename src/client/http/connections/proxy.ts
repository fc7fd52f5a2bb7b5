import { ConfigError } from "../../../errors.js";
import { isLoopbackHost } from "../../../text/base-url.js";

/** Variables with the proxy for https, best first. undici falls back on the last two. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] as const;
const noProxyVariables = ["no_proxy", "NO_PROXY"] as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Proxy from the environment. `noProxy` decides whether a host is reached through the proxy. */
export interface HttpProxy {
  /** Address with scheme, and with user name and password if given. Never show the address. */
  readonly address: string;
  /** Host and port, for messages. */
  readonly host: string;
  /** Variable with the address, for messages. */
  readonly variable: string;
  /** Hosts reached directly, as in the variable `NO_PROXY`; empty: none. */
  readonly noProxy: string;
}

/**
 * Finds the proxy for a base URL: `HTTPS_PROXY`, else `HTTP_PROXY`; a variable in lower case wins.
 * An address without a scheme is an http proxy. Undefined without a proxy, and for the local
 * machine, whatever the value of `NO_PROXY`: only there http is allowed, and a proxy elsewhere
 * would read the API key.
 *
 * Throws `ConfigError` `config_invalid` for an address that is not http or https. The message does
 * not contain the address, which may include a password.
 */
export function proxyFor(baseUrl: string, environment: Environment): HttpProxy | undefined {
  const variable = proxyVariables.find((name) => environment[name]?.trim());
  if (variable === undefined || isLoopbackHost(new URL(baseUrl).hostname)) {
    return undefined;
  }
  const value = environment[variable]?.trim() ?? "";
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url === null || !/^https?:$/.test(url.protocol) || !hasReadableCredentials(url)) {
    throw new ConfigError(
      "config_invalid",
      `The proxy in the environment variable ${variable} is not an http or https address such as ` +
        `http://proxy.example.com:3128. Correct ${variable}, or unset it to connect directly.`,
    );
  }
  const noProxy = noProxyVariables.map((name) => environment[name]?.trim()).find(Boolean) ?? "";
  return { address: url.href, host: url.host, variable, noProxy };
}

/** Whether undici can decode user name and password: a stray percent sign makes undici fail. */
function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
