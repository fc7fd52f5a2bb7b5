import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { ServiceError } from "./service-error.js";

/** What is answered besides programs on this machine and the emulator's own pages. */
export interface AllowedSources {
  /** Answer under any host name. */
  readonly allowRemote: boolean;
  /** Origins whose pages may ask, as browsers write them: `http://localhost:3000`. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Refuses what a web page of another site makes a browser send. Throws `ServiceError` 403:
 *
 * - `host_not_allowed`: without `allowRemote`, for a host that is not a loopback name. A website
 *   can let its own name lead to this machine (DNS rebinding) and then read every answer. With
 *   `allowRemote` any name may be right.
 * - `origin_not_allowed`: for a page that is neither the emulator's own nor of one of the
 *   `allowedOrigins`: any program of any user can serve pages on another port of this machine. The
 *   browser says so in `Origin` or `Sec-Fetch-Site`, which no page can set. A program sends
 *   neither. A clicked link is fine: it may lead to the login page.
 *
 * Source of the headers: the Fetch standard, and W3C "Fetch Metadata Request Headers".
 */
export function refuseForeign(
  request: IncomingMessage,
  { allowRemote, allowedOrigins }: AllowedSources,
): void {
  const authority = authorityOf(request);
  if (!allowRemote && !isLoopback(hostnameOf(authority))) {
    throw new ServiceError(
      403,
      "host_not_allowed",
      `The emulator answers only under a loopback name, such as 127.0.0.1 or localhost, not under ${JSON.stringify(authority)}. Use the address that it printed, or start it with allowRemote (--allow-remote).`,
    );
  }
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
 * The headers that let a page of an allowed origin read an answer, and with a preflight send a
 * request as it asks. None for any other request.
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

/** The foreign page that made a browser send a request; undefined when there is none. */
function foreignSource({ headers, method }: IncomingMessage, authority: string): string | undefined {
  const { origin } = headers;
  const isSameOrigin = headers["sec-fetch-site"] === "same-origin";
  if (origin === undefined) {
    // Another port of the same host is another origin of the same site.
    const isForeign = ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"]));
    const isClickedLink =
      method === "GET" &&
      headers["sec-fetch-mode"] === "navigate" &&
      headers["sec-fetch-dest"] === "document";
    return isForeign && !isClickedLink
      ? `another page (Sec-Fetch-Site: ${headers["sec-fetch-site"]})`
      : undefined;
  }
  // Any site can make a page whose origin is null, but only our own page is also of the same
  // origin: it sends no referrer, for which some requests have the origin null.
  if (origin === "null") {
    return isSameOrigin ? undefined : "a page that hides its origin (Origin: null)";
  }
  const url = /^https?:\/\//i.test(origin) && URL.canParse(origin) ? new URL(origin) : undefined;
  const isOwn = url !== undefined && url.host === hostOf(url.protocol, authority);
  // A proxy that speaks TLS or changes the host makes the emulator's own origin look like another.
  return isOwn || isSameOrigin ? undefined : JSON.stringify(origin);
}

/** The host, with its port, that a request is for. RFC 9112 3.2.2: a whole URL overrides `Host`. */
function authorityOf({ url = "", headers }: IncomingMessage): string {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).host : (headers.host ?? "");
}

/** The host of an authority; undefined when it is malformed. */
function hostnameOf(authority: string): string | undefined {
  // Not everything that a URL may have before its path is a host.
  const url = /[@/?#\\]/.test(authority) ? undefined : `http://${authority}`;
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** An authority without the port that is the default of this protocol. */
function hostOf(protocol: string, authority: string): string | undefined {
  const url = `${protocol}//${authority}`;
  return hostnameOf(authority) !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

/** Whether every machine takes a name, as a URL has it, for itself. Source: RFC 6761, 6.3. */
function isLoopback(hostname = ""): boolean {
  const name = hostname.replace(/\.$/, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "[::1]" ||
    (isIPv4(name) && name.startsWith("127."))
  );
}
