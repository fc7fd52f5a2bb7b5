import { readdirSync } from "node:fs";
import type { Emulator } from "../../src/emulator/index.js";
import type { Properties } from "../bridges/wire-messages.js";
import { LifecycleDriver } from "../contract/model/drivers/lifecycle-driver.js";
import { PlayedEngine, type Registered, type RunOptions } from "../contract/model/played-engine.js";
import { samples } from "../contract/rows/samples.js";
import { newEmulator } from "../support/emulator.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Logical name of the resource that most tests use. */
export const main = "agents";

/** Options of a run, and further declarations of the program. */
interface Options extends RunOptions {
  /** Whether the process is killed after the first write, before the write is in the state. */
  readonly isKilled?: boolean;
  /** Former logical names of the resource. */
  readonly aliases?: readonly string[];
  /**
   * Further resources, by logical name: only inputs for the program's kind, or the full declaration
   * for any kind.
   */
  readonly others?: Readonly<Record<string, Properties | Registered>>;
  /** Default: option of the kind's class. */
  readonly deleteBeforeReplace?: boolean;
}

/** Program with resources of one kind, through several runs of the engine in this process. */
export class PlayedProgram {
  readonly emulator: Emulator;
  readonly engine: PlayedEngine;
  readonly folder = temporaryFolder();
  /** The environment of the next runs. */
  readonly environment: Record<string, string | undefined>;
  readonly #kind: keyof typeof samples;
  #neighbour: Properties | undefined;

  constructor(emulator: Emulator, kind: keyof typeof samples) {
    this.emulator = emulator;
    this.#kind = kind;
    const [apiKey] = emulator.apiKeys;
    this.environment = { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: apiKey };
    const driver = new LifecycleDriver(this.folder, this.environment);
    this.engine = new PlayedEngine(this.folder, driver);
  }

  /** Starts with a separate emulator, which the caller closes. */
  static async start(kind: keyof typeof samples): Promise<PlayedProgram> {
    return new PlayedProgram(await newEmulator(), kind);
  }

  /** State of the resource. Throws if none exists. */
  get stored() {
    return this.storedAs(main);
  }

  /** State of any resource, by logical name. Throws if none exists. */
  storedAs(logicalName: string) {
    const found = this.engine.find(logicalName);
    if (found === undefined) {
      throw new Error(`The state has no resource "${logicalName}".`);
    }
    return found;
  }

  /** Messages of the last run. */
  get messages(): readonly string[] {
    return this.engine.said.map(({ message }) => message);
  }

  /** Warnings of the last run. */
  get warnings(): readonly string[] {
    return this.engine.said.filter(({ isWarning }) => isWarning).map(({ message }) => message);
  }

  /** Names of the files and folders beside the program. */
  get files(): readonly string[] {
    return readdirSync(this.folder);
  }

  /** Methods of all changing requests so far. */
  get writes(): readonly string[] {
    return this.emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");
  }

  /** Sets the program of the next runs. Undefined: the resource is undeclared. */
  declare(inputs: Properties | undefined, { aliases = [], others = {}, ...rest }: Options = {}): void {
    const registered = (properties: Properties, own: readonly string[] = []): Registered => {
      const { deleteBeforeReplace = samples[this.#kind].deletesFirst(properties) || undefined } = rest;
      return { type: this.#kind, properties, options: { aliases: own, deleteBeforeReplace } };
    };
    const named = Object.entries(others).map(([name, other]): [string, Registered] => {
      return [name, "properties" in other ? (other as Registered) : registered(other)];
    });
    this.engine.write(
      new Map<string, Registered>([
        ...(this.#neighbour === undefined
          ? []
          : [["neighbour", { type: "ApiKeyName", properties: this.#neighbour }] as const]),
        ...(inputs === undefined ? [] : [[main, registered(inputs, aliases)] as const]),
        ...named,
      ]),
    );
  }

  /**
   * Runs `pulumi up`. Returns the operation on the resource. Throws the error of the deployment.
   */
  async up(inputs: Properties | undefined, options: Options = {}): Promise<string> {
    this.declare(inputs, options);
    if (options.isKilled === true) {
      this.engine.killAfterCall();
    }
    await this.engine.up(options);
    this.#throwUnless(options.isKilled);
    return this.engine.did.find((step) => step.endsWith(` ${main}`))?.split(" ")[0] ?? "same";
  }

  /**
   * `pulumi up` whose process is killed after the first write, before the write is in the state.
   */
  async upKilled(inputs: Properties | undefined, options: Options = {}): Promise<void> {
    await this.up(inputs, { ...options, isKilled: true });
  }

  /** `pulumi up` that completes, but whose engine cannot write the state. */
  async upUnwritten(inputs: Properties | undefined, options: Options = {}): Promise<void> {
    await this.up(inputs, { ...options, losesState: true });
  }

  /**
   * `pulumi up` of a program that declares only a neighbour, which is in the state and unchanged.
   */
  async upWithout(options: RunOptions = {}): Promise<void> {
    if (this.#neighbour === undefined) {
      const { id: keyId } = this.emulator.createApiKey({ name: "neighbour" });
      await this.engine.import("ApiKeyName", "neighbour", keyId);
      this.#neighbour = { keyId, name: "neighbour" };
    }
    await this.up(undefined, options);
  }

  /** `pulumi preview`. */
  async preview(inputs: Properties | undefined, options: Options = {}) {
    this.declare(inputs, options);
    return this.engine.previewed();
  }

  /** Failures of the inputs in a deployment, as `property: reason`. */
  async failures(inputs: Properties): Promise<readonly string[]> {
    this.declare(inputs);
    const [, { failures = [] } = {}] = await this.engine.checks(main);
    return failures.map(({ property, reason }) => `${property}: ${reason}`);
  }

  /** `pulumi refresh`. */
  async refresh(): Promise<void> {
    await this.engine.refresh();
    this.#throwUnless();
  }

  /** `pulumi destroy`. */
  async destroy(options: Options = {}): Promise<void> {
    if (options.isKilled === true) {
      this.engine.killAfterCall();
    }
    await this.engine.destroy(options);
    this.#throwUnless(options.isKilled);
  }

  /** `pulumi import`. */
  async import(id: string, logicalName = main): Promise<void> {
    await this.engine.import(this.#kind, logicalName, id);
    this.#throwUnless();
  }

  /** `pulumi state delete`. */
  forget(logicalName = main): void {
    this.engine.forget(logicalName);
  }

  /**
   * The next write with `method` gets no response, and Ctrl-C ends the run. `at`: before or after the
   * write.
   */
  interrupt(method: string, at: "before-reading" | "after-commit" = "after-commit"): void {
    this.emulator.faults.add({ method, at, action: { call: () => this.engine.end("cancel") } });
    this.emulator.faults.add({ method, at, action: "hang" });
  }

  /** The service refuses the next such write. */
  refuse(method: string, status = 403, times = 1): void {
    const answer = { status, body: { code: "refused", message: "refused by a fault" } };
    this.emulator.faults.add({ method, times, at: "before-commit", action: { answer } });
  }

  #throwUnless(isKilled = false): void {
    if (this.engine.failure !== undefined && !isKilled) {
      throw this.engine.failure;
    }
  }
}
