import {
  isPropertyMap,
  type PropertyMap,
  type PropertyValue,
  unknownValue,
} from "../providers/properties.js";

/**
 * Marker of an unknown value in requests of the engine and in our responses. Source: `unknownValue`
 * in @pulumi/pulumi's runtime/rpc; a test holds the two equal.
 */
export const unknownMarker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Mark of a secret on the wire. Source: `specialSigKey` and `specialSecretSig` in runtime/rpc. */
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Converts a value from the engine: unknown markers to {@link unknownValue}, secrets to plain. */
export function fromWire(value: unknown): PropertyValue {
  if (value === unknownMarker) {
    return unknownValue;
  }
  if (Array.isArray(value)) {
    return value.map(fromWire);
  }
  if (typeof value === "object" && value !== null) {
    return isSecretOnWire(value) ? fromWire(value.value) : fromWireMap(value as Record<string, unknown>);
  }
  return isPrimitive(value) ? value : null;
}

/** Marks a value as secret for the wire: the engine encrypts and never shows the value. */
export function secretOnWire(value: unknown): unknown {
  return { [signatureKey]: secretSignature, value };
}

/** Whether the engine has marked a value as secret. */
export function isSecretOnWire(value: unknown): value is { readonly value: unknown } {
  return (value as Record<string, unknown> | null | undefined)?.[signatureKey] === secretSignature;
}

/** Whether a value is secret or contains a secret. */
export function hasSecretOnWire(value: unknown): boolean {
  const isParent = typeof value === "object" && value !== null;
  return isParent && (isSecretOnWire(value) || Object.values(value).some(hasSecretOnWire));
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/**
 * Converts the members of an object by {@link fromWire}. `null` from the engine means "not set":
 * such members are omitted at this level, except members in `nullable`.
 */
export function fromWireMap(members: Record<string, unknown>, nullable: readonly string[] = []): PropertyMap {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, fromWire(value)] as const)
      .filter(([name, value]) => value !== null || nullable.includes(name)),
  );
}

/**
 * Converts a value for the wire. Throws `TypeError` with the property's name for anything but plain
 * data: Pulumi's dynamic provider process would fail with "Unexpected struct type.".
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

/** Converts the members of a map by {@link toWire}. Undefined members are omitted. */
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

/**
 * Reads a map that the state holds as JSON text: the engine converts and logs every single value
 * five times in each update. Undefined for anything else.
 */
export function mapFromText(text: PropertyValue | undefined): PropertyMap | undefined {
  try {
    const map = typeof text === "string" ? JSON.parse(text) : undefined;
    return isPropertyMap(map) ? map : undefined;
  } catch {
    return undefined;
  }
}
