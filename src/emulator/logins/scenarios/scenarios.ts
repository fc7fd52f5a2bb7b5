import { InputError } from "../../../errors.js";
import builtIn from "./built-in.json";
import type { LoginScenario } from "./schema.js";

/** The scenarios of a run by their names, and the one of connections for which none is chosen. */
export interface Scenarios {
  readonly byName: Readonly<Record<string, LoginScenario>>;
  readonly byDefault: string;
}

/** Names of the built-in scenarios. */
export const builtInScenarioNames: readonly string[] = Object.keys(builtIn.scenarios);

/** The built-in scenarios, and those of a seed, which override them. */
export function scenariosOf(own: Readonly<Record<string, LoginScenario>>, byDefault = "password"): Scenarios {
  return { byName: { ...(builtIn.scenarios as Record<string, LoginScenario>), ...own }, byDefault };
}

/** The scenario of a name. Throws `InputError` `scenario_unknown`. */
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
