/** What a resource class hands to Pulumi, whichever bridge brings it to the provider. */
import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "../bridges/kinds.js";

/** The arguments of the constructor of `pulumi.CustomResource`. */
export type Registration = [
  type: string,
  name: string,
  inputs: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
];

/**
 * How a kind of resource reaches the life cycles: as a dynamic resource, or through the provider
 * plugin. All else about a class is the same for both.
 */
export type Bridge = (
  kind: ResourceKind,
  name: string,
  inputs: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
) => Registration;

/** What may be given as known state of a resource that a program looks up: any of its outputs. */
export type ResourceState<Resource, Output extends keyof Resource> = {
  readonly [Name in keyof Pick<Resource, Output>]?: pulumi.Input<pulumi.Unwrap<Resource[Name]>>;
};

/** A resource that a program looks up, where only the program that created it knows `Unknown`. */
export type LookedUp<Resource, Unknown extends keyof Resource> = Omit<Resource, Unknown> & {
  readonly [Name in Unknown]: pulumi.Output<pulumi.Unwrap<Resource[Name]> | undefined>;
};

/** How to find what has a name: the Output form of a function. */
type Find = (
  args: { readonly name: string; readonly projectId?: pulumi.Input<string | undefined> },
  options?: pulumi.InvokeOutputOptions,
) => pulumi.Output<{ readonly id: string }>;

/**
 * The id of what a program looks up by its id, or else by its exact name. An id has 24 characters of
 * a-z and 0-9, which no name that the service takes looks like.
 */
export function idOf(
  find: Find,
  idOrName: pulumi.Input<pulumi.ID>,
  state: { readonly projectId?: pulumi.Input<string | undefined> } = {},
  opts?: pulumi.CustomResourceOptions,
): pulumi.Output<pulumi.ID> {
  const { projectId } = state;
  return pulumi
    .output(idOrName)
    .apply((given) =>
      /^[a-z0-9]{24}$/.test(given) ? pulumi.output(given) : find({ name: given, projectId }, opts).id,
    );
}

/** The arguments as inputs. An output that is no input exists only if its name is a key here. */
export function inputsWithOutputs(args: object, outputs: readonly string[]): pulumi.Inputs {
  return { ...Object.fromEntries(outputs.map((output) => [output, undefined])), ...args };
}

/** Whether `value` is a resource of this type, from this copy of the package or from another. */
export function isOfType(type: string, value: unknown): boolean {
  const found = (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType;
  return pulumi.CustomResource.isInstance(value) && found === type;
}
