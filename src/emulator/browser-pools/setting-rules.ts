/** What is wrong with a setting that its shape alone does not tell, and what follows from one. */
import { InputError } from "../../errors.js";

/** An extension or a profile by id or by name. */
export interface Selector {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** Size of a browser window in pixels, and its refresh rate in hertz. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly refreshRate: number;
}

/** Largest policy, in bytes of its JSON: 5 MiB. Source: the published interface. */
const chromePolicyBytesMax = 5_242_880;

/** Policies that the service manages. That there are some is published; which is a guess. */
const managedPolicies = /^(Extension|Proxy|RemoteDebugging)/;

/** A selector of exactly one; null when it clears the selection. */
export function selected({ id, name }: Selector): Selector | null {
  if (id !== undefined && name !== undefined) {
    throw invalid("profile", "has both id and name; give one of them");
  }
  if (id === undefined && name === undefined) {
    throw invalid("profile", "has neither id nor name; give one of them");
  }
  return id || name ? { ...(id && { id }), ...(name && { name }) } : null;
}

/** A policy that the service takes; null for one without members. */
export function checkedPolicy(policy: Readonly<Record<string, unknown>>) {
  const managed = Object.keys(policy).find((name) => managedPolicies.test(name));
  if (managed !== undefined) {
    throw invalid("chrome_policy", `has ${managed}, which the service manages`);
  }
  if (Buffer.byteLength(JSON.stringify(policy)) > chromePolicyBytesMax) {
    throw invalid("chrome_policy", `is larger than 5 MiB (${chromePolicyBytesMax} bytes) as JSON`);
  }
  return Object.keys(policy).length > 0 ? policy : null;
}

/** The service chooses lower rates for larger windows. The rates follow its published presets. */
export function refreshRateFor({ width, height }: Omit<Viewport, "refreshRate">): number {
  const pixels = width * height;
  return pixels <= 1_024_000 ? 60 : pixels <= 2_304_000 ? 25 : 10;
}

/** The refusal of a setting. */
export function invalid(property: string, problem: string): InputError {
  return new InputError("browser_pool_invalid", property, `${property} ${problem}.`);
}
