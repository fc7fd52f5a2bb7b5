import type { ResourceKind } from "../../../src/bridges/kinds.js";
import type { Emulator } from "../../../src/emulator/index.js";
import type { Properties } from "../../bridges/wire-messages.js";
import { LifecycleDriver } from "./drivers/lifecycle-driver.js";
import { PlayedEngine, type Registered } from "./played-engine.js";

/** Stack of an operator with an API key of the operator's own: a stranger to the stack under test. */
export class OtherStack {
  readonly #engine: PlayedEngine;

  /** `folder`: folder of the program, which has the extensions. `apiKey`: the operator's key. */
  constructor(emulator: Emulator, folder: string, apiKey: string | undefined) {
    const environment = { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: apiKey };
    this.#engine = new PlayedEngine(folder, new LifecycleDriver(folder, environment));
  }

  /** Makes objects in the service, by kind. Throws the failure, if any. Returns the ids. */
  async make(objects: Readonly<Partial<Record<ResourceKind, Properties>>>): Promise<readonly string[]> {
    const declared = Object.entries(objects).map(([kind, properties]): [string, Registered] => {
      return [`stranger-${kind}`, { type: kind as ResourceKind, properties }];
    });
    this.#engine.write(new Map(declared));
    await this.#succeed(this.#engine.up());
    return this.#engine.state.map(({ id }) => id);
  }

  /** Deletes the objects, as the operator does after a message. */
  async remove(): Promise<void> {
    await this.#succeed(this.#engine.destroy());
  }

  /** Begins anew, without any object. */
  reset(): void {
    this.#engine.reset();
  }

  async #succeed(run: Promise<string | undefined>): Promise<void> {
    const failure = await run;
    if (failure !== undefined) {
      throw new Error(`The operator failed: ${failure}`);
    }
  }
}
