/** What dynamic resources keep in the state besides the properties that the life cycles know. */
import type { Kind, ReadResult } from "../../providers/lifecycle.js";
import { isPropertyMap, type PropertyMap, type PropertyValue } from "../../providers/properties.js";
import { everyOutput, kinds, type ResourceKind } from "../kinds.js";
import { fromWireMap, toWireMap } from "../wire-values.js";
import { hiddenInput, hiddenMembers, loaderInput, loaderText, resourceType } from "./contract.js";

/** Properties as the engine sends and keeps them. */
export type WireMap = Record<string, unknown>;

/** Tells the resource's own properties from those of the hidden input, which only bridges know. */
export function split(properties: WireMap, nullable: readonly string[] = []) {
  const { [loaderInput]: _text, [hiddenInput]: hidden, ...visible } = fromWireMap(properties, nullable);
  return { visible, hidden: mapOf(hidden) };
}

/** A member of the hidden input that is an object; undefined for anything else. */
export function mapOf(value: PropertyValue | undefined): PropertyMap | undefined {
  return isPropertyMap(value) ? value : undefined;
}

/** Outputs in the form of an answer: all of the kind, and the hidden input of `source`. */
export function outputsWithHidden(kind: Pick<Kind, "state">, outputs: PropertyMap, source: WireMap): WireMap {
  return withHidden(everyOutput(kind, outputs), source);
}

/** Every answer returns the hidden input: what an answer leaves out is lost from the state. */
export function withHidden(properties: PropertyMap, source: WireMap): WireMap {
  const hidden = source[hiddenInput];
  return { ...toWireMap(properties), ...(hidden === undefined ? {} : { [hiddenInput]: hidden }) };
}

/**
 * A resource for a file of `pulumi import --file`: the engine cannot ask a dynamic provider to read
 * it. Both inputs and outputs hold the provider. Source: Pulumi's import file, with outputs since
 * CLI 3.254.
 */
export function importedResource(
  kind: ResourceKind,
  name: string,
  { id, inputs, outputs, memo }: ReadResult,
) {
  const source = {
    [hiddenInput]: toWireMap({ [hiddenMembers.memo]: memo }),
    [loaderInput]: loaderText(kind),
  };
  const withText = (properties: WireMap) => ({ ...properties, [loaderInput]: source[loaderInput] });
  return {
    type: resourceType(kind),
    name,
    id,
    inputs: withText(withHidden(inputs, source)),
    outputs: withText(outputsWithHidden(kinds[kind], outputs, source)),
  };
}
