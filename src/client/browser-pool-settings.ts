/** What a browser pool can be given, what is wrong with it, and how a request carries it. */

import { browserPoolNameProblem } from "./names.js";
import type { BrowserPoolSettings } from "./records/browser-pool.js";

/** Most extensions of a pool. Source: the service's Terraform provider. */
const extensionsMax = 20;

/** Longest start URL, in UTF-8 bytes. Source: the service's Terraform provider. */
const startUrlBytesMax = 2048;

/** Largest policy, in bytes of its JSON: 5 MiB. Source: the service. */
const chromePolicyBytesMax = 5_242_880;

/** Bounds of the idle timeout, in seconds: up to 72 hours. Source: the service. */
const [timeoutSecondsMin, timeoutSecondsMax] = [10, 259_200];

/** Something wrong with one setting. */
interface SettingProblem {
  /** Where it is, such as `viewport.width` or `extensionIds[2]`. */
  readonly property: string;
  /** What is wrong and what to do, as the end of a sentence that begins with the property. */
  readonly problem: string;
}

/**
 * Everything that is wrong with these settings: what the service would refuse, and what it would
 * take for something else. What depends on the plan or on other objects is left to the service.
 */
export function browserPoolProblems(settings: BrowserPoolSettings): readonly SettingProblem[] {
  const { name, extensionIds = [], profileId, profileName, startUrl, chromePolicy, viewport } = settings;
  const repeated = extensionIds.findIndex((id, index) => extensionIds.indexOf(id) < index);
  const found: readonly (readonly [property: string, problem: string | undefined])[] = [
    ["name", name === undefined ? undefined : browserPoolNameProblem(name)],
    ["size", wholeNumberProblem(settings.size, 1)],
    [
      "extensionIds",
      extensionIds.length > extensionsMax
        ? `has ${extensionIds.length} extensions; use at most ${extensionsMax}`
        : undefined,
    ],
    ...extensionIds.map((id, index) => [`extensionIds[${index}]`, idProblem("extension", id)] as const),
    [
      `extensionIds[${repeated}]`,
      repeated === -1 ? undefined : "is the id of an extension that is in the list before; remove it",
    ],
    ["profileId", idProblem("profile", profileId)],
    ["profileName", profileName === "" ? "is empty; pass the profile's name, or leave it out" : undefined],
    [
      "profileName",
      profileId && profileName ? "is given together with profileId; use one of them" : undefined,
    ],
    [
      "refreshOnProfileUpdate",
      settings.refreshOnProfileUpdate === true && (profileId === null || profileName === null)
        ? "needs a profile, which these settings remove; give it one or leave this out"
        : undefined,
    ],
    ["proxyId", idProblem("proxy", settings.proxyId)],
    ["chromePolicy", policyProblem(chromePolicy)],
    ["viewport.width", wholeNumberProblem(viewport?.width, 1)],
    ["viewport.height", wholeNumberProblem(viewport?.height, 1)],
    ["viewport.refreshRate", wholeNumberProblem(viewport?.refreshRate ?? undefined, 1)],
    ["startUrl", startUrlProblem(startUrl)],
    ["timeoutSeconds", wholeNumberProblem(settings.timeoutSeconds, timeoutSecondsMin, timeoutSecondsMax)],
    ["fillRatePerMinute", wholeNumberProblem(settings.fillRatePerMinute, 0)],
  ];
  return found.flatMap(([property, problem]) => (problem === undefined ? [] : [{ property, problem }]));
}

/** What clears a setting that has a name of its own in a request. */
const emptyValues: Readonly<Record<string, unknown>> = { proxyId: "", chromePolicy: {}, startUrl: "" };

/**
 * The settings as the body of a request. In an update, null becomes whatever the service takes for
 * clearing that setting; in a new pool, it is left out.
 */
export function settingsOnWire(
  settings: BrowserPoolSettings,
  request: "create" | "update",
): Readonly<Record<string, unknown>> {
  const { extensionIds, profileId, profileName, viewport, telemetry, ...others } = settings;
  const cleared = <Given, Empty>(value: Given | null | undefined, empty: Empty) =>
    value === null ? (request === "create" ? undefined : empty) : value;
  const plain = Object.entries(others).map(([name, value]) => [name, cleared(value, emptyValues[name])]);
  const profile = profileId ? { id: profileId } : profileName ? { name: profileName } : undefined;
  const noProfile = profileId === null || profileName === null ? null : undefined;
  const categories = Object.entries(telemetry ?? {}).map(([name, enabled]) => [name, { enabled }]);
  // Without `enabled`, the service would merge the categories into the former selection.
  const selection = telemetry && { enabled: true, browser: Object.fromEntries(categories) };
  // JSON leaves out what is undefined.
  return {
    ...inWireNames(Object.fromEntries(plain)),
    extensions: extensionIds?.map((id) => ({ id })),
    profile: profile ?? cleared(noProfile, { id: "" }),
    viewport: viewport && inWireNames({ ...viewport, refreshRate: viewport.refreshRate ?? undefined }),
    telemetry: cleared(selection, { enabled: false }),
  };
}

/** The members of an object by their names in a request: `sizeBytes` becomes `size_bytes`. */
function inWireNames(members: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function wholeNumberProblem(
  value: number | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): string | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least && value <= most)) {
    return undefined;
  }
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return `must be a whole number ${range}`;
}

/** An empty id would clear the setting, which null says. */
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
