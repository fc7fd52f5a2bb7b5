import * as pulumi from "@pulumi/pulumi";
import { loaderInput, loaderText, type ResourceKind, resourceType } from "./contract.js";
import { hiddenInput, hiddenMembers } from "./hidden-input.js";

/** What a resource class hands to the constructor of `pulumi.CustomResource`. */
export interface Declaration {
  readonly type: string;
  readonly inputs: pulumi.Inputs;
  readonly options: pulumi.CustomResourceOptions;
}

/**
 * Declares a dynamic resource without Pulumi's closure serialiser: the arguments, each output by name, and the two
 * inputs the bridge needs, which no diff shows.
 */
export function declare(
  kind: ResourceKind,
  name: string,
  args: pulumi.Inputs,
  outputs: readonly string[],
  options: pulumi.CustomResourceOptions,
): Declaration {
  const type = resourceType(kind);
  // An output that no input names exists only when its name is a key of the inputs, be its value undefined.
  const declaredOutputs = Object.fromEntries(outputs.map((output) => [output, undefined]));
  return {
    type,
    inputs: {
      ...declaredOutputs,
      ...args,
      [hiddenInput]: {
        [hiddenMembers.urn]: urnOf(type, name, options.parent),
        ...(options.customTimeouts === undefined ? {} : { [hiddenMembers.timeouts]: options.customTimeouts }),
      },
      [loaderInput]: loaderText(kind),
    },
    options: { ...options, hideDiffs: [...(options.hideDiffs ?? []), loaderInput, hiddenInput] },
  };
}

/** The URN as a bare promise: as an Output it would make the resource depend on its own parent. */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}
