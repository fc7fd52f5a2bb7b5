/** Checks of browser pool settings, and the settings as a request body. */

import { browserPoolNameProblem } from "../names.js";
import { choiceProblem, type SettingProblem, settingProblems, wholeNumberProblem } from "../options.js";
import type { BrowserNetwork, BrowserPoolSettings } from "./browser-pool.js";

/** Most extensions of a pool. Source: the service's Terraform provider. */
const extensionsMax = 20;

/** Longest start URL, in UTF-8 bytes. Source: the service's Terraform provider. */
const startUrlBytesMax = 2048;

/** Largest policy, in bytes of its JSON: 5 MiB. Source: the service. */
const chromePolicyBytesMax = 5_242_880;

/** Bounds of the idle timeout, in seconds: up to 72 hours. Source: the service. */
const [timeoutSecondsMin, timeoutSecondsMax] = [10, 259_200];

/** Regions for browsers. Source: the service. */
export const regions = ["us-east", "us-west", "eu-west", "ap-southeast"] as const;

/** Common public suffixes of two labels; the service refuses all. Source: publicsuffix.org. */
const publicSuffixes = [
  ...["ac.uk", "co.uk", "gov.uk", "ltd.uk", "me.uk", "net.uk", "org.uk", "plc.uk"],
  ...["com.au", "edu.au", "gov.au", "net.au", "org.au", "co.nz", "net.nz", "org.nz"],
  ...["ac.jp", "co.jp", "go.jp", "ne.jp", "or.jp", "co.kr", "or.kr", "com.cn", "net.cn", "org.cn"],
  ...["com.hk", "com.sg", "com.tw", "com.my", "co.id", "co.in", "net.in", "org.in", "co.th"],
  ...["com.br", "net.br", "org.br", "com.ar", "com.mx", "com.co", "com.pe"],
  ...["co.za", "org.za", "com.tr", "com.ua", "com.pl", "co.il", "org.il", "com.eg", "com.sa"],
];

/** Memory of browsers without and with a window, the default first. Source: the service. */
const memories = { headless: ["1GiB", "2GiB", "4GiB"], headful: ["8GiB", "16GiB"] } as const;

/** Memory sizes that a request may contain, the service's default first. */
export function memoriesOf(headless: boolean): readonly string[] {
  return headless ? memories.headless : memories.headful;
}

/** Reports all problems, except those that only the plan or other objects decide. */
export function browserPoolProblems(settings: BrowserPoolSettings): readonly SettingProblem[] {
  const { name, extensionIds = [], profileId, profileName, startUrl, chromePolicy, viewport } = settings;
  const repeated = extensionIds.findIndex((id, index) => extensionIds.indexOf(id) < index);
  return settingProblems([
    ["name", name !== undefined && browserPoolNameProblem(name)],
    ["size", wholeNumberProblem(settings.size, 1)],
    ["region", choiceProblem(settings.region, regions)],
    ["memory", memoryProblem(settings)],
    ...networkProblems(settings.network),
    [
      "extensionIds",
      extensionIds.length > extensionsMax &&
        `has ${extensionIds.length} extensions; use at most ${extensionsMax}`,
    ],
    ...extensionIds.map((id, index) => [`extensionIds[${index}]`, idProblem("extension", id)] as const),
    [
      `extensionIds[${repeated}]`,
      repeated !== -1 && "is the id of an extension that is already in the list; remove it",
    ],
    ["profileId", idProblem("profile", profileId)],
    ["profileName", profileName === "" && "is empty; pass the profile's name, or leave it out"],
    ["profileName", profileId && profileName && "is given together with profileId; use one of them"],
    [
      "refreshOnProfileUpdate",
      settings.refreshOnProfileUpdate === true &&
        (profileId === null || profileName === null) &&
        "needs a profile, but these settings remove the profile; give a profile or remove this setting",
    ],
    ["proxyId", idProblem("proxy", settings.proxyId)],
    ["telemetryDestinationId", idProblem("telemetry destination", settings.telemetryDestinationId)],
    [
      "telemetryStorage",
      settings.telemetryStorage === false &&
        settings.telemetryDestinationId === null &&
        "can only be false with a destination; give telemetryDestinationId or remove this setting",
    ],
    ["chromePolicy", policyProblem(chromePolicy)],
    ["viewport.width", wholeNumberProblem(viewport?.width, 1)],
    ["viewport.height", wholeNumberProblem(viewport?.height, 1)],
    ["viewport.refreshRate", wholeNumberProblem(viewport?.refreshRate ?? undefined, 1)],
    ["startUrl", startUrlProblem(startUrl)],
    ["timeoutSeconds", wholeNumberProblem(settings.timeoutSeconds, timeoutSecondsMin, timeoutSecondsMax)],
    ["fillRatePerMinute", wholeNumberProblem(settings.fillRatePerMinute, 0)],
  ]);
}

