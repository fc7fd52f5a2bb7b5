import builtIn from "./built-in.json";
import type { LoginScenario } from "./schema.js";

/** The scenario that counts where neither a connection nor the seed chooses one. */
const defaultScenarioName = "password";

/** Names of the scenarios that are always there. */
export const builtInScenarioNames: readonly string[] = Object.keys(builtIn.scenarios);

/** The scenarios a run knows: the built-in ones, and those of its seed, which win. */
export class Scenarios {
  /** Name of the scenario that connections play for which none is chosen. */
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
