import { InputError } from "../../../errors.js";

/** Telemetry in the words of requests, checked by their shape. */
export interface ConnectionTelemetry {
  readonly enabled?: boolean | undefined;
  /** What is captured, by category. */
  readonly browser?: Readonly<Record<string, object | undefined>> | undefined;
  readonly export?: object | undefined;
  readonly storage?: object | undefined;
}

/**
 * Telemetry after a request. Without `enabled`, categories merge; with it, the request replaces what
 * was there. Null changes nothing. Source: the published interface. Throws `InputError`.
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
  if (!given || !before || enabled !== undefined) {
    return given ?? before;
  }
  const { enabled: wasEnabled, ...kept } = before;
  const changed = Object.entries(browser).map(([category, flags]) => [
    category,
    { ...before.browser?.[category], ...flags },
  ]);
  return {
    // Categories turn on what was off.
    ...((wasEnabled || changed.length === 0) && { enabled: wasEnabled }),
    ...kept,
    ...given,
    browser: { ...before.browser, ...Object.fromEntries(changed) },
  };
}
