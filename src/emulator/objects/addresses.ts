/** Addresses and ranges of addresses, in rules of objects. Source of the forms: the published interface. */
import { isIP, isIPv4 } from "node:net";

/** Addresses whose first `prefix` bits are the same. */
interface Range {
  readonly first: bigint;
  readonly prefix: number;
  /** Bits of an address: 32 or 128. */
  readonly bits: number;
  /** Whether brackets are only around a single IPv6 address, and no prefix begins with a zero. */
  readonly isPlain: boolean;
}

const privateRanges = rangesOf(
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"],
);

/** Private and reserved ranges. The reserved ranges are a guess: those of IANA's registries. */
const reservedRanges = [
  ...privateRanges,
  ...rangesOf(
    ...["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15"],
    ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "::/128", "::1/128", "::ffff:0:0/96"],
    ...["100::/64", "2001:db8::/32", "fe80::/10", "ff00::/8"],
  ),
];

/** Whether a host is an address in a private or reserved range. An IPv6 address is in brackets. */
export function isReserved(host: string): boolean {
  const range = rangeOf(host);
  return range !== undefined && reservedRanges.some((each) => contains(each, range) || contains(range, each));
}

/** Whether a URL has a public host: no private or reserved address, and no name of the machine itself. */
export function isPublic({ hostname }: URL): boolean {
  return !isReserved(hostname) && !/(^|\.)localhost\.?$/.test(hostname);
}

/** Whether a range is within a private range. */
export function isInPrivateRange(range: Range): boolean {
  return privateRanges.some((each) => contains(each, range));
}

/** Parses an address or a range; undefined for a hostname. A single IPv6 address is in brackets. */
export function rangeOf(host: string): Range | undefined {
  const [, bracketed] = /^\[(.+)\]$/.exec(host) ?? [];
  const [address = "", prefix, ...others] = (bracketed ?? host).split("/");
  const family = isIP(address);
  const isRange = prefix === undefined || /^\d{1,3}$/.test(prefix);
  if (family === 0 || !isRange || others.length > 0 || (bracketed !== undefined && family !== 6)) {
    return undefined;
  }
  const isPlain =
    prefix === undefined ? (family === 6) === (bracketed !== undefined) : bracketed === undefined;
  const bits = family === 4 ? 32 : 128;
  return {
    first: numberOf(address),
    prefix: Number(prefix ?? bits),
    bits,
    isPlain: isPlain && !/^0\d/.test(prefix ?? ""),
  };
}

/** Problem of a range, as the end of a sentence; undefined for an address or a canonical range. */
export function rangeProblem({ first, prefix, bits, isPlain }: Range): string | undefined {
  const isCanonical = prefix <= bits && first % (1n << BigInt(bits - prefix)) === 0n;
  return isPlain && isCanonical ? undefined : "is no address or canonical range";
}

function rangesOf(...ranges: readonly string[]): readonly Range[] {
  return ranges.flatMap((range) => rangeOf(range) ?? []);
}

function numberOf(address: string): bigint {
  if (isIPv4(address)) {
    return address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  }
  // The URL writes an embedded IPv4 address as two groups.
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const zeros = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...(tail === undefined ? [] : Array(zeros).fill("0")), ...groups(tail)];
  return all.reduce((sum: bigint, part: string) => sum * 65_536n + BigInt(`0x${part}`), 0n);
}

function contains({ first, prefix, bits }: Range, inner: Range): boolean {
  const differing = (first ^ inner.first) >> BigInt(bits - prefix);
  return bits === inner.bits && prefix <= inner.prefix && differing === 0n;
}
