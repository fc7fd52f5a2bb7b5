import { lifeCycles } from "../providers/kinds.js";
import type { Kind } from "../providers/lifecycle.js";
import type { PropertyMap } from "../providers/properties.js";
import { attended } from "./attended.js";

export { type ResourceKind, resourceKinds } from "../providers/kinds.js";

/** Kinds of resource, with the work of both bridges before and after each call. */
export const kinds = attended(lifeCycles);

/** Inputs that a program may give to a kind, by name. */
export function programInputsOf({ inputs }: Kind) {
  return Object.fromEntries(Object.entries(inputs.types).filter(([, { isFilledIn }]) => !isFilledIn));
}

/** Outputs of a kind that a program can read, by name. */
export function outputsOf({ state }: Pick<Kind, "state">) {
  return Object.fromEntries(Object.entries(state.types).filter(([, { isInternal }]) => !isInternal));
}

/**
 * Completes the outputs of a kind for the state: null for every declared output without a value. In
 * previews, a missing output is unknown to the program and to every resource that takes the output.
 */
export function completeOutputs(kind: Pick<Kind, "state">, outputs: PropertyMap): PropertyMap {
  const nothing = Object.keys(outputsOf(kind)).map((name) => [name, null]);
  return { ...Object.fromEntries(nothing), ...outputs };
}

/** Names of the outputs that are unknown before the resource exists, unless given by an input. */
export function serviceOutputsOf(kind: Kind): string[] {
  const isInput = (name: string) => Object.hasOwn(kind.inputs.types, name);
  const unknown = Object.entries(outputsOf(kind)).filter(
    ([name, { isFromService }]) => isFromService || !isInput(name),
  );
  return unknown.map(([name]) => name);
}
