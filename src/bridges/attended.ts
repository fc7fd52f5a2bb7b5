/**
 * Work before and after every call of a life cycle. Before: the redaction learns the secrets of the
 * resource, because a service may repeat a secret that it has stored long ago, and the secrets that
 * this process has sent are not enough. After: a preview compares the resource with the rest of the
 * program, and an unknown project gets the name that is near.
 */
import { Accounts, Call } from "../providers/call.js";
import {
  type Kind,
  type LifecycleContext,
  PartiallyCreatedError,
  type ResourceLifecycle,
} from "../providers/lifecycle.js";
import type { PropertyMap } from "../providers/properties.js";
import { secretsOf } from "./resource-secrets.js";

/** Copies kinds with the work before and after every call of a life cycle. */
export function attended<const Kinds extends Readonly<Record<string, Kind>>>(kinds: Kinds): Kinds {
  const hiding = Object.entries(kinds).map(([name, kind]) => [
    name,
    {
      ...kind,
      lifecycle: (accounts = new Accounts()) => attend(kind, kind.lifecycle(accounts), accounts),
    },
  ]);
  return Object.fromEntries(hiding);
}

/** Life cycle with the work before and after every call. */
function attend(
  kind: Pick<Kind, "inputs" | "state" | "compare">,
  lifecycle: ResourceLifecycle,
  accounts: Accounts,
): ResourceLifecycle {
  const hide = (context: LifecycleContext, ...maps: readonly (PropertyMap | undefined)[]) => {
    for (const map of maps) {
      accounts.redaction.hide(map === undefined ? [] : secretsOf(kind, map, context));
    }
  };
  /** Does the work of a call between the secrets of the request and the secrets of the result. */
  const call = async <R>(
    context: LifecycleContext,
    given: readonly (PropertyMap | undefined)[],
    work: () => Promise<R>,
    resultOf: (result: R) => PropertyMap | undefined,
  ): Promise<R> => {
    hide(context, ...given);
    try {
      const result = await work();
      hide(context, resultOf(result));
      return result;
    } catch (error) {
      hide(context, error instanceof PartiallyCreatedError ? error.outputs : undefined);
      const { account, options } = new Call(context, accounts);
      throw await account.explainRefusal(error, options);
    }
  };
  const unknownAfterUpdate = lifecycle.unknownAfterUpdate?.bind(lifecycle);
  return {
    importIds: lifecycle.importIds,
    ...(lifecycle.nullInputs === undefined ? {} : { nullInputs: lifecycle.nullInputs }),
    ...(unknownAfterUpdate === undefined ? {} : { unknownAfterUpdate }),
    check: (request, context) =>
      call(
        context,
        [request.olds, request.news],
        async () => {
          const result = await lifecycle.check(request, context);
          if (request.isPreview && result.failures.length === 0) {
            await kind.compare?.({ olds: request.olds, inputs: result.inputs }, context, accounts);
          }
          return result;
        },
        ({ inputs }) => inputs,
      ),
    preview: (request, context) =>
      call(
        context,
        [request.olds, request.inputs],
        async () => {
          const failures = await lifecycle.preview(request, context);
          if (failures.length === 0) {
            await kind.compare?.(request, context, accounts);
          }
          return failures;
        },
        () => undefined,
      ),
    diff: (request, context) => {
      hide(context, request.olds, request.news);
      return lifecycle.diff(request, context);
    },
    create: (inputs, context) =>
      call(
        context,
        [inputs],
        () => lifecycle.create(inputs, context),
        ({ outputs }) => outputs,
      ),
    read: (request, context) =>
      call(
        context,
        [request.state],
        () => lifecycle.read(request, context),
        (found) => found?.outputs,
      ),
    update: (request, context) =>
      call(
        context,
        [request.olds, request.news],
        () => lifecycle.update(request, context),
        (outputs) => outputs,
      ),
    delete: (request, context) =>
      call(
        context,
        [request.state],
        () => lifecycle.delete(request, context),
        () => undefined,
      ),
  };
}
