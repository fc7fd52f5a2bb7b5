import { componentSpecs } from "./components.mjs";
import { packageFacts, providerDescription, settings, stackSettings } from "./facts.mjs";
import { functionSpecs } from "./functions.mjs";
import { resourceSpecs } from "./resources.mjs";

/**
 * Schema of the provider plugin as in `schema.json`. Reads dist and src, so the build must be up to
 * date.
 *
 * @param {string} [downloadUrl] where the CLI finds the plugin. Default: the value in package.json.
 * @returns {string} JSON, with a line break at the end.
 */
export function schemaText(downloadUrl) {
  const { resources, types: typesOfResources } = resourceSpecs();
  const { components, types: typesOfComponents } = componentSpecs(resources);
  const { functions, types: typesOfFunctions } = functionSpecs();
  const schema = {
    ...packageFacts(downloadUrl),
    config: { variables: stackSettings },
    types: { ...typesOfResources, ...typesOfComponents, ...typesOfFunctions },
    provider: {
      description: providerDescription,
      type: "object",
      properties: settings,
      inputProperties: settings,
    },
    resources: { ...resources, ...components },
    functions,
  };
  return `${JSON.stringify(schema, undefined, 1)}\n`;
}
