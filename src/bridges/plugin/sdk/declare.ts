/** How a program reaches the provider plugin: tokens, and the options that say which plugin. */

import { InputError } from "../../../errors.js";
import type { Bridge } from "../../../resources/registration.js";
import { resourceType as dynamicType } from "../../dynamic/contract.js";
import type { ResourceKind } from "../../kinds.js";

// Read at run time, so that both have one source. The path fits src and dist.
const { version, pluginDownloadURL } = require("../../../../package.json") as {
  version: string;
  pluginDownloadURL: string;
};

/**
 * Which plugin manages a resource or answers a function: the one of this package's version. Pulumi
 * downloads it from this address when it is not installed and Pulumi.yaml gives no path to it.
 */
export const pluginOptions = { version, pluginDownloadURL } as const;

/** The type token of a kind, for policies, aliases and import files. */
export function resourceType(kind: ResourceKind): string {
  return `browser-infra:index:${kind}`;
}

/**
 * Declares a resource that the plugin manages. Its alias is the type of the same dynamic resource,
 * which it takes over. Throws `InputError` `option_unsupported` for the option `import` of a kind
 * that has nothing to import.
 */
export const declare: Bridge = (kind, name, inputs, opts) => {
  if (kind === "LoginFlow" && opts.import !== undefined) {
    const why = "Leave the option out: a LoginFlow has nothing to import.";
    throw new InputError("option_unsupported", "import", `The option "import" does not work here. ${why}`);
  }
  const aliases = [...(opts.aliases ?? []), { type: dynamicType(kind) }];
  return [resourceType(kind), name, inputs, { ...pluginOptions, ...opts, aliases }];
};
