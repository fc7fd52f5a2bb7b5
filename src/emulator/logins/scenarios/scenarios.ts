import { InputError } from "../../../errors.js";
import { builtInScenarios } from "./built-in.js";
import type { LoginScenario } from "./schema.js";

/** Scenarios of a run by name, and the name of the default scenario. */
export interface Scenarios {
  readonly byName: Readonly<Record<string, LoginScenario>>;
  readonly byDefault: string;
}

/** Scenarios that need no seed, such as `password`. */
export const builtInScenarioNames: readonly string[] = Object.keys(builtInScenarios);

/** Combines the built-in scenarios with the scenarios of a seed, which take precedence. */
export function scenariosOf(own: Readonly<Record<string, LoginScenario>>, byDefault = "password"): Scenarios {
  return { byName: { ...builtInScenarios, ...own }, byDefault };
}

/** Finds a scenario by name. Throws `InputError` `scenario_unknown`. */
export function scenarioNamed({ byName }: Scenarios, name: string): LoginScenario {
  const scenario = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (scenario) {
    return scenario;
  }
  const names = Object.keys(byName).join(", ");
  throw new InputError(
    "scenario_unknown",
    "scenario",
    `There is no login scenario "${name}". Choose one of ${names}, or define it in the seed.`,
  );
}
