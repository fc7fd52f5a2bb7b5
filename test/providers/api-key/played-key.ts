import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { ApiKeyLifecycle } from "../../../src/providers/api-key/api-key.js";
import type { Entry } from "../../../src/providers/core/entry.js";
import { journalFolder } from "../../../src/providers/journal/files.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const type = "browser-infra:index:ApiKey";
export const agentsUrn = `urn:pulumi:dev::shop::${type}::agents`;
const otherUrn = `urn:pulumi:dev::shop::${type}::other`;

/** Length of a day, in milliseconds. */
export const dayMs = 86_400_000;

/** A resource as the engine keeps it between two runs. */
export interface State {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  readonly memo: PropertyMap | undefined;
}

/** An ApiKey, deployed run by run as the engine does it, to an emulator. */
export class PlayedKey {
  readonly emulator: Emulator;
  readonly #programFolder = temporaryFolder();
  #lifecycle = new ApiKeyLifecycle();
  #run = 1;
  messages: string[] = [];

  private constructor(emulator: Emulator) {
    this.emulator = emulator;
  }

  static async start(): Promise<PlayedKey> {
    return new PlayedKey(await startEmulator());
  }

  context(changes: Partial<LifecycleContext> = {}): LifecycleContext {
    const say = (message: string) => this.messages.push(message);
    const { url, apiKeys } = this.emulator;
    return {
      urn: agentsUrn,
      programFolder: this.#programFolder,
      deployment: `127.0.0.1:${this.#run}`,
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: url, BROWSER_INFRA_API_KEY: apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: say, row: say, info: say, warning: say, debug: say },
      ...changes,
    };
  }

  get lifecycle(): ApiKeyLifecycle {
    return this.#lifecycle;
  }

  /** Starts the process of a new run. What the one before knew is gone, except for its files. */
  nextRun(): void {
    this.#run += 1;
    this.#lifecycle = new ApiKeyLifecycle();
    this.messages = [];
  }

  /** Goes on in another process of the same run, as that of another explicit provider. */
  otherProcess(): void {
    this.#lifecycle = new ApiKeyLifecycle();
  }

  /** The end of a run, which is not killed. */
  end(): Promise<void> {
    return this.#lifecycle.end(true, this.context());
  }

  /** The failures of inputs, as a preview shows them. */
  async failures(news: PropertyMap, isPreview = false): Promise<readonly string[]> {
    const request = { news, olds: undefined, memo: undefined, isPreview };
    const { failures } = await this.#lifecycle.check(request, this.context());
    return failures.map(({ property, reason }) => `${property}: ${reason}`);
  }

  async checked(news: PropertyMap, state?: State, context = this.context()) {
    const request = { news, olds: state?.inputs, memo: state?.memo };
    const { inputs, failures, memo } = await this.#lifecycle.check(request, context);
    expect(failures).toEqual([]);
    return { inputs, memo };
  }

  /** A run that creates the resource. It is not ended: `end` does that, and a kill does not. */
  async create(news: PropertyMap = {}, context = this.context()): Promise<State> {
    const { inputs, memo } = await this.checked(news, undefined, context);
    return { inputs, memo, ...(await this.#lifecycle.create(inputs, context)) };
  }

  /** What the comparison of the next run says. */
  async compared(state: State, news: PropertyMap) {
    this.nextRun();
    const { inputs } = await this.checked(news, state);
    return this.#lifecycle.diff({ id: state.id, olds: state.outputs, news: inputs }, this.context());
  }

  /** The next run of a resource that is in the state: nothing, or an update in place. */
  async deploy(state: State, news: PropertyMap = {}, context?: LifecycleContext): Promise<State> {
    this.nextRun();
    const { inputs, memo } = await this.checked(news, state, context);
    const request = { id: state.id, olds: state.outputs, news: inputs };
    const { changes, replaces = [] } = this.#lifecycle.diff(request, context ?? this.context());
    expect(replaces).toEqual([]);
    return changes === false
      ? { ...state, inputs, memo }
      : {
          id: state.id,
          inputs,
          memo,
          outputs: await this.#lifecycle.update(request, context ?? this.context()),
        };
  }

  /** What "pulumi refresh" does. */
  async refresh(state: State): Promise<State | undefined> {
    this.nextRun();
    const read = await this.#lifecycle.read({ id: state.id, state: state.outputs }, this.context());
    return read && { ...state, inputs: read.inputs, outputs: read.outputs };
  }

  /** What "pulumi destroy" does. */
  async remove({ id, outputs }: State): Promise<void> {
    this.nextRun();
    await this.#lifecycle.delete({ id, state: outputs }, this.context());
  }

  /** A run of the same stack in which neither program nor state has the resource. */
  async runWithoutIt(): Promise<void> {
    this.nextRun();
    await this.#lifecycle.end(true, this.context({ urn: otherUrn }));
  }

  /** Deletes the journal, as a fresh checkout does. */
  loseNotes(): void {
    rmSync(join(this.#programFolder, journalFolder), { recursive: true });
  }

  /** Messages that say how to delete a key. */
  told(id: unknown): string[] {
    return this.messages.filter((text) => text.includes(`"browser-infra api-keys delete ${id}"`));
  }

  hasNotes(): boolean {
    return existsSync(join(this.#programFolder, journalFolder));
  }

  /** Ids of the live keys with a name, or with the one-time name that they have at first. */
  live(name: string): string[] {
    return this.records()
      .filter((key) => key.deletedAt === null && key.name.replace(/-[0-9a-f]{16}$/, "") === name)
      .map(({ id }) => id);
  }

  /** What is noted of creations, and may be changed. */
  editNotes(edit: (creation: Entry) => Entry): Entry[] {
    const folder = join(this.#programFolder, journalFolder);
    const files = readdirSync(folder).filter((file) => file.endsWith(".api-key.json"));
    return files.flatMap((file) => {
      const entry: Entry = JSON.parse(readFileSync(join(folder, file), "utf8"));
      if (entry.op !== "create") {
        return [];
      }
      const edited = edit(entry);
      writeFileSync(join(folder, file), JSON.stringify(edited));
      return [edited];
    });
  }

  records() {
    return this.emulator.apiKeyRecords.list();
  }

  /** The status of a request with a key. */
  async statusWith(key: unknown): Promise<number> {
    const headers = { authorization: `Bearer ${String(key)}` };
    return (await fetch(`${this.emulator.url}/org/api_keys`, { headers })).status;
  }

  /** Requests of a method so far. */
  sent(method: string): string[] {
    return this.emulator.requests.filter((each) => each.method === method).map(({ path }) => path);
  }

  /** The next writes to paths that match are carried out, and their answers are lost. */
  loseAnswers(method: string, path = "/org/api_keys", times = 1) {
    return this.emulator.faults.add({
      method,
      path,
      at: "after-commit",
      times,
      action: "reset",
    });
  }
}
