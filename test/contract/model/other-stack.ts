import type { Emulator } from "../../../src/emulator/index.js";
import { LifecycleDriver } from "./drivers/lifecycle-driver.js";
import { PlayedEngine, type Registered } from "./played-engine.js";

/** Stack of an operator with an API key of the operator's own: a stranger to the stack under test. */
export class OtherStack {
  readonly #engine: PlayedEngine;
  readonly #declared = new Map<string, Registered>();

  /** `folder`: folder of the program, which has the extensions. `apiKey`: the operator's key. */
  constructor(emulator: Emulator, folder: string, apiKey: string | undefined) {
    const environment = { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: apiKey };
    this.#engine = new PlayedEngine(folder, new LifecycleDriver(folder, environment));
  }

  /** Makes a further object in the service. Returns the id; undefined if the service has the name already. */
  async make({ type, properties }: Pick<Registered, "type" | "properties">): Promise<string | undefined> {
    const logicalName = `stranger-${this.#declared.size}`;
    this.#engine.write(new Map([...this.#declared, [logicalName, { type, properties }]]));
    const failure = await this.#engine.up();
    if (failure !== undefined) {
      expect(failure).toMatch(/is taken by|already exists|have the name/);
      return undefined;
    }
    this.#declared.set(logicalName, { type, properties });
    return this.#engine.find(logicalName)?.id;
  }

  /** Deletes the objects, as the operator does after a message. */
  async remove(): Promise<void> {
    expect(await this.#engine.destroy()).toBeUndefined();
    this.reset();
  }

  /** Begins anew, without any object. */
  reset(): void {
    this.#declared.clear();
    this.#engine.reset();
  }
}
