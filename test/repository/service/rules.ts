import * as fc from "fast-check";
import { browserPoolProblems, settingsOnWire } from "../../../src/client/browsers/browser-pool-settings.js";
import type { NewProxy } from "../../../src/client/browsers/proxy.js";
import { proxyProblems } from "../../../src/client/browsers/proxy-settings.js";
import {
  authConnectionProblems,
  connectionSettingsOnWire,
} from "../../../src/client/logins/auth-connection-settings.js";
import { credentialOnWire, credentialProblems } from "../../../src/client/logins/credential-settings.js";
import { apiKeyNameProblem, profileNameProblem, projectNameProblem } from "../../../src/client/names.js";
import type { SettingProblem } from "../../../src/client/options.js";
import { credentialProviderProblems } from "../../../src/client/organization/credential-provider.js";
import { telemetryDestinationProblems } from "../../../src/client/organization/telemetry-destination.js";
import { publicSuffixes } from "./public-suffixes.js";

/** Settings of an object to create, in the client's names. */
type Settings = Readonly<Record<string, unknown>>;

/** Rules that client and emulator both have about the objects of one noun. */
export interface Rules {
  /** Path of a creation. */
  readonly path: string;
  /** Settings that both accept. */
  readonly valid: Settings;
  /** Random values by setting. One setting is random at a time. `valid` gives the others. */
  readonly random: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Problems that the client finds before a request. */
  problems(settings: Settings): readonly SettingProblem[];
  /** Body of the client's request. */
  body(settings: Settings): unknown;
}

const joined = (parts: readonly string[], most: number) =>
  fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: most }).map((chosen) => chosen.join(""));

/** Names that rules treat differently from others. */
const names = [
  ...[
    "",
    " ",
    ".",
    "..",
    "...",
    " a",
    "a ",
    "a b",
    "a/b",
    "a%b",
    "a:b",
    "a#b",
    "a?b",
    "é",
    "\u0301",
    "\0",
    "a\n",
  ],
  ...["a\u0007", "\ud83d", "a\u2028b", "x".repeat(24), "abcdefghij0123456789abcd", "n".repeat(255)],
  ...["n".repeat(256), "é".repeat(255), "😀".repeat(255), "😀".repeat(256), "sk_live_0123456789abcdef"],
];
const text = fc.oneof(
  fc.constantFrom(...names),
  joined(["a", "Z", "9", ".", "-", "_", " ", "/", "%", "é", "😀", "\t", "@", "'"], 4),
);

const host = fc.oneof(
  joined(
    [
      ...[
        "*.",
        "a",
        "shop",
        ".example",
        ".com",
        "10.0.0.1",
        "/8",
        "/24",
        ":443",
        "192.168.1.0/24",
        "[::1]",
        "-",
      ],
      ...[
        "fc00::1",
        "fc00::/7",
        "xn--e1a",
        "é",
        "_x",
        "..",
        "localhost",
        "8.8.8.8",
        "EXAMPLE.com",
        "*",
        "http://",
      ],
    ],
    3,
  ),
  fc.constantFrom(...publicSuffixes, "github.io", "shop.example", "com").map((suffix) => `*.${suffix}`),
  fc.constantFrom(
    "8.8.8.8",
    "10.0.0.1",
    "10.0.0.0/8",
    "10.0.0.1/8",
    "[fc00::1]",
    "fc00::/7",
    "shop.example:443",
    "-",
  ),
);
const hosts = fc.array(host, { minLength: 1, maxLength: 1 });

const url = fc.oneof(
  joined(
    ["https://", "http://", "ftp://", "a", "shop.example", "/v1/logs", "?q", "#f", " ", "/", "é", ":443"],
    4,
  ),
  fc.constantFrom(
    `https://a/${"a".repeat(2030)}`,
    `https://a/${"a".repeat(2100)}`,
    `https://a/${"é".repeat(1030)}`,
  ),
);

const number = fc.constantFrom(
  ...[-1, 0, 1, 5, 6, 9, 10, 14, 15, 299, 300, 301, 86_400, 86_401, 259_200, 259_201, 1.5, 1e9, 2 ** 53],
);

const custom = { type: "custom", config: { host: "proxy.example", port: 3128 } };
const place = fc.record(
  {
    country: fc.constantFrom("US", "us", "DE", "XX", ""),
    state: fc.constantFrom("CA", "ca", "cal", "c1"),
    city: fc.constantFrom("sanfrancisco", "San Francisco", "münchen"),
    zip: fc.constantFrom("94105", "9410", "9410a"),
    asn: fc.constantFrom("AS7922", "7922", "AS12345678901"),
    os: fc.constantFrom("windows", "beos"),
  },
  { requiredKeys: [] },
);

const onlyName =
  (problem: (name: string) => string | undefined) =>
  ({ name }: Settings): readonly SettingProblem[] => {
    const found = problem(String(name));
    return found === undefined ? [] : [{ property: "name", problem: found }];
  };

