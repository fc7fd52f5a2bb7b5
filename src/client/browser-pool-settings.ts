/** What a browser pool can be given, what is wrong with it, and how a request carries it. */
import { browserPoolNameProblem } from "./names.js";

/** Most extensions of a pool. Source: the service's Terraform provider. */
const extensionsMax = 20;

/** Longest start URL, in UTF-8 bytes. Source: the service's Terraform provider. */
const startUrlBytesMax = 2048;

/** Largest policy, in bytes of its JSON: 5 MiB. Source: the service. */
const chromePolicyBytesMax = 5_242_880;

/** Bounds of the idle timeout, in seconds: up to 72 hours. Source: the service. */
const [timeoutSecondsMin, timeoutSecondsMax] = [10, 259_200];

/**
 * The settings of a browser pool. One that is left out gets the service's default in a new pool,
 * and stays as it is in an update. Null clears it, in a new pool it is the same as left out.
 */
export interface BrowserPoolSettings {
  /**
   * Name, unique within the project, by the rules for names of extensions. It can be changed, but
   * never cleared. Default in a new pool: no name.
   */
  readonly name?: string | undefined;
  /** Browsers to keep in the pool, at least 1. A new pool needs it. */
  readonly size?: number | undefined;
  /** Ids of the extensions to load, in this order: at most 20, each once. Empty: no extension. */
  readonly extensionIds?: readonly string[] | undefined;
  /** Id of the profile to load, read-only. Not together with `profileName`. */
  readonly profileId?: string | null | undefined;
  /** Name of the profile to load, read-only. Not together with `profileId`. */
  readonly profileName?: string | null | undefined;
  /** Whether an update of the profile rebuilds the idle browsers. Needs a profile. */
  readonly refreshOnProfileUpdate?: boolean | undefined;
  /** Id of the proxy to use. */
  readonly proxyId?: string | null | undefined;
  /** Chrome's enterprise policies by name, at most 5 MiB as JSON. Replaces all former ones. */
  readonly chromePolicy?: Readonly<Record<string, unknown>> | null | undefined;
  /** Size of the window in pixels, and its refresh rate in hertz. Cannot be cleared. */
  readonly viewport?:
    | { readonly width: number; readonly height: number; readonly refreshRate?: number | null | undefined }
    | undefined;
  /** Whether the browsers have no window. */
  readonly headless?: boolean | undefined;
  /** Whether the browsers hide from sites that they are automated. */
  readonly stealth?: boolean | undefined;
  /** Whether the window has neither address bar nor tabs. */
  readonly kioskMode?: boolean | undefined;
  /** URL that a new browser opens, at most 2048 bytes. */
  readonly startUrl?: string | null | undefined;
  /** Seconds of inactivity after which a leased browser is destroyed, 10 to 259200. */
  readonly timeoutSeconds?: number | undefined;
  /** Percent of the pool to fill in a minute, at least 0. The service's maximum is often 25. */
  readonly fillRatePerMinute?: number | undefined;
  /**
   * Which categories of telemetry to capture. Those left out are as in the service's default set.
   * Replaces the former selection.
   */
  readonly telemetry?: Readonly<Record<string, boolean>> | null | undefined;
}

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

/**
 * The settings as the body of a request. In an update, null becomes whatever the service takes for
 * clearing that setting; in a new pool, it is left out.
 */
export function settingsOnWire(
  settings: BrowserPoolSettings,
  request: "create" | "update",
): Readonly<Record<string, unknown>> {
  const { extensionIds, profileId, profileName, viewport, telemetry } = settings;
  const cleared = <Given, Cleared>(value: Given | null | undefined, empty: Cleared) =>
    value === null ? (request === "create" ? undefined : empty) : value;
  const profile = profileId ? { id: profileId } : profileName ? { name: profileName } : undefined;
  const noProfile = profileId === null || profileName === null ? null : undefined;
  const categories = Object.entries(telemetry ?? {}).map(([name, enabled]) => [name, { enabled }]);
  // JSON leaves out what is undefined.
  return {
    name: settings.name,
    size: settings.size,
    extensions: extensionIds?.map((id) => ({ id })),
    profile: profile ?? cleared(noProfile, { id: "" }),
    refresh_on_profile_update: settings.refreshOnProfileUpdate,
    proxy_id: cleared(settings.proxyId, ""),
    chrome_policy: cleared(settings.chromePolicy, {}),
    viewport: viewport && {
      width: viewport.width,
      height: viewport.height,
      refresh_rate: viewport.refreshRate ?? undefined,
    },
    headless: settings.headless,
    stealth: settings.stealth,
    kiosk_mode: settings.kioskMode,
    start_url: cleared(settings.startUrl, ""),
    timeout_seconds: settings.timeoutSeconds,
    fill_rate_per_minute: settings.fillRatePerMinute,
    // Without `enabled`, the service would merge the categories into the former selection.
    telemetry:
      telemetry === undefined
        ? undefined
        : cleared(telemetry && { enabled: true, browser: Object.fromEntries(categories) }, {
            enabled: false,
          }),
  };
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
