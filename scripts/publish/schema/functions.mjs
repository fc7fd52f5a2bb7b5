/**
 * The functions of the schema: their names from `reads`, arguments and results from the types of
 * `signatures.ts`, read with the compiler's type check, and the words from the docstrings.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { projectFolder } from "../../setup/project.mjs";
import { deprecationOf, docstringOf, readDeclarations } from "./docstrings.mjs";
import { examplesOf } from "./examples.mjs";
import { provider, repository } from "./facts.mjs";
import { toMarkdown } from "./markdown.mjs";

/** @typedef {Readonly<Record<string, unknown>>} Spec */
/** @typedef {import("../../../src/functions/forms.js").ArgumentRules} ArgumentRules */

/**
 * Functions by token, and the named types.
 *
 * @returns {{ functions: Record<string, Spec>, types: Record<string, Spec> }}
 */
export function functionSpecs() {
  const require = createRequire(import.meta.url);
  /** @type {Readonly<Record<string, { readonly rules: ArgumentRules }>>} */
  const reads = require(join(projectFolder, "dist/functions/reads.js")).reads;
  /** @type {Readonly<Record<string, unknown>>} */
  const kinds = require(join(projectFolder, "dist/bridges/kinds.js")).kinds;
  const reader = new TypeReader(join(projectFolder, "src/functions/signatures.ts"), Object.keys(kinds));
  const words = readDeclarations(join(projectFolder, "src/functions/functions.ts"));
  const functions = Object.entries(reads).map(([name, { rules }]) => {
    const type = name.replace(/^get/, "Get");
    const choices = Object.keys(rules).filter((argument) => rules[argument] === "one");
    const spec = {
      description: [toMarkdown(words.get(name)?.text ?? "", repository), examplesOf(name)]
        .filter(Boolean)
        .join("\n\n"),
      inputs: { ...reader.objectSpec(`${type}Args`), required: choices.length === 1 ? choices : [] },
      outputs: reader.objectSpec(`${type}Result`),
    };
    return /** @type {const} */ ([`${provider}:index:${name}`, spec]);
  });
  return { functions: Object.fromEntries(functions), types: reader.types };
}

/** Members of a union, or the single type. @param {ts.Type} type */
function partsOf(type) {
  return type.isUnion() ? type.types : [type];
}

