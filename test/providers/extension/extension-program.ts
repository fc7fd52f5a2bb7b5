import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../src/emulator/index.js";
import { ExtensionLifecycle } from "../../../src/providers/extension/lifecycle.js";
import { journalFolder } from "../../../src/providers/journal/files.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import { type PropertyMap, unknownValue } from "../../../src/providers/properties.js";
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

/** A program with one extension, through several runs of the engine. */
export class ExtensionProgram {
  readonly emulator: Emulator;
  readonly urn: string;
  readonly #folder = temporaryFolder();
  #runs = 0;
  #lifecycle = new ExtensionLifecycle();
  #ctrlC = new AbortController();
  /** What the state has of the extension. */
  state: Stored | undefined;
  /** What was said on the row in the last run, after what it is: `info: ...`. */
  said: string[] = [];
  /** Runs between the upload of a replacement and the deletion of the old one, as pools change. */
  beforeDeletion: () => void = () => undefined;

  constructor(emulator: Emulator, logicalName = "reader") {
    this.emulator = emulator;
    this.urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::${logicalName}`;
    mkdirSync(join(this.#folder, "extension"));
    this.write("1.0.0");
  }

  /** Gives the folder another content. */
  write(version: string): void {
    writeFileSync(
      join(this.#folder, "extension", "manifest.json"),
      `{ "manifest_version": 3, "name": "Reader", "version": "${version}" }`,
    );
  }

  /** The extension in the state, which there must be. */
  get stored(): Stored {
    if (this.state === undefined) {
      throw new Error("The state has no extension.");
    }
    return this.state;
  }

  /** The person gives up. */
  cancel(): void {
    this.#ctrlC.abort();
  }

  /** What a preview refuses. What it says besides is in {@link said}. */
  async preview(news: PropertyMap): Promise<string[]> {
    this.#begin();
    const { inputs: olds, outputs = {}, memo, id = "" } = this.state ?? {};
    const first = await this.#check(news, olds, memo, true);
    if (olds === undefined || first.failures.length > 0) {
      return first.failures.map(({ reason }) => reason);
    }
    const request = { id, olds: outputs, news: first.inputs, memo: first.memo };
    const { replaces = [] } = this.#lifecycle.diff(request, this.#context);
    const second = replaces.length > 0 ? await this.#check(news, undefined, memo, true) : first;
    return second.failures.map(({ reason }) => reason);
  }

  /**
   * What a preview refuses when the project of the extension is replaced. The engine asks first what
   * goes together with the project, and deletes that before the program declares it again.
   */
  async previewWithReplacedProject(news: PropertyMap): Promise<string[]> {
    this.#begin();
    const { id, inputs, outputs, memo } = this.stored;
    const unknown: PropertyMap = { projectId: unknownValue };
    const request = { id, olds: outputs, news: { ...inputs, ...unknown }, memo };
    expect(this.#lifecycle.diff(request, this.#context).replaces).toEqual(["projectId"]);
    const { failures } = await this.#check({ ...news, ...unknown }, undefined, memo, true);
    return failures.map(({ reason }) => reason);
  }

  /** `pulumi up` with these inputs, of which the state is kept. */
  async up(news: PropertyMap): Promise<Step> {
    this.#begin();
    try {
      return await this.#deploy(news);
    } finally {
      // The engine ends an update in an orderly way also when it failed.
      await this.#lifecycle.end(true, this.#context);
    }
  }

  /** `pulumi up` whose process is killed before the engine writes the state. */
  async upKilled(news: PropertyMap): Promise<void> {
    const { state } = this;
    this.#begin();
    // What the engine deletes last, it has not reached.
    this.beforeDeletion = () => {
      throw new Error("Killed.");
    };
    await this.#deploy(news).catch(() => undefined);
    this.beforeDeletion = () => undefined;
    this.state = state;
  }

  /** `pulumi up` that ends in order, but whose engine cannot write the state. */
  async upUnwritten(news: PropertyMap): Promise<void> {
    const { state } = this;
    try {
      await this.up(news);
    } finally {
      this.state = state;
    }
  }

  /** `pulumi up` of a program that does not declare the extension, and whose state has none. */
  async upWithout(): Promise<void> {
    this.#begin();
    await this.#lifecycle.end(true, { ...this.#context, urn: `${this.urn}-other` });
  }

  /** Absolute path of the journal, in which every file is of this extension. */
  get journal(): string {
    return join(this.#folder, journalFolder);
  }

  /** `pulumi destroy`. */
  async destroy(): Promise<void> {
    this.#begin();
    const { id, outputs } = this.stored;
    try {
      await this.#lifecycle.delete({ id, state: outputs }, this.#context);
      this.state = undefined;
    } finally {
      await this.#lifecycle.end(true, this.#context);
    }
  }

  async #deploy(news: PropertyMap): Promise<Step> {
    const { state } = this;
    const checked = await this.#accepted(news, state?.inputs, state?.memo);
    if (state === undefined) {
      await this.#create(checked);
      return "created";
    }
    const { id, outputs } = state;
    const request = { id, olds: outputs, news: checked.inputs, memo: checked.memo };
    const { changes, replaces = [], deleteBeforeReplace } = this.#lifecycle.diff(request, this.#context);
    if (replaces.length > 0) {
      const next = await this.#accepted(news, undefined, state.memo);
      const old = { id, state: outputs };
      if (deleteBeforeReplace === true) {
        await this.#lifecycle.delete(old, this.#context);
        this.state = undefined;
        await this.#create(next);
      } else {
        await this.#create(next);
        this.beforeDeletion();
        await this.#lifecycle.delete(old, this.#context);
      }
      return "replaced";
    }
    if (changes === false) {
      this.state = { ...state, ...checked };
      return "unchanged";
    }
    this.state = { id, ...checked, outputs: await this.#lifecycle.update(request, this.#context) };
    return "updated";
  }

  async #create({ inputs, memo }: Pick<Stored, "inputs" | "memo">): Promise<void> {
    const { id, outputs } = await this.#lifecycle.create(inputs, this.#context);
    this.state = { id, inputs, outputs, memo };
  }

  async #accepted(news: PropertyMap, olds: PropertyMap | undefined, memo: PropertyMap | undefined) {
    const { failures, ...checked } = await this.#check(news, olds, memo, false);
    expect(failures).toEqual([]);
    return { inputs: checked.inputs, memo: checked.memo };
  }

  #check(
    news: PropertyMap,
    olds: PropertyMap | undefined,
    memo: PropertyMap | undefined,
    isPreview: boolean,
  ) {
    const request = { olds, news: { path: "./extension", ...news }, memo, isPreview };
    return this.#lifecycle.check(request, this.#context);
  }

  /** Starts the process of another run. What the one before knew is gone, except for its files. */
  #begin(): void {
    this.#runs += 1;
    this.#lifecycle = new ExtensionLifecycle();
    this.#ctrlC = new AbortController();
    this.said = [];
  }

  get #context(): LifecycleContext {
    const say = (kind: string) => (message: string) => void this.said.push(`${kind}: ${message}`);
    return {
      urn: this.urn,
      programFolder: this.#folder,
      deployment: `127.0.0.1:${this.#runs}`,
      configuration: () => undefined,
      environment: {
        BROWSER_INFRA_BASE_URL: this.emulator.url,
        BROWSER_INFRA_API_KEY: this.emulator.apiKeys[0],
      },
      signal: this.#ctrlC.signal,
      report: {
        progress: say("progress"),
        row: say("row"),
        info: say("info"),
        warning: say("warning"),
        debug: say("debug"),
      },
    };
  }
}
