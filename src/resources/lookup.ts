/** Looking up a resource that the program does not manage: what is given, and what is found. */
import * as pulumi from "@pulumi/pulumi";
import { idPattern } from "../config.js";

/** What may be given as known state of a resource that a program looks up: any of its outputs. */
export type ResourceState<Resource> = {
  readonly [Name in Exclude<keyof Resource, keyof pulumi.CustomResource>]?: pulumi.Input<
    pulumi.Unwrap<Resource[Name]>
  >;
};

/** A resource that a program looks up, where only the program that created it knows `Unknown`. */
export type LookedUp<Resource, Unknown extends keyof Resource> = Omit<Resource, Unknown> & {
  readonly [Name in Unknown]: pulumi.Output<pulumi.Unwrap<Resource[Name]> | undefined>;
};

/**
 * What `get` returns: the resource with this id, which the program does not manage. `from`: the
 * class of the program, which has the constructor that the class with `get` does not have.
 */
export function getResource<Args, Found>(
  from: unknown,
  name: string,
  id: pulumi.Input<pulumi.ID>,
  state: object | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): Found {
  const declarable = from as new (name: string, args: Args, opts: pulumi.CustomResourceOptions) => Found;
  return new declarable(name, { ...state } as Args, { ...opts, id });
}

/** How to find what has a name: the Output form of a function. */
export type Find = (
  args: { readonly name: string; readonly projectId?: pulumi.Input<string | undefined> },
  options?: pulumi.InvokeOutputOptions,
) => pulumi.Output<{ readonly id: string }>;

/**
 * The id of what a program looks up by its id, or else by its exact name. An id has 24 characters
 * of a-z and 0-9, which no name that the service takes looks like.
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
      idPattern.test(given) ? pulumi.output(given) : find({ name: given, projectId }, opts).id,
    );
}
