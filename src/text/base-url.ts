/** Rules for a base URL: the addresses to which the API key may be sent. */
import { BlockList, isIP, isIPv4 } from "node:net";

/** Longest base URL, in characters. */
const baseUrlCharactersMax = 2048;

/**
 * Describes the problem of a base URL, as the end of a sentence that begins with the source of the
 * URL; undefined for a valid URL. The sentence shows at most the host: people paste keys into the
 * wrong place. Rules: see `parseBaseUrl`.
 */
export function baseUrlProblem(value: string): string | undefined {
  if (value.length > baseUrlCharactersMax) {
    return `is longer than ${baseUrlCharactersMax} characters`;
  }
  // `URL` drops tabs and line breaks and reads "\" as "/". The URL read must be the URL that the
  // user wrote.
  if (/[^!-~]|\\/.test(value)) {
    return "has a space, a backslash, a control or a non-ASCII character";
  }
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) {
    return "is not an absolute http or https address such as https://api.example.com";
  }
  const { username, password, hostname, protocol } = new URL(value);
  if (username !== "" || password !== "") {
    return "has a user name or password before the host; pass the API key as its own setting";
  }
  if (/[?#]/.test(value)) {
    return "has a query or a fragment; end it after the host or the path";
  }
  if (isMetadataHost(hostname)) {
    return `has the link-local or metadata address ${hostname}, which cannot be the service; use the URL of the service`;
  }
  if (protocol === "http:" && !isLoopbackHost(hostname)) {
    const why = "which would send the API key in clear text; use https (http is only for this machine)";
    return `uses http for ${hostname}, ${why}`;
  }
  return undefined;
}

/** IPv4 addresses of this machine. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);

/**
 * Addresses where a cloud's own agent hands out credentials: link-local (169.254.0.0/16,
 * fe80::/10), and addresses of large clouds. A `BlockList` also finds IPv4 addresses mapped into
 * IPv6 (::ffff:0:0/96). NAT64 addresses (64:ff9b::/96) must be listed.
 */
const metadata = new BlockList();
metadata.addSubnet("169.254.0.0", 16);
metadata.addSubnet("64:ff9b::169.254.0.0", 112, "ipv6");
metadata.addSubnet("fe80::", 10, "ipv6");
metadata.addAddress("fd00:ec2::254", "ipv6");
metadata.addAddress("100.100.100.200");
metadata.addAddress("64:ff9b::100.100.100.200", "ipv6");

/**
 * Whether a host name of a `URL` is this machine: localhost, 127.0.0.0/8 or [::1]. `URL` has
 * already turned other spellings (127.1, 0x7f000001) into 127.0.0.1.
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && loopback.check(hostname));
}

function isMetadataHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0
    ? hostname.replace(/\.$/, "") === "metadata.google.internal"
    : metadata.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}
