/** What is wrong with the settings of a new proxy. Source: the service's published description. */
import { proxyNameProblem } from "./names.js";
import { choiceProblem, type SettingProblem, settingProblems } from "./options.js";
import type { NewProxy, NewProxyConfig, ProxyType } from "./records/proxy.js";

/** Which members the configuration of a type takes. */
const configMembers: Readonly<Record<ProxyType, readonly (keyof NewProxyConfig)[]>> = {
  isp: ["country"],
  residential: ["country", "state", "city", "zip", "asn", "os"],
  mobile: ["country", "state", "city"],
  custom: ["host", "port", "username", "password", "caBundle"],
};

export const proxyTypes = Object.keys(configMembers) as readonly ProxyType[];

const ispCountries = ["US", "GB", "FR", "DE", "SG", "KR"];
const systems = ["windows", "macos", "android"];

/**
 * Everything that is wrong with these settings. What depends on the plan, or on what a provider of
 * addresses has, is left to the service. No problem quotes a value: it may be a secret.
 */
export function proxyProblems({
  name,
  type,
  protocol,
  bypassHosts = [],
  config = {},
}: { readonly [S in keyof NewProxy]?: NewProxy[S] | undefined }): readonly SettingProblem[] {
  return settingProblems([
    ["name", name === undefined ? undefined : proxyNameProblem(name)],
    ["type", choiceProblem(type, proxyTypes)],
    ["protocol", choiceProblem(protocol, ["http", "https"])],
    ...bypassHosts.map((host, at) => [`bypassHosts[${at}]`, hostProblem(host)] as const),
    ...(type !== undefined && proxyTypes.includes(type) ? configProblems(type, config) : []),
  ]);
}

function configProblems(type: ProxyType, config: NewProxyConfig) {
  const { country, city, os, host, port } = config;
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  const isCustom = type === "custom";
  return [
    ...given.map(([member, value]): [string, string | undefined] => [
      `config.${member}`,
      (configMembers[type] as readonly string[]).includes(member)
        ? value === ""
          ? "is empty; leave it out"
          : undefined
        : `is nothing that a proxy of type "${type}" has; it has ${configMembers[type].join(", ")}`,
    ]),
    [
      "config.host",
      isCustom ? (host === undefined ? "is needed: the host of your proxy" : hostProblem(host)) : undefined,
    ],
    [
      "config.port",
      isCustom && !(Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535)
        ? "must be a whole number from 1 to 65535: the port of your proxy"
        : undefined,
    ],
    ["config.country", type === "isp" && country ? choiceProblem(country, ispCountries) : undefined],
    [
      "config.city",
      type !== "residential" || !city
        ? undefined
        : country === undefined
          ? 'needs "country" beside it'
          : /\s/.test(city)
            ? "must not have spaces, as in sanfrancisco"
            : undefined,
    ],
    ["config.os", type === "residential" && os ? choiceProblem(os, systems) : undefined],
  ] as const;
}

function hostProblem(host: string): string | undefined {
  return /^[^\s/@]+$/.test(host)
    ? undefined
    : "must be a host, such as proxy.example.com, without a scheme or a path";
}
