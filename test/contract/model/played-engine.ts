import type { ResourceKind } from "../../../src/bridges/kinds.js";
import type { Properties, ProviderFailure } from "../../bridges/wire-messages.js";
import type { DrivenResource, Driver } from "./drivers/driver.js";

/** Resource as registered by a program. */
export interface Registered {
  readonly type: ResourceKind;
  readonly properties: Properties;
  readonly options?: {
    readonly deleteBeforeReplace?: boolean | undefined;
    /** Former logical names of the resource. */
    readonly aliases?: readonly string[];
  };
}

/** Resource in the state. */
interface Entry {
  slot: string;
  readonly kind: ResourceKind;
  id: string;
  inputs: Properties;
  outputs: Properties;
  initErrors: readonly string[];
  /** Whether the object was replaced and awaits deletion. */
  isCondemned: boolean;
  /** Whether the object was deleted for a replacement that does not exist yet. */
  isPendingReplacement: boolean;
}

/** Resource in the program, with the logical name. */
interface Goal {
  readonly slot: string;
  readonly kind: ResourceKind;
  readonly properties: Properties;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly aliases: readonly string[];
}

/** Options of a run. */
export interface RunOptions {
  readonly refresh?: boolean;
  /** Logical name of a resource to replace in any case, as by `--replace`. */
  readonly replace?: string | undefined;
  /** Logical name of the only resource to deploy, as by `--target`. */
  readonly target?: string | undefined;
  /**
   * Whether the engine cannot write the snapshot although the run completes: a full disk, or an
   * expired login.
   */
  readonly losesState?: boolean;
  /**
   * Hook `onError` of every resource: called after a failed create, update or delete. True: the engine calls
   * again, with the state from before the failure. Default: no hook.
   */
  readonly onError?: (() => boolean) | undefined;
}

/** Result of a preview. */
export interface Previewed {
  /** Steps of the deployment, such as `create shop`. Empty when nothing changes. */
  readonly steps: readonly string[];
  /** Failures of the deployment, known in advance. */
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

/** Thrown for a process killed after an answer: the engine does nothing more. */
class Killed extends Error {}

/**
 * Plays the engine: calls the life cycles in the engine's order, and keeps the same state as the
 * engine. Source of the order: the engine's step generator, github.com/pulumi/pulumi/pkg/v3 at
 * 3.259.0, resource/deploy.
 */
export class PlayedEngine {
  readonly folder: string;
  readonly #driver: Driver;
  #ended: { readonly how: "kill" | "cancel"; readonly done: Promise<void> } | undefined;
  #diesAfterCall = false;
  #onError: () => boolean = () => false;
  #state: Entry[] = [];
  #goals: Goal[] = [];
  #isPreview = false;
  #failure: unknown;
  #did: string[] = [];

  constructor(folder: string, driver: Driver) {
    this.folder = folder;
    this.#driver = driver;
  }

  /** Messages of the current or last run. */
  get said(): Driver["said"] {
    return this.#driver.said;
  }

  /** Error of the last run. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Steps of the last run, in order, such as `create shop`. */
  get did(): readonly string[] {
    return this.#did;
  }

  /** Empties the state, as for a new stack. */
  reset(): void {
    this.#state = [];
  }

  /** Removes a resource from the state, as `pulumi state delete` does. */
  forget(slot: string): void {
    this.#state = this.#state.filter((entry) => entry.slot !== slot);
  }

  /** Writes the state to a file and reads the file, as `pulumi stack export` and `import` do. */
  exportAndImport(): void {
    this.#state = JSON.parse(JSON.stringify(this.#state));
  }

  async stop(): Promise<void> {
    await this.#driver.stop();
  }

