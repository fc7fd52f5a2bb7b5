/** Telemetry of browsers: the categories that a pool or an auth connection selects. */
import { t } from "../properties.js";

export const telemetryTypes = {
  captcha: t.boolean,
  connection: t.boolean,
  console: t.boolean,
  control: t.boolean,
  interaction: t.boolean,
  network: t.boolean,
  page: t.boolean,
  platform: t.boolean,
  screenshot: t.boolean,
  system: t.boolean,
};
type TelemetryCategory = keyof typeof telemetryTypes;
export type Telemetry = Readonly<Partial<Record<TelemetryCategory, boolean | undefined>>>;
export const telemetryCategories = Object.keys(telemetryTypes) as TelemetryCategory[];

/** Form of the input, as the end of a sentence. */
export const telemetryForm = `must be an object of true or false by category: ${telemetryCategories.join(", ")}. With {}, the service captures its usual categories`;

/** Problem of a selection without any category. */
export const nothingCaptured = 'switches off every category. To capture nothing, remove "telemetry".';

/** Categories captured by default. Source: the service's interface description. */
const capturedByDefault: readonly TelemetryCategory[] = ["captcha", "connection", "control", "system"];

function isCaptured(telemetry: Telemetry, category: TelemetryCategory): boolean {
  return telemetry[category] ?? capturedByDefault.includes(category);
}

/** Whether a selection captures any category. */
export function capturesAnything(telemetry: Telemetry): boolean {
  return telemetryCategories.some((category) => isCaptured(telemetry, category));
}

/** Categories that differ from the service's default selection. */
export function selectionOf(telemetry: Telemetry): Telemetry {
  const differing = telemetryCategories.filter(
    (each) => isCaptured(telemetry, each) !== isCaptured({}, each),
  );
  return Object.fromEntries(differing.map((each) => [each, isCaptured(telemetry, each)]));
}

/** Whether two selections capture the same categories. Undefined captures nothing. */
export function isSameTelemetry(a: Telemetry | undefined, b: Telemetry | undefined): boolean {
  if (a === undefined || b === undefined) {
    return a === b;
  }
  return telemetryCategories.every((category) => isCaptured(a, category) === isCaptured(b, category));
}
