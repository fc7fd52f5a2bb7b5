import { InputError } from "../errors.js";

/** Which arguments a query takes: exactly one of some, or any of some. */
export type ArgumentRule =
  | { readonly exactlyOneOf: readonly string[] }
  | { readonly anyOf: readonly string[] };

/** Refuses arguments that the rule does not list, whatever their values. Throws `InputError`. */
export function checkNames(args: unknown, rule: ArgumentRule): asserts args is object {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new InputError("argument_invalid", "args", `"args" must be an object with ${quotedNames(rule)}.`);
  }
  const unknown = Object.keys(args).find((name) => !namesOf(rule).includes(name));
  if (unknown !== undefined) {
    const message = `There is no argument "${unknown}". ${remedyOf(rule)}`;
    throw new InputError("argument_unknown", unknown, message);
  }
}

/**
 * Checks which arguments have a value; the client checks the values themselves. `undefined` counts
 * as left out. Null does not: a filter that is null by mistake would find everything. Throws
 * `InputError`.
 */
export function checkValues(args: object, rule: ArgumentRule): void {
  const values = Object.entries(args).filter(([, value]) => value !== undefined);
  for (const [name, value] of values) {
    if (value === null) {
      const message = `"${name}" must not be null. Leave it out, or give a value.`;
      throw new InputError("argument_invalid", name, message);
    }
  }
  if ("anyOf" in rule) {
    return;
  }
  const [given, second] = values.map(([name]) => name);
  const [example = ""] = rule.exactlyOneOf;
  if (given === undefined) {
    const missing =
      rule.exactlyOneOf.length === 1
        ? `"${example}" is missing. Give it`
        : `None of ${quotedNames(rule)} is given. Give exactly one`;
    throw new InputError("argument_missing", example, `${missing}, as in { ${example}: "…" }.`);
  }
  if (second !== undefined) {
    const message = `Both "${given}" and "${second}" are given. Give exactly one of them.`;
    throw new InputError("arguments_conflicting", second, message);
  }
}

function namesOf(rule: ArgumentRule): readonly string[] {
  return "anyOf" in rule ? rule.anyOf : rule.exactlyOneOf;
}

function remedyOf(rule: ArgumentRule): string {
  return namesOf(rule).length === 0 ? "Leave all arguments out." : `Use ${quotedNames(rule)}.`;
}

function quotedNames(rule: ArgumentRule): string {
  const names = namesOf(rule).map((name) => `"${name}"`);
  return names.length === 0 ? "no members" : names.join(", ");
}
