import { browserPoolProblems } from "../../../client/browsers/browser-pool-settings.js";
import { isIntegerFrom } from "../../../client/options.js";
import type { CheckFailure } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "../../properties.js";
import { capturesAnything, nothingCaptured, telemetryForm } from "../telemetry.js";
import { type BrowserPoolInputs, browserPoolInputs, type DeclaredPool } from "./properties.js";

type Input = keyof DeclaredPool;

/** Required form of an input, as the end of a sentence that begins with the input name. */
const forms: { readonly [I in Input]?: string } = {
  size: "must be a whole number of at least 1: the number of browsers that the service keeps ready",
  extensionIds: "must be a list of ids of extensions, such as [extension.id]",
  chromePolicy:
    'must be an object of Chrome enterprise policies by name, such as { HomepageLocation: "https://example.com" }, or the JSON of one',
  viewport:
    'must have "width" and "height" in pixels, and may have "refreshRate" in hertz: whole numbers of at least 1',
  timeoutSeconds: "must be a number of seconds",
  fillRatePerMinute: "must be a whole number: the percentage of the pool that is filled in a minute",
  telemetry: telemetryForm,
  network:
    'may have the lists "allowedHosts", "privateHosts" and "proxyRoutes", and each route has "hosts" and a "proxyId"',
  telemetryExcludedMethods: "must be a list of CDP methods, such as Page.navigate",
  waitForAvailable: "must be a number of browsers",
};

const notHeadless = { headless: false } as const;

/** Reports all invalid inputs of a BrowserPool at once. Unknown values pass. */
export function browserPoolFailures(given: PropertyMap): CheckFailure[] {
  const news = withReadPolicy(given);
  return [
    ...formFailures(news, browserPoolInputs, "A BrowserPool", forms, (formed) => {
      const incomplete = incompleteIn(formed);
      const complete = Object.entries(formed).filter(([input]) => !incomplete.includes(input as Input));
      return [
        ...incomplete.map((property) => ({ property, problem: forms[property] ?? "is incomplete" })),
        // A new pool is not headless by default.
        ...browserPoolProblems({
          ...(news.headless === undefined && notHeadless),
          ...Object.fromEntries(complete),
        }),
      ];
    }),
    ...contradictions(news, browserPoolInputs.readDeclared(news)),
  ];
}

/** Parses a policy given as JSON. Invalid JSON stays a string. */
export function withReadPolicy(news: PropertyMap): PropertyMap {
  const { chromePolicy } = news;
  if (typeof chromePolicy !== "string") {
    return news;
  }
  try {
    return { ...news, chromePolicy: JSON.parse(chromePolicy) as PropertyValue };
  } catch {
    return news;
  }
}

function incompleteIn({ viewport, network }: BrowserPoolInputs): Input[] {
  const lacksSide = viewport && (viewport.width === undefined || viewport.height === undefined);
  const lacksProxy = network?.proxyRoutes?.some((route) => !route.hosts || !route.proxyId);
  return [...(lacksSide ? (["viewport"] as const) : []), ...(lacksProxy ? (["network"] as const) : [])];
}

/** Failures of inputs that do not fit together. */
function contradictions(news: PropertyMap, declared: DeclaredPool): CheckFailure[] {
  const { size, refreshOnProfileUpdate, telemetry, telemetryStorage, waitForAvailable } = declared;
  const hasProfile = news.profileId !== undefined || news.profileName !== undefined;
  const isOff = telemetry !== undefined && telemetry !== unknownValue && !capturesAnything(telemetry);
  const sizeMax = typeof size === "number" ? size : Number.MAX_SAFE_INTEGER;
  const rules: readonly (readonly [property: Input, isWrong: boolean, reason: string])[] = [
    [
      "refreshOnProfileUpdate",
      refreshOnProfileUpdate !== undefined && !hasProfile,
      'needs a profile. Give "profileId" or "profileName", or remove "refreshOnProfileUpdate".',
    ],
    ["telemetry", isOff, nothingCaptured],
    [
      "telemetryDestinationId",
      news.telemetryDestinationId !== undefined && telemetry === undefined,
      'needs telemetry to export. Give "telemetry", or remove "telemetryDestinationId".',
    ],
    [
      "telemetryStorage",
      telemetryStorage === false && news.telemetryDestinationId === undefined,
      'can only be false with a "telemetryDestinationId": otherwise, telemetry is neither stored nor exported.',
    ],
    [
      "waitForAvailable",
      typeof waitForAvailable === "number" && !isIntegerFrom(waitForAvailable, 1, sizeMax),
      'must be a whole number from 1 to "size". To wait for no browser, remove "waitForAvailable".',
    ],
  ];
  const broken = rules.filter(([, isWrong]) => isWrong);
  return broken.map(([property, , reason]) => ({ property, reason: `"${property}" ${reason}` }));
}