/** @param {string} text */
function capitalized(text) {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

/** Reads types and describes the types as a schema. */
class TypeReader {
  /** Named types found so far, by token. @type {Record<string, Spec>} */
  types = {};
  /** @type {ts.TypeChecker} */
  #checker;
  /** Exports of the file, by name. @type {Map<string, ts.Symbol>} */
  #exports;
  /** Names of resources. @type {readonly string[]} */
  #resources;

  /**
   * @param {string} path of a file that imports only our own types.
   * @param {readonly string[]} resources
   */
  constructor(path, resources) {
    this.#resources = resources;
    const program = ts.createProgram([path], {
      noEmit: true,
      strict: true,
      target: ts.ScriptTarget.ES2023,
      lib: ["lib.es2023.d.ts"],
      module: ts.ModuleKind.NodeNext,
      types: [],
    });
    this.#checker = program.getTypeChecker();
    const file = program.getSourceFile(path);
    const module = file && this.#checker.getSymbolAtLocation(file);
    const symbols = module ? this.#checker.getExportsOfModule(module) : [];
    this.#exports = new Map(symbols.map((symbol) => [symbol.name, symbol]));
  }

  /**
   * An exported type with members.
   *
   * @param {string} name
   */
  objectSpec(name) {
    const symbol = this.#exports.get(name);
    if (symbol === undefined) {
      throw new Error(`src/functions/signatures.ts exports no type ${name}.`);
    }
    return this.#described(symbol, this.#checker.getDeclaredTypeOfSymbol(symbol));
  }

  /**
   * @param {ts.Symbol} symbol whose docstring describes the type.
   * @param {ts.Type} type
   */
  #described({ declarations: [declaration] = [] }, type) {
    const members = type.getProperties().map((member) => {
      const declared = member.declarations?.[0];
      if (declared === undefined || !ts.isPropertySignature(declared) || declared.type === undefined) {
        throw new Error(`The member "${member.name}" of a function's type is not declared with a type.`);
      }
      const memberType = this.#checker.getTypeFromTypeNode(declared.type);
      const nothing = ts.TypeFlags.Null | ts.TypeFlags.Undefined;
      const isOptional =
        declared.questionToken !== undefined ||
        partsOf(memberType).some(({ flags }) => (flags & nothing) !== 0);
      const deprecation = deprecationOf(declared);
      const spec = {
        ...this.#typeSpec(memberType, declared),
        description: toMarkdown(docstringOf(declared), repository),
        ...(deprecation !== undefined && { deprecationMessage: toMarkdown(deprecation, repository) }),
      };
      return { name: member.name, spec, isOptional };
    });
    return {
      description: toMarkdown(declaration ? docstringOf(declaration) : "", repository),
      type: "object",
      properties: Object.fromEntries(members.map(({ name, spec }) => [name, spec])),
      required: members.flatMap(({ name, isOptional }) => (isOptional ? [] : [name])),
    };
  }

  /**
   * @param {ts.Type} type
   * @param {ts.PropertySignature} declaration
   * @returns {Spec}
   */
  #typeSpec(type, declaration) {
    const given = this.#checker.getNonNullableType(type);
    const parts = partsOf(given);
    const literals = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    if (literals.length > 0 && literals.length === parts.length) {
      return this.#enumeration(literals, declaration);
    }
    /** @type {(flags: ts.TypeFlags) => boolean} */
    const all = (flags) => parts.every((part) => (part.flags & flags) !== 0);
    // An open set of strings is a string: a member of the union is an intersection.
    if (all(ts.TypeFlags.StringLike | ts.TypeFlags.Intersection)) {
      return { type: "string" };
    }
    if (all(ts.TypeFlags.BooleanLike)) {
      return { type: "boolean" };
    }
    if (all(ts.TypeFlags.NumberLike)) {
      // The client's schemas of all such numbers are `int`.
      return { type: "integer" };
    }
    const item = this.#checker.getIndexTypeOfType(given, ts.IndexKind.Number);
    if (item !== undefined) {
      const isText = (item.flags & ts.TypeFlags.StringLike) !== 0;
      return {
        type: "array",
        items: isText ? { type: "string" } : this.#named(this.#elementOf(declaration), item),
      };
    }
    const value = this.#checker.getIndexTypeOfType(given, ts.IndexKind.String);
    // A type with named members is open, and no map.
    if (value !== undefined && given.getProperties().length === 0) {
      const isFlag = (value.flags & ts.TypeFlags.BooleanLike) !== 0;
      const known = this.#checker.getNonNullableType(value);
      const item = known.isClassOrInterface()
        ? this.#named(known.symbol, known)
        : { $ref: "pulumi.json#/Any" };
      return { type: "object", additionalProperties: isFlag ? { type: "boolean" } : item };
    }
    return this.#named(given.symbol, given);
  }

  /**
   * @param {readonly string[]} values
   * @param {ts.PropertySignature} declaration
   */
  #enumeration(values, declaration) {
    const owner = /** @type {ts.InterfaceDeclaration} */ (declaration.parent).name.text;
    const objects = owner.replace(/^Get|Args$/g, "");
    const name = `${objects.replace(/s$/, "")}${capitalized(declaration.name.getText())}`;
    const noun = objects.replace(/\B[A-Z]/g, " $&").toLowerCase();
    return this.#reference(name, {
      type: "string",
      description: toMarkdown(docstringOf(declaration), repository),
      enum: values.map((value) => ({ value, description: `${capitalized(value)} ${noun}.` })),
    });
  }

  /**
   * Element type as written in a list. The compiler forgets the name when resolving the type.
   *
   * @param {ts.PropertySignature} declaration
   */
  #elementOf({ type, name }) {
    const list = type && ts.isUnionTypeNode(type) ? type.types[0] : type;
    const array = list && ts.isTypeOperatorNode(list) ? list.type : list;
    const element = array && ts.isArrayTypeNode(array) ? array.elementType : undefined;
    const symbol =
      element && ts.isTypeReferenceNode(element) && this.#checker.getSymbolAtLocation(element.typeName);
    if (!symbol) {
      throw new Error(`The list "${name.getText()}" of a function's result does not name what it has.`);
    }
    return symbol;
  }

  /**
   * @param {ts.Symbol} symbol of an interface, or of the result of a function.
   * @param {ts.Type} type
   */
  #named(symbol, type) {
    const short = symbol.name.replace(/^Get(\w+)Result$/, "$1");
    // In Go, a resource and a type of the same name would be the same name.
    const name = this.#resources.includes(short) ? `${short}Record` : short;
    return this.#reference(name, this.#described(symbol, type));
  }

  /**
   * @param {string} name
   * @param {Spec} spec
   */
  #reference(name, spec) {
    const token = `${provider}:index:${name}`;
    this.types[token] = spec;
    return { $ref: `#/types/${token}` };
  }
}
