/** What is wrong with a setting that its shape alone does not tell, and what follows from one. */
import { createHash } from "node:crypto";
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

/** Where browsers run, the default first. Source: the published interface. */
export const regions = ["us-east", "us-west", "eu-west", "ap-southeast"] as const;

/** Memory that a request can give, by whether browsers have a window. The least is the default. */
const memories = { headless: ["1GiB", "2GiB", "4GiB"], headful: ["8GiB", "16GiB"] } as const;
export const allMemories = [...memories.headless, ...memories.headful] as const;

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

/**
 * Memory of browsers after a change. What becomes of it when browsers get or lose their window is a
 * guess: a default memory becomes the other default, and any other memory must be set again.
 */
export function memoryAfter(
  before: { readonly headless: boolean; readonly memory: string },
  headless: boolean,
  wanted: string | undefined,
): string {
  const choices = (isHeadless: boolean): readonly string[] => memories[isHeadless ? "headless" : "headful"];
  const wasDefault = before.memory === choices(before.headless)[0];
  const memory = wanted ?? (wasDefault ? choices(headless)[0] : before.memory);
  if (memory === undefined || !choices(headless).includes(memory)) {
    const browsers = headless ? "headless browsers" : "browsers with a window";
    throw invalid("memory", `must be one of ${choices(headless).join(", ")} for ${browsers}`);
  }
  return memory;
}

/** An id for the name of something that is not emulated, always the same. */
export function madeUpId(noun: string, name: string): string {
  return createHash("sha256").update(`${noun} ${name}`).digest("hex").slice(0, 24);
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
