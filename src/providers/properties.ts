import { InputError } from "../errors.js";

/**
 * An output of a resource that a preview has not created. The bridge translates Pulumi's
 * own marker to this symbol and back, so that providers never see the marker.
 */
export const unknownValue: unique symbol = Symbol("unknown");

/** What a property of a resource may hold: plain data, which becomes JSON in the state file. */
export type PropertyValue =
  | string
  | number
  | boolean
  | null
  | typeof unknownValue
  | readonly PropertyValue[]
  | { readonly [name: string]: PropertyValue };

/** Properties of a resource by name. A property that is not set is absent, never `undefined`. */
export type PropertyMap = { readonly [name: string]: PropertyValue };

/** Whether `value` is an object with named members: no list, null or {@link unknownValue}. */
export function isPropertyMap(value: PropertyValue | undefined): value is PropertyMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A type of property, in the form of a Pulumi schema. */
export interface TypeSchema {
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  /** The values of a string, and what each of them means. */
  readonly enum?: Readonly<Record<string, string>>;
  /** A member of an object that the engine encrypts and does not show. */
  readonly secret?: true;
  readonly items?: TypeSchema;
  readonly additionalProperties?: TypeSchema;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
}

/** What a resource declares of a property besides its type: `{ ...string, isRequired: true }`. */
interface Marks {
  /** An input that every program gives. */
  readonly isRequired?: true;
  /** An input that only `check` gives. The option `ignoreChanges` brings back the old one. */
  readonly isFilledIn?: true;
  /** An input whose change replaces the resource. */
  readonly replaces?: true;
  /** An input that is known only after the creation, unless the program gives it. */
  readonly isFromService?: true;
  /** What only the life cycle reads: the state keeps it, but it is no output. */
  readonly isInternal?: true;
  /** An output that could be misused: the engine encrypts it and does not show it. */
  readonly isSecret?: true;
}

/** What a property may hold: for the compiler, for a schema and for reading a state file. */
export interface PropertyType<T> extends Marks {
  readonly schema: TypeSchema;
  /** The value if it has this type, and otherwise undefined. Holds nothing unknown. */
  readonly read: (value: PropertyValue | undefined) => T | undefined;
}

/** Types of properties by name: what a resource declares. */
type Shape = Readonly<Record<string, PropertyType<unknown>>>;

type ValueOf<T> = T extends PropertyType<infer V> ? V : never;

/** Values of declared properties. One is missing in a state file that is older than it. */
type Known<S extends Shape> = { readonly [N in keyof S]?: ValueOf<S[N]> | undefined };

/** A value that a preview may not know yet. */
export type MaybeUnknown<T> = T | typeof unknownValue;

/** Values of declared properties during a preview, in which any of them may be unknown. */
type Declared<S extends Shape> = { readonly [N in keyof S]?: MaybeUnknown<ValueOf<S[N]>> | undefined };

/** A resource's values as its life cycle works with them: `PropertiesOf<typeof extensionState>`. */
export type PropertiesOf<P> = P extends Properties<infer S> ? Known<S> : never;

/** The same during a preview. */
export type DeclaredOf<P> = P extends Properties<infer S> ? Declared<S> : never;

/** Every output of a resource by name: what its state keeps and is not internal. */
export type OutputsOf<P> =
  P extends Properties<infer S>
    ? {
        readonly [N in keyof S as S[N] extends { readonly isInternal: true } ? never : N]: S[N] extends {
          readonly isSecret: true;
        }
          ? "secret"
          : true;
      }
    : never;

function primitive<T>(type: "string" | "number" | "boolean"): PropertyType<T> {
  return { schema: { type }, read: (value) => (typeof value === type ? (value as T) : undefined) };
}

const string = primitive<string>("string");
/** A string inside of an object that could be misused. */
const secret: PropertyType<string> = { ...string, schema: { type: "string", secret: true } };
const number = primitive<number>("number");
/** A number that languages with a type for integers show as one. State files have numbers. */
const integer: PropertyType<number> = { ...number, schema: { type: "integer" } };
const boolean = primitive<boolean>("boolean");

/** Any plain data. The only type that may be unknown in parts. */
const anything: PropertyType<PropertyValue> = { schema: {}, read: (value) => value };

/** One of a few strings. Each is given with what it means, for the schema. */
function oneOf<V extends string>(meanings: Readonly<Record<V, string>>): PropertyType<V> {
  const values = Object.keys(meanings) as V[];
  return {
    schema: { type: "string", enum: meanings },
    read: (value) => values.find((each) => each === value),
  };
}

