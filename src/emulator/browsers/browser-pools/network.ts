/** Network rules for the browsers of a pool. Source of the rules: the published interface. */
import { anyText, exactly, listOf } from "../../http/shapes.js";
import { isInPrivateRange, isReserved, rangeOf, rangeProblem } from "../../objects/addresses.js";
import type { Selector } from "../../storage/ids-and-names.js";
import { invalid, oneSelector } from "./setting-rules.js";

/** Network rules, as in requests and responses. An absent list is not an empty list. */
export interface Network {
  readonly allowed_hosts?: readonly string[] | undefined;
  readonly private_hosts?: readonly string[] | undefined;
  readonly proxy_routes?:
    | readonly { readonly hosts: readonly string[]; readonly proxy: Selector }[]
    | undefined;
}

const hosts = listOf(anyText);

/** Shape of network rules in a request or a seed. @internal */
export const networkShape = exactly({
  allowed_hosts: hosts.optional(),
  private_hosts: hosts.optional(),
  proxy_routes: listOf(exactly({ hosts, proxy: oneSelector })).optional(),
});

/**
 * Public suffixes of two labels. Source: publicsuffix.org. The selection is a guess, because the
 * complete list changes every week. A test compares the selection with the rules of the client.
 */
const suffixes = [
  ...["ac.uk", "co.uk", "gov.uk", "ltd.uk", "me.uk", "net.uk", "org.uk", "plc.uk"],
  ...["com.au", "edu.au", "gov.au", "net.au", "org.au", "co.nz", "net.nz", "org.nz"],
  ...["ac.jp", "co.jp", "go.jp", "ne.jp", "or.jp", "co.kr", "or.kr", "com.cn", "net.cn", "org.cn"],
  ...["com.hk", "com.sg", "com.tw", "com.my", "co.id", "co.in", "net.in", "org.in", "co.th"],
  ...["com.br", "net.br", "org.br", "com.ar", "com.mx", "com.co", "com.pe"],
  ...["co.za", "org.za", "com.tr", "com.ua", "com.pl", "co.il", "org.il", "com.eg", "com.sa"],
  "github.io",
];

/** Rules after a request; null if the request clears the rules. Throws `InputError`. */
export function checkedNetwork(network: Network): Network | null {
  const { allowed_hosts: allowed, private_hosts: direct = [], proxy_routes: routes } = network;
  if (allowed?.length === 0) {
    throw invalid("network.allowed_hosts", "is empty; leave it out to allow every host");
  }
  for (const [index, host] of (allowed ?? []).entries()) {
    const overlaps = direct.some((other) => canOverlap(host, other.replace(/:\d+$/, "")));
    const problem = overlaps ? "is also in private_hosts" : allowedProblem(host);
    refuseIf(problem, `network.allowed_hosts[${index}]`, host);
  }
  for (const [index, host] of direct.entries()) {
    refuseIf(privateProblem(host), `network.private_hosts[${index}]`, host);
  }
  const routed = new Set<string>();
  for (const [index, { hosts: patterns }] of (routes ?? []).entries()) {
    for (const [at, host] of patterns.entries()) {
      const problem = routed.has(host.toLowerCase()) ? "is in two routes" : nameProblem(host, 1);
      refuseIf(problem, `network.proxy_routes[${index}].hosts[${at}]`, host);
      routed.add(host.toLowerCase());
    }
  }
  return Object.values(network).some((value) => value !== undefined) ? network : null;
}

/** Refuses a URL that the browsers of the pool could not open. Throws `InputError`. */
export function checkReachable(startUrl: string | null, network: Network | null): void {
  const { allowed_hosts: allowed, private_hosts: direct = [] } = network ?? {};
  const url = URL.parse(startUrl ?? "");
  const isReachable = (host: string) =>
    [...(allowed ?? []), ...direct].some((each) => canOverlap(each, host));
  if (allowed !== undefined && url !== null && url.hostname !== "" && !isReachable(url.hostname)) {
    throw invalid("start_url", "is on a host that network.allowed_hosts does not allow");
  }
}

function refuseIf(problem: string | undefined, property: string, host: string): void {
  if (problem !== undefined) {
    throw invalid(property, `${problem}: ${JSON.stringify(host)}`);
  }
}

function allowedProblem(host: string): string | undefined {
  const range = rangeOf(host);
  if (range === undefined) {
    return nameProblem(host, 1);
  }
  return rangeProblem(range) ?? (isReserved(host) ? "is in a private or reserved range" : undefined);
}

function privateProblem(host: string): string | undefined {
  const withoutPort = host.includes("/") ? host : host.replace(/(?<!:[^\]]*):\d{1,5}$/, "");
  const range = rangeOf(withoutPort) ?? rangeOf(host);
  if (range === undefined) {
    return nameProblem(withoutPort, 2);
  }
  return rangeProblem(range) ?? (isInPrivateRange(range) ? undefined : "is in no private range");
}

/** Problem of a hostname; undefined for a valid name. `labels`: fewest labels after an asterisk. */
function nameProblem(host: string, labels: number): string | undefined {
  const isWildcard = host.startsWith("*.");
  const name = (isWildcard ? host.slice(2) : host).toLowerCase();
  if (
    !/^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)
  ) {
    return "is no hostname, IP address or range";
  }
  const isSuffix = !name.includes(".") || suffixes.includes(name);
  return isWildcard && (isSuffix || name.split(".").length < labels)
    ? "has an asterisk for a public suffix"
    : undefined;
}

/** Whether two hosts or patterns can match the same hostname. */
function canOverlap(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const within = (pattern: string, host: string) =>
    pattern.startsWith("*.") && host.replace(/^\*/, "").endsWith(pattern.slice(1)) && host !== pattern;
  return a === b || within(a, b) || within(b, a);
}
