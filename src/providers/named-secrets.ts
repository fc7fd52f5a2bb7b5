/**
 * Secrets that a program names instead of giving them: an environment variable, or a setting of the
 * stack. The provider reads the value, so neither Pulumi's SDK nor the state ever has it. The state
 * keeps a digest, by which a changed value is noticed.
 */
import { createHash, scryptSync } from "node:crypto";
import { InputError } from "../errors.js";
import { secretPlaceProblem } from "../text/secret-place.js";
import type { CheckFailure, LifecycleContext } from "./lifecycle.js";
import { ownSetting } from "./own-setting.js";
import { isPropertyMap, type PropertyMap, type PropertyValue, t, unknownValue } from "./properties.js";

/** Namespace of the settings that Pulumi passes to its process of dynamic resources. */
const dynamicNamespace = "pulumi-nodejs";

/** Digests of named secrets by path: an input that `check` fills in, so that the engine compares them. */
export const secretDigests = {
  ...t.mapOf(t.string),
  isFilledIn: true,
  isInternal: true,
  // Encrypted where the bridge can: the plugin marks what `check` answers, dynamic resources cannot.
  isSecret: true,
} as const;

/** A secret that a program names. */
export interface NamedSecret {
  /** Path of the input that the secret stands for: `config.password`, `values.username`. */
  readonly secret: string;
  /** Path of the input that names the secret: `config.passwordFromEnv`. */
  readonly property: string;
  readonly place: "Env" | "Config";
  /** Name of the variable or the setting. Another type is a mistake of the program. */
  readonly name: PropertyValue;
}

/**
 * Secrets that `members` of an object name, as `<member>FromEnv` and `<member>FromConfig`: a name,
 * or names by field. `path`: where the object is, such as `config.`. Unknown names are left out.
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
 * Failures of named secrets: a malformed name, a place without a value, and a secret that is given
 * twice. `plain`: paths of the secrets that the program gives itself. No message has a value.
 */
export function namedSecretFailures(
  named: readonly NamedSecret[],
  plain: readonly string[],
  context: LifecycleContext,
): CheckFailure[] {
  return named.flatMap((each, at) => {
    const { secret, property } = each;
    const first = plain.includes(secret)
      ? secret
      : named.slice(0, at).find((other) => other.secret === secret)?.property;
    if (first !== undefined) {
      return [{ property, reason: `Both "${first}" and "${property}" are given. Give one of them.` }];
    }
    const found = find(each, context);
    return typeof found === "string" ? [] : [{ property, reason: found.problem }];
  });
}

/** The value of a named secret. Throws `InputError` `secret_missing` without one. */
export function secretOf(named: NamedSecret, context: LifecycleContext): string {
  const found = find(named, context);
  if (typeof found !== "string") {
    throw new InputError("secret_missing", named.property, found.problem);
  }
  return found;
}

/** The value of a named secret; undefined without one. */
export function secretIfSet(named: NamedSecret, context: LifecycleContext): string | undefined {
  const found = find(named, context);
  return typeof found === "string" ? found : undefined;
}

/**
 * Digests of the values by path, for the state; undefined without any. Slow to compute on purpose:
 * a state file shows them to whoever reads it. A digest keeps its salt, so that the digest of an
 * unchanged value stays, also under another URN. `olds`: the digests in the state.
 */
export function digestsOf(
  named: readonly NamedSecret[],
  olds: Readonly<Record<string, string>> | undefined,
  context: LifecycleContext,
): Readonly<Record<string, string>> | undefined {
  const digests = named.flatMap((each) => {
    const value = secretIfSet(each, context);
    // A value that is missing is a failure of the check.
    return value !== undefined
      ? [[each.secret, digest(value, olds?.[each.secret]?.split(".")[0] ?? saltOf(each, context))]]
      : [];
  });
  return digests.length === 0 ? undefined : Object.fromEntries(digests);
}

/** The same in a preview and in its update, so that a saved plan fits. */
function saltOf({ secret }: NamedSecret, { urn = "" }: LifecycleContext): string {
  return createHash("sha256").update(`${urn}\0${secret}`).digest("base64url").slice(0, 16);
}

function digest(value: string, salt: string): string {
  return `${salt}.${scryptSync(value, salt, 24).toString("base64url")}`;
}

function find(
  { property, place, name }: NamedSecret,
  { environment, settingsNamespace = dynamicNamespace }: LifecycleContext,
): string | { readonly problem: string } {
  const isVariable = place === "Env";
  const problem = secretPlaceProblem(isVariable ? "env" : "config", name, settingsNamespace);
  if (problem !== undefined) {
    return { problem: `The "${property}" ${problem}` };
  }
  const known = String(name);
  const value = isVariable
    ? environment[known]
    : ownSetting(known.slice(settingsNamespace.length + 1), environment);
  if (value?.trim()) {
    return value;
  }
  return {
    problem: isVariable
      ? `The "${property}" names the environment variable ${known}, which is not set. Set ${known} in the environment in which Pulumi runs.`
      : `The "${property}" names the setting ${known}, which this stack does not have. Run "pulumi config set --secret ${known}".`,
  };
}
