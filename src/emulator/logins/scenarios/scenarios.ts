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