/** The rules by noun. */
export const rules: Readonly<Record<string, Rules>> = {
  project: {
    path: "/org/projects",
    valid: { name: "shop" },
    random: { name: text },
    problems: onlyName(projectNameProblem),
    body: (settings) => settings,
  },
  "API key": {
    path: "/org/api_keys",
    valid: { name: "shop" },
    random: { name: text },
    problems: onlyName(apiKeyNameProblem),
    body: (settings) => settings,
  },
  profile: {
    path: "/profiles",
    valid: { name: "shop" },
    random: { name: text },
    problems: onlyName(profileNameProblem),
    body: (settings) => settings,
  },
  "browser pool": {
    path: "/browser_pools",
    valid: { size: 1 },
    random: {
      name: text,
      size: number,
      timeoutSeconds: number,
      fillRatePerMinute: number,
      startUrl: url,
      region: fc.constantFrom("us-east", "eu-west", "moon"),
      memory: fc.constantFrom("1GiB", "2GiB", "8GiB", "16GiB", "32GiB"),
      viewport: fc.record({ width: number, height: number }),
      "network.allowedHosts": hosts,
      "network.privateHosts": hosts,
    },
    problems: (settings) => browserPoolProblems(settings as never),
    body: (settings) => settingsOnWire(settings as never, "create"),
  },
  proxy: {
    path: "/proxies",
    valid: custom,
    random: {
      name: text,
      type: fc.constantFrom("custom", "datacenter", ""),
      protocol: fc.constantFrom("http", "https", "socks5"),
      bypassHosts: hosts,
      config: fc.record({ host, port: fc.constantFrom(-1, 0, 1, 65_535, 65_536, 1.5) }),
      "config.password": text,
    },
    problems: (settings) => proxyProblems(settings as Partial<NewProxy>),
    body: proxyBody,
  },
  "placed proxy": {
    path: "/proxies",
    valid: { type: "residential" },
    random: { config: place },
    problems: (settings) => proxyProblems(settings as Partial<NewProxy>),
    body: proxyBody,
  },
  "proxy of an internet provider": {
    path: "/proxies",
    valid: { type: "isp" },
    random: { config: place },
    problems: (settings) => proxyProblems(settings as Partial<NewProxy>),
    body: proxyBody,
  },
  credential: {
    path: "/credentials",
    valid: { name: "shop", domain: "shop.example", values: { username: "ada" } },
    random: {
      name: text,
      domain: host,
      values: fc.dictionary(text, fc.constant("x"), { maxKeys: 2 }),
      ssoProvider: fc.constantFrom("", "google"),
      totpSecret: fc.constantFrom(
        "JBSWY3DPEHPK3PXP",
        "jbswy3dpehpk3pxp",
        "short",
        "A".repeat(129),
        "otpauth://totp/a",
      ),
      totpDigits: number,
    },
    problems: (settings) => credentialProblems(settings),
    body: ({ domain, ...settings }) => ({ domain, ...credentialOnWire(settings) }),
  },
  "one-time codes": {
    path: "/credentials",
    valid: { name: "shop", domain: "shop.example", values: {}, totpSecret: "JBSWY3DPEHPK3PXP" },
    random: { totpDigits: number, totpPeriod: number },
    problems: (settings) => credentialProblems(settings),
    body: ({ domain, ...settings }) => ({ domain, ...credentialOnWire(settings) }),
  },
  "auth connection": {
    path: "/auth/connections",
    valid: { domain: "shop.example", profileName: "shop" },
    random: {
      domain: host,
      profileName: text,
      loginUrl: url,
      allowedDomains: hosts,
      healthCheckInterval: number,
    },
    problems: (settings) => authConnectionProblems(settings),
    body: ({ domain, profileName, ...settings }) => ({
      ...{ domain, profile_name: profileName },
      ...connectionSettingsOnWire(settings),
    }),
  },
  "credential provider": {
    path: "/org/credential_providers",
    valid: { name: "shop", token: "ops_token" },
    random: { name: text, token: text, cacheTtlSeconds: number },
    problems: (settings) => credentialProviderProblems(settings),
    body: ({ cacheTtlSeconds, ...others }) => ({
      ...{ ...others, provider_type: "onepassword", cache_ttl_seconds: cacheTtlSeconds },
    }),
  },
  "telemetry destination": {
    path: "/telemetry/destinations",
    valid: { name: "shop", endpoint: "https://otlp.example.com" },
    random: {
      name: text,
      endpoint: url,
      description: fc.constantFrom("", "a".repeat(1024), "a".repeat(1025), "😀".repeat(1024)),
      headers: fc.dictionary(fc.constantFrom("x-a", "X-A", "b c", ""), text, { minKeys: 1, maxKeys: 2 }),
    },
    problems: (settings) => telemetryDestinationProblems(settings),
    body: (settings) => settings,
  },
};

function proxyBody({ name, type, protocol, bypassHosts, config }: Settings) {
  return { name, type, protocol, bypass_hosts: bypassHosts, config };
}
