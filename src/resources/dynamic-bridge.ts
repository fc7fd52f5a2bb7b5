import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { InputError } from "../errors.js";
import * as functions from "../functions/functions.js";
import { hiddenInput, hiddenMembers, loaderInput, loaderText, programInput } from "./dynamic-contract.js";
import type { Bridge, KindFacts, Registration } from "./registration.js";
import { resourceType } from "./type-token.js";

/**
 * Builds the arguments for the constructor of `pulumi.CustomResource`, to declare a dynamic
 * resource without Pulumi's closure serializer: the inputs, and two inputs for the bridge, hidden
 * from diffs. Throws `InputError` `option_unsupported` for the option `import`, for which Pulumi's
 * error would be about Pulumi's own code.
 */
function declare(
  { kind, importAdvice }: KindFacts,
  name: string,
  inputs: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
): Registration {
  if (opts.import !== undefined) {
    const why = 'Pulumi cannot import dynamic resources with the option "import".';
    throw new InputError("option_unsupported", "import", `${why} ${importAdvice}`);
  }
  requireProgramFolder();
  const type = resourceType(kind);
  const urn = urnOf(type, name, opts.parent);
  const programText = (urn: string) =>
    JSON.stringify({
      [hiddenMembers.urn]: urn,
      [hiddenMembers.timeouts]: opts.customTimeouts,
      [hiddenMembers.isUpdate]: pulumi.runtime.isDryRun() ? undefined : true,
      [hiddenMembers.deletesFirst]:
        opts.deleteBeforeReplace === true && opts.retainOnDelete !== true ? true : undefined,
    });
  return [
    type,
    name,
    {
      ...inputs,
      [programInput]: typeof urn === "string" ? programText(urn) : urn.then(programText),
      [loaderInput]: loaderText(kind),
    },
    {
      ...opts,
      hideDiffs: [...(opts.hideDiffs ?? []), loaderInput, hiddenInput],
      // The memo of `check` is not a change, and not part of a diff.
      ignoreChanges: [...(opts.ignoreChanges ?? []), hiddenInput],
    },
  ];
}

/**
 * Refuses a dynamic resource in a component package of a program that has no SDK for Node.js: Pulumi starts the
 * process of dynamic resources in the folder of the program, and would end with a trace of Node. A process of a
 * component has no stack of its own, and gets the address of the engine as an argument.
 */
function requireProgramFolder(): void {
  const isComponent =
    pulumi.runtime.getStackResource() === undefined &&
    process.argv.slice(2).some((argument) => /^127\.0\.0\.1:\d+$/.test(argument));
  try {
    if (isComponent) {
      createRequire(join(process.cwd(), "index.js")).resolve("@pulumi/pulumi/cmd/dynamic-provider");
    }
  } catch {
    const why = "A component package cannot have dynamic resources in a program without node_modules.";
    const remedy =
      'Import from "pulumi-browser-infra/plugin" in the component, and name the plugin in Pulumi.yaml of the program.';
    throw new InputError("dynamic_unavailable", "", `${why} ${remedy}`);
  }
}

/** Path to the life cycles in Pulumi's dynamic provider process. */
export const dynamicBridge: Bridge = { name: "dynamic", declare, functions };

/**
 * Builds the URN, of a child as a bare promise: an Output would make the resource depend on its own
 * parent. Without a parent, the URN needs no Output, which would cost as much as a property.
 */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): string | Promise<string> {
  return parent === undefined
    ? `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`
    : new Promise((resolve) => {
        pulumi.createUrn(name, type, parent).apply(resolve);
      });
}
