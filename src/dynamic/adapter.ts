import type * as pulumi from "@pulumi/pulumi";
import {
  type LifecycleContext,
  PartiallyCreatedError,
  type ResourceLifecycle,
} from "../providers/lifecycle.js";
import { isPropertyMap, type PropertyMap, textOf } from "../providers/properties.js";
import { loaderInput } from "./contract.js";
import type { EngineLog } from "./engine-log.js";
import { withoutEcho } from "./error-echo.js";
import { hiddenInput, hiddenMembers } from "./hidden-input.js";
import { withinLimit } from "./time-limit.js";
import { fromWireMap, toWireMap } from "./wire-values.js";

type WireMap = Record<string, unknown>;

/** What the adapter needs of the process it runs in. */
export interface ProviderProcess {
  readonly log: EngineLog;
  /** The engine's address, which is its own for each command. */
  readonly engineAddress: string;
  /** Aborted when the engine cancels. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Drives a {@link ResourceLifecycle} in the terms of Pulumi's dynamic provider process. What that process does to a
 * careless provider, and what is done about it here:
 *
 * - It lets calls in before `configure` has ended and ignores a `configure` that throws: `configure` only stores.
 * - It cannot send anything but plain data: every answer is normalised by `toWireMap`.
 * - It forgets `__provider` when a resource is only partially created, after which nothing can delete it: added here.
 * - It prints errors that it reports: see `withoutEcho`.
 * - It tells a resource nothing about itself: the URN comes in a hidden input, which every answer returns.
 */
export class DynamicAdapter {
  readonly #lifecycle: ResourceLifecycle;
  readonly #process: ProviderProcess;
  #configuration: pulumi.dynamic.Config | undefined;

  constructor(lifecycle: ResourceLifecycle, process: ProviderProcess) {
    this.#lifecycle = lifecycle;
    this.#process = process;
  }

  configure(request: { config: pulumi.dynamic.Config }): Promise<void> {
    this.#configuration = request.config;
    return Promise.resolve();
  }

  check(oldInputs: WireMap, newInputs: WireMap) {
    return this.#run(undefined, newInputs, async (news, context) => {
      const { visible: olds, hidden } = split(oldInputs);
      const result = await this.#lifecycle.check(
        {
          olds: Object.keys(olds).length === 0 ? undefined : olds,
          news,
          // An import file brings a memo of its own, with no check before it.
          memo: memberOf(hidden ?? split(newInputs).hidden, hiddenMembers.memo),
        },
        context,
      );
      const { [hiddenMembers.memo]: _none, ...given } = split(newInputs).hidden ?? {};
      const kept = {
        ...given,
        ...(result.memo === undefined ? {} : { [hiddenMembers.memo]: result.memo }),
      };
      return {
        inputs: { ...toWireMap(result.inputs), [hiddenInput]: toWireMap(kept) },
        failures: [...result.failures],
      };
    });
  }

  diff(id: string, oldOutputs: WireMap, newInputs: WireMap) {
    return this.#run(undefined, newInputs, async (news, context) => {
      const olds = split(oldOutputs).visible;
      const { changes, replaces, deleteBeforeReplace } = this.#lifecycle.diff({ id, olds, news }, context);
      return { changes, replaces: [...(replaces ?? [])], deleteBeforeReplace: deleteBeforeReplace ?? false };
    });
  }

  create(inputs: WireMap) {
    return this.#run("create", inputs, async (news, context) => {
      const { id, outputs } = await orPartially(inputs, () => this.#lifecycle.create(news, context));
      return { id, outs: withHidden(outputs, inputs) };
    });
  }

  read(id: string, properties: WireMap) {
    return this.#run(undefined, properties, async (state, context) => {
      const result = await this.#lifecycle.read({ id, state }, context);
      if (result === undefined) {
        // The engine takes an empty id for "gone".
        return { id: "", props: {} };
      }
      return {
        id: result.id,
        props: withHidden(result.outputs, properties),
        inputs: withHidden(result.inputs, properties),
      };
    });
  }

  update(id: string, oldOutputs: WireMap, newInputs: WireMap) {
    return this.#run("update", newInputs, async (news, context) => {
      const olds = split(oldOutputs).visible;
      const outputs = await orPartially(newInputs, () => this.#lifecycle.update({ id, olds, news }, context));
      return { outs: withHidden(outputs, newInputs) };
    });
  }

  delete(id: string, properties: WireMap): Promise<void> {
    return this.#run("delete", properties, (state, context) =>
      this.#lifecycle.delete({ id, state }, context),
    );
  }

  async #run<R>(
    limited: "create" | "update" | "delete" | undefined,
    properties: WireMap,
    work: (values: PropertyMap, context: LifecycleContext) => Promise<R>,
  ): Promise<R> {
    const { visible, hidden } = split(properties);
    const urn = textOf(hidden, hiddenMembers.urn);
    const limit = limited && textOf(memberOf(hidden, hiddenMembers.timeouts), limited);
    const report = this.#process.log.reportFor(urn);
    try {
      return await withinLimit(limit, this.#process.signal, (signal) =>
        work(visible, {
          urn,
          deployment: this.#process.engineAddress,
          configuration: (key) => this.#configuration?.get(key),
          environment: this.#process.environment,
          signal,
          report,
        }),
      );
    } catch (error) {
      throw withoutEcho(error);
    } finally {
      await report.flush();
    }
  }
}

/** The properties that are the life cycle's own, and those that only the bridge knows of. */
function split(properties: WireMap): { visible: PropertyMap; hidden: PropertyMap | undefined } {
  const { [loaderInput]: _text, [hiddenInput]: _hidden, ...others } = fromWireMap(properties);
  return { visible: others, hidden: memberOf(fromWireMap(properties), hiddenInput) };
}

function memberOf(properties: PropertyMap | undefined, name: string): PropertyMap | undefined {
  const value = properties?.[name];
  return isPropertyMap(value) ? value : undefined;
}

/** Every answer carries the hidden input on: what an answer leaves out is lost from the state. */
function withHidden(properties: PropertyMap, source: WireMap): WireMap {
  const hidden = source[hiddenInput];
  return { ...toWireMap(properties), ...(hidden === undefined ? {} : { [hiddenInput]: hidden }) };
}

/** Puts "exists, but is not as declared" in the form that Pulumi's dynamic provider process recognises. */
async function orPartially<R>(inputs: WireMap, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PartiallyCreatedError)) {
      throw error;
    }
    throw Object.assign(new Error(error.message), {
      id: error.id,
      properties: { ...withHidden(error.outputs, inputs), [loaderInput]: inputs[loaderInput] },
      reasons: [...error.reasons],
    });
  }
}
