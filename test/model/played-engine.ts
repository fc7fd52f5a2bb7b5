import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { PlayedResource } from "../bridges/played-resource.js";
import type { ProviderProcess } from "../bridges/provider-process.js";
import type { Properties, ProviderFailure } from "../bridges/wire-messages.js";
import type { WalkedStack } from "./walk.js";
import type { RegisteredSlot, Slot } from "./walk-program.js";

/** An object in the state. */
interface Entry {
  readonly slot: Slot;
  readonly kind: RegisteredSlot["type"];
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
  readonly slot: Slot;
  readonly kind: RegisteredSlot["type"];
  readonly properties: Properties;
  readonly deleteBeforeReplace: boolean | undefined;
}

/**
 * Plays the engine: calls a provider process in the order the engine does, and keeps the state it
 * would keep. Source of the order: the engine's step generator,
 * github.com/pulumi/pulumi/pkg/v3 at 3.259.0, resource/deploy.
 *
 * The engine starts a process for each run. Here a `__provider` text that names the run stands for
 * that in Pulumi's own process, which opens a provider of its own for it, and in the plugin another
 * Handshake. Only a run that is killed or canceled costs a process.
 */
export class PlayedEngine implements WalkedStack {
  readonly folder: string;
  readonly #start: () => Promise<ProviderProcess>;
  #provider: ProviderProcess;
  #ended: Promise<void> | undefined;
  #state: Entry[] = [];
  #goals: Goal[] = [];
  #runName = "";
  #isUpdate = true;

  constructor(folder: string, provider: ProviderProcess, start: () => Promise<ProviderProcess>) {
    this.folder = folder;
    this.#provider = provider;
    this.#start = start;
  }

  /** Forgets everything, as for a new stack. */
  reset(): void {
    this.#state = [];
    rmSync(join(this.folder, ".browser-infra"), { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    await this.#provider.stop();
  }

  write(resources: ReadonlyMap<Slot, RegisteredSlot>): void {
    this.#goals = [...resources].map(([slot, { type, properties, options }]) => {
      return { slot, kind: type, properties, deleteBeforeReplace: options.deleteBeforeReplace };
    });
  }

