/**
 * Resources of the schema: names and types from the declared properties of the life cycles, words
 * from the docstrings of the classes that TypeScript programs use.
 */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { projectFolder } from "../../setup/project.mjs";
import { readDeclarations } from "./docstrings.mjs";
import { examplesOf } from "./examples.mjs";
import { provider, repository } from "./facts.mjs";
import { toMarkdown } from "./markdown.mjs";

/** Files of the classes, below the top of the clone. */
const files = readdirSync(join(projectFolder, "src/resources"), { recursive: true, encoding: "utf8" }).map(
  (file) => `src/resources/${file}`,
);

/** Classes and interfaces of all files: a resource may use the interface of another. */
const shared = files
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => [...readDeclarations(join(projectFolder, file))]);

/** @typedef {import("./docstrings.mjs").Declaration} Declaration */
/** @typedef {import("./docstrings.mjs").Member} Member */
/** @typedef {Readonly<Record<string, unknown>>} Spec */
/** @typedef {import("../../../src/providers/properties.js").TypeSchema} TypeSchema */
/** @typedef {import("../../../src/providers/lifecycle.js").Kind} Kind */

/** @type {typeof import("../../../src/bridges/kinds.js")} */
const { kinds, programInputsOf, outputsOf } = createRequire(import.meta.url)(
  join(projectFolder, "dist/bridges/kinds.js"),
);

/** @type {typeof import("../../../src/providers/reads/listings.js")} */
const { listings, listInputsOf } = createRequire(import.meta.url)(
  join(projectFolder, "dist/providers/reads/listings.js"),
);

/**
 * Resources by token, and the named types.
 *
 * @returns {{ resources: import("./components.mjs").Resources, types: Record<string, Spec> }}
 */
export function resourceSpecs() {
  const described = Object.entries(kinds).map(([name, kind]) => describe(name, kind));
  return {
    resources: Object.fromEntries(described.map(({ token, spec }) => [token, spec])),
    types: Object.assign({}, ...described.map(({ types }) => types)),
  };
}

/**
 * @param {string} name
 * @param {Kind} kind
 */
function describe(name, kind) {
  const noun = name.replace(/\B[A-Z]/g, "-$&").toLowerCase();
  const [file = noun] = files.filter((path) => path.endsWith(`/${noun}.ts`));
  const declarations = new Map([...shared, ...readDeclarations(join(projectFolder, file))]);
  const args = declarationOf(`${name}Args`, declarations, file);
  const resource = declarationOf(name, declarations, file);
  const declaredOutputs = declarationOf(`${name}Resource`, declarations, file);
  /** @type {Record<string, Spec>} */
  let types = {};
  /** @type {(property: string, schema: TypeSchema, member: Member) => Spec} */
  const typed = (property, schema, member) => {
    const spec = typeSpec(schema, member, declarations, {
      file,
      name: `${name}${property.replace(/^./, (letter) => letter.toUpperCase())}`,
    });
    // The docstring of the input comes first, and has more details.
    types = { ...spec.types, ...types };
    return { ...spec.type, description: toMarkdown(member.text, repository) };
  };

  const inputs = programInputsOf(kind);
  const inputProperties = mapValues(inputs, ({ schema, replaces, isSecret }, property) => ({
    ...typed(property, schema, memberOf(property, args, file)),
    ...(replaces && { willReplaceOnChanges: true }),
    ...(isSecret && { secret: true }),
  }));
  const properties = mapValues(outputsOf(kind), ({ schema, isSecret }, property) => ({
    ...typed(property, schema, memberOf(property, declaredOutputs, file)),
    ...(isSecret && { secret: true }),
  }));
  const words = toMarkdown(resource.text, repository);
  const listing = listings[/** @type {keyof typeof listings} */ (name)];
  const description = [words, kind.advice, examplesOf(name), importSection(name, kind)];
  return {
    token: `${provider}:index:${name}`,
    types,
    spec: {
      description: description.filter(Boolean).join("\n\n"),
      properties,
      required: Object.keys(properties).filter(
        (property) => !memberOf(property, declaredOutputs, file).mayBeMissing,
      ),
      inputProperties,
      requiredInputs: Object.keys(inputs).filter((property) => inputs[property]?.isRequired),
      // All properties: an output that is not listed here is undefined in a lookup.
      stateInputs: {
        description: "Known properties of the resource to look up. The id is enough.",
        properties,
      },
      ...(listing && {
        listInputs: {
          description: "Filters of a list. Without a filter, the list has all objects.",
          properties: mapValues(listInputsOf(listing), ({ effect }) => ({
            type: "string",
            description: `${effect.replace(/^./, (letter) => letter.toUpperCase())}.`,
          })),
        },
      }),
      aliases: [{ type: `pulumi-nodejs:dynamic/${provider}:${name}` }],
    },
  };
}

