/** Type tokens and plugin options by which a program reaches the provider plugin. */

import { InputError } from "../../../errors.js";
import type { Bridge } from "../../../resources/registration.js";
import { pluginType, resourceType } from "../../../resources/type-token.js";

// Read at run time, so both values have a single source. The path fits src and dist.
const { version, pluginDownloadURL } = require("../../../../package.json") as {
  version: string;
  pluginDownloadURL: string;
};

/**
 * Version and download address of the plugin that manages a resource or answers a function. The
 * version is the version of this package. Pulumi downloads the plugin if the plugin is not
 * installed and Pulumi.yaml contains no path.
 */
export const pluginOptions = { version, pluginDownloadURL } as const;

/**
 * Declares a resource managed by the plugin. An alias with the type of the dynamic resource takes
 * over a dynamic resource of the same name. Throws `InputError` `option_unsupported` for the option
 * `import` of a kind with nothing to import.
 */
export const declare: Bridge["declare"] = ({ kind, importAdvice, isNotImportable }, name, inputs, opts) => {
  if (isNotImportable && opts.import !== undefined) {
    const message = `The option "import" does not work here. ${importAdvice}`;
    throw new InputError("option_unsupported", "import", message);
  }
  const aliases = [...(opts.aliases ?? []), { type: resourceType(kind) }];
  return [pluginType(kind), name, inputs, { ...pluginOptions, ...opts, aliases }];
};
