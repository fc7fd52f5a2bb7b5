import { InputError } from "../errors.js";

/** Fills in defaults. Throws `InputError` for a number among the given values that is not positive and finite. `property` names the whole. */
export function withDefaults<T extends object>(
  property: string,
  defaults: T,
  given: { readonly [K in keyof T]?: T[K] | undefined } | undefined,
): T {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  for (const [key, value] of present) {
    if (typeof value === "number" && !(value > 0 && Number.isFinite(value))) {
      const name = property === "" ? key : `${property}.${key}`;
      throw new InputError(
        "option_invalid",
        name,
        `"${name}" must be a positive number. Leave it out for its default.`,
      );
    }
  }
  return { ...defaults, ...Object.fromEntries(present) };
}
