import builtIn from "./built-in.json";
import type { LoginScenario } from "./schema.js";

/** The scenario when neither a connection nor the seed chooses one. */
const defaultScenarioName = "password";

/** Names of the built-in scenarios. */
export const builtInScenarioNames: readonly string[] = Object.keys(builtIn.scenarios);

/** The scenarios of a run: the built-in ones, and those of its seed, which override them. */
export class Scenarios {
  /** Name of the scenario of connections for which none is chosen. */
  readonly byDefault: string;
  readonly #byName: ReadonlyMap<string, LoginScenario>;

  constructor(own: Readonly<Record<string, LoginScenario>> = {}, byDefault: string = defaultScenarioName) {
    this.byDefault = byDefault;
    this.#byName = new Map([
      ...Object.entries(builtIn.scenarios as Record<string, LoginScenario>),
      ...Object.entries(own),
    ]);
  }

  /** The scenario of this name. */
  find(name: string): LoginScenario | undefined {
    return this.#byName.get(name);
  }

  /** Every name, in the order of definition. */
  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }
}
