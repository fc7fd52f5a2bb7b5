/**
 * Secrets that a program names instead of giving values: an environment variable, or a setting of
 * the stack. Only the provider reads the value: neither Pulumi's SDK nor the state contains the
 * value. The state contains a digest, to detect a changed value.
 */
import { createHash, scryptSync } from "node:crypto";
import { ownKeyPlaces } from "../../config.js";
import { InputError } from "../../errors.js";
import { secretPlaceProblem } from "../../text/secret-place.js";
import { type CheckFailure, type LifecycleContext, notMayRead } from "../lifecycle.js";
import { isPropertyMap, type PropertyMap, type PropertyValue, t, unknownValue } from "../properties.js";
import { stackSetting } from "./stack-setting.js";

/** Namespace of the settings that Pulumi passes to the process of dynamic resources. */
const dynamicNamespace = "pulumi-nodejs";

/** Digests of named secrets by path. `check` fills in this input for comparison by the engine. */
export const secretDigests = {
  ...t.mapOf(t.string),
  isFilledIn: true,
  isInternal: true,
  // Encrypted only by the plugin, which marks the result of `check`. Dynamic resources cannot.
  isSecret: true,
} as const;

export interface NamedSecret {
  /** Path of the input that the secret stands for: `config.password`, `values.username`. */
  readonly secret: string;
  /** Path of the input that names the secret: `config.passwordFromEnv`. */
  readonly property: string;
  readonly place: "Env" | "Config";
  /** Name of the variable or the setting. Any type but a string is a mistake of the program. */
  readonly name: PropertyValue;
}

/**
 * Named secrets of an object, read from `<member>FromEnv` and `<member>FromConfig`: a name, or
 * names by field. `path`: prefix of the paths, such as `config.`. Omits unknown names.
 */
export function namedSecrets(
  owner: object | undefined,
  members: readonly string[],
  path = "",
): NamedSecret[] {
  const given = (owner ?? {}) as PropertyMap;
  return members.flatMap((member) =>
    (["Env", "Config"] as const).flatMap((place) => {
      const names = given[`${member}From${place}`];
      const byField = isPropertyMap(names) ? Object.entries(names) : [["", names] as const];
      return byField.flatMap(([field, name]) => {
        const end = isPropertyMap(names) ? `.${field}` : "";
        const [secret, property] = [`${path}${member}${end}`, `${path}${member}From${place}${end}`];
        return name === undefined || name === unknownValue ? [] : [{ secret, property, place, name }];
      });
    }),
  );
}

/**
 * Failures of named secrets: a malformed name, a place without a value, and a secret given twice.
 * Arguments as of {@link namedSecrets}. Messages contain no values.
 */
export function namedSecretFailures(
  owner: PropertyMap,
  members: readonly string[],
  context: LifecycleContext,
  path = "",
): CheckFailure[] {
  const plain = members.flatMap((member) => {
    const value = owner[member];
    const ends = isPropertyMap(value) ? Object.keys(value).map((field) => `.${field}`) : [""];
    return value === undefined ? [] : ends.map((end) => `${path}${member}${end}`);
  });
  const named = namedSecrets(owner, members, path);
  return named.flatMap((each, at) => {
    const { secret, property } = each;
    const first = plain.includes(secret)
      ? secret
      : named.slice(0, at).find((other) => other.secret === secret)?.property;
    if (first !== undefined) {
      return [{ property, reason: `Both "${first}" and "${property}" are given. Give only one.` }];
    }
    const found = find(each, context);
    return typeof found === "string" ? [] : [{ property, reason: found.problem }];
  });
}

/**
 * Words for the value of a named secret, for a message about the value and not about the input:
 * `password in the environment variable PROXY_PASSWORD`.
 */
export function valueInWords({ secret, place, name }: NamedSecret): string {
  const member = secret.replace(/^.*\./s, "");
  const noun = /^[a-z]+$/.test(member) ? member : `"${secret}"`;
  return `${noun} in the ${place === "Env" ? "environment variable" : "setting"} ${String(name)}`;
}

/** Value of a named secret. Throws `InputError` `secret_missing` if there is none. */
export function secretOf(named: NamedSecret, context: LifecycleContext): string {
  const found = find(named, context);
  if (typeof found !== "string") {
    throw new InputError("secret_missing", named.property, found.problem);
  }
  return found;
}

/** Values of named secrets by field: the path without the first part. */
export function byField<T>(
  named: readonly NamedSecret[],
  read: (each: NamedSecret) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(named.map((each) => [each.secret.replace(/^[^.]+\./, ""), read(each)]));
}

/** Secrets by field of a request, given by value or named. Throws as {@link secretOf}. */
export function valuesOf<const Member extends string>(
  inputs: { readonly [M in Member]?: Readonly<Record<string, string>> | undefined },
  member: Member,
  context: LifecycleContext,
): Readonly<Record<string, string>> {
  const named = byField(namedSecrets(inputs, [member]), (each) => secretOf(each, context));
  return { ...inputs[member], ...named };
}

export function secretIfSet(named: NamedSecret, context: LifecycleContext): string | undefined {
  const found = find(named, context);
  return typeof found === "string" ? found : undefined;
}

/**
 * Digests of the values by path, for the state; undefined without values. Slow to compute on
 * purpose: every reader of a state file gets the digests. A digest keeps its salt, so that the
 * digest of an unchanged value stays, even under a new URN. `olds`: digests in the state.
 */
export function digestsOf(
  named: readonly NamedSecret[],
  olds: Readonly<Record<string, string>> | undefined,
  context: LifecycleContext,
): Readonly<Record<string, string>> | undefined {
  const digests = named.flatMap((each) => {
    const value = secretIfSet(each, context);
    // A missing value is a failure of the check.
    return value !== undefined
      ? [[each.secret, digest(value, olds?.[each.secret]?.split(".")[0] ?? saltOf(each, context))]]
      : [];
  });
  return digests.length === 0 ? undefined : Object.fromEntries(digests);
}

/** Salt of a new digest: equal in preview and update, so that a saved plan fits. */
function saltOf({ secret }: NamedSecret, { urn = "" }: LifecycleContext): string {
  return createHash("sha256").update(`${urn}\0${secret}`).digest("base64url").slice(0, 16);
}

function digest(value: string, salt: string): string {
  return `${salt}.${scryptSync(value, salt, 24).toString("base64url")}`;
}

function find(
  { property, place, name }: NamedSecret,
  { environment, settingsNamespace = dynamicNamespace, mayRead }: LifecycleContext,
): string | { readonly problem: string } {
  const isVariable = place === "Env";
  const problem = secretPlaceProblem(isVariable ? "env" : "config", name, settingsNamespace);
  if (problem !== undefined) {
    return { problem: `The "${property}" ${problem}` };
  }
  const known = String(name);
  if (ownKeyPlaces.includes(known)) {
    return { problem: `The "${property}" must not name ${known}, the API key of the deployment itself.` };
  }
  if (mayRead?.(`${place} ${known}`) === false) {
    return { problem: `The "${property}" is not read. ${notMayRead}` };
  }
  const value = isVariable
    ? environment[known]
    : stackSetting(known.slice(settingsNamespace.length + 1), environment);
  if (value?.trim()) {
    return value;
  }
  return {
    problem: isVariable
      ? `The "${property}" names the environment variable ${known}, which is not set. Set ${known} in the environment in which Pulumi runs.`
      : `The "${property}" names the setting ${known}, which this stack does not have. Run "pulumi config set --secret ${known}".`,
  };
}
