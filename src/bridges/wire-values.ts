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
    return members[signatureKey] === secretSignature ? fromWire(members.value) : fromWireMap(members);
  }
  return isPrimitive(value) ? value : null;
}

/** A value that the engine encrypts in the state and never shows, in the form of the wire. */
export function secretOnWire(value: unknown): unknown {
  return { [signatureKey]: secretSignature, value };
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/**
 * The members of an object, each by {@link fromWire}. With `null` the engine says "not set": those
 * members are left out at this level, unless null is a value of theirs.
 */
export function fromWireMap(members: Record<string, unknown>, nullable: readonly string[] = []): PropertyMap {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name, value]) => value !== undefined && (value !== null || nullable.includes(name)))
      .map(([name, value]) => [name, fromWire(value)]),
  );
}

/**
 * A value in a form that Pulumi's dynamic provider process can send. It fails with "Unexpected
 * struct type." on anything but plain data, which is refused here with the property's name.
 */
function toWire(value: PropertyValue | undefined, path: string): unknown {
  if (value === unknownValue) {
    return unknownMarker;
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`Property "${path}" is ${value}, which Pulumi cannot store in its state.`);
  }
  if (value === null || isPrimitive(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => toWire(item, `${path}[${index}]`));
  }
  const prototype = value === undefined ? undefined : Object.getPrototypeOf(value);
  if (isPropertyMap(value) && (prototype === Object.prototype || prototype === null)) {
    return toWireMap(value, `${path}.`);
  }
  throw new TypeError(`Property "${path}" must be plain data: a string, number, boolean, list or object.`);
}

/** The members of a map, each by {@link toWire}. Members that are undefined are left out. */
export function toWireMap(
  members: Readonly<Record<string, PropertyValue | undefined>>,
  pathPrefix = "",
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, toWire(value, `${pathPrefix}${name}`)]),
  );
}
