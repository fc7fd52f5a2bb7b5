import { InputError } from "../errors.js";

/**
 * Output of a resource that a preview has not created. The bridge translates Pulumi's own marker to
 * this symbol and back, so that no marker reaches a provider.
 */
export const unknownValue: unique symbol = Symbol("unknown");

/** Value of a property of a resource: plain data, stored as JSON in the state file. */
export type PropertyValue =
  | string
  | number
  | boolean
  | null
  | typeof unknownValue
  | readonly PropertyValue[]
  | { readonly [name: string]: PropertyValue };

/** Properties of a resource by name. A property without a value is absent, never `undefined`. */
export type PropertyMap = { readonly [name: string]: PropertyValue };

/** Whether `value` is an object with named members: no list, null or {@link unknownValue}. */
export function isPropertyMap(value: PropertyValue | undefined): value is PropertyMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Type of a property, in the form of a Pulumi schema. */
export interface TypeSchema {
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  /** Allowed values of a string, with the meanings. */
  readonly enum?: Readonly<Record<string, string>>;
  /** Whether the engine encrypts and hides this member of an object. */
  readonly secret?: true;
  /** For an address: sentence with the input that takes a user name and a password instead. */
  readonly addressRemedy?: string;
  readonly items?: TypeSchema;
  readonly additionalProperties?: TypeSchema;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
}

/** Declaration of a property besides the type: `{ ...string, isRequired: true }`. */
interface PropertyOptions {
  /** Whether every program must give the input. */
  readonly isRequired?: true;
  /** Whether only `check` gives the input. The option `ignoreChanges` restores the old value. */
  readonly isFilledIn?: true;
  /** Whether a change of the input replaces the resource. */
  readonly replaces?: true;
  /** Whether an undeclared input is known only after the creation. */
  readonly isFromService?: true;
  /** Whether the state contains the property for the life cycle alone, not as an output. */
  readonly isInternal?: true;
  /** Whether the output could be misused. The engine encrypts and hides the value. */
  readonly isSecret?: true;
}

/** Type of a property: for the compiler, for a schema and for reading a state file. */
export interface PropertyType<T> extends PropertyOptions {
  readonly schema: TypeSchema;
  /** Returns a value of this type, otherwise undefined. The value has no unknown part. */
  readonly read: (value: PropertyValue | undefined) => T | undefined;
}

/** Declared types of the properties of a resource, by name. */
type Shape = Readonly<Record<string, PropertyType<unknown>>>;

type ValueOf<T> = T extends PropertyType<infer V> ? V : never;

/** Values of declared properties. A state file that is older than a property lacks the value. */
type Known<S extends Shape> = { readonly [N in keyof S]?: ValueOf<S[N]> | undefined };

/** Value that may be unknown in a preview. */
export type MaybeUnknown<T> = T | typeof unknownValue;

/** Values of declared properties during a preview. Any value may be unknown. */
type Declared<S extends Shape> = { readonly [N in keyof S]?: MaybeUnknown<ValueOf<S[N]>> | undefined };

/** Values of a resource, as used by the life cycle: `PropertiesOf<typeof extensionState>`. */
export type PropertiesOf<P> = P extends Properties<infer S> ? Known<S> : never;

/** Values of a resource during a preview. */
export type DeclaredOf<P> = P extends Properties<infer S> ? Declared<S> : never;

/** Outputs of a resource by name: all properties of the state except internal properties. */
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
/** Secret string in an object: the engine encrypts and hides the member. */
const secret: PropertyType<string> = { ...string, schema: { type: "string", secret: true } };
/**
 * Address, which the state keeps in plain text: checks refuse a user name and a password before the
 * host. `addressRemedy`: see {@link TypeSchema}.
 */
function address(addressRemedy: string): PropertyType<string> {
  return { ...string, schema: { type: "string", addressRemedy } };
}
const number = primitive<number>("number");
/** Number in state files, but an integer in languages with an integer type. */
const integer: PropertyType<number> = { ...number, schema: { type: "integer" } };
const boolean = primitive<boolean>("boolean");

/** Any plain data. Only this type may be unknown in parts. */
const anything: PropertyType<PropertyValue> = { schema: {}, read: (value) => value };

/** String from a list of values. The schema contains the meanings. */
function oneOf<V extends string>(meanings: Readonly<Record<V, string>>): PropertyType<V> {
  const values = Object.keys(meanings) as V[];
  return {
    schema: { type: "string", enum: meanings },
    read: (value) => values.find((each) => each === value),
  };
}

function listOf<T>({ schema, read }: PropertyType<T>): PropertyType<readonly T[]> {
  return {
    schema: { type: "array", items: schema },
    read: (value) => (Array.isArray(value) ? allOrNone(value.map(read)) : undefined),
  };
}

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

/** Object with declared members. Any member may be missing. */
function object<const S extends Shape>(members: S): PropertyType<Known<S>> {
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
    },
    read: (value) => (isPropertyMap(value) ? (readMembers(members, value) as Known<S>) : undefined),
  };
}

/** Object as in {@link object}, with undeclared members kept. */
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

/** Types of properties, such as `t.string` or `t.listOf(t.string)`. */
export const t = {
  string,
  secret,
  address,
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

/** Declared properties of a resource. Values of a wrong type and all others are read as missing. */
export class Properties<const S extends Shape = Shape> {
  /** Declaration and source of the schema. */
  readonly types: S;

  constructor(types: S) {
    this.types = types;
  }

  /** Reads known values. A value that is unknown in a preview is missing. */
  read(properties: PropertyMap): Known<S> {
    const known = Object.entries(this.readDeclared(properties)).filter(([, value]) => value !== unknownValue);
    return Object.fromEntries(known) as Known<S>;
  }

  /** Reads known and unknown values. A value with an unknown part is unknown. */
  readDeclared(properties: PropertyMap): Declared<S> {
    return readMembers(this.types, properties) as Declared<S>;
  }

  /** Returns the declared values in the form of a state file, without `undefined`. */
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

/** Drops undefined members at any depth of nested objects. */
function withoutUndefined(members: PropertyMap): PropertyMap {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, isPropertyMap(value) ? withoutUndefined(value) : value]),
  );
}

/** Throws `InputError` `input_unknown` for an unknown input: the input would look undeclared. */
export function requireAllKnown(inputs: PropertyMap, resource: string): void {
  for (const [property, value] of Object.entries(inputs)) {
    requireKnown(value === unknownValue ? undefined : value, property, resource);
  }
}

/** Returns the value of a needed input. Throws `InputError` `input_unknown` if undefined. */
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
