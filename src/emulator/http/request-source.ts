import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";
import { hostname } from "node:os";
import { ServiceError } from "./service-error.js";

/** Sources answered besides programs on this machine and the emulator's own pages. */
export interface AllowedSources {
  /** Whether requests under an IP address or the name of this machine are answered. */
  readonly allowRemote: boolean;
  /** Further hosts under which requests are answered, as {@link isHost} accepts them. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may send requests, as browsers write origins: `http://localhost:3000`. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Refuses requests that a foreign web page makes a browser send. Throws `ServiceError` 403:
 *
 * - `host_not_allowed`: for a host that is neither a loopback name nor in `allowedHosts`. A website
 *   can point its own name to this machine (DNS rebinding) and then read every response. With
 *   `allowRemote`, IP addresses, which no website can point elsewhere, and the machine's own name
 *   are answered too.
 * - `origin_not_allowed`: for a page that is neither the emulator's own nor in `allowedOrigins`:
 *   any program of any user can serve pages on a different port of this machine. The browser
 *   reports the page in `Origin` or `Sec-Fetch-Site`, which no page can set. A program sends
 *   neither header. A clicked link is allowed, since a link may lead to the login page.
 *
 * Source of the headers: the Fetch standard, and W3C "Fetch Metadata Request Headers".
 */
export function refuseForeign(request: IncomingMessage, sources: AllowedSources): void {
  const authority = authorityOf(request);
  const host = hostnameOf(authority);
  if (!isAllowedHost(host, sources)) {
    const isRemote = isAllowedHost(host, { allowRemote: true, allowedHosts: [] });
    const remedy = isRemote
      ? "with allowRemote (--allow-remote)"
      : "with the name in allowedHosts (--allow-host)";
    throw new ServiceError(
      403,
      "host_not_allowed",
      `The emulator does not answer under ${JSON.stringify(authority)}, because a website can give this machine any name. Use the printed address, or start the emulator ${remedy}.`,
    );
  }
  const { allowedOrigins } = sources;
  const source = foreignSource(request, authority);
  if (source !== undefined && !allowedOrigins.includes(request.headers.origin ?? "")) {
    throw new ServiceError(
      403,
      "origin_not_allowed",
      `The emulator does not answer web pages of other sites, and this request is from ${source}. Send it from a program, or allow the origin with allowedOrigins (--allow-origin).`,
    );
  }
}

/**
 * Headers with which a page of an allowed origin can read a response and, after a preflight, send
 * the announced request. None for any other request.
 */
export function headersForPage({ headers }: IncomingMessage, { allowedOrigins }: AllowedSources) {
  const { origin = "" } = headers;
  const asked = headers["access-control-request-method"];
  return {
    ...(allowedOrigins.includes(origin) && {
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "*",
      vary: "Origin",
      ...(asked !== undefined && {
        "access-control-allow-methods": asked,
        "access-control-allow-headers": headers["access-control-request-headers"] ?? "",
      }),
    }),
  };
}

/** Describes the foreign page that made a browser send a request; undefined if there is none. */
function foreignSource({ headers, method }: IncomingMessage, authority: string): string | undefined {
  const { origin } = headers;
  const isSameOrigin = headers["sec-fetch-site"] === "same-origin";
  if (origin === undefined) {
    // A different port of the same host is a different origin of the same site.
    const isForeign = ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"]));
    const isClickedLink =
      method === "GET" &&
      headers["sec-fetch-mode"] === "navigate" &&
      headers["sec-fetch-dest"] === "document";
    return isForeign && !isClickedLink
      ? `another page (Sec-Fetch-Site: ${headers["sec-fetch-site"]})`
      : undefined;
  }
  // Any site can make a page whose origin is null. Only our own page is also same-origin: our page
  // sends no referrer, so some requests have the origin null.
  if (origin === "null") {
    return isSameOrigin ? undefined : "a page that hides its origin (Origin: null)";
  }
  const url = /^https?:\/\//i.test(origin) && URL.canParse(origin) ? new URL(origin) : undefined;
  const isOwn = url !== undefined && url.host === hostOf(url.protocol, authority);
  // A proxy that speaks TLS or changes the host makes the emulator's own origin look foreign.
  return isOwn || isSameOrigin ? undefined : JSON.stringify(origin);
}

/** Returns host and port addressed by a request. RFC 9112 3.2.2: a whole URL overrides `Host`. */
function authorityOf({ url = "", headers }: IncomingMessage): string {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).host : (headers.host ?? "");
}

/** Whether a text is a host as a URL names hosts: without port, IPv6 in brackets, in lower case. */
export function isHost(text: string): boolean {
  return hostnameOf(text) === text && !text.includes("*");
}

/** Host of an authority; undefined if malformed. */
function hostnameOf(authority: string): string | undefined {
  // A URL may contain more than a host before the path.
  const url = /[@/?#\\]/.test(authority) ? undefined : `http://${authority}`;
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Returns an authority without the default port of a protocol. */
function hostOf(protocol: string, authority: string): string | undefined {
  const url = `${protocol}//${authority}`;
  return hostnameOf(authority) !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

function isAllowedHost(
  host = "",
  { allowRemote, allowedHosts }: Pick<AllowedSources, "allowRemote" | "allowedHosts">,
): boolean {
  const name = host.replace(/\.$/, "");
  const isRemote = isIP(name.replace(/^\[|\]$/g, "")) !== 0 || name === hostname().toLowerCase();
  return isLoopback(name) || (allowRemote && isRemote) || allowedHosts.includes(name);
}

/** Whether a host is a loopback name on every machine. Source: RFC 6761, 6.3. */
function isLoopback(name: string): boolean {
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "[::1]" ||
    (isIPv4(name) && name.startsWith("127."))
  );
}
