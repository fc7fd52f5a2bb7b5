/** Telemetry of the browsers of a pool: captured categories and destination. */
import type { z } from "zod";
import { anyText, exactly, flag, listOf } from "../../http/shapes.js";
import type { Selector } from "../../storage/ids-and-names.js";
import { invalid, oneSelector } from "./setting-rules.js";

export interface Telemetry {
  /** Whether a category is captured, by category. */
  readonly browser: Readonly<Record<string, boolean>>;
  readonly excludedMethods: readonly string[];
  /** Id of the export destination; null without an export. */
  readonly destinationId: string | null;
  /** Whether the service stores the telemetry, too. */
  readonly isStored: boolean;
}

/** Change of telemetry in a request. Undefined members are unchanged. */
export interface TelemetryChange {
  readonly enabled?: boolean | undefined;
  readonly browser?: Readonly<Record<string, boolean>> | undefined;
  readonly excludedMethods?: readonly string[] | undefined;
  /** Null ends the export. Resolved to an id before the change. */
  readonly destination?: Selector | null | undefined;
  readonly isStored?: boolean | undefined;
}

/** Categories captured by default. Source: published interface. */
const defaultCategories = {
  control: true,
  connection: true,
  system: true,
  captcha: true,
  console: false,
  network: false,
  page: false,
  interaction: false,
  screenshot: false,
  platform: false,
};

const categories = Object.keys(defaultCategories);

/** CDP methods that can be excluded, by domain. Source: published interface. */
const cdpMethods: Readonly<Record<string, string>> = {
  Input:
    "dispatchMouseEvent dispatchKeyEvent insertText imeSetComposition dispatchTouchEvent dispatchDragEvent " +
    "cancelDragging emulateTouchFromMouseEvent synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture",
  DOM: "setFileInputFiles focus scrollIntoViewIfNeeded",
  Page:
    "bringToFront captureScreenshot captureSnapshot handleJavaScriptDialog navigate navigateToHistoryEntry reload " +
    "printToPDF startScreencast stopScreencast stopLoading close setWebLifecycleState",
  Target: "activateTarget closeTarget createTarget createBrowserContext disposeBrowserContext openDevTools",
  Browser: "cancelDownload close setWindowBounds setContentsSize",
  Autofill: "trigger",
};

const cdpMethod = anyText.refine((text) => {
  const [domain = "", method = ""] = text.split(".");
  return (cdpMethods[domain] ?? "").split(" ").includes(method) && text.split(".").length === 2;
}, "must be a CDP method that can be excluded, such as Page.navigate");

const category = exactly({ enabled: flag.optional() });
const control = exactly({
  enabled: flag.optional(),
  cdp: exactly({ excluded_methods: listOf(cdpMethod).optional() }).optional(),
});
const otlp = exactly({ enabled: flag.optional(), destination: oneSelector.optional() }).refine(
  (given) => given.enabled !== false || !given.destination,
  "is disabled and has a destination",
);

/** Shape of telemetry in a request, stored unchanged by a connection. Null changes nothing. @internal */
export const telemetryInput = exactly({
  enabled: flag.optional(),
  browser: exactly({
    ...(Object.fromEntries(categories.map((each) => [each, category.optional()])) as Record<
      keyof typeof defaultCategories,
      z.ZodOptional<typeof category>
    >),
    control: control.optional(),
  }).optional(),
  export: exactly({ otlp: otlp.optional() }).optional(),
  storage: exactly({ enabled: flag.optional() }).optional(),
}).nullable();

/** Shape of telemetry in a request about a pool. @internal */
export const telemetryShape = telemetryInput.transform((given): TelemetryChange => {
  const { enabled, browser = {}, storage } = given ?? {};
  const captured = Object.entries(browser).flatMap(([each, flags]) => {
    const { enabled: isCaptured } = (flags ?? {}) as { readonly enabled?: boolean };
    return isCaptured === undefined ? [] : [[each, isCaptured] as const];
  });
  const { enabled: isExported, destination: target } = given?.export?.otlp ?? {};
  return {
    enabled,
    browser: Object.fromEntries(captured),
    excludedMethods: browser.control?.cdp?.excluded_methods,
    destination: isExported === false ? null : target,
    isStored: storage?.enabled,
  };
});

/**
 * Telemetry after a change. Guess: an export continues if a request omits the export. Throws
 * `InputError` `browser_pool_invalid`.
 */
export function changedTelemetry(change: TelemetryChange, before: Telemetry | null): Telemetry | null {
  const { enabled, browser = {}, excludedMethods, destination: target, isStored } = change;
  const isEmpty = Object.keys(browser).length === 0;
  if (enabled === false && (!isEmpty || target)) {
    throw invalid("telemetry", "is disabled and has categories or a destination; give one of them");
  }
  const isOther = enabled !== undefined || !isEmpty;
  const base: Telemetry["browser"] =
    enabled === true ? defaultCategories : (before?.browser ?? defaultCategories);
  const captured = { ...base, ...browser };
  const isCaptured = isOther
    ? enabled !== false && Object.values(captured).some((each) => each)
    : before !== null;
  if (!isCaptured) {
    if (target) {
      throw invalid("telemetry.export.otlp.destination", "needs telemetry that is captured");
    }
    return null;
  }
  const destinationId = (target === undefined ? before?.destinationId : target?.id) ?? null;
  const isKept = isStored ?? before?.isStored ?? true;
  if (!isKept && destinationId === null) {
    throw invalid("telemetry.storage.enabled", "can only be false with an OTLP destination");
  }
  return {
    browser: captured,
    excludedMethods: excludedMethods ?? before?.excludedMethods ?? [],
    destinationId,
    isStored: isKept,
  };
}

/** Converts telemetry for a request that sets the same telemetry, with an existing destination. */
export function telemetryInRequest({ isStored, ...telemetry }: Telemetry, id: string | undefined) {
  const kept = { ...telemetry, destinationId: null, isStored: isStored || id === undefined };
  return { ...telemetryOnWire(kept), ...(id !== undefined && { export: { otlp: { destination: { id } } } }) };
}

/** Converts telemetry for a response. */
export function telemetryOnWire(telemetry: Telemetry | null) {
  if (telemetry === null) {
    return null;
  }
  const { browser, excludedMethods, destinationId, isStored } = telemetry;
  const each = Object.entries(browser).map(([name, enabled]) => {
    const hasExcluded = name === "control" && excludedMethods.length > 0;
    return [name, { enabled, ...(hasExcluded && { cdp: { excluded_methods: excludedMethods } }) }];
  });
  return {
    browser: Object.fromEntries(each),
    ...(destinationId !== null && { export: { otlp: { enabled: true, destination: destinationId } } }),
    storage: { enabled: isStored },
  };
}