type Clearable = {
  [Name in keyof BrowserPoolSettings]-?: null extends BrowserPoolSettings[Name] ? Name : never;
}[keyof BrowserPoolSettings];

/** Values that clear a setting, if a request contains the setting under its own name. */
const emptyValues: Readonly<Record<string, unknown>> = {
  proxyId: "",
  chromePolicy: {},
  startUrl: "",
} satisfies Record<
  Exclude<Clearable, "network" | "profileId" | "profileName" | `telemetry${string}`>,
  unknown
>;

/** Converts settings to a request body. Null clears a setting; a new pool omits the setting. */
export function settingsOnWire(
  settings: BrowserPoolSettings,
  request: "create" | "update",
): Readonly<Record<string, unknown>> {
  const { extensionIds, profileId, profileName, viewport, network, ...rest } = settings;
  const others = Object.entries(rest).filter(([name]) => !name.startsWith("telemetry"));
  const cleared = <Given, Empty>(value: Given | null | undefined, empty: Empty) =>
    value === null ? (request === "create" ? undefined : empty) : value;
  const plain = others.map(([name, value]) => [name, cleared(value, emptyValues[name])]);
  const profile = profileId ? { id: profileId } : profileName ? { name: profileName } : undefined;
  const noProfile = profileId === null || profileName === null ? null : undefined;
  // JSON omits undefined members.
  return {
    ...toWireNames(Object.fromEntries(plain)),
    extensions: extensionIds?.map((id) => ({ id })),
    profile: profile ?? cleared(noProfile, { id: "" }),
    viewport: viewport && toWireNames({ ...viewport, refreshRate: viewport.refreshRate ?? undefined }),
    network: network ? networkOnWire(network) : cleared(network, {}),
    telemetry: cleared(telemetryOnWire(settings), { enabled: false }),
  };
}

/** Converts network rules to the form of a request. Null (no rules) becomes an empty object. */
export function networkOnWire(network: BrowserNetwork | null): Readonly<Record<string, unknown>> {
  const { proxyRoutes, ...hosts } = network ?? {};
  const routes = proxyRoutes?.map(({ hosts: each, proxyId }) => ({ hosts: each, proxy: { id: proxyId } }));
  return { ...toWireNames(hosts), proxy_routes: routes };
}

/** Builds the telemetry of a request: undefined for no change, null to end telemetry. */
function telemetryOnWire(settings: BrowserPoolSettings) {
  const { telemetry, telemetryDestinationId: id, telemetryStorage, telemetryExcludedMethods } = settings;
  if (telemetry === null) {
    return null;
  }
  const browser: Record<string, object> = Object.fromEntries(
    Object.entries(telemetry ?? {}).map(([name, enabled]) => [name, { enabled }]),
  );
  if (telemetryExcludedMethods !== undefined) {
    browser.control = { ...browser.control, cdp: { excluded_methods: telemetryExcludedMethods } };
  }
  const wanted = {
    // Without `enabled`, the service would merge the categories into the previous selection.
    ...(telemetry && { enabled: true }),
    ...(telemetry || Object.keys(browser).length > 0 ? { browser } : {}),
    ...(id === undefined
      ? {}
      : { export: { otlp: id === null ? { enabled: false } : { destination: { id } } } }),
    ...(telemetryStorage === undefined ? {} : { storage: { enabled: telemetryStorage } }),
  };
  return Object.keys(wanted).length > 0 ? wanted : undefined;
}

