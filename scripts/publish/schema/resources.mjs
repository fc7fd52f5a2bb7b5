/**
 * The resources of the schema: names and types from the declared properties of the life cycles,
 * words from the docstrings of the classes that TypeScript programs use.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { projectFolder } from "../../setup/project.mjs";
import { readDeclarations } from "./docstrings.mjs";
import { examplesOf } from "./examples.mjs";
import { provider, repository } from "./facts.mjs";
import { toMarkdown } from "./markdown.mjs";

/** Where the classes are, below the top of the clone. */
const classes = "src/resources";

/** @typedef {import("./docstrings.mjs").Declaration} Declaration */
/** @typedef {import("./docstrings.mjs").Member} Member */
/** @typedef {Readonly<Record<string, unknown>>} Spec */
/**
 * A type as the life cycles declare it, and the declared properties of a resource.
 *
 * @typedef {{ type?: string, enum?: readonly string[], items?: TypeSchema, additionalProperties?:
 *   TypeSchema, properties?: Readonly<Record<string, TypeSchema>> }} TypeSchema
 * @typedef {Readonly<Record<string, { readonly schema: TypeSchema }>>} Types
 */

/** What each value of an enumeration means. @typedef {Readonly<Record<string, string>>} Values */

/**
 * What the declarations do not say of a kind of resource.
 *
 * @typedef {object} Kind
 * @property {string} file of its class, without the ending.
 * @property {Types} inputs that a program may give.
 * @property {readonly string[]} required inputs.
 * @property {readonly string[]} replacing inputs whose change replaces the resource.
 * @property {string} [advice] a paragraph for the languages whose classes set no options.
 * @property {Readonly<Record<string, Values>>} [values] of each property that is an enumeration.
 */

const { declaredInputs } = built("providers/extension/properties.js");
const { apiKeyInputs } = built("providers/api-key/properties.js");
const { apiKeyNameInputs } = built("providers/api-key-name/properties.js");
const { browserPoolInputs } = built("providers/browser-pool/properties.js");
const { loginFlowInputs } = built("providers/login-flow/properties.js");
const project = built("providers/project/properties.js");
const projectLimits = built("providers/project-limits/properties.js");
const plugin = built("bridges/plugin/kinds.js");

/**
 * The kinds by name.
 *
 * @type {Readonly<Record<string, Kind>>}
 */
const kinds = {
  Extension: {
    file: "extension",
    inputs: declaredInputs,
    required: ["path"],
    replacing: ["name", "projectId"],
    advice:
      "With a fixed `name`, set the resource option `deleteBeforeReplace` to true. Names are unique in a project, so " +
      "the old extension must be deleted before the new one is uploaded. A plain `pulumi up` does that by itself. But " +
      "without the option, a replacement that you force (`--replace`, `pulumi state taint`) fails because the name is " +
      "taken. Nothing is lost then.",
  },
  ApiKeyName: {
    file: "api-key-name",
    inputs: apiKeyNameInputs.types,
    required: ["keyId", "name"],
    replacing: ["keyId"],
    advice:
      "Always set the resource option `deleteBeforeReplace` to true. Without it, a replacement that you force " +
      "(`--replace`, `pulumi state taint`) reads the name that this resource has set, and takes it for the previous " +
      "name until the deployment after that.",
    values: {
      onDelete: { restore: "Restores the previous name. The default.", keep: "Leaves the name." },
    },
  },
  ApiKey: {
    file: "api-key",
    inputs: apiKeyInputs.types,
    required: [],
    replacing: ["projectId"],
  },
  LoginFlow: {
    file: "login-flow",
    inputs: loginFlowInputs.types,
    required: ["connectionId"],
    replacing: ["connectionId", "triggers"],
    values: {
      onFailure: {
        fail: "Stops the deployment with the service's reason. The default.",
        continue: "Lets the deployment continue.",
      },
    },
  },
  Project: {
    file: "project",
    inputs: project.declaredInputs,
    required: [],
    replacing: [],
    advice:
      "Always set the resource option `deleteBeforeReplace` to true. Names are unique in the organization, so a " +
      "replacement that you force (`--replace`, `pulumi state taint`) can only delete the old project first. Without " +
      "the option, it keeps the project that it should replace, or fails because the name is taken.",
    values: {
      onDelete: {
        delete: "Deletes the project. The default.",
        archive: "Archives the project.",
        keep: "Leaves the project as it is.",
      },
    },
  },
  ProjectLimits: {
    file: "project-limits",
    inputs: projectLimits.limitsInputs.types,
    required: ["projectId"],
    replacing: ["projectId"],
    advice:
      "Always set the resource option `deleteBeforeReplace` to true. Without it, a replacement that you force " +
      "(`--replace`, `pulumi state taint`) reads the limits that this resource has set, and takes them for the " +
      "previous ones until the deployment after that. Where the language leaves out an input without a value, name it in `uncapped` for no cap.",
    values: {
      uncapped: {
        maxConcurrentSessions: "Browsers at the same time.",
        maxConcurrentInvocations: "App invocations at the same time.",
      },
      onDelete: { restore: "Restores the previous limits. The default.", keep: "Leaves the limits." },
    },
  },
  BrowserPool: {
    file: "browser-pool",
    inputs: browserPoolInputs.types,
    required: ["size"],
    replacing: ["projectId"],
    advice:
      "Always set the resource option `deleteBeforeReplace` to true. Names are unique in a project, and two pools at " +
      "once count twice for the organization's limit of sessions. Without the option, a replacement that you force " +
      "(`--replace`, `pulumi state taint`) fails if the pool has a `name`, and keeps the pool if it has none.",
  },
};

