import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kinds, type ResourceKind } from "../../src/bridges/kinds.js";
import type { Emulator } from "../../src/emulator/index.js";
import { Accounts } from "../../src/providers/call.js";
import type { LifecycleContext, ResourceLifecycle } from "../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../src/providers/properties.js";
import { writeApp } from "../emulator/apps/app-code.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Provider processes of a stack, one for each run, without an engine: the resources of a run work at once. */
export class ProviderRuns {
  readonly emulator: Emulator;
  /** Infos and warnings of all runs. */
  readonly messages: string[] = [];
  readonly warnings: string[] = [];
  readonly #folder = temporaryFolder();
  #lifecycles = new Map<ResourceKind, ResourceLifecycle>();
  #accounts = new Accounts();
  #counted = 0;

  constructor(emulator: Emulator) {
    this.emulator = emulator;
    mkdirSync(join(this.#folder, "extension"));
    const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';
    writeFileSync(join(this.#folder, "extension", "manifest.json"), manifest);
    writeApp(join(this.#folder, "app"));
  }

  /** Begins a run, in a new process. Requests are counted from here. */
  begin(): void {
    this.#accounts = new Accounts();
    this.#lifecycles = new Map();
    this.#counted = this.emulator.requests.length;
  }

  /** Requests of the run. */
  get requests(): number {
    return this.emulator.requests.length - this.#counted;
  }

  of(kind: ResourceKind): ResourceLifecycle {
    const lifecycle = this.#lifecycles.get(kind) ?? kinds[kind].lifecycle(this.#accounts);
    this.#lifecycles.set(kind, lifecycle);
    return lifecycle;
  }

  /** Context of a call about resource number `at` of a kind. */
  context(kind: ResourceKind, at = 0, signal = new AbortController().signal): LifecycleContext {
    const ignore = () => undefined;
    return {
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:${kind}::resource-${at}`,
      programFolder: this.#folder,
      configuration: () => undefined,
      environment: {
        BROWSER_INFRA_BASE_URL: this.emulator.url,
        BROWSER_INFRA_API_KEY: this.emulator.apiKeys[0],
      },
      signal,
      report: {
        progress: ignore,
        row: ignore,
        info: (text) => this.messages.push(text),
        warning: (text) => this.warnings.push(text),
        debug: ignore,
      },
    };
  }

  /** `check` in a preview. */
  async previewed(kind: ResourceKind, news: PropertyMap, at = 0, olds?: PropertyMap) {
    const request = { news, olds, memo: undefined, isPreview: true };
    return (await this.of(kind).check(request, this.context(kind, at))).failures;
  }

  async create(kind: ResourceKind, news: PropertyMap, at = 0, signal?: AbortSignal) {
    const context = this.context(kind, at, signal);
    const { inputs, failures } = await this.of(kind).check(
      { news, olds: undefined, memo: undefined },
      context,
    );
    expect(failures).toEqual([]);
    return this.of(kind).create(inputs, context);
  }

  read(kind: ResourceKind, { id, outputs }: { readonly id: string; readonly outputs: PropertyMap }, at = 0) {
    return this.of(kind).read({ id, state: outputs }, this.context(kind, at));
  }

  /** Creates a resource for each of the inputs in a run. */
  async createAll(kind: ResourceKind, news: readonly PropertyMap[]) {
    this.begin();
    return Promise.all(news.map((each, at) => this.create(kind, each, at)));
  }

  /** Reads all in a run, at once. */
  async readAll(
    kind: ResourceKind,
    created: readonly { readonly id: string; readonly outputs: PropertyMap }[],
  ) {
    this.begin();
    return Promise.all(created.map((each, at) => this.read(kind, each, at)));
  }
}
