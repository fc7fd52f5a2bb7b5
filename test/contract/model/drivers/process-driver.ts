import { randomUUID } from "node:crypto";
import type { ResourceKind } from "../../../../src/bridges/kinds.js";
import { PlayedResource } from "../../../bridges/played-resource.js";
import type { Bridge, ProviderProcess } from "../../../bridges/provider-process.js";
import type { DrivenResource, Driver, Said } from "./driver.js";

/** Severity of a warning in the engine's log. Source: engine.proto. */
const warning = 2;

/**
 * Life cycles in a provider process. The engine starts a process per run. Here a process serves
 * several runs, as long as no run is ended. With dynamic resources, the `__provider` text contains
 * the name of the run, and Pulumi's process opens a new provider for every new text. With the
 * plugin, a run is the next run of a plugin that a developer attaches.
 */
export class ProcessDriver implements Driver {
  readonly name: Bridge;
  readonly #start: () => Promise<ProviderProcess>;
  /** Last process, even if ended. */
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