/** A list of values of one type. */
function listOf<T>({ schema, read }: PropertyType<T>): PropertyType<readonly T[]> {
  return {
    schema: { type: "array", items: schema },
    read: (value) => (Array.isArray(value) ? allOrNone(value.map(read)) : undefined),
  };
}

/** Values of one type by name. */
function mapOf<T>({ schema, read }: PropertyType<T>): PropertyType<Readonly<Record<string, T>>> {
  return {
    schema: { type: "object", additionalProperties: schema },
    read: (value) => {
      const values = isPropertyMap(value) ? allOrNone(Object.values(value).map(read)) : undefined;
      return (
        values && Object.fromEntries(Object.keys(value as object).map((name, at) => [name, values[at] as T]))
      );
    },
  };
}

/** An object whose members are declared; each may be missing. */
function object<const S extends Shape>(members: S): PropertyType<Known<S>> {
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
    },
    read: (value) => (isPropertyMap(value) ? (readMembers(members, value) as Known<S>) : undefined),
  };
}

/** An object as in {@link object} that keeps the members that are not declared. */
function openObject<const S extends Shape>(members: S): PropertyType<Known<S>> {
  const { schema, read } = object(members);
  return {
    schema,
    read: (value) => {
      const declared = read(value);
      return declared && isPropertyMap(value)
        ? { ...withoutMembers(value, members), ...declared }
        : undefined;
    },
  };
}

function withoutMembers(value: PropertyMap, members: Shape): PropertyMap {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(members, name)));
}

/** The types that a property may have, such as `t.string` or `t.listOf(t.string)`. */
export const t = {
  string,
  secret,
  number,
  integer,
  boolean,
  anything,
  oneOf,
  listOf,
  mapOf,
  object,
  openObject,
};

/**
 * The declared properties of a resource, read from and written to what a state file holds. A value
 * of another type reads as missing, and so does a property that is not declared.
 */
export class Properties<const S extends Shape = Shape> {
  /** The declaration, from which a schema is made. */
  readonly types: S;

  constructor(types: S) {
    this.types = types;
  }

  /** What is known: a value that a preview does not know yet reads as missing. */
  read(properties: PropertyMap): Known<S> {
    const known = Object.entries(this.readDeclared(properties)).filter(([, value]) => value !== unknownValue);
    return Object.fromEntries(known) as Known<S>;
  }

  /** The same with unknown values. A value with an unknown part is unknown. */
  readDeclared(properties: PropertyMap): Declared<S> {
    return readMembers(this.types, properties) as Declared<S>;
  }

  /** The values as a state file holds them, which has no undefined. */
  write(values: Declared<S>): PropertyMap {
    const declared = Object.entries(values).filter(([name]) => Object.hasOwn(this.types, name));
    return withoutUndefined(Object.fromEntries(declared) as PropertyMap);
  }
}

function readMembers(types: Shape, properties: PropertyMap): object {
  return Object.fromEntries(
    Object.entries(types).flatMap(([name, type]) => {
      const value = properties[name];
      const read = type !== anything && hasUnknown(value) ? unknownValue : type.read(value);
      return read === undefined ? [] : [[name, read]];
    }),
  );
}

function hasUnknown(value: PropertyValue | undefined): boolean {
  return (
    value === unknownValue ||
    (Array.isArray(value) && value.some(hasUnknown)) ||
    (isPropertyMap(value) && Object.values(value).some(hasUnknown))
  );
}

function allOrNone<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Without the members that are undefined, at any depth. */
function withoutUndefined(members: PropertyMap): PropertyMap {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, isPropertyMap(value) ? withoutUndefined(value) : value]),
  );
}

/**
 * Throws `InputError` `input_unknown` for an input without a known value, which would pass for one
 * that the program does not give.
 */
export function requireAllKnown(inputs: PropertyMap, resource: string): void {
  for (const [property, value] of Object.entries(inputs)) {
    requireKnown(value === unknownValue ? undefined : value, property, resource);
  }
}

/** The value of an input that is needed now. Throws `InputError` `input_unknown` without one. */
export function requireKnown<T>(value: T | undefined, property: string, resource: string): T {
  if (value === undefined) {
    throw new InputError(
      "input_unknown",
      property,
      `The "${property}" of this ${resource} is still unknown, so nothing was sent. Run "pulumi up" again.`,
    );
  }
  return value;
}
