/** Checks of the settings of a new proxy. Source: the service's published description. */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { trimmedNameProblem } from "../names.js";
import { choiceProblem, isIntegerFrom, type SettingProblem, settingProblems } from "../options.js";
import type { NewProxy, NewProxyConfig, ProxyType } from "./proxy.js";

const configMembers: Readonly<Record<ProxyType, readonly (keyof NewProxyConfig)[]>> = {
  isp: ["country"],
  residential: ["country", "state", "city", "zip", "asn", "os"],
  mobile: ["country", "state", "city"],
  custom: ["host", "port", "username", "password", "caBundle"],
};

export const proxyTypes = Object.keys(configMembers) as readonly ProxyType[];

const ispCountries = ["US", "GB", "FR", "DE", "SG", "KR"];
const systems = ["windows", "macos", "android"];

/** Limits of the service. */
const bypassHostsMax = 100;
const passwordCharactersMin = 5;
const bundleBytesMax = 65_536;

/** Describes a type that the service once had, with the type to use instead. */
export function removedTypeProblem(type: unknown): string | undefined {
  return type === "datacenter"
    ? 'cannot be "datacenter": the service removed this type in September 2026. Use "isp"'
    : undefined;
}

/** Reports all problems but those of the plan, without values, which may be secret. */
export function proxyProblems({
  name,
  type,
  protocol,
  bypassHosts = [],
  config = {},
}: { readonly [S in keyof NewProxy]?: NewProxy[S] | undefined }): readonly SettingProblem[] {
  return settingProblems([
    ["name", name !== undefined && trimmedNameProblem(name)],
    ["type", removedTypeProblem(type) ?? choiceProblem(type, proxyTypes)],
    ["protocol", choiceProblem(protocol, ["http", "https"])],
    ["bypassHosts", bypassHosts.length > bypassHostsMax && `must have at most ${bypassHostsMax} hosts`],
    ...bypassHosts.map((host, at) => [`bypassHosts[${at}]`, bypassHostProblem(host)] as const),
    ...(type !== undefined && proxyTypes.includes(type) ? configProblems(type, config) : []),
  ]);
}

function configProblems(type: ProxyType, config: NewProxyConfig) {
  const { country, os, host, port, password, caBundle } = config;
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  const isCustom = type === "custom";
  return [
    ...given.map(([member, value]): [string, string | false] => [
      `config.${member}`,
      (configMembers[type] as readonly string[]).includes(member)
        ? value === "" && "is empty; leave it out"
        : `does not exist for a proxy of type "${type}"; the members are ${configMembers[type].join(", ")}`,
    ]),
    [
      "config.host",
      isCustom && (host === undefined ? "is needed: the host of your proxy" : hostProblem(host)),
    ],
    [
      "config.port",
      isCustom &&
        !isIntegerFrom(port ?? 0, 1, 65_535) &&
        "must be a whole number from 1 to 65535: the port of your proxy",
    ],
    [
      "config.password",
      isCustom &&
        password &&
        [...password].length < passwordCharactersMin &&
        `must have at least ${passwordCharactersMin} characters`,
    ],
    ["config.caBundle", isCustom && caBundle && bundleProblem(caBundle)],
    ["config.country", type === "isp" && country && choiceProblem(country, ispCountries)],
    ...placeProblems(type, config),
    ["config.os", type === "residential" && os && choiceProblem(os, systems)],
  ] as const;
}

/** Describes invalid members of a place, and members that cannot be combined. */
function placeProblems(type: ProxyType, { country, state, city, zip, asn }: NewProxyConfig) {
  const isResidential = type === "residential";
  const isPlaced = isResidential || type === "mobile";
  const abroad =
    country === undefined || country.toUpperCase() === "US" ? undefined : "must be in the country US";
  const notAlone = state || city ? "cannot be given with a state or a city" : undefined;
  const form = (value: string | undefined, pattern: RegExp, problem: string) =>
    isResidential && value && !pattern.test(value) ? problem : undefined;
  const cityProblem = "must be in lower case and without spaces, as in sanfrancisco";
  const asnProblem = "must be the number of an autonomous system, such as AS7922";
  return [
    [
      "config.country",
      isPlaced && country === undefined && (state || city || zip || asn)
        ? "is needed with a state, a city, a zip or an asn"
        : undefined,
    ],
    [
      "config.state",
      form(state, /^[a-z]{2}$/i, "must have two letters") ?? (isPlaced && state ? abroad : undefined),
    ],
    ["config.city", form(city, /^[^\sA-Z]+$/, cityProblem)],
    [
      "config.zip",
      form(zip, /^\d{5}$/, "must have five digits") ??
        (isResidential && zip ? (abroad ?? notAlone) : undefined),
    ],
    ["config.asn", form(asn, /^AS\d{1,10}$/, asnProblem) ?? (isResidential && asn ? notAlone : undefined)],
  ] as const;
}

function bundleProblem(bundle: string): string | undefined {
  if (Buffer.byteLength(bundle) > bundleBytesMax) {
    return "must have at most 64 KiB";
  }
  const certificates = bundle.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  return certificates.length > 0 && certificates.every(isOfAuthority)
    ? undefined
    : "must be certificates of certificate authorities in PEM";
}

function isOfAuthority(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).ca;
  } catch {
    return false;
  }
}

function bypassHostProblem(host: string): string | undefined {
  return host.length <= 253 &&
    /^(\*\.)?([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/i.test(host) &&
    isIP(host) === 0
    ? undefined
    : 'must be a hostname of at most 253 characters, perhaps with "*." in front, without a scheme, a port or a path';
}

function hostProblem(host: string): string | undefined {
  return /^[^\s/@]+$/.test(host)
    ? undefined
    : "must be a host, such as proxy.example.com, without a scheme or a path";
}
