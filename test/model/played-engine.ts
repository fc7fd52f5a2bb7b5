import type { ResourceKind } from "../../src/bridges/kinds.js";
import type { Properties, ProviderFailure } from "../bridges/wire-messages.js";
import type { DrivenResource, Driver } from "./drivers/driver.js";

/** A resource as a program registers it. */
export interface Registered {
  readonly type: ResourceKind;
  readonly properties: Properties;
  readonly options?: {
    readonly deleteBeforeReplace?: boolean | undefined;
    /** Logical names that the resource had before. */
    readonly aliases?: readonly string[];
  };
}

/** What the state has of a resource. */
interface Entry {
  slot: string;
  readonly kind: ResourceKind;
  id: string;
  inputs: Properties;
  outputs: Properties;
  initErrors: readonly string[];
  /** Replaced, and yet to be deleted. */
  isCondemned: boolean;
  /** Deleted to make room for a replacement that does not exist yet. */
  isPendingReplacement: boolean;
}

/** A resource as the program registers it. */
interface Goal {
  readonly slot: string;
  readonly kind: ResourceKind;
  readonly properties: Properties;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly aliases: readonly string[];
}

/** How a run is played. */
export interface RunOptions {
  readonly refresh?: boolean;
  /** A resource that is replaced in any case, as by `--replace`. */
  readonly replace?: string | undefined;
  /** The only resource that is deployed, as by `--target`. */
  readonly target?: string | undefined;
  /**
   * The engine cannot write its snapshot in this run, although it completes: a full disk, or a
   * login that has expired.
   */
  readonly losesState?: boolean;
}

/** What a preview shows. */
export interface Previewed {
  /** What the deployment would do, such as `create shop`. Empty when nothing changes. */
  readonly steps: readonly string[];
  /** What it would refuse. */
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

/** The process was killed after it had answered: the engine does nothing more. */
class Killed extends Error {}

/**
 * Plays the engine: calls the life cycles in the order the engine does, and keeps the state it
 * would keep. Source of the order: the engine's step generator,
 * github.com/pulumi/pulumi/pkg/v3 at 3.259.0, resource/deploy.
 */
export class PlayedEngine {
  readonly folder: string;
  readonly #driver: Driver;
  #ended: { readonly how: "kill" | "cancel"; readonly done: Promise<void> } | undefined;
  #diesAfterCall = false;
  #state: Entry[] = [];
  #goals: Goal[] = [];
  #isPreview = false;
  #failure: unknown;
  #did: string[] = [];

  constructor(folder: string, driver: Driver) {
    this.folder = folder;
    this.#driver = driver;
  }

  /** What the run under way has said, or the last one. */
  get said(): Driver["said"] {
    return this.#driver.said;
  }

  /** What the last run failed with. */
  get failure(): unknown {
    return this.#failure;
  }

  /** What the last run has done, in order, such as `create shop`. */
  get did(): readonly string[] {
    return this.#did;
  }

  /** Forgets everything, as for a new stack. */
  reset(): void {
    this.#state = [];
  }

  /** Removes a resource from the state, as `pulumi state delete` does. */
  forget(slot: string): void {
    this.#state = this.#state.filter((entry) => entry.slot !== slot);
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

  /** Each of the commands returns why it failed, or undefined. */
  up({ refresh = false, replace, target, losesState = false }: RunOptions = {}): Promise<string | undefined> {
    return this.#run(losesState, async () => {
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
    return this.#run(false, () => this.#refreshAll());
  }

  destroy({ refresh = false, losesState = false }: RunOptions = {}): Promise<string | undefined> {
    return this.#run(losesState, async () => {
      if (refresh) {
        await this.#refreshAll();
      }
      for (const entry of [...this.#state].reverse()) {
        await this.#delete(entry);
      }
    });
  }

  /** What a preview would change or refuse; undefined for nothing. */
  async preview(): Promise<string | undefined> {
    const { steps, failures } = await this.previewed();
    const all = [...steps, ...failures];
    return all.length === 0 ? undefined : all.join("\n");
  }

  async previewed(): Promise<Previewed> {
    const steps: string[] = [];
    const failures: string[] = [];
    const problem = await this.#run(false, async () => {
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

  /** Reads what exists into the state, as `pulumi import` does. Returns why that failed. */
  import(kind: ResourceKind, slot: string, id: string): Promise<string | undefined> {
    return this.#run(false, async () => {
      const read = await this.#driver.resource(kind, slot).import(id);
      if (read === undefined || read.id === "") {
        throw new Error(`There is nothing with the id ${id} to import.`);
      }
      this.#state.push({ ...settled, slot, kind, ...read });
    });
  }

  /** Reads what a program only looks up. Throws what the life cycle throws. */
  async lookUp(kind: ResourceKind, slot: string, id: string): Promise<Properties | undefined> {
    let found: Properties | undefined;
    const problem = await this.#run(false, async () => {
      found = (await this.#driver.resource(kind, slot).lookUp(id))?.outputs;
    });
    if (problem !== undefined) {
      throw new Error(problem);
    }
    return found;
  }

  /** What a preview and a deployment make of the inputs that the program gives a resource. */
  async checks(slot: string) {
    const results: Awaited<ReturnType<DrivenResource["check"]>>[] = [];
    for (const isPreview of [true, false]) {
      await this.#run(false, async () => {
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

  /** The provider answers the call under way. Then everything is killed before the state has it. */
  killAfterCall(): void {
    this.#diesAfterCall = true;
  }

  find(slot: string): Readonly<Entry> | undefined {
    const entry = this.#find(slot);
    return entry?.isPendingReplacement === false ? entry : undefined;
  }

  /** Everything in the state, with what is yet to be deleted. */
  get state(): readonly Readonly<Entry>[] {
    return this.#state;
  }

  /** One run of the command; returns why it failed. */
  async #run(losesState: boolean, work: () => Promise<void>): Promise<string | undefined> {
    this.#isPreview = false;
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
        await this.#call(this.#resource(goal).delete(old));
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
      old.outputs = (await this.#call(this.#resource(goal).update(old, inputs))).outputs;
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
      const { id, outputs } = await this.#call(this.#resource(goal).create(inputs));
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
      await this.#call(this.#resource(entry).delete(entry));
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
      // Turned round, to show what the service changed: what it holds now, against what was
      // declared.
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

  /** `goal`: the resource as the program has it, which an alias may have renamed. */
  async #diff(old: Entry, news: Properties, goal: Goal | Entry = old) {
    const diff = await this.#resource(goal).diff(old, news);
    const differ = JSON.stringify(comparable(old.inputs)) !== JSON.stringify(comparable(news));
    return { ...diff, changes: diff.changes === "some" || (diff.changes === "unknown" && differ) };
  }

  /** A call that changes something, after which everything may be killed. */
  async #call<R>(work: Promise<R>): Promise<R> {
    try {
      return await work;
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

  /** What the state has of a resource, by its name or one it had before. */
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

/** What is true of a resource that exists as declared. */
const settled = { initErrors: [], isCondemned: false, isPendingReplacement: false } as const;

function comparable({ __provider: _text, ...others }: Properties): unknown {
  return Object.entries(others).sort(([one], [other]) => (one < other ? -1 : 1));
}
