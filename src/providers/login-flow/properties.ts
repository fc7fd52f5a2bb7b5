import { durationMs, timerMsMax } from "../../duration.js";
import type { CheckFailure } from "../lifecycle.js";
import { type PropertyMap, unknownValue } from "../properties.js";

/** How long a login is waited for when nobody says. The service ends a flow after 20 minutes. */
export const timeoutDefault = "25m";

/** Inputs a program may give. */
const declaredInputs = ["connectionId", "timeout", "triggers", "onFailure"];

/** What is wrong with the inputs of a LoginFlow, property by property. */
export function loginFlowFailures(inputs: PropertyMap): CheckFailure[] {
  const failures: CheckFailure[] = [];
  for (const property of Object.keys(inputs)) {
    if (!declaredInputs.includes(property)) {
      const reason = `A LoginFlow has no input "${property}". Its inputs are ${declaredInputs.join(", ")}.`;
      failures.push({ property, reason });
    }
  }
  const { connectionId, timeout, onFailure } = inputs;
  if (connectionId === undefined) {
    failures.push({
      property: "connectionId",
      reason: 'A LoginFlow needs "connectionId": the id of the auth connection whose login it waits for.',
    });
  } else if (connectionId !== unknownValue && !isId(connectionId)) {
    failures.push({
      property: "connectionId",
      reason:
        '"connectionId" has to be the id of an auth connection as the service shows it: 1 to 255 of A-Z a-z 0-9 . _ -. A domain with a path, or an address, is none.',
    });
  }
  if (timeout !== undefined && timeout !== unknownValue) {
    const ms = typeof timeout === "string" ? durationMs(timeout) : undefined;
    if (ms === undefined || ms < 1_000 || ms > timerMsMax) {
      failures.push({
        property: "timeout",
        reason: `"timeout" has to be a time from 1s to 24 days, such as "90s", "${timeoutDefault}" or "1h30m".`,
      });
    }
  }
  if (
    onFailure !== undefined &&
    onFailure !== unknownValue &&
    onFailure !== "fail" &&
    onFailure !== "continue"
  ) {
    failures.push({
      property: "onFailure",
      reason: '"onFailure" has to be "fail" (the default) or "continue".',
    });
  }
  return failures;
}

function isId(value: unknown): value is string {
  return typeof value === "string" && /^(?!\.+$)[A-Za-z0-9._-]{1,255}$/.test(value);
}