  write(resources: ReadonlyMap<string, Registered>): void {
    this.#goals = [...resources].map(([slot, { type, properties, options = {} }]) => {
      const { deleteBeforeReplace, aliases = [] } = options;
      return { slot, kind: type, properties, deleteBeforeReplace, aliases };
    });
  }

  /** Deploys. All commands return the failure, or undefined. */
  up({ refresh = false, replace, target, ...options }: RunOptions = {}): Promise<string | undefined> {
    return this.#run(options, async () => {
      if (refresh) {
        await this.#refreshAll();
      }
      for (const goal of this.#goals.filter(({ slot }) => target === undefined || slot === target)) {
        await this.#deploy(goal, goal.slot === replace);
      }
      if (target !== undefined) {
        return;
      }
      const isDeclared = (entry: Entry) => this.#goals.some(({ slot }) => slot === entry.slot);
      for (const entry of [...this.#state].reverse()) {
        if (entry.isCondemned || !isDeclared(entry)) {
          await this.#delete(entry);
        }
      }
    });
  }

  refresh(): Promise<string | undefined> {
    return this.#run({}, () => this.#refreshAll());
  }

  destroy({ refresh = false, ...options }: RunOptions = {}): Promise<string | undefined> {
    return this.#run(options, async () => {
      if (refresh) {
        await this.#refreshAll();
      }
      for (const entry of [...this.#state].reverse()) {
        await this.#delete(entry);
      }
    });
  }

  /** Steps and failures of a preview; undefined without any. */
  async preview(): Promise<string | undefined> {
    const { steps, failures } = await this.previewed();
    const all = [...steps, ...failures];
    return all.length === 0 ? undefined : all.join("\n");
  }

  async previewed(): Promise<Previewed> {
    const steps: string[] = [];
    const failures: string[] = [];
    const problem = await this.#run({}, async () => {
      this.#isPreview = true;
      for (const goal of this.#goals) {
        await this.#preview(goal, steps, failures);
      }
      for (const { slot } of this.#state.filter((entry) => this.#goalOf(entry) === undefined)) {
        steps.push(`delete ${slot}`);
      }
    });
    const warnings = this.said.filter(({ isWarning }) => isWarning).map(({ message }) => message);
    return { steps, failures: problem === undefined ? failures : [...failures, problem], warnings };
  }

  /** Reads an existing object into the state, as `pulumi import` does. Returns the failure. */
  import(kind: ResourceKind, slot: string, id: string): Promise<string | undefined> {
    return this.#run({}, async () => {
      const read = await this.#driver.resource(kind, slot).import(id);
      if (read === undefined || read.id === "") {
        throw new Error(`There is nothing with the id ${id} to import.`);
      }
      this.#state.push({ ...settled, slot, kind, ...read });
    });
  }

  /** Reads an object that a program only looks up. Throws the failure of the life cycle. */
  async lookUp(kind: ResourceKind, slot: string, id: string): Promise<Properties | undefined> {
    let found: Properties | undefined;
    const problem = await this.#run({}, async () => {
      found = (await this.#driver.resource(kind, slot).lookUp(id))?.outputs;
    });
    if (problem !== undefined) {
      throw new Error(problem);
    }
    return found;
  }

  /** Checks the inputs of a resource, first as in a preview, then as in a deployment. */
  async checks(slot: string) {
    const results: Awaited<ReturnType<DrivenResource["check"]>>[] = [];
    for (const isPreview of [true, false]) {
      await this.#run({}, async () => {
        this.#isPreview = isPreview;
        for (const goal of this.#goals.filter((each) => each.slot === slot)) {
          results.push(await this.#checked(goal, this.#oldOf(goal)?.inputs));
        }
      });
    }
    return results;
  }

  /** Ends the current run, as SIGKILL or Ctrl-C does. */
  end(how: "kill" | "cancel"): void {
    this.#ended ??= { how, done: how === "kill" ? this.#driver.kill() : this.#driver.cancel() };
  }

  /** Kills everything after the response to the call under way, before the state has the result. */
  killAfterCall(): void {
    this.#diesAfterCall = true;
  }

  find(slot: string): Readonly<Entry> | undefined {
    const entry = this.#find(slot);
    return entry?.isPendingReplacement === false ? entry : undefined;
  }

  /** Entries of the state, including objects that await deletion. */
  get state(): readonly Readonly<Entry>[] {
    return this.#state;
  }

  /** Runs a command. Returns the failure, if any. */
  async #run(
    { losesState = false, onError = () => false }: RunOptions,
    work: () => Promise<void>,
  ): Promise<string | undefined> {
    this.#isPreview = false;
    this.#onError = onError;
    this.#failure = undefined;
    this.#did = [];
    const saved = structuredClone(this.#state);
    await this.#driver.begin();
    try {
      await work();
      return undefined;
    } catch (error) {
      if (error instanceof Killed) {
        this.end("kill");
      }
      this.#failure = error;
      return (error as Error).message;
    } finally {
      if (losesState) {
        this.#state = saved;
      }
      this.#diesAfterCall = false;
      const ended = this.#ended;
      this.#ended = undefined;
      await ended?.done;
      if (ended !== undefined) {
        await this.#driver.kill();
      }
    }
  }

  async #deploy(goal: Goal, isReplaceForced: boolean): Promise<void> {
    const old = this.#oldOf(goal);
    if (old === undefined) {
      this.#did.push(`create ${goal.slot}`);
      await this.#create(goal, await this.#check(goal), (created) => this.#state.push(created));
      return;
    }
    let inputs: Properties;
    let deleteBeforeReplace = false;
    if (isReplaceForced) {
      inputs = await this.#check(goal);
    } else {
      inputs = await this.#check(goal, old.inputs);
      const diff = await this.#diff(old, inputs, goal);
      if (!old.isPendingReplacement && !(diff.changes && diff.replaces.length > 0)) {
        if (diff.changes || old.initErrors.length > 0) {
          this.#did.push(`update ${goal.slot}`);
          await this.#update(goal, old, inputs);
        }
        Object.assign(old, { inputs, slot: goal.slot });
        return;
      }
      deleteBeforeReplace = diff.deleteBeforeReplace;
      inputs = await this.#check(goal);
    }
    this.#did.push(`replace ${goal.slot}`);
    old.slot = goal.slot;
    if (goal.deleteBeforeReplace ?? deleteBeforeReplace) {
      if (!old.isPendingReplacement) {
        await this.#call(() => this.#resource(goal).delete(old));
        old.isPendingReplacement = true;
      }
      await this.#create(goal, inputs, (created) => {
        this.#state.splice(this.#state.indexOf(old), 1, created);
      });
      return;
    }
    await this.#create(goal, inputs, (created) => {
      old.isCondemned = true;
      this.#state.push(created);
    });
  }

  async #update(goal: Goal, old: Entry, inputs: Properties): Promise<void> {
    try {
      old.outputs = (await this.#call(() => this.#resource(goal).update(old, inputs))).outputs;
      old.initErrors = [];
    } catch (error) {
      const { initFailed } = error as ProviderFailure;
      if (initFailed !== undefined) {
        Object.assign(old, { inputs, outputs: initFailed.properties, initErrors: initFailed.reasons });
      }
      throw error;
    }
  }

  async #create(goal: Goal, inputs: Properties, keep: (created: Entry) => void): Promise<void> {
    const { slot, kind } = goal;
    try {
      const { id, outputs } = await this.#call(() => this.#resource(goal).create(inputs));
      keep({ ...settled, slot, kind, inputs, id, outputs });
    } catch (error) {
      const { initFailed } = error as ProviderFailure;
      if (initFailed !== undefined) {
        const { id, properties: outputs, reasons: initErrors } = initFailed;
        keep({ ...settled, slot, kind, inputs, id, outputs, initErrors });
      }
      throw error;
    }
  }

  async #delete(entry: Entry): Promise<void> {
    if (!entry.isPendingReplacement || entry.isCondemned) {
      await this.#call(() => this.#resource(entry).delete(entry));
    }
    this.#state.splice(this.#state.indexOf(entry), 1);
  }

  async #refreshAll(): Promise<void> {
    for (const entry of [...this.#state]) {
      if (entry.isPendingReplacement) {
        continue;
      }
      const before = entry.inputs;
      const read = await this.#resource(entry).read(entry);
      if (read === undefined) {
        this.#state.splice(this.#state.indexOf(entry), 1);
        continue;
      }
      Object.assign(entry, { outputs: read.outputs, inputs: read.inputs, initErrors: [] });
      // Reversed, to show the changes in the service: current values against declared inputs.
      await this.#diff(entry, before);
    }
  }

  async #preview(goal: Goal, steps: string[], failures: string[]): Promise<void> {
    const old = this.#oldOf(goal);
    const refused = (all: readonly string[]) => failures.push(...all.map((each) => `${goal.slot}: ${each}`));
    const checked = async (olds?: Properties) => {
      const { inputs, failures: found } = await this.#checked(goal, olds);
      refused(found.map(({ reason }) => reason));
      return found.length === 0 ? inputs : undefined;
    };
    let inputs = await checked(old?.inputs);
    if (inputs === undefined) {
      return;
    }
    const diff = old && (await this.#diff(old, inputs, goal));
    if (old !== undefined && diff !== undefined && !(diff.changes && diff.replaces.length > 0)) {
      if (diff.changes) {
        steps.push(`update ${goal.slot}`);
        refused(await this.#resource(goal).previewRefusals(old, inputs));
      }
      return;
    }
    steps.push(`${old === undefined ? "create" : "replace"} ${goal.slot}`);
    inputs = old === undefined ? inputs : await checked();
    if (inputs !== undefined) {
      refused(await this.#resource(goal).previewRefusals(undefined, inputs));
    }
  }

  async #check(goal: Goal, olds?: Properties): Promise<Properties> {
    const { inputs, failures } = await this.#checked(goal, olds);
    if (failures.length > 0) {
      throw new Error(JSON.stringify(failures));
    }
    return inputs;
  }

  #checked(goal: Goal, olds?: Properties) {
    const options = { isPreview: this.#isPreview, deletesFirst: goal.deleteBeforeReplace === true };
    return this.#resource(goal).check(goal.properties, olds, options);
  }

  /** Compares a resource with new inputs. `goal`: the resource in the program, maybe renamed. */
  async #diff(old: Entry, news: Properties, goal: Goal | Entry = old) {
    const diff = await this.#resource(goal).diff(old, news);
    const differ = JSON.stringify(comparable(old.inputs)) !== JSON.stringify(comparable(news));
    return { ...diff, changes: diff.changes === "some" || (diff.changes === "unknown" && differ) };
  }

  /** Makes a changing call, again if the hook says so. Everything may be killed afterwards. */
  async #call<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (!this.#diesAfterCall && this.#onError()) {
        return await this.#call(work);
      }
      throw error;
    } finally {
      if (this.#diesAfterCall) {
        // biome-ignore lint/correctness/noUnsafeFinally: no caller is left to receive the error.
        throw new Killed("The process was killed.");
      }
    }
  }

  #find(slot: string): Entry | undefined {
    return this.#state.find((entry) => entry.slot === slot && !entry.isCondemned);
  }

  /** State of a resource, by current or former name. */
  #oldOf({ slot, aliases }: Goal): Entry | undefined {
    return [slot, ...aliases].map((name) => this.#find(name)).find((entry) => entry !== undefined);
  }

  #goalOf(entry: Entry): Goal | undefined {
    return this.#goals.find((goal) => goal.slot === entry.slot || goal.aliases.includes(entry.slot));
  }

  #resource({ slot, kind }: Goal | Entry): DrivenResource {
    return this.#driver.resource(kind, slot);
  }
}

/** Status of a resource that exists as declared. */
const settled = { initErrors: [], isCondemned: false, isPendingReplacement: false } as const;

function comparable({ __provider: _text, ...others }: Properties): unknown {
  return Object.entries(others).sort(([one], [other]) => (one < other ? -1 : 1));
}
