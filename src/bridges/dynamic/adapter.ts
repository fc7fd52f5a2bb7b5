import type * as pulumi from "@pulumi/pulumi";
import { stackSetting } from "../../providers/inputs/stack-setting.js";
import {
  type Kind,
  type LifecycleContext,
  PartiallyCreatedError,
  type ResourceLifecycle,
} from "../../providers/lifecycle.js";
import { t } from "../../providers/properties.js";
import { hiddenInput, hiddenMembers, loaderInput } from "../../resources/dynamic-contract.js";
import { type ProviderProcess, runCall, safeFailure } from "../engine-call.js";
import { toWireMap } from "../wire-values.js";
import { mapOf, outputsWithHidden, splitHidden, type WireMap, withHidden } from "./hidden-input.js";
import { withoutEcho } from "./host-process.js";

/**
 * Drives a {@link ResourceLifecycle} in the terms of Pulumi's dynamic provider process:
 *
 * - The process admits calls before the end of `configure`, and ignores a `configure` that throws.
 *   So `configure` only stores.
 * - The process can send only plain data. So `toWireMap` normalizes every response.
 * - The process forgets `__provider` of a partially created resource, and then nothing can delete
 *   the resource. So the error of such a create contains `__provider`.
 * - The process prints all reported errors: see `withoutEcho`.
 * - The process passes no facts about the resource, such as the URN. So the program passes the URN
 *   to `check`, which stores the URN in a hidden input that every response returns.
 */
export class DynamicAdapter {
  readonly #kind: Pick<Kind, "state">;
  readonly #lifecycle: ResourceLifecycle;
  readonly #process: ProviderProcess;
  #configuration: pulumi.dynamic.Config | undefined;

  constructor(kind: Pick<Kind, "state">, lifecycle: ResourceLifecycle, process: ProviderProcess) {
    this.#kind = kind;
    this.#lifecycle = lifecycle;
    this.#process = process;
  }

  configure(request: { config: pulumi.dynamic.Config }): Promise<void> {
    this.#configuration = request.config;
    return Promise.resolve();
  }

  check(oldInputs: WireMap, newInputs: WireMap) {
    this.#process.deployment.hasProgram = true;
    return this.#run(undefined, newInputs, async (news, context) => {
      const olds = splitHidden(oldInputs);
      const result = await this.#lifecycle.check(
        {
          olds: Object.keys(olds.visible).length === 0 ? undefined : olds.visible,
          news: splitHidden(newInputs, this.#lifecycle.nullInputs).visible,
          // An import file contains the memo, and no check precedes the import.
          memo: mapOf((olds.hidden ?? news.hidden)?.[hiddenMembers.memo]),
          deletesFirst: news.program?.[hiddenMembers.deletesFirst] === true,
          isPreview: news.program?.[hiddenMembers.isUpdate] !== true,
        },
        context,
      );
      const { [hiddenMembers.isUpdate]: _isUpdate, ...others } = news.program ?? {};
      const { [hiddenMembers.deletesFirst]: _deletesFirst, ...kept } = others;
      const hidden = JSON.stringify({ ...kept, [hiddenMembers.memo]: result.memo });
      return {
        inputs: { ...toWireMap(result.inputs), [hiddenInput]: hidden },
        failures: result.failures.map(safeFailure),
      };
    });
  }

  diff(id: string, oldOutputs: WireMap, newInputs: WireMap) {
    return this.#run(undefined, newInputs, async ({ visible: news }, context) => {
      const olds = splitHidden(oldOutputs).visible;
      const {
        changes,
        replaces = [],
        deleteBeforeReplace = false,
      } = this.#lifecycle.diff({ id, olds, news }, context);
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    });
  }

  create(inputs: WireMap) {
    return this.#run("create", inputs, async ({ visible: news }, context) => {
      const { id, outputs } = await this.#lifecycle.create(news, context);
      return { id, outs: outputsWithHidden(this.#kind, outputs, inputs) };
    });
  }

  read(id: string, properties: WireMap) {
    return this.#run(undefined, properties, async ({ visible: state }, context) => {
      const result = await this.#lifecycle.read({ id, state }, context);
      if (result === undefined) {
        // An empty id in the response means that the resource is gone.
        return { id: "", props: {} };
      }
      return {
        id: result.id,
        props: outputsWithHidden(this.#kind, result.outputs, properties),
        inputs: withHidden(result.inputs, properties),
      };
    });
  }

  update(id: string, oldOutputs: WireMap, newInputs: WireMap) {
    return this.#run("update", newInputs, async ({ visible: news }, context) => {
      const olds = splitHidden(oldOutputs).visible;
      const outputs = await this.#lifecycle.update({ id, olds, news }, context);
      return { outs: outputsWithHidden(this.#kind, outputs, newInputs) };
    });
  }

  delete(id: string, properties: WireMap): Promise<void> {
    return this.#run("delete", properties, ({ visible: state }, context) =>
      this.#lifecycle.delete({ id, state }, context),
    );
  }

  /** Does the work of a call. `limited`: name of the call's limit in `customTimeouts`, if any. */
  async #run<R>(
    limited: "create" | "update" | "delete" | undefined,
    properties: WireMap,
    work: (values: ReturnType<typeof splitHidden>, context: LifecycleContext) => Promise<R>,
  ): Promise<R> {
    const values = splitHidden(properties);
    const timeouts = mapOf(values.program?.[hiddenMembers.timeouts]);
    const { environment } = this.#process;
    const call = {
      urn: t.string.read(values.program?.[hiddenMembers.urn]),
      configuration: (key: string) => this.#configuration?.get(key) ?? processSetting(key, environment),
      configurationKeys: () => keysOf(this.#configuration),
      limit: limited && t.string.read(timeouts?.[limited]),
    };
    try {
      return await runCall(this.#process, call, (context) => work(values, context));
    } catch (error) {
      throw withoutEcho(this.#toPulumiError(error, properties));
    }
  }

  /** Converts a {@link PartiallyCreatedError} to the form known to Pulumi's provider process. */
  #toPulumiError(error: unknown, inputs: WireMap): unknown {
    return error instanceof PartiallyCreatedError
      ? Object.assign(new Error(error.message), {
          id: error.id,
          properties: {
            ...outputsWithHidden(this.#kind, error.outputs, inputs),
            [loaderInput]: inputs[loaderInput],
          },
          reasons: [...error.reasons],
        })
      : error;
  }
}

/** Keys of the configuration. Pulumi's class only reads single keys, so this reads its private member. */
function keysOf(configuration: object = {}): readonly string[] {
  const { rawConfig } = configuration as { readonly rawConfig?: object };
  return Object.keys(rawConfig ?? {});
}

/** Namespace of the settings of Pulumi's dynamic provider process. */
const dynamicNamespace = "pulumi-nodejs:";

/** Setting in the environment: the process of an explicit provider gets no stack configuration. */
function processSetting(
  key: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return key.startsWith(dynamicNamespace)
    ? stackSetting(key.slice(dynamicNamespace.length), environment)
    : undefined;
}
