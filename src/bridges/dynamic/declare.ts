import * as pulumi from "@pulumi/pulumi";
import { InputError } from "../../errors.js";
import type { ResourceKind } from "../kinds.js";
import { hiddenInput, hiddenMembers, loaderInput, loaderText, resourceType } from "./contract.js";

/**
 * What a resource class hands to the constructor of `pulumi.CustomResource`, to declare a dynamic
 * resource without Pulumi's closure serializer: its inputs, and the two that the bridge needs,
 * which no diff shows. Throws `InputError` `option_unsupported` for the option `import`, which
 * Pulumi would answer with an error about its own code.
 */
export function declare(
  { kind, insteadOfImport }: { readonly kind: ResourceKind; readonly insteadOfImport: string },
  name: string,
  inputs: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
): [type: string, name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions] {
  if (opts.import !== undefined) {
    const why = 'Pulumi cannot import dynamic resources with the option "import".';
    throw new InputError("option_unsupported", "import", `${why} ${insteadOfImport}`);
  }
  const type = resourceType(kind);
  const hidden = {
    [hiddenMembers.urn]: urnOf(type, name, opts.parent),
    ...(opts.customTimeouts === undefined ? {} : { [hiddenMembers.timeouts]: opts.customTimeouts }),
    ...(pulumi.runtime.isDryRun() ? {} : { [hiddenMembers.isUpdate]: true }),
    ...(opts.deleteBeforeReplace === true && opts.retainOnDelete !== true
      ? { [hiddenMembers.deletesFirst]: true }
      : {}),
  };
  return [
    type,
    name,
    { ...inputs, [hiddenInput]: hidden, [loaderInput]: loaderText(kind) },
    { ...opts, hideDiffs: [...(opts.hideDiffs ?? []), loaderInput, hiddenInput] },
  ];
}

/** The URN as a bare promise: as an Output it would make the resource depend on its own parent. */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}
