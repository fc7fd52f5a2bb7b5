import { kinds, type ResourceKind } from "../../../../src/bridges/kinds.js";
import { fromWireMap, toWireMap } from "../../../../src/bridges/wire-values.js";
import { Accounts } from "../../../../src/providers/call.js";
import {
  type LifecycleContext,
  PartiallyCreatedError,
  type Report,
  type ResourceLifecycle,
} from "../../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../../src/providers/properties.js";
import type { StoredObject } from "../../../bridges/played-resource.js";
import type { ProviderFailure } from "../../../bridges/wire-messages.js";
import type { DrivenResource, Driver, Said } from "./driver.js";

/** Input that contains the memo of `check`. */
const memoInput = "__memo";

/** Accounts of a run, whose connections end with the run: thousands of runs would use up the sockets. */
class AccountsOfRun extends Accounts {
  readonly #used = new Set<ReturnType<Accounts["clientFor"]>>();

  override clientFor(settings: Parameters<Accounts["clientFor"]>[0]) {
    const client = super.clientFor(settings);
    this.#used.add(client);
    return client;
  }

  end(): void {
    for (const client of this.#used) {
      void client.close();
    }
  }
}

/** Life cycles in this process: no process is started, and only the service gets requests. */
export class LifecycleDriver implements Driver {
  readonly name = "in process";
  said: Said[] = [];
  readonly #folder: string;
  readonly #environment: LifecycleContext["environment"];
  /** Key of the cached settings. New for every run, like a new process. */
  #configuration = () => undefined;
  #opened = new Map<ResourceKind, ResourceLifecycle>();
  #accounts = new AccountsOfRun();
  #cancel = new AbortController();
  /** New for every run: calls of a killed run must not report to the next run. */
  #report: Report = this.#reportTo(this.said);

  constructor(folder: string, environment: LifecycleContext["environment"]) {
    this.#folder = folder;
    this.#environment = environment;
  }

  async begin(): Promise<void> {
    this.said = [];
    this.#report = this.#reportTo(this.said);
    this.#opened = new Map();
    this.#accounts.end();
    this.#accounts = new AccountsOfRun();
    this.#configuration = () => undefined;
    this.#cancel = new AbortController();
  }

  async cancel(): Promise<void> {
    this.#cancel.abort();
  }

  async kill(): Promise<void> {
    this.#cancel.abort();
  }

  async stop(): Promise<void> {
    this.#cancel.abort();
    this.#accounts.end();
  }

  resource(kind: ResourceKind, logicalName: string): DrivenResource {
    const lifecycle = this.#lifecycleOf(kind);
    const urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:${kind}::${logicalName}`;
    const visible = (properties: StoredObject["inputs"], nullable?: readonly string[]) => {
      const own = Object.entries(properties).filter(([name]) => !name.startsWith("__"));
      return fromWireMap(Object.fromEntries(own), nullable);
    };
    const memoOf = ({ [memoInput]: memo }: StoredObject["inputs"]) => memo as PropertyMap | undefined;
    const withMemo = (inputs: PropertyMap, memo: PropertyMap | undefined) => ({
      ...toWireMap(inputs),
      ...(memo === undefined ? {} : { [memoInput]: toWireMap(memo) }),
    });
    const change = ({ id, outputs }: StoredObject, news: StoredObject["inputs"]) => ({
      id,
      olds: visible(outputs),
      news: visible(news),
      memo: memoOf(news),
    });
    const context = (): LifecycleContext => ({
      urn,
      programFolder: this.#folder,
      configuration: this.#configuration,
      environment: this.#environment,
      signal: this.#cancel.signal,
      report: this.#report,
    });
    const found = (read: Awaited<ReturnType<ResourceLifecycle["read"]>>, inputs: StoredObject["inputs"]) =>
      read && {
        id: read.id,
        inputs: withMemo(read.inputs, read.memo ?? memoOf(inputs)),
        outputs: toWireMap(read.outputs),
      };
    return {
      check: async (news, olds = {}, { isPreview = false, deletesFirst = false } = {}) => {
        const request = {
          olds: Object.keys(olds).length === 0 ? undefined : visible(olds),
          news: visible(news, lifecycle.nullInputs),
          memo: memoOf(olds),
          deletesFirst,
          isPreview,
        };
        const { inputs, failures, memo } = await lifecycle.check(request, context());
        return { inputs: withMemo(inputs, memo), failures };
      },
      diff: async (stored, news) => {
        const result = lifecycle.diff(change(stored, news), context());
        const { changes, replaces = [], deleteBeforeReplace = false } = result;
        const known = changes === true ? "some" : "none";
        return { changes: changes === undefined ? "unknown" : known, replaces, deleteBeforeReplace };
      },
      create: async (inputs) => {
        const { id, outputs } = await inEnginesForm(lifecycle.create(visible(inputs), context()));
        return { id, inputs, outputs: toWireMap(outputs) };
      },
      read: async ({ id, inputs, outputs }) =>
        found(await lifecycle.read({ id, state: visible(outputs) }, context()), inputs),
      update: async (stored, news) => {
        const outputs = await inEnginesForm(lifecycle.update(change(stored, news), context()));
        return { id: stored.id, inputs: news, outputs: toWireMap(outputs) };
      },
      delete: ({ id, outputs }) => lifecycle.delete({ id, state: visible(outputs) }, context()),
      import: async (id) => found(await lifecycle.read({ id, state: {}, isImport: true }, context()), {}),
      lookUp: async (id) => found(await lifecycle.read({ id, state: {} }, context()), {}),
      // The check has already queried the service.
      previewRefusals: async () => [],
    };
  }

  #lifecycleOf(kind: ResourceKind): ResourceLifecycle {
    const lifecycle = this.#opened.get(kind) ?? kinds[kind].lifecycle(this.#accounts);
    this.#opened.set(kind, lifecycle);
    return lifecycle;
  }

  #reportTo(said: Said[]): Report {
    const say = (isWarning: boolean) => (message: string) => {
      said.push({ isWarning, message });
    };
    return {
      progress: say(false),
      row: (what, message) => say(false)(`${what}: ${message}`),
      info: say(false),
      warning: say(true),
      debug: () => undefined,
    };
  }
}

/** Converts an error about a partially created object to the form that the engine receives. */
async function inEnginesForm<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PartiallyCreatedError) {
      const { id, outputs, reasons } = error;
      const initFailed = { id, properties: toWireMap(outputs), reasons: [...reasons] };
      const { code } = error as { code?: string };
      throw Object.assign(new Error(error.message), {
        initFailed,
        ...(code ? { code } : {}),
      }) satisfies ProviderFailure;
    }
    throw error;
  }
}
