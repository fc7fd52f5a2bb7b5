import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../src/emulator/index.js";
import { BrowserPoolLifecycle } from "../../../src/providers/browser-pool/pool.js";
import type { Entry } from "../../../src/providers/core/entry.js";
import { journalFolder } from "../../../src/providers/journal/files.js";
import { type LifecycleContext, PartiallyCreatedError } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** A resource as the engine keeps it. */
interface Stored {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  readonly memo: PropertyMap | undefined;
}

/** What the engine did with the resource. */
type Step = "created" | "updated" | "replaced" | "unchanged";

/** A program with one browser pool, through several runs of the engine. */
export class PoolProgram {
  readonly emulator: Emulator;
  readonly #folder: string;
  readonly #urn: string;
  #runs = 0;
  #lifecycle = new BrowserPoolLifecycle();
  #ctrlC = new AbortController();
  /** What the state has of the pool. */
  state: Stored | undefined;
  /** The environment variables of the next runs, besides the address and the key. */
  environment: Record<string, string> = {};
  /** What was said on the row in the last run. */
  messages: string[] = [];

  /** `neighbour`: another resource of the same program, whose folder they share. */
  constructor(emulator: Emulator, logicalName = "agents", neighbour?: PoolProgram) {
    this.emulator = emulator;
    this.#folder = neighbour === undefined ? temporaryFolder() : neighbour.#folder;
    this.#urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:BrowserPool::${logicalName}`;
  }

  get context(): LifecycleContext {
    const say = (message: string) => this.messages.push(message);
    return {
      urn: this.#urn,
      programFolder: this.#folder,
      deployment: `127.0.0.1:${this.#runs}`,
      configuration: () => undefined,
      environment: {
        BROWSER_INFRA_BASE_URL: this.emulator.url,
        BROWSER_INFRA_API_KEY: this.emulator.apiKeys[0],
        ...this.environment,
      },
      signal: this.#ctrlC.signal,
      report: { progress: say, row: say, info: say, warning: say, debug: say },
    };
  }

  /** The pool in the state, which there must be. */
  get stored(): Stored {
    if (this.state === undefined) {
      throw new Error("The state has no pool.");
    }
    return this.state;
  }

