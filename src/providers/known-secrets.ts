/**
 * Secrets of resources, told to the redaction before every call of a life cycle. A service may repeat
 * a secret that it has stored long ago, so the secrets that this process has sent are not enough.
 */
import { Accounts } from "../client/accounts.js";
import type { Redaction } from "../text/redact.js";
import {
  type Kind,
  type LifecycleContext,
  PartiallyCreatedError,
  type ResourceLifecycle,
} from "./lifecycle.js";
import { namedSecrets, secretIfSet } from "./named-secrets.js";
import {
  isPropertyMap,
  type Properties,
  type PropertyMap,
  type PropertyType,
  type PropertyValue,
  type TypeSchema,
} from "./properties.js";

/** Copies kinds whose life cycles hide the secrets of every resource in text of the service. */
export function hidingSecrets<const Kinds extends Readonly<Record<string, Kind>>>(kinds: Kinds): Kinds {
  const hiding = Object.entries(kinds).map(([name, kind]) => [
    name,
    {
      ...kind,
      lifecycle: (accounts = new Accounts()) =>
        withKnownSecrets(kind, kind.lifecycle(accounts), accounts.redaction),
    },
  ]);
  return Object.fromEntries(hiding);
}

/** Life cycle that tells `redaction` the secrets in requests, and the secrets in results. */
function withKnownSecrets(
  kind: Pick<Kind, "inputs" | "state">,
  lifecycle: ResourceLifecycle,
  redaction: Redaction,
): ResourceLifecycle {
  const hide = (context: LifecycleContext, ...maps: readonly (PropertyMap | undefined)[]) => {
    for (const map of maps) {
      redaction.hide(map === undefined ? [] : secretsOf(kind, map, context));
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
      throw error;
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
        () => lifecycle.check(request, context),
        ({ inputs }) => inputs,
      ),
    preview: (request, context) =>
      call(
        context,
        [request.olds, request.inputs],
        () => lifecycle.preview(request, context),
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

/** Secrets in the inputs or the state of a resource: values, and the present values of named places. */
function secretsOf(
  { inputs, state }: Pick<Kind, "inputs" | "state">,
  values: PropertyMap,
  context: LifecycleContext,
): string[] {
  const types: Properties["types"] = { ...inputs.types, ...state.types };
  const own = Object.entries(types).flatMap(([name, { schema, isSecret }]) =>
    secretsBelow(isSecret ? { ...schema, secret: true } : schema, values[name], context),
  );
  return [...own, ...namedIn(types, values, context)];
}

/** Secrets in a value of a type. A secret object or list consists of secrets. */
function secretsBelow(
  { secret, items, additionalProperties, properties }: TypeSchema,
  value: PropertyValue | undefined,
  context: LifecycleContext,
): string[] {
  if (secret) {
    return stringsIn(value);
  }
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((each) => secretsBelow(items, each, context));
  }
  if (!isPropertyMap(value)) {
    return [];
  }
  const own = Object.entries(value).flatMap(([name, member]) => {
    const schema = additionalProperties ?? properties?.[name];
    return schema === undefined ? [] : secretsBelow(schema, member, context);
  });
  return [...own, ...namedIn(properties ?? {}, value, context)];
}

/** Values of the secrets that an object names, by the members that its type declares. */
function namedIn(
  types: Readonly<Record<string, PropertyType<unknown> | TypeSchema>>,
  owner: PropertyMap,
  context: LifecycleContext,
): string[] {
  const members = Object.keys(types).flatMap((name) => /^(.+)FromEnv$/.exec(name)?.[1] ?? []);
  return namedSecrets(owner, members).flatMap((named) => secretIfSet(named, context) ?? []);
}

function stringsIn(value: PropertyValue | undefined): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