  up({ refresh, replace }: { refresh: boolean; replace?: Slot | undefined }) {
    return this.#run(async () => {
      if (refresh) {
        await this.#refreshAll();
      }
      for (const goal of this.#goals) {
        await this.#deploy(goal, goal.slot === replace);
      }
      const isDeclared = (entry: Entry) => this.#goals.some(({ slot }) => slot === entry.slot);
      for (const entry of [...this.#state].reverse()) {
        if (entry.isCondemned || !isDeclared(entry)) {
          await this.#delete(entry);
        }
      }
    });
  }

  refresh() {
    return this.#run(() => this.#refreshAll());
  }

  destroy({ refresh }: { refresh: boolean }) {
    return this.#run(async () => {
      if (refresh) {
        await this.#refreshAll();
      }
      for (const entry of [...this.#state].reverse()) {
        await this.#delete(entry);
      }
    });
  }

  preview() {
    return this.#run(async () => {
      this.#isUpdate = false;
      for (const goal of this.#goals) {
        const old = this.#find(goal.slot);
        if (old === undefined) {
          throw new Error(`${goal.slot} would be created.`);
        }
        const diff = await this.#diff(old, await this.#check(goal, old.inputs));
        if (diff.changes && !this.#isQuestion(diff)) {
          throw new Error(`${goal.slot} would change.`);
        }
      }
    });
  }

  /**
   * Whether an unchanged resource asks for an update to learn that this is one, as the plugin does
   * while there are notes that no orderly end has concluded. Here nothing ends in an orderly way.
   */
  #isQuestion({ replaces, detailed }: { replaces: readonly string[]; detailed?: unknown }): boolean {
    return this.#provider.bridge === "plugin" && replaces.length === 0 && detailed === undefined;
  }

  end(how: "kill" | "cancel"): void {
    this.#ended ??= (
      how === "kill" ? Promise.resolve() : this.#provider.cancel().catch(() => undefined)
    ).then(() => (how === "kill" ? this.#provider.kill() : undefined));
  }

  find(slot: Slot) {
    const entry = this.#find(slot);
    return entry?.isPendingReplacement === false ? entry : undefined;
  }

  /** One run of the command; returns why it failed. */
  async #run(work: () => Promise<void>): Promise<string | undefined> {
    this.#runName = randomUUID();
    this.#isUpdate = true;
    if (this.#provider.bridge === "plugin") {
      await this.#provider.nextRun();
    }
    try {
      await work();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    } finally {
      if (this.#ended !== undefined) {
        await this.#ended;
        await this.#provider.kill();
        this.#provider = await this.#start();
        this.#ended = undefined;
      }
    }
  }

  async #deploy(goal: Goal, isReplaceForced: boolean): Promise<void> {
    const old = this.#find(goal.slot);
    if (old === undefined) {
      this.#state.push(await this.#create(goal, await this.#check(goal)));
      return;
    }
    let inputs: Properties;
    let deleteBeforeReplace = false;
    if (isReplaceForced) {
      inputs = await this.#check(goal);
    } else {
      inputs = await this.#check(goal, old.inputs);
      const diff = await this.#diff(old, inputs);
      if (!old.isPendingReplacement && !(diff.changes && diff.replaces.length > 0)) {
        if (diff.changes || old.initErrors.length > 0) {
          old.outputs = (await this.#resource(old).update(old, inputs)).outputs;
          old.initErrors = [];
        }
        old.inputs = inputs;
        return;
      }
      deleteBeforeReplace = diff.deleteBeforeReplace;
      inputs = await this.#check(goal);
    }
    if (goal.deleteBeforeReplace ?? deleteBeforeReplace) {
      if (!old.isPendingReplacement) {
        await this.#resource(old).delete(old);
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

  async #create(goal: Goal, inputs: Properties, keep?: (created: Entry) => void): Promise<Entry> {
    const { slot, kind } = goal;
    const settled = { slot, kind, inputs, initErrors: [], isCondemned: false, isPendingReplacement: false };
    try {
      const { id, outputs } = await this.#resource(goal).create(inputs);
      const created = { ...settled, id, outputs };
      keep?.(created);
      return created;
    } catch (error) {
      const { initFailed } = error as ProviderFailure;
      if (initFailed !== undefined) {
        const { id, properties, reasons } = initFailed;
        const created = { ...settled, id, outputs: properties, initErrors: reasons };
        if (keep === undefined) {
          this.#state.push(created);
        } else {
          keep(created);
        }
      }
      throw error;
    }
  }

  async #delete(entry: Entry): Promise<void> {
    if (!entry.isPendingReplacement || entry.isCondemned) {
      await this.#resource(entry).delete(entry);
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

  async #check(goal: Goal, olds?: Properties): Promise<Properties> {
    const options = { isPreview: !this.#isUpdate };
    const { inputs, failures } = await this.#resource(goal).check(goal.properties, olds, options);
    if (failures.length > 0) {
      throw new Error(JSON.stringify(failures));
    }
    return inputs;
  }

  async #diff(old: Entry, news: Properties) {
    const diff = await this.#resource(old).diff(old, news);
    const differ = JSON.stringify(comparable(old.inputs)) !== JSON.stringify(comparable(news));
    return { ...diff, changes: diff.changes === "some" || (diff.changes === "unknown" && differ) };
  }

  #find(slot: Slot): Entry | undefined {
    return this.#state.find((entry) => entry.slot === slot && !entry.isCondemned);
  }

  #resource({ slot, kind }: Goal | Entry): PlayedResource {
    return new PlayedResource(this.#provider, { kind, name: slot, run: this.#runName });
  }
}

function comparable({ __provider: _text, ...others }: Properties): unknown {
  return Object.entries(others).sort(([one], [other]) => (one < other ? -1 : 1));
}
