/** Forms of arguments and results of reads, without Pulumi and without the client. */
import { InputError } from "../errors.js";

/** Arguments of which exactly one is given. */
export type ExactlyOne<Args> = {
  [Given in keyof Args]: { readonly [Name in Given]: Args[Name] } & {
    readonly [Name in Exclude<keyof Args, Given>]?: undefined;
  };
}[keyof Args];

/** Object to read: exactly one of id and name. */
export type IdOrName = ExactlyOne<{
  /** Id: 24 characters of a-z and 0-9 in the service. */
  id: string;
  /** Exact name, byte for byte: case, accents and spaces count. */
  name: string;
}>;

/** Arguments of every read in a project. */
export interface InProject {
  /**
   * Project id. Default: the setting `browser-infra:projectId` or `projectId` of the provider, else
   * the project of the API key.
   */
  readonly projectId?: string | undefined;
}

/** Exactly one of the arguments marked `one` must have a value; those marked `any` may have one. */
export type ArgumentRules = Readonly<Record<string, "one" | "any">>;

/** Refuses arguments without a rule, even if undefined. Throws `InputError`. */
export function checkNames(args: unknown, rules: ArgumentRules): asserts args is object {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    const names = quoted(Object.keys(rules)) || "no members";
    throw new InputError("argument_invalid", "args", `"args" must be an object with ${names}.`);
  }
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined) {
    const names = quoted(Object.keys(rules));
    const remedy = names === "" ? "Leave all arguments out." : `Use ${names}.`;
    throw new InputError("argument_unknown", unknown, `There is no argument "${unknown}". ${remedy}`);
  }
}

/**
 * Checks the presence of arguments; the client checks the values. `undefined` counts as omitted.
 * Null is refused: a filter that is null by mistake would find everything. Throws `InputError`.
 */
export function checkValues(args: object, rules: ArgumentRules): void {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const [nothing] = given.find(([, value]) => value === null) ?? [];
  if (nothing !== undefined) {
    const message = `"${nothing}" must not be null. Leave it out, or give a value.`;
    throw new InputError("argument_invalid", nothing, message);
  }
  const choices = Object.keys(rules).filter((name) => rules[name] === "one");
  const [example] = choices;
  const [chosen, second] = given.map(([name]) => name).filter((name) => choices.includes(name));
  if (example !== undefined && chosen === undefined) {
    const missing =
      choices.length === 1
        ? `"${example}" is missing. Give it`
        : `None of ${quoted(choices)} is given. Give exactly one`;
    throw new InputError("argument_missing", example, `${missing}, as in { ${example}: "…" }.`);
  }
  if (second !== undefined) {
    const message = `Both "${chosen}" and "${second}" are given. Give exactly one.`;
    throw new InputError("arguments_conflicting", second, message);
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
