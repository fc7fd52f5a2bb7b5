/** What a resource class hands to Pulumi, whichever bridge brings it to the provider. */
import * as pulumi from "@pulumi/pulumi";
import { pluginType, resourceType } from "../bridges/dynamic/contract.js";
import type { ResourceKind } from "../bridges/kinds.js";
import { InputError } from "../errors.js";
import type { OutputsOf } from "../providers/properties.js";

/** The arguments of the constructor of `pulumi.CustomResource`. */
export type Registration = [
  type: string,
  name: string,
  inputs: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
];

/** What a bridge needs to know about a kind. */
interface Registered {
  readonly kind: ResourceKind;
  /** What to do in place of the option `import`, which dynamic resources cannot have. */
  readonly insteadOfImport: string;
  /** Whether the plugin cannot import one either. Default: false. */
  readonly isNeverImported?: true;
}

/** In place of the option `import`, for what `browser-infra import` can write into a file. */
export function importFile(group: string): string {
  return `Run "browser-infra import ${group}" instead, which writes a file for "pulumi import --file".`;
}

/** What a class knows of its kind. */
interface Declaration extends Registered {
  readonly outputs: Readonly<Record<string, true | "secret">>;
  /** Whether a replacement always deletes the old object first. Default: as the program says. */
  readonly deletesFirst?: (args: pulumi.Inputs) => boolean;
  /** The arguments with what is secret in them marked. Default: as they are. */
  readonly hiding?: (args: pulumi.Inputs) => pulumi.Inputs;
  /** Input that has the limit of a create, if only `customTimeouts` gives one. Default: none. */
  readonly createLimitInput?: string;
}

/** The same, with its outputs held to `State` by the compiler. */
export type Noun<State> = Declaration & { readonly outputs: OutputsOf<State> };

/**
 * How a kind of resource reaches the life cycles: as a dynamic resource, or through the provider
 * plugin. All else about a class is the same for both.
 */
export type Bridge = (
  noun: Registered,
  name: string,
  inputs: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
) => Registration;

/** What a class passes to `pulumi.CustomResource`. Throws what the bridge throws. */
export function registration(
  bridge: Bridge,
  noun: Declaration,
  name: string,
  args: object = {},
  opts: pulumi.CustomResourceOptions = {},
): Registration {
  const outputs = Object.entries(noun.outputs);
  const secret = outputs.flatMap(([output, what]) => (what === "secret" ? [output] : []));
  // An output that is no input exists only if its name is a key here.
  const inputs: pulumi.Inputs = {
    ...Object.fromEntries(outputs.map(([output]) => [output, undefined])),
    ...(noun.hiding?.({ ...args }) ?? args),
  };
  for (const name of secret) {
    // Otherwise only the output would be one, and the state would have the input in plain text.
    if (inputs[name] !== undefined) {
      inputs[name] = pulumi.secret(inputs[name]);
    }
  }
  const options = { ...opts };
  if (secret.length > 0) {
    options.additionalSecretOutputs = [...(opts.additionalSecretOutputs ?? []), ...secret];
  }
  if (noun.deletesFirst?.(inputs)) {
    options.deleteBeforeReplace = true;
  }
  if (noun.createLimitInput !== undefined && opts.customTimeouts?.create !== undefined) {
    const { create, ...customTimeouts } = opts.customTimeouts;
    inputs[noun.createLimitInput] ??= create;
    options.customTimeouts = customTimeouts;
  }
  try {
    return bridge(noun, name, inputs, options);
  } catch (error) {
    throw error instanceof InputError ? shownAlone(error, `${noun.kind} "${name}": `) : error;
  }
}

/** An error of which Pulumi prints the message alone, as of its `RunError`, and no stack. */
function shownAlone(error: InputError, subject: string): InputError {
  const shown = error.withMessage(subject + error.message);
  return Object.defineProperty(shown, "__pulumiRunError", { value: true });
}

/**
 * Makes each output of a resource without a value undefined for the program. In the state, the value
 * is null: see `everyOutput` of the bridges. Every class calls this itself: Pulumi counts
 * constructors to find the line of the program, so no class between may have one.
 */
export function giveUndefined(resource: pulumi.CustomResource): void {
  for (const [name, value] of Object.entries(resource)) {
    if (name !== "id" && name !== "urn" && pulumi.Output.isInstance<unknown>(value)) {
      Object.assign(resource, { [name]: value.apply((known) => known ?? undefined) });
    }
  }
}

/**
 * Whether `value` is a resource of this kind, whichever bridge it has, from this copy of the
 * package or from another.
 */
export function isOfKind(kind: ResourceKind, value: unknown): boolean {
  const found = (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType;
  const types: unknown[] = [resourceType(kind), pluginType(kind)];
  return pulumi.CustomResource.isInstance(value) && types.includes(found);
}
