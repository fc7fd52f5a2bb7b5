/** What a resource class hands to Pulumi, whichever bridge brings it to the provider. */
import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "../bridges/dynamic/contract.js";

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

/** The arguments as inputs. An output that is no input exists only if its name is a key here. */
export function inputsWithOutputs(args: object, outputs: readonly string[]): pulumi.Inputs {
  return { ...Object.fromEntries(outputs.map((output) => [output, undefined])), ...args };
}

/** Whether `value` is a resource of this type, from this copy of the package or from another. */
export function isOfType(type: string, value: unknown): boolean {
  const found = (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType;
  return pulumi.CustomResource.isInstance(value) && found === type;
}
