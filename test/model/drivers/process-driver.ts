import { randomUUID } from "node:crypto";
import type { ResourceKind } from "../../../src/bridges/kinds.js";
import { PlayedResource } from "../../bridges/played-resource.js";
import type { Bridge, ProviderProcess } from "../../bridges/provider-process.js";
import type { DrivenResource, Driver, Said } from "./driver.js";

/** The severity of a warning in the engine's log. Source: engine.proto. */
const warning = 2;

/**
 * A provider process. The engine starts one for each run. Here one process serves several, as long
 * as none is ended: a `__provider` text that names the run stands for that in Pulumi's own process,
 * which opens a provider of its own for it, and the next run of a plugin that a developer attaches.
 */
export class ProcessDriver implements Driver {
  readonly name: Bridge;
  readonly #start: () => Promise<ProviderProcess>;
  /** The last one, also when it has ended. */
  #provider: ProviderProcess | undefined;
  #isRunning = false;
  #runName = "";
  #saidBefore = 0;

  constructor(name: Bridge, start: () => Promise<ProviderProcess>) {
    this.name = name;
    this.#start = start;
  }

  get said(): readonly Said[] {
    return (this.#provider?.logged ?? []).slice(this.#saidBefore).map(({ message, severity }) => {
      return { message, isWarning: severity === warning };
    });
  }

  async begin(): Promise<void> {
    this.#runName = randomUUID();
    if (this.#provider === undefined || !this.#isRunning) {
      this.#provider = await this.#start();
      this.#isRunning = true;
    } else if (this.name === "plugin") {
      await this.#provider.nextRun();
    }
    this.#saidBefore = this.#provider.logged.length;
  }

  async cancel(): Promise<void> {
    await this.#provider?.cancel().catch(() => undefined);
  }

  async kill(): Promise<void> {
    if (this.#isRunning) {
      this.#isRunning = false;
      await this.#provider?.kill();
    }
  }

  async stop(): Promise<void> {
    await this.kill();
  }

  resource(kind: ResourceKind, logicalName: string): DrivenResource {
    if (this.#provider === undefined) {
      throw new Error("No run has begun.");
    }
    const resource = new PlayedResource(this.#provider, { kind, name: logicalName, run: this.#runName });
    const { name } = this;
    return {
      check: (...args) => resource.check(...args),
      diff: (...args) => resource.diff(...args),
      create: (...args) => resource.create(...args),
      read: (...args) => resource.read(...args),
      update: (...args) => resource.update(...args),
      delete: (...args) => resource.delete(...args),
      import: (id) => resource.import(id),
      lookUp: (id) => resource.lookUp(id),
      previewRefusals: (old, inputs) =>
        name === "dynamic" ? Promise.resolve([]) : resource.refusals(old, inputs),
    };
  }
}
