import { readdirSync } from "node:fs";
import type { Emulator } from "../../src/emulator/index.js";
import type { Properties } from "../bridges/wire-messages.js";
import { samples } from "../contract/samples.js";
import { LifecycleDriver } from "../model/drivers/lifecycle-driver.js";
import { PlayedEngine, type Registered, type RunOptions } from "../model/played-engine.js";
import { newEmulator } from "../support/emulator.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** The logical name of the resource that most tests are about. */
export const main = "agents";

/** How a run is played, and what the program declares besides its inputs. */
interface Options extends RunOptions {
  /** The process is killed after its first write, before the state has that. */
  readonly isKilled?: boolean;
  /** Logical names that the resource had before. */
  readonly aliases?: readonly string[];
  /** More resources, by logical name: inputs of one of the same kind, or everything of another. */
  readonly others?: Readonly<Record<string, Properties | Registered>>;
  /** Default: what the class of the kind gives. */
  readonly deleteBeforeReplace?: boolean;
}

/** A program with resources of one kind, through several runs of the engine in this process. */
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

  /** With an emulator of its own, which the caller closes. */
  static async start(kind: keyof typeof samples): Promise<PlayedProgram> {
    return new PlayedProgram(await newEmulator(), kind);
  }

  /** What the state has of the resource, which there must be. */
  get stored() {
    return this.storedAs(main);
  }

  /** The same of another resource. */
  storedAs(logicalName: string) {
    const found = this.engine.find(logicalName);
    if (found === undefined) {
      throw new Error(`The state has no resource "${logicalName}".`);
    }
    return found;
  }

  /** What the last run has said. */
  get messages(): readonly string[] {
    return this.engine.said.map(({ message }) => message);
  }

  /** The warnings among them. */
  get warnings(): readonly string[] {
    return this.engine.said.filter(({ isWarning }) => isWarning).map(({ message }) => message);
  }

  /** Names of the files and folders beside the program. */
  get files(): readonly string[] {
    return readdirSync(this.folder);
  }

  /** Methods of the requests until now that change something. */
  get writes(): readonly string[] {
    return this.emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");
  }

  /** Makes this the program, for the next runs. Undefined: it does not declare the resource. */
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

  /** `pulumi up`. Returns what it did with the resource. Throws what it fails with. */
  async up(inputs: Properties | undefined, options: Options = {}): Promise<string> {
    this.declare(inputs, options);
    if (options.isKilled === true) {
      this.engine.killAfterCall();
    }
    await this.engine.up(options);
    this.#throwUnless(options.isKilled);
    return this.engine.did.find((step) => step.endsWith(` ${main}`))?.split(" ")[0] ?? "same";
  }

  /** `pulumi up` whose process is killed after its first write, before the state has that. */
  async upKilled(inputs: Properties | undefined, options: Options = {}): Promise<void> {
    await this.up(inputs, { ...options, isKilled: true });
  }

  /** `pulumi up` that completes, but whose engine cannot write the state. */
  async upUnwritten(inputs: Properties | undefined, options: Options = {}): Promise<void> {
    await this.up(inputs, { ...options, losesState: true });
  }

  /** `pulumi up` of a program with another resource alone, which is in the state and unchanged. */
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

  /** What a deployment refuses in the inputs, in the form `property: reason`. */
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

  /** The next such write gets no answer, and Ctrl-C ends the run. `at`: before or after it. */
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