/**
 * The resources by token, and the types that they name.
 *
 * @returns {{ resources: Record<string, Spec>, types: Record<string, Spec> }}
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
  const file = join(classes, `${kind.file}.ts`);
  const declarations = readDeclarations(join(projectFolder, file));
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
      values: kind.values?.[property] ?? {},
    });
    // The words of the input come first, and say more.
    types = { ...spec.types, ...types };
    return { ...spec.type, description: toMarkdown(member.text, repository) };
  };

  const inputProperties = mapValues(kind.inputs, ({ schema }, property) => ({
    ...typed(property, schema, memberOf(property, args, file)),
    ...(kind.replacing.includes(property) && { willReplaceOnChanges: true }),
  }));
  const { state, secretOutputs } = plugin.kinds[name];
  /** @type {readonly string[]} */
  const outputs = plugin.outputsOf(plugin.kinds[name]);
  const properties = Object.fromEntries(
    outputs.map((property) => {
      const spec = typed(property, state.types[property].schema, memberOf(property, declaredOutputs, file));
      return [property, { ...spec, ...(secretOutputs.includes(property) && { secret: true }) }];
    }),
  );
  const description = [toMarkdown(resource.text, repository), kind.advice, examplesOf(name)];
  return {
    token: `${provider}:index:${name}`,
    types,
    spec: {
      description: description.filter(Boolean).join("\n\n"),
      properties,
      required: outputs.filter((property) => !memberOf(property, declaredOutputs, file).mayBeMissing),
      inputProperties,
      requiredInputs: kind.required,
      // All of them: an output that is not named here is undefined in a lookup.
      stateInputs: {
        description: "What is known of a resource that a program looks up. Its id is enough.",
        properties,
      },
      aliases: [{ type: `pulumi-nodejs:dynamic/${provider}:${name}` }],
    },
  };
}

/**
 * A declared type in the words of a schema, and the types that it names: an enumeration, or an
 * object with members, has a name there.
 *
 * @param {TypeSchema} schema
 * @param {Member} member
 * @param {ReadonlyMap<string, Declaration>} declarations
 * @param {{ file: string, name: string, values: Values }} enumeration its name, and its values.
 * @returns {{ type: Spec, types?: Record<string, Spec> }}
 */
function typeSpec(schema, member, declarations, { file, name, values }) {
  if (schema.enum !== undefined) {
    const type = {
      type: "string",
      description: toMarkdown(member.text, repository),
      enum: schema.enum.map((value) => ({ value, description: values[value] })),
    };
    return named(name, type);
  }
  if (schema.properties !== undefined) {
    const [, interfaceName = ""] = /^pulumi\.(?:Input|Output)<(\w+)/.exec(member.type) ?? [];
    const declaration = declarationOf(interfaceName, declarations, file);
    const members = Object.keys(schema.properties);
    return named(interfaceName, {
      type: "object",
      description: toMarkdown(declaration.text, repository),
      properties: mapValues(schema.properties, ({ type }, part) => ({
        type,
        description: toMarkdown(memberOf(part, declaration, file).text, repository),
      })),
      required: members.filter((part) => !memberOf(part, declaration, file).mayBeMissing),
    });
  }
  if (schema.items?.properties !== undefined || schema.items?.enum !== undefined) {
    const { type: items, types } = typeSpec(schema.items, member, declarations, { file, name, values });
    return { type: { type: "array", items }, ...(types !== undefined && { types }) };
  }
  if (schema.type === undefined) {
    // Any plain data. The class says whether it is a list of them.
    const any = { $ref: "pulumi.json#/Any" };
    return { type: /\[\]>?$/.test(member.type) ? { type: "array", items: any } : any };
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
 * What the build has of a file of src.
 *
 * @param {string} file
 */
function built(file) {
  return createRequire(import.meta.url)(join(projectFolder, "dist", file));
}

/**
 * @param {string} name
 * @param {ReadonlyMap<string, Declaration>} declarations
 * @param {string} file
 */
function declarationOf(name, declarations, file) {
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
function memberOf(name, declaration, file) {
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
function mapValues(record, convert) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value, name)]));
}