  /** Whether a run left notes. */
  get hasNotes(): boolean {
    return existsSync(join(this.#folder, journalFolder));
  }

  /** What is noted of creations, and may be changed. */
  editNotes(edit: (creation: Entry) => Entry): void {
    const folder = join(this.#folder, journalFolder);
    for (const file of readdirSync(folder).filter((each) => each.endsWith(".browser-pool.json"))) {
      const entry = JSON.parse(readFileSync(join(folder, file), "utf8"));
      writeFileSync(join(folder, file), JSON.stringify(entry.op === "create" ? edit(entry) : entry));
    }
  }

  /** Starts the process of another run. What the one before knew is gone, except for its files. */
  begin(): BrowserPoolLifecycle {
    this.#runs += 1;
    this.#lifecycle = new BrowserPoolLifecycle();
    this.#ctrlC = new AbortController();
    this.messages = [];
    return this.#lifecycle;
  }

  /** The person gives up. */
  cancel(): void {
    this.#ctrlC.abort();
  }

  /** What a check says against the inputs, in an update or a preview. */
  async refusals(news: PropertyMap, isPreview = false): Promise<string[]> {
    const { inputs: olds, memo } = this.state ?? {};
    const { failures } = await this.begin().check({ olds, news, memo, isPreview }, this.context);
    return failures.map(({ property, reason }) => `${property}: ${reason}`);
  }

  /** `pulumi up` with these inputs, of which the state is kept. */
  async up(news: PropertyMap): Promise<Step> {
    this.begin();
    try {
      return await this.deploy(news);
    } finally {
      // The engine ends an update in an orderly way also when it failed.
      await this.#lifecycle.end(true, this.context);
    }
  }

  /** `pulumi up` of a program that does not declare the pool, which is not in the state either. */
  async upWithoutPool(): Promise<void> {
    const lifecycle = this.begin();
    await lifecycle.end(true, { ...this.context, urn: `${this.#urn}-other` });
  }

  /** `pulumi up` whose process is killed before the engine writes the state. */
  async upKilled(news: PropertyMap): Promise<void> {
    const { state } = this;
    this.begin();
    await this.deploy(news);
    this.state = state;
  }

  /** What the engine does with the resource in the run that has begun. */
  async deploy(news: PropertyMap): Promise<Step> {
    const { inputs: olds, memo: oldMemo } = this.state ?? {};
    const checked = await this.#accepted(news, olds, oldMemo);
    if (this.state === undefined) {
      await this.#create(checked);
      return "created";
    }
    const { id, outputs } = this.state;
    const request = { id, olds: outputs, news: checked.inputs, memo: checked.memo };
    const { changes, replaces = [], deleteBeforeReplace } = this.#lifecycle.diff(request, this.context);
    if (replaces.length > 0) {
      const next = await this.#accepted(news, undefined, oldMemo);
      const old = { id, state: outputs };
      if (deleteBeforeReplace === true) {
        await this.#lifecycle.delete(old, this.context);
        this.state = undefined;
        await this.#create(next);
      } else {
        await this.#create(next);
        await this.#lifecycle.delete(old, this.context);
      }
      return "replaced";
    }
    if (changes === false) {
      this.state = { ...this.state, ...checked };
      return "unchanged";
    }
    try {
      this.state = { id, ...checked, outputs: await this.#lifecycle.update(request, this.context) };
    } catch (error) {
      if (error instanceof PartiallyCreatedError) {
        this.state = { id, ...checked, outputs: error.outputs };
      }
      throw error;
    }
    return "updated";
  }

  /** `pulumi up --replace`, of a program that says nothing about the order. */
  async upReplacing(news: PropertyMap): Promise<void> {
    this.begin();
    const { id, outputs, memo } = this.stored;
    await this.#create(await this.#accepted(news, undefined, memo));
    await this.#lifecycle.delete({ id, state: outputs }, this.context);
  }

  /** `pulumi refresh`. */
  async refresh(): Promise<void> {
    const lifecycle = this.begin();
    const { id, outputs, memo } = this.stored;
    const read = await lifecycle.read({ id, state: outputs }, this.context);
    this.state = read && { id, memo, inputs: read.inputs, outputs: read.outputs };
  }

  /** `pulumi import`. */
  async import(id: string): Promise<void> {
    const read = await this.begin().read({ id, state: {}, isImport: true }, this.context);
    this.state = read && { id: read.id, memo: read.memo, inputs: read.inputs, outputs: read.outputs };
  }

  /** `pulumi destroy`. */
  async destroy(): Promise<void> {
    const lifecycle = this.begin();
    const { id, outputs } = this.stored;
    await lifecycle.delete({ id, state: outputs }, this.context);
    this.state = undefined;
    await lifecycle.end(true, this.context);
  }

  /** `pulumi destroy --refresh`, in which the engine compares what it has read, in one process. */
  async destroyWithRefresh(): Promise<void> {
    const lifecycle = this.begin();
    const { id, outputs, inputs } = this.stored;
    const read = await lifecycle.read({ id, state: outputs }, this.context);
    lifecycle.diff({ id, olds: read?.outputs ?? outputs, news: inputs }, this.context);
    await lifecycle.delete({ id, state: read?.outputs ?? outputs }, this.context);
    this.state = undefined;
    await lifecycle.end(true, this.context);
  }

  /** `pulumi destroy` whose process is killed before the engine writes the state. */
  async destroyKilled(): Promise<void> {
    const { id, outputs } = this.stored;
    await this.begin().delete({ id, state: outputs }, this.context);
  }

  async #accepted(news: PropertyMap, olds: PropertyMap | undefined, oldMemo: PropertyMap | undefined) {
    const { inputs, failures, memo } = await this.#lifecycle.check(
      { olds, news, memo: oldMemo },
      this.context,
    );
    expect(failures).toEqual([]);
    return { inputs, memo };
  }

  async #create({ inputs, memo }: Pick<Stored, "inputs" | "memo">): Promise<void> {
    try {
      const { id, outputs } = await this.#lifecycle.create(inputs, this.context);
      this.state = { id, inputs, outputs, memo };
    } catch (error) {
      if (error instanceof PartiallyCreatedError) {
        this.state = { id: error.id, inputs, outputs: error.outputs, memo };
      }
      throw error;
    }
  }
}