/**
 * Section of the description about `pulumi import`.
 *
 * @param {string} name
 * @param {Kind} kind
 */
function importSection(name, kind) {
  const [id, inProject] = kind.lifecycle().importIds;
  if (id === undefined) {
    return `## Import\n\nA \`${name}\` has nothing to import. Declare a new resource instead.`;
  }
  const command = `\`\`\`sh\npulumi import ${provider}:index:${name} example "${id}"\n\`\`\``;
  const elsewhere =
    inProject && `An object outside of the project of the settings has the id \`${inProject}\`.`;
  return ["## Import", command, elsewhere].filter(Boolean).join("\n\n");
}

/**
 * A declared type in the form of a schema, and the named types: an enumeration, or an object with
 * members, has a name in the schema.
 *
 * @param {TypeSchema} schema
 * @param {Member} member
 * @param {ReadonlyMap<string, Declaration>} declarations
 * @param {{ file: string, name: string }} place of the type; `name`: name of an enumeration.
 * @returns {{ type: Spec, types?: Record<string, Spec> }}
 */
function typeSpec(schema, member, declarations, { file, name }) {
  if (schema.enum !== undefined) {
    const type = {
      type: "string",
      description: toMarkdown(member.text, repository),
      enum: Object.entries(schema.enum).map(([value, description]) => ({ value, description })),
    };
    return named(name, type);
  }
  if (schema.properties !== undefined) {
    const [, interfaceName = ""] =
      /^(?:pulumi\.(?:Input|Output)<\s*|readonly )*(\w+)/.exec(member.type) ?? [];
    const declaration = declarationOf(interfaceName, declarations, file);
    const members = Object.keys(schema.properties);
    /** @type {Record<string, Spec>} */
    const types = {};
    const properties = mapValues(schema.properties, (partSchema, part) => {
      const of = memberOf(part, declaration, file);
      const spec = typeSpec(partSchema, of, declarations, { file, name: `${interfaceName}_${part}` });
      Object.assign(types, spec.types);
      return { ...spec.type, description: toMarkdown(of.text, repository) };
    });
    const own = named(interfaceName, {
      type: "object",
      description: toMarkdown(declaration.text, repository),
      properties,
      required: members.filter((part) => !memberOf(part, declaration, file).mayBeMissing),
    });
    return { type: own.type, types: { ...types, ...own.types } };
  }
  if (schema.items?.properties !== undefined || schema.items?.enum !== undefined) {
    const { type: items, types } = typeSpec(schema.items, member, declarations, { file, name });
    return { type: { type: "array", items }, ...(types !== undefined && { types }) };
  }
  if (schema.type === undefined) {
    // Any plain data. The class declares whether the input is a list of such data.
    const any = { $ref: "pulumi.json#/Any" };
    return { type: /\[\](?: \| undefined)?\s*>?$/.test(member.type) ? { type: "array", items: any } : any };
  }
  return { type: { ...schema } };
}

/**
 * @param {string} name
 * @param {Spec} type
 */
function named(name, type) {
  const token = `${provider}:index:${name}`;
  return { type: { $ref: `#/types/${token}` }, types: { [token]: type } };
}

/**
 * @param {string} name
 * @param {ReadonlyMap<string, Declaration>} declarations
 * @param {string} file
 */
export function declarationOf(name, declarations, file) {
  const declaration = declarations.get(name);
  if (declaration === undefined) {
    throw new Error(`${file} has no class or interface "${name}".`);
  }
  return declaration;
}

/**
 * @param {string} name
 * @param {Declaration} declaration
 * @param {string} file
 */
export function memberOf(name, declaration, file) {
  const member = declaration.members.get(name);
  if (member === undefined || member.text === "") {
    throw new Error(`${file} has no docstring for "${name}".`);
  }
  return member;
}

/**
 * @template T
 * @template R
 * @param {Readonly<Record<string, T>>} record
 * @param {(value: T, name: string) => R} convert
 * @returns {Record<string, R>}
 */
export function mapValues(record, convert) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value, name)]));
}
