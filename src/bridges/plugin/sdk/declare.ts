/** How a program reaches the provider plugin: tokens, and the options that say which plugin. */

import { InputError } from "../../../errors.js";
import type { Bridge } from "../../../resources/registration.js";
import { pluginType, resourceType } from "../../dynamic/contract.js";

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

/**
 * Declares a resource that the plugin manages. Its alias is the type of the same dynamic resource,
 * which it takes over. Throws `InputError` `option_unsupported` for the option `import` of a kind
 * that has nothing to import.
 */
export const declare: Bridge = ({ kind, insteadOfImport, isNeverImported }, name, inputs, opts) => {
  if (isNeverImported && opts.import !== undefined) {
    const message = `The option "import" does not work here. ${insteadOfImport}`;
    throw new InputError("option_unsupported", "import", message);
  }
  const aliases = [...(opts.aliases ?? []), { type: resourceType(kind) }];
  return [pluginType(kind), name, inputs, { ...pluginOptions, ...opts, aliases }];
};