/** Renames the members of an object for a request: `sizeBytes` becomes `size_bytes`. */
function toWireNames(members: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** Without `headless`, both kinds of memory pass: an update keeps the mode of the pool. */
function memoryProblem({ memory, headless }: BrowserPoolSettings): string | undefined {
  if (headless === undefined) {
    return choiceProblem(memory, [...memoriesOf(true), ...memoriesOf(false)]);
  }
  const problem = choiceProblem(memory, memoriesOf(headless));
  if (problem === undefined || memory === undefined || !memoriesOf(!headless).includes(memory)) {
    return problem;
  }
  return headless
    ? `${problem} for headless browsers; for ${memory}, browsers need a window: set headless to false`
    : `${problem} for browsers with a window; for ${memory}, set headless to true`;
}

/** Describes network problems that are cheap to detect. The rest is left to the service. */
function networkProblems(network: BrowserNetwork | null | undefined) {
  const { allowedHosts, privateHosts = [], proxyRoutes = [] } = network ?? {};
  const routed = proxyRoutes.flatMap(({ hosts }, route) =>
    hosts.map((host, index) => [`network.proxyRoutes[${route}].hosts[${index}]`, host] as const),
  );
  const patterns = routed.map(([, host]) => host.toLowerCase());
  return [
    [
      "network.allowedHosts",
      allowedHosts?.length === 0 &&
        "is empty; list the allowed hosts, or leave the list out to allow every host",
    ],
    ...Object.entries({ allowedHosts, privateHosts }).flatMap(([list, hosts = []]) =>
      hosts.map(
        (host, index) => [`network.${list}[${index}]`, hostProblem(host) ?? suffixProblem(host)] as const,
      ),
    ),
    ...routed.map(
      ([property, host], at) =>
        [
          property,
          patterns.indexOf(patterns[at] ?? "") < at
            ? "is already in an earlier route; remove it"
            : hostProblem(host),
        ] as const,
    ),
    ...proxyRoutes.map(
      ({ proxyId }, index) => [`network.proxyRoutes[${index}].proxyId`, idProblem("proxy", proxyId)] as const,
    ),
  ] as const;
}

/** Refuses an asterisk for a public suffix, such as `*.co.uk`, and for any last label. */
function suffixProblem(host: string): string | undefined {
  const [, suffix] = /^\*\.([^./]+|[^./]+\.[^./]+)$/.exec(host.toLowerCase()) ?? [];
  const isPublic = suffix !== undefined && (!suffix.includes(".") || publicSuffixes.includes(suffix));
  return isPublic
    ? `has an asterisk for the public suffix ${suffix}, which the service refuses; name the domains`
    : undefined;
}

/** Refuses a URL, a path, a space, and an asterisk other than a leading `*.`. */
function hostProblem(host: string): string | undefined {
  return /^(\*\.)?[^\s*?#@/\\]+(\/\d{1,3})?$/.test(host)
    ? undefined
    : 'must be a host such as "shop.example" or "*.shop.example", without scheme and path, or an IP address or range';
}

/** Refuses an empty id, which would clear the setting, as null does. */
function idProblem(noun: string, id: string | null | undefined): string | undefined {
  return id === null || id === undefined || /^[!-~]{1,255}$/.test(id)
    ? undefined
    : `must be the id of ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}: 1 to 255 visible ASCII characters`;
}

function startUrlProblem(url: string | null | undefined): string | undefined {
  if (url === "") {
    return "is empty; pass a URL, or leave it out";
  }
  const length = Buffer.byteLength(url ?? "");
  return length > startUrlBytesMax ? `has ${length} bytes; use at most ${startUrlBytesMax}` : undefined;
}

function policyProblem(policy: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const length = Buffer.byteLength(JSON.stringify(policy ?? {}));
  return length > chromePolicyBytesMax
    ? `has ${length} bytes as JSON; use at most ${chromePolicyBytesMax} (5 MiB)`
    : undefined;
}
