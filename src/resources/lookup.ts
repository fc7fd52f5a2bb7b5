/** Lookup of resources that the program does not manage. */
import * as pulumi from "@pulumi/pulumi";
import { idPattern } from "../config.js";

/** State to pass to a lookup by `get`: any outputs of the resource. */
export type ResourceState<Resource> = {
  readonly [Name in Exclude<keyof Resource, keyof pulumi.CustomResource>]?: pulumi.Input<
    pulumi.Unwrap<Resource[Name]>
  >;
};

/** Result of a lookup. `Unknown`: outputs that only the resource of the creating program has. */
export type LookedUp<Resource, Unknown extends keyof Resource> = Omit<Resource, Unknown> & {
  readonly [Name in Unknown]: pulumi.Output<pulumi.Unwrap<Resource[Name]> | undefined>;
};

/** Arguments of a lookup by `get`: the name in the program, the id, known outputs, and options. */
export type GetArguments<State> = [
  name: string,
  id: pulumi.Input<pulumi.ID>,
  state?: State,
  opts?: pulumi.CustomResourceOptions,
];

/**
 * Builds the result of `get`: the resource with the given id, not managed by the program. `from`:
 * the concrete class, because the abstract class with `get` has no constructor.
 */
export function getResource<Found>(from: unknown, ...[name, id, state, opts]: GetArguments<object>): Found {
  const declarable = from as new (name: string, args: object, opts: pulumi.CustomResourceOptions) => Found;
  return new declarable(name, { ...state }, { ...opts, id });
}

/** Lookup by exact name: the Output form of a function. */
export type Find = (
  args: { readonly name: string; readonly projectId?: pulumi.Input<string | undefined> },
  options?: pulumi.InvokeOutputOptions,
) => pulumi.Output<{ readonly id: string }>;

/**
 * Resolves an id or exact name to the id of the object. A string of 24 characters of a-z and 0-9
 * counts as an id, never as a name.
 */
export function idOf(
  find: Find,
  idOrName: pulumi.Input<pulumi.ID>,
  { projectId }: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<pulumi.ID> {
  // A function about the organization refuses the argument.
  const place = projectId === undefined ? {} : { projectId };
  return pulumi
    .output(idOrName)
    .apply((given) =>
      idPattern.test(given) ? pulumi.output(given) : find({ name: given, ...place }, opts).id,
    );
}
