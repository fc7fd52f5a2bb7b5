/** State of dynamic resources besides the properties of the life cycles. */
import type { Kind, ReadResult } from "../../providers/lifecycle.js";
import { isPropertyMap, type PropertyMap, type PropertyValue } from "../../providers/properties.js";
import {
  hiddenInput,
  hiddenMembers,
  loaderInput,
  loaderText,
  programInput,
} from "../../resources/dynamic-contract.js";
import { resourceType } from "../../resources/type-token.js";
import { completeOutputs, kinds, type ResourceKind } from "../kinds.js";
import { fromWireMap, mapFromText, toWireMap } from "../wire-values.js";

/** Properties in the form of the engine and the state. */
export type WireMap = Record<string, unknown>;

/**
 * Separates the resource's own properties from the inputs that are for bridges only. `hidden`: as
 * in the state. `program`: as the program gives the values in this run, for a check.
 */
export function splitHidden(properties: WireMap, nullable: readonly string[] = []) {
  const {
    [loaderInput]: _text,
    [hiddenInput]: hiddenText,
    [programInput]: programText,
    ...visible
  } = fromWireMap(properties, nullable);
  const hidden = mapFromText(hiddenText);
  return { visible, hidden, program: mapFromText(programText) ?? hidden };
}

/** Returns a member of the hidden input that is an object; undefined for anything else. */
export function mapOf(value: PropertyValue | undefined): PropertyMap | undefined {
  return isPropertyMap(value) ? value : undefined;
}

/** Builds the outputs of a response: all outputs of the kind, and the hidden input of `source`. */
export function outputsWithHidden(kind: Pick<Kind, "state">, outputs: PropertyMap, source: WireMap): WireMap {
  return withHidden(completeOutputs(kind, outputs), source);
}

/** Adds the hidden input of `source` to a response: the state loses all omitted properties. */
export function withHidden(properties: PropertyMap, source: WireMap): WireMap {
  const hidden = source[hiddenInput];
  return { ...toWireMap(properties), ...(hidden === undefined ? {} : { [hiddenInput]: hidden }) };
}

/**
 * Builds a resource for a file of `pulumi import --file`: the engine cannot import by a read of a
 * dynamic provider. Inputs and outputs both contain the provider. Source: Pulumi's import file,
 * with outputs since CLI 3.254.
 */
export function importedResource(
  kind: ResourceKind,
  name: string,
  { id, inputs, outputs, memo }: ReadResult,
) {
  const source = {
    [hiddenInput]: JSON.stringify({ [hiddenMembers.memo]: memo }),
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
