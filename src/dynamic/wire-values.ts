import {
  isPropertyMap,
  type PropertyMap,
  type PropertyValue,
  unknownValue,
} from "../providers/properties.js";

/**
 * Text that marks an unknown value in requests of the engine and in our answers.
 * Source: `unknownValue` in @pulumi/pulumi's runtime/rpc; a test holds the two equal.
 */
export const unknownMarker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Marks a secret on the wire. Source: `specialSigKey` and `specialSecretSig` in runtime/rpc. */
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/**
 * A value as the engine sent it, in the providers' terms: unknown markers become {@link
 * unknownValue}, secrets become their plain value.
 */
export function fromWire(value: unknown): PropertyValue {
  if (value === unknownMarker) {
    return unknownValue;
  }
  if (Array.isArray(value)) {
    return value.map(fromWire);
  }
  if (typeof value === "object" && value !== null) {
    const members = value as Record<string, unknown>;
    if (members[signatureKey] === secretSignature) {
      return fromWire(members.value);
    }
    return fromWireMap(members);
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  return null;
}

/**
 * The members of an object, each by {@link fromWire}. With `null` the engine says "not set": those
 * members are left out at this level.
 */
export function fromWireMap(members: Record<string, unknown>): PropertyMap {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, fromWire(value)]),
  );
}

/**
 * A value in a form that Pulumi's dynamic provider process can send. That process fails with
 * "Unexpected struct type." on anything but plain data, so anything else is refused here, with the
 * name of the property.
 */
function toWire(value: PropertyValue | undefined, path: string): unknown {
  if (value === unknownValue) {
    return unknownMarker;
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") {
    return value;
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) {
      throw new TypeError(`Property "${path}" is ${value}, which no state file can hold.`);
    }
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => toWire(item, `${path}[${index}]`));
  }
  const prototype = value === undefined ? undefined : Object.getPrototypeOf(value);
  if (isPropertyMap(value) && (prototype === Object.prototype || prototype === null)) {
    return toWireMap(value, `${path}.`);
  }
  throw new TypeError(`Property "${path}" is not plain data.`);
}

/** The members of a map, each by {@link toWire}. Members that are undefined are left out. */
export function toWireMap(members: PropertyMap, pathPrefix = ""): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, toWire(value, `${pathPrefix}${name}`)]),
  );
}
