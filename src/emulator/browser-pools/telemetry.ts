/** Which telemetry the browsers of a pool capture. */
import { z } from "zod";
import { exactly, flag } from "../http/shapes.js";
import { invalid } from "./setting-rules.js";

/** The categories that are captured; null without telemetry. */
type Captured = Readonly<Record<string, boolean>> | null;

/** What a request asks of telemetry. */
export interface TelemetryChange {
  readonly enabled?: boolean | undefined;
  readonly browser?: Readonly<Record<string, boolean>> | undefined;
}

/** Which categories are captured unless a request says otherwise. Source: published interface. */
const defaultCategories: Readonly<Record<string, boolean>> = {
  control: true,
  connection: true,
  system: true,
  captcha: true,
  console: false,
  network: false,
  page: false,
  interaction: false,
  screenshot: false,
};

const categories = Object.keys(defaultCategories);

const category = exactly({ enabled: flag.optional() });

/**
 * What a request asks of telemetry. Null changes nothing.
 *
 * @internal
 */
export const telemetryShape = exactly({
  enabled: flag.optional(),
  browser: exactly(Object.fromEntries(categories.map((each) => [each, category.optional()]))).optional(),
})
  .nullable()
  .transform((given): TelemetryChange => {
    const { enabled, browser = {} } = given ?? {};
    const captured = Object.entries(browser).flatMap(([each, flags]) =>
      flags?.enabled === undefined ? [] : [[each, flags.enabled] as const],
    );
    return { enabled, browser: Object.fromEntries(captured) };
  });

const notCategories = `must be an object of the categories ${categories.join(", ")}`;

/**
 * Which categories are captured, as a seed says it.
 *
 * @internal
 */
export const telemetrySeed = z
  .record(z.string(), flag, notCategories)
  .refine((given) => Object.keys(given).every((each) => categories.includes(each)), notCategories);

/** What is captured after a change. Throws `InputError` `browser_pool_invalid`. */
export function changedTelemetry({ enabled, browser = {} }: TelemetryChange, before: Captured): Captured {
  const isEmpty = Object.keys(browser).length === 0;
  if (enabled === false && !isEmpty) {
    throw invalid("telemetry", "is disabled and has categories; give one of them");
  }
  if (enabled === undefined && isEmpty) {
    return before;
  }
  const base = enabled === true ? defaultCategories : (before ?? defaultCategories);
  const after = { ...base, ...browser };
  return enabled === false || Object.values(after).every((captured) => !captured) ? null : after;
}

/** As an answer says it. */
export function telemetryOnWire(captured: Captured) {
  const each = Object.entries(captured ?? {}).map(([name, enabled]) => [name, { enabled }]);
  return captured && { browser: Object.fromEntries(each) };
}
