/** Rules for settings beyond their shapes, and values derived from settings. */
import { InputError } from "../../../errors.js";
import { anyText, checkedString, exactly } from "../../http/shapes.js";
import { foldedName, plainNameProblem, type Selector } from "../../storage/ids-and-names.js";

/** Selector of an object: as given if the given name is still the object's, else by id. @internal */
export function selectorOf(
  found: { readonly id: string; readonly name?: string | null } | undefined,
  given: Selector | null | undefined,
): Selector | undefined {
  const { name = "" } = given ?? {};
  const isName = name !== "" && foldedName(name) === foldedName(found?.name ?? "");
  return found && (isName ? { name } : { id: found.id });
}

/** Shape of a name that may be empty, for no name. @internal */
export const nameOrEmpty = checkedString((text) => (text === "" ? undefined : plainNameProblem(text)));

/** Shape of a selector. An empty string selects nothing. @internal */
export const selectorShape = exactly({
  id: anyText.optional(),
  name: anyText.optional(),
});

/** Shape of a selector with exactly one member. @internal */
export const oneSelector = selectorShape.refine(
  ({ id, name }) => Boolean(id) !== Boolean(name),
  "must have either an id or a name",
);

/** Size of a browser window in pixels, and refresh rate in hertz. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly refreshRate: number;
}

/** Regions for browsers, the default first. Source: the published interface. */
export const regions = ["us-east", "us-west", "eu-west", "ap-southeast"] as const;

/** Memory sizes for browsers without and with a window. The smallest is the default. */
const memories = { headless: ["1GiB", "2GiB", "4GiB"], headful: ["8GiB", "16GiB"] } as const;
export const allMemories = [...memories.headless, ...memories.headful] as const;

/** Largest policy, in bytes of its JSON: 5 MiB. Source: the published interface. */
const chromePolicyBytesMax = 5_242_880;

/** Policies that the service manages. Published: such policies exist. The list is a guess. */
const managedPolicies = /^(Extension|Proxy|RemoteDebugging)/;

/** Checks that a selector has exactly one member; null if the selector clears the selection. */
export function checkedSelector({ id, name }: Selector): Selector | null {
  if (id !== undefined && name !== undefined) {
    throw invalid("profile", "has both id and name; give one of them");
  }
  if (id === undefined && name === undefined) {
    throw invalid("profile", "has neither id nor name; give one of them");
  }
  return id || name ? { ...(id && { id }), ...(name && { name }) } : null;
}

/** Checks a policy; null for a policy without members. Throws `InputError`. */
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
 * Memory of browsers after a change. Throws `InputError` for a memory that does not fit the browsers. Guess
 * for browsers that get or lose their window: a default memory becomes the new default, and a different
 * memory must be set again.
 */
export function checkedMemory(
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

/** Refresh rate for a window: lower for larger windows, as in the service's published presets. */
export function refreshRateFor({ width, height }: Omit<Viewport, "refreshRate">): number {
  const pixels = width * height;
  return pixels <= 1_024_000 ? 60 : pixels <= 2_304_000 ? 25 : 10;
}

export function invalid(property: string, problem: string): InputError {
  return new InputError("browser_pool_invalid", property, `${property} ${problem}.`);
}
