/**
 * Components of the schema: arguments, outputs and words from the class that TypeScript programs use,
 * and for the changes of each child the inputs of the child's resource.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { projectFolder } from "../../setup/project.mjs";
import { readDeclarations } from "./docstrings.mjs";
import { examplesOf } from "./examples.mjs";
import { provider, repository } from "./facts.mjs";
import { toMarkdown } from "./markdown.mjs";
import { declarationOf, mapValues, memberOf } from "./resources.mjs";

/** @typedef {Readonly<Record<string, unknown>>} Spec */
/** @typedef {Readonly<Record<string, Spec & { inputProperties: Record<string, Spec> }>>} Resources */

const name = "BrowserEnvironment";
const file = "src/resources/browser-environment.ts";

/** Types of arguments and outputs, by the type in TypeScript without the wrapping of Pulumi. */
const types = {
  number: { type: "integer" },
  string: { type: "string" },
  "Readonly<Record<string, pulumi.Input<string>>>": {
    type: "object",
    additionalProperties: { type: "string" },
  },
  BrowserEnvironmentTransform: { $ref: `#/types/${provider}:index:${name}Transform`, plain: true },
};

/**
 * Components by token, and the named types.
 *
 * @param {Resources} resources of the schema, whose inputs a program may change.
 * @returns {{ components: Record<string, Spec>, types: Record<string, Spec> }}
 */
export function componentSpecs(resources) {
  /** @type {typeof import("../../../src/resources/browser-environment.js")} */
  const { environmentKinds, environmentType } = createRequire(import.meta.url)(
    join(projectFolder, "dist/resources/browser-environment.js"),
  );
  const declarations = readDeclarations(join(projectFolder, file));
  const inputs = declarationOf(`${name}Args`, declarations, file);
  const outputs = declarationOf(`${name}Resource`, declarations, file);
  const changes = declarationOf(`${name}Transform`, declarations, file);
  /** @param {typeof inputs} declaration */
  const propertiesOf = (declaration) =>
    mapValues(Object.fromEntries(declaration.members), ({ type, text }) => {
      const inner = type.replace(/ \| undefined/g, "").replace(/^pulumi\.(?:In|Out)put<(.*)>$/, "$1");
      const spec = /** @type {Record<string, Spec>} */ (types)[inner];
      if (spec === undefined) {
        throw new Error(`scripts/publish/schema/components.mjs knows no type "${inner}".`);
      }
      const isPlain = type.startsWith("string");
      return { ...spec, ...(isPlain && { plain: true }), description: toMarkdown(text, repository) };
    });
  /** @param {typeof inputs} declaration */
  const requiredOf = ({ members }) =>
    [...members].flatMap(([each, { mayBeMissing }]) => (mayBeMissing ? [] : [each]));

  const kinds = Object.values(environmentKinds).map((kind) => {
    const { inputProperties = {} } = resources[`${provider}:index:${kind}`] ?? {};
    const properties = mapValues(inputProperties, ({ willReplaceOnChanges: _, ...spec }) => spec);
    const description = `Arguments of a \`${kind}\` that take the place of the usual arguments.`;
    return [`${provider}:index:${kind}Transform`, { type: "object", description, properties }];
  });
  const children = mapValues(environmentKinds, (kind, child) => ({
    $ref: `#/types/${provider}:index:${kind}Transform`,
    plain: true,
    description: toMarkdown(memberOf(child, changes, file).text, repository),
  }));
  const properties = propertiesOf(outputs);
  return {
    components: {
      [environmentType]: {
        description: [toMarkdown(declarationOf(name, declarations, file).text, repository), examplesOf(name)]
          .filter(Boolean)
          .join("\n\n"),
        isComponent: true,
        properties: { ...properties, apiKey: { ...properties.apiKey, secret: true } },
        required: requiredOf(outputs),
        inputProperties: propertiesOf(inputs),
        requiredInputs: requiredOf(inputs),
      },
    },
    types: {
      [`${provider}:index:${name}Transform`]: {
        type: "object",
        description: toMarkdown(changes.text, repository),
        properties: children,
      },
      ...Object.fromEntries(kinds),
    },
  };
}
