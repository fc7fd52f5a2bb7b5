import { InputError } from "../../../errors.js";
import { telemetryInput } from "../../browsers/browser-pools/telemetry.js";
import { inputOf } from "../../http/shapes.js";

const inputTelemetry = () => inputOf(telemetryInput);

/**
 * Telemetry in the form of requests. A destination always has the id, and has the name only if a request
 * selected the name.
 */
export type ConnectionTelemetry = NonNullable<ReturnType<typeof inputTelemetry>>;

/**
 * Telemetry after a request. Without `enabled`, categories merge; with `enabled`, the request
 * replaces the previous telemetry. Null changes nothing. Source: the published interface. Throws
 * `InputError`.
 */
export function mergedTelemetry(
  before: ConnectionTelemetry | null,
  given: ConnectionTelemetry | null | undefined,
): ConnectionTelemetry | null {
  const { enabled, browser = {} } = given ?? {};
  if (enabled === false && Object.keys(browser).length > 0) {
    const problem = "browser.telemetry is disabled and has categories. Give one of them.";
    throw new InputError("auth_connection_invalid", "browser", problem);
  }
  const merged =
    !given || !before || enabled !== undefined ? (given ?? before) : withCategories(before, given);
  const isCaptured = merged?.enabled ?? Object.values(merged?.browser ?? {}).some((each) => each?.enabled);
  if (given?.export?.otlp?.destination && !isCaptured) {
    const problem = "browser.telemetry.export.otlp.destination needs telemetry that is captured.";
    throw new InputError("auth_connection_invalid", "browser", problem);
  }
  return merged;
}

/** Telemetry with the changed categories, and with the other members of a request. */
function withCategories(before: ConnectionTelemetry, given: ConnectionTelemetry): ConnectionTelemetry {
  const { enabled: wasEnabled, ...kept } = before;
  const wasCaptured: Readonly<Record<string, object | undefined>> = before.browser ?? {};
  const changed = Object.entries(given.browser ?? {}).map(([category, flags]) => [
    category,
    { ...wasCaptured[category], ...flags },
  ]);
  return {
    // Categories turn disabled telemetry on.
    ...((wasEnabled || changed.length === 0) && { enabled: wasEnabled }),
    ...kept,
    ...given,
    browser: { ...before.browser, ...Object.fromEntries(changed) },
  };
}
