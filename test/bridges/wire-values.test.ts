import {
  unknownValue as pulumisMarker,
  specialSecretSig,
  specialSigKey,
} from "@pulumi/pulumi/runtime/rpc.js";
import { fromWire, fromWireMap, toWireMap, unknownMarker } from "../../src/bridges/wire-values.js";
import { unknownValue } from "../../src/providers/properties.js";

describe("wire values", () => {
  test("the marker of an unknown value on the wire is the marker of Pulumi's SDK", () => {
    expect(unknownMarker).toBe(pulumisMarker);
  });

  test("unknown markers are converted to the providers' unknown value and back, at any depth", () => {
    const wire = { path: pulumisMarker, exclude: ["a", pulumisMarker], manifest: { name: pulumisMarker } };
    const values = fromWireMap(wire);
    expect(values).toEqual({
      path: unknownValue,
      exclude: ["a", unknownValue],
      manifest: { name: unknownValue },
    });
    expect(toWireMap(values)).toEqual(wire);
  });

  test("secrets are unwrapped, also inside a list", () => {
    const secret = (value: unknown) => ({ [specialSigKey]: specialSecretSig, value });
    expect(fromWire([secret("a"), { b: secret(pulumisMarker) }])).toEqual(["a", { b: unknownValue }]);
  });

  test("members without a value are omitted in both directions, because a state file has no undefined", () => {
    expect(toWireMap({ name: "a", projectId: undefined } as never)).toEqual({ name: "a" });
    expect(fromWireMap({ name: "a", projectId: null })).toEqual({ name: "a" });
  });

  test.each([
    ["a date", new Date(0)],
    ["a function", () => 1],
    ["a Buffer", Buffer.from("a")],
    ["a Map", new Map()],
    ["a bigint", 1n],
    ["not a number", Number.NaN],
  ])("the conversion refuses %s, and the error names the property", (_what, value) => {
    expect(() => toWireMap({ manifest: { version: value } } as never)).toThrow('"manifest.version"');
  });
});
