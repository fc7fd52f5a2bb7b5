import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { loaderText } from "../../src/dynamic/contract.js";
import type { Properties, ProviderFailure, ProviderProcess } from "../dynamic/provider-process.js";
import type { WalkedStack } from "./walk.js";
import { fixedName, type Slot, slots, type WalkProgram } from "./walk-program.js";

/** An object in the state. */
interface Entry {
  readonly urn: string;
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
  readonly urn: string;
  readonly properties: Properties;
  readonly deleteBeforeReplace: boolean | undefined;
}

const urnOf = (slot: Slot) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::${slot}`;

/**
 * Plays the engine: calls Pulumi's own provider process in the order the engine does, and keeps the
 * state it would keep. Source of the order: the engine's step generator,
 * github.com/pulumi/pulumi/pkg/v3 at 3.259.0, resource/deploy.
 *
 * The engine starts a process for each run. Here a `__provider` text that names the run stands for
 * that: the process opens a provider of its own for it. Only a run that is killed or canceled costs
 * a process.
 */
export class PlayedEngine implements WalkedStack {
  readonly folder: string;
  readonly #start: () => Promise<ProviderProcess>;
  #provider: ProviderProcess;
  #ended: Promise<void> | undefined;
  #state: Entry[] = [];
  #goals: Goal[] = [];
  #text = "";
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

  write(program: WalkProgram): void {
    this.#goals = slots.flatMap((slot) => {
      const declared = program.get(slot);
      if (declared === undefined) {
        return [];
      }
      const name = fixedName(slot, declared.name);
      return [
        {
          urn: urnOf(slot),
          properties: { path: `./${slot}`, ...(name === undefined ? {} : { name }) },
          // As the class Extension declares it.
          deleteBeforeReplace: name === undefined ? undefined : true,
        },
      ];
    });
  }

  up({ refresh, replace }: { refresh: boolean; replace?: Slot | undefined }) {
    return this.#run(async () => {
      if (refresh) {
        await this.#refreshAll();
      }
      for (const goal of this.#goals) {
        await this.#deploy(goal, replace !== undefined && goal.urn === urnOf(replace));
      }
      const isDeclared = (entry: Entry) => this.#goals.some(({ urn }) => urn === entry.urn);
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
        const old = this.#find(goal.urn);
        if (old === undefined) {
          throw new Error(`${goal.urn} would be created.`);
        }
        const inputs = await this.#check(goal, old.inputs);
        const { changes } = await this.#diff(old.id, old.inputs, old.outputs, inputs);
        if (changes) {
          throw new Error(`${goal.urn} would change.`);
        }
      }
    });
  }

  end(how: "kill" | "cancel"): void {
    this.#ended ??= (
      how === "kill" ? Promise.resolve() : this.#provider.cancel().catch(() => undefined)
    ).then(() => (how === "kill" ? this.#provider.kill() : undefined));
  }

  ids(): readonly string[] {
    return this.#state.filter(({ isPendingReplacement }) => !isPendingReplacement).map(({ id }) => id);
  }

  idOf(slot: Slot): string | undefined {
    const entry = this.#find(urnOf(slot));
    return entry?.isPendingReplacement === false ? entry.id : undefined;
  }

  /** One run of the command; returns why it failed. */
  async #run(work: () => Promise<void>): Promise<string | undefined> {
    this.#text = loaderText("Extension").replace('("Extension")', `("Extension", "${randomUUID()}")`);
    this.#isUpdate = true;
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
    const old = this.#find(goal.urn);
    if (old === undefined) {
      this.#state.push(await this.#create(goal.urn, await this.#check(goal, {})));
      return;
    }
    let inputs: Properties;
    let deleteBeforeReplace = false;
    if (isReplaceForced) {
      inputs = await this.#check(goal, {});
    } else {
      inputs = await this.#check(goal, old.inputs);
      const diff = await this.#diff(old.id, old.inputs, old.outputs, inputs);
      if (!old.isPendingReplacement && !(diff.changes && diff.replaces.length > 0)) {
        if (diff.changes || old.initErrors.length > 0) {
          old.outputs = await this.#provider.update(old.id, this.#sent(old.outputs), this.#sent(inputs));
          old.initErrors = [];
        }
        old.inputs = inputs;
        return;
      }
      deleteBeforeReplace = diff.deleteBeforeReplace;
      inputs = await this.#check(goal, {});
    }
    if (goal.deleteBeforeReplace ?? deleteBeforeReplace) {
      if (!old.isPendingReplacement) {
        await this.#provider.delete(old.id, this.#sent(old.outputs));
        old.isPendingReplacement = true;
      }
      await this.#create(goal.urn, inputs, (created) => {
        this.#state.splice(this.#state.indexOf(old), 1, created);
      });
      return;
    }
    await this.#create(goal.urn, inputs, (created) => {
      old.isCondemned = true;
      this.#state.push(created);
    });
  }

  async #create(urn: string, inputs: Properties, keep?: (created: Entry) => void): Promise<Entry> {
    const settled = { urn, inputs, initErrors: [], isCondemned: false, isPendingReplacement: false };
    try {
      const { id, properties } = await this.#provider.create(this.#sent(inputs));
      const created = { ...settled, id, outputs: properties };
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
      await this.#provider.delete(entry.id, this.#sent(entry.outputs));
    }
    this.#state.splice(this.#state.indexOf(entry), 1);
  }

  async #refreshAll(): Promise<void> {
    for (const entry of [...this.#state]) {
      if (entry.isPendingReplacement) {
        continue;
      }
      const read = await this.#provider.read(entry.id, this.#sent(entry.outputs), this.#sent(entry.inputs));
      if (read.id === "") {
        this.#state.splice(this.#state.indexOf(entry), 1);
        continue;
      }
      const before = entry.inputs;
      Object.assign(entry, { outputs: read.properties, inputs: read.inputs ?? entry.inputs, initErrors: [] });
      // Turned round, to show what the service changed: what it holds now, against what was
      // declared.
      await this.#diff(entry.id, entry.inputs, entry.outputs, before);
    }
  }

  async #check(goal: Goal, olds: Properties): Promise<Properties> {
    // As the program declares it.
    const hidden = { urn: goal.urn, ...(this.#isUpdate ? { isUpdate: true } : {}) };
    const news = { ...goal.properties, __provider: this.#text, __browserInfra: hidden };
    const sentOlds = Object.keys(olds).length === 0 ? olds : this.#sent(olds);
    const { inputs, failures } = await this.#provider.check(sentOlds, news);
    if (failures.length > 0) {
      throw new Error(JSON.stringify(failures));
    }
    return inputs;
  }

  async #diff(id: string, oldInputs: Properties, oldOutputs: Properties, news: Properties) {
    const diff = await this.#provider.diff(id, this.#sent(oldOutputs), this.#sent(news));
    const differ = JSON.stringify(comparable(oldInputs)) !== JSON.stringify(comparable(news));
    return { ...diff, changes: diff.changes === "some" || (diff.changes === "unknown" && differ) };
  }

  #find(urn: string): Entry | undefined {
    return this.#state.find((entry) => entry.urn === urn && !entry.isCondemned);
  }

  #sent(properties: Properties): Properties {
    return { ...properties, __provider: this.#text };
  }
}

function comparable({ __provider: _text, ...others }: Properties): unknown {
  return Object.entries(others).sort(([one], [other]) => (one < other ? -1 : 1));
}
