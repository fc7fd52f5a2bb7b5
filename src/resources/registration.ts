/** Registration of resources with Pulumi, for both bridges. */
import * as pulumi from "@pulumi/pulumi";
import { InputError } from "../errors.js";
import type * as programFunctions from "../functions/functions.js";
import type { ResourceKind } from "../providers/kinds.js";
import type { OutputsOf } from "../providers/properties.js";
import { type Find, idOf } from "./lookup.js";
import { pluginType, resourceType } from "./type-token.js";

/** Arguments of the constructor of `pulumi.CustomResource`. */
export type Registration = [
  type: string,
  name: string,
  inputs: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
];

/** Facts about a kind for a bridge. */
export interface KindFacts {
  readonly kind: ResourceKind;
  /** Advice in place of the option `import`, which dynamic resources do not support. */
  readonly importAdvice: string;
  /** Whether the plugin does not support imports either. Default: false. */
  readonly isNotImportable?: true;
}

/** Facts about a kind for the resource class. */
interface AnyDeclaration extends Omit<KindFacts, "importAdvice"> {
  /** Advice, or the group of the command `browser-infra import` for this kind. */
  readonly importAdvice: string | { readonly group: string };
  /** Function for a lookup by exact name. Default: `get` only accepts ids. */
  readonly find?: (functions: Functions) => Find;
  readonly outputs: Readonly<Record<string, true | "secret">>;
  /** Whether a replacement always deletes the old object first. Default: the program's options. */
  readonly deletesFirst?: (args: pulumi.Inputs) => boolean;
  /** Marks secrets in the arguments. Default: unchanged arguments. */
  readonly markSecrets?: (args: pulumi.Inputs) => pulumi.Inputs;
  /** Input that receives `customTimeouts.create`, unless the program declares it. Default: none. */
  readonly createLimitInput?: string;
}

/** Declaration of a kind. The compiler checks the outputs against `State`. */
export type ResourceDeclaration<State> = AnyDeclaration & { readonly outputs: OutputsOf<State> };

/** Functions of the package, answered in the program or by the plugin. */
type Functions = typeof programFunctions;

/**
 * Path from a resource to the life cycles: as a dynamic resource, or through the provider plugin.
 * The rest of a class is shared by both bridges.
 */
export interface Bridge {
  readonly name: "dynamic" | "plugin";
  readonly declare: (
    facts: KindFacts,
    name: string,
    inputs: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions,
  ) => Registration;
  readonly functions: Functions;
}

/** Names of the bridges that this program uses. */
const usedBridges = new Set<Bridge["name"]>();

/**
 * Notes the bridge of a resource. A preview of a program with both bridges says so once, as after
 * `pulumi package add` beside dynamic resources: Pulumi's generated package uses the plugin.
 */
function noteBridge({ name }: Bridge): void {
  const isNew = !usedBridges.has(name);
  usedBridges.add(name);
  if (pulumi.runtime.getResourcePackage("browser-infra", undefined) !== undefined) {
    usedBridges.add("plugin");
  }
  if (isNew && usedBridges.size > 1 && pulumi.runtime.isDryRun()) {
    void pulumi.log.info(
      "This program has dynamic resources, from pulumi-browser-infra, and resources of the provider plugin. Import " +
        "all from one package, unless you are moving them: no dynamic resource takes over what pulumi import imported.",
    );
  }
}

/** Builds the arguments for `pulumi.CustomResource`. Throws the errors of the bridge. */
export function registration(
  bridge: Bridge,
  noun: AnyDeclaration,
  name: string,
  args: object = {},
  opts: pulumi.CustomResourceOptions = {},
): Registration {
  noteBridge(bridge);
  const outputs = Object.entries(noun.outputs);
  const secret = outputs.flatMap(([output, what]) => (what === "secret" ? [output] : []));
  // An output that is no input exists only if the name is a key of `inputs`.
  const inputs: pulumi.Inputs = {
    ...Object.fromEntries(outputs.map(([output]) => [output, undefined])),
    ...(noun.markSecrets?.({ ...args }) ?? args),
  };
  for (const name of secret) {
    // Otherwise only the output would be secret, and the input in plain text in the state.
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
  if (noun.find !== undefined && opts.id !== undefined) {
    options.id = idOf(noun.find(bridge.functions), opts.id, args, opts);
  }
  const { importAdvice: advice } = noun;
  const importAdvice =
    typeof advice === "string"
      ? advice
      : `Run "browser-infra import ${advice.group}" instead, which writes a file for "pulumi import --file".`;
  try {
    return bridge.declare({ ...noun, importAdvice }, name, inputs, options);
  } catch (error) {
    throw error instanceof InputError ? messageOnlyError(error, `${noun.kind} "${name}": `) : error;
  }
}

/** Error that Pulumi prints as a message without a stack, like a `RunError`. */
function messageOnlyError(error: InputError, subject: string): InputError {
  const shown = error.withMessage(subject + error.message);
  return Object.defineProperty(shown, "__pulumiRunError", { value: true });
}

/**
 * Turns null outputs of a resource into undefined for the program, at the first use of the output:
 * most programs use few. The state contains null: see `completeOutputs` of the bridges. Every class
 * calls `nullsToUndefined` itself: Pulumi counts constructors to find the line of the program, so no
 * base class may have a constructor.
 */
export function nullsToUndefined(resource: pulumi.CustomResource): void {
  for (const [name, value] of Object.entries(resource)) {
    if (name !== "id" && name !== "urn" && pulumi.Output.isInstance<unknown>(value)) {
      let shown: pulumi.Output<unknown> | undefined;
      Object.defineProperty(resource, name, {
        get: () => (shown ??= value.apply((known) => known ?? undefined)),
        enumerable: true,
      });
    }
  }
}

/** Whether `value` is a resource of a kind, of either bridge and from any copy of the package. */
export function isOfKind(kind: ResourceKind, value: unknown): boolean {
  const found = (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType;
  const types: unknown[] = [resourceType(kind), pluginType(kind)];
  return pulumi.CustomResource.isInstance(value) && types.includes(found);
}
