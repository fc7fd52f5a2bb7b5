import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { fromWireMap, secretOnWire, toWireMap } from "../bridge/wire-values.js";
import type { PropertyMap } from "../providers/properties.js";

/** Properties as the engine sent them. A request without any is like one with an empty object. */
export function propertiesOf(struct: Struct | undefined): PropertyMap {
  return fromWireMap(struct?.toJavaScript() ?? {});
}

/**
 * Properties in the form of an answer. `secrets`: names of those that the engine must encrypt in
 * the state and never show. One without a value has nothing to hide.
 */
export function structOf(properties: PropertyMap, secrets: readonly string[] = []): Struct {
  const wire = Object.entries(toWireMap(properties)).map(([name, value]) => [
    name,
    secrets.includes(name) && value !== null ? secretOnWire(value) : value,
  ]);
  return Struct.fromJavaScript(Object.fromEntries(wire) as Record<string, JavaScriptValue>);
}
