/**
 * The functions of the schema: names, arguments and results from the types of `src/queries`, read
 * with the compiler's type check; the words from the docstrings there and of `src/functions`.
 */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { projectFolder } from "../../setup/project.mjs";
import { deprecationOf, docstringOf, readDeclarations } from "./docstrings.mjs";
import { examplesOf } from "./examples.mjs";
import { provider, repository } from "./facts.mjs";
import { toMarkdown } from "./markdown.mjs";

/** @typedef {Readonly<Record<string, unknown>>} Spec */
/** @typedef {import("../../../src/queries/argument-rule.js").ArgumentRule} ArgumentRule */

/**
 * The functions by token, and the types that they name.
 *
 * @returns {{ functions: Record<string, Spec>, types: Record<string, Spec> }}
 */
export function functionSpecs() {
  const require = createRequire(import.meta.url);
  /** @type {Readonly<Record<string, { readonly takes: ArgumentRule }>>} */
  const queries = require(join(projectFolder, "dist/queries/index.js")).queries;
  /** @type {Readonly<Record<string, unknown>>} */
  const kinds = require(join(projectFolder, "dist/bridges/plugin/kinds.js")).kinds;
  const reader = new TypeReader(["arguments.ts", "results.ts"], new Set(Object.keys(kinds)));
  const words = functionDocstrings();
  const functions = Object.entries(queries).map(([name, { takes }]) => {
    const type = name.replace(/^get/, "Get");
    const spec = {
      description: [toMarkdown(words.get(name) ?? "", repository), examplesOf(name)]
        .filter(Boolean)
        .join("\n\n"),
      inputs: {
        ...reader.objectSpec(`${type}Args`),
        required: "exactlyOneOf" in takes && takes.exactlyOneOf.length === 1 ? takes.exactlyOneOf : [],
      },
      outputs: reader.objectSpec(`${type}Result`),
    };
    return /** @type {const} */ ([`${provider}:index:${name}`, spec]);
  });
  return { functions: Object.fromEntries(functions), types: reader.types };
}

/** The docstring of every function of a program, by name. */
function functionDocstrings() {
  const folder = join(projectFolder, "src/functions");
  const declared = readdirSync(folder)
    .filter((file) => file.startsWith("get-"))
    .flatMap((file) => [...readDeclarations(join(folder, file))]);
  return new Map(declared.map(([name, { text }]) => [name, text]));
}

/** Reads types of `src/queries` as a schema describes them. */
class TypeReader {
  /** The types with a name that were met, by token. @type {Record<string, Spec>} */
  types = {};
  /** @type {ts.TypeChecker} */
  #checker;
  /** What the files export, by name. @type {Map<string, ts.Symbol>} */
  #exports;

  /** Names of resources. @type {ReadonlySet<string>} */
  #resources;

  /**
   * @param {readonly string[]} files in `src/queries`; they import types of ours alone.
   * @param {ReadonlySet<string>} resources
   */
  constructor(files, resources) {
    this.#resources = resources;
    const paths = files.map((file) => join(projectFolder, "src/queries", file));
    const program = ts.createProgram(paths, {
      noEmit: true,
      strict: true,
      target: ts.ScriptTarget.ES2023,
      lib: ["lib.es2023.d.ts"],
      module: ts.ModuleKind.NodeNext,
      types: [],
    });
    this.#checker = program.getTypeChecker();
    const symbols = paths.flatMap((path) => {
      const file = program.getSourceFile(path);
      const module = file && this.#checker.getSymbolAtLocation(file);
      return module ? this.#checker.getExportsOfModule(module) : [];
    });
    this.#exports = new Map(symbols.map((symbol) => [symbol.name, symbol]));
  }

  /**
   * An exported type with members.
   *
   * @param {string} name
   */
  objectSpec(name) {
    const symbol = this.#exports.get(name);
    const [declaration] = symbol?.declarations ?? [];
    if (symbol === undefined || declaration === undefined) {
      throw new Error(`src/queries exports no type ${name}.`);
    }
    return {
      description: toMarkdown(docstringOf(declaration), repository),
      ...this.#membersOf(this.#checker.getDeclaredTypeOfSymbol(symbol)),
    };
  }

  /** @param {ts.Type} type */
  #membersOf(type) {
    const members = type.getProperties().map((member) => {
      const [declaration] = member.declarations ?? [];
      if (
        declaration === undefined ||
        !ts.isPropertySignature(declaration) ||
        declaration.type === undefined
      ) {
        throw new Error(`The member "${member.name}" of a query's type is not declared with a type.`);
      }
      return { name: member.name, declaration, type: this.#checker.getTypeFromTypeNode(declaration.type) };
    });
    const properties = members.map(({ name, declaration, type }) => {
      const deprecation = deprecationOf(declaration);
      const spec = {
        ...this.#typeSpec(type, declaration),
        description: toMarkdown(docstringOf(declaration), repository),
        ...(deprecation !== undefined && { deprecationMessage: toMarkdown(deprecation, repository) }),
      };
      return /** @type {const} */ ([name, spec]);
    });
    const required = members.filter(({ type, declaration }) => !mayBeMissing(type, declaration));
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      required: required.map(({ name }) => name),
    };
  }

  /**
   * @param {ts.Type} type
   * @param {ts.PropertySignature} declaration
   * @returns {Spec}
   */
  #typeSpec(type, declaration) {
    const given = this.#checker.getNonNullableType(type);
    const alternatives = given.isUnion() ? given.types : [given];
    const literals = alternatives.flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
    if (literals.length > 0 && literals.length === alternatives.length) {
      return this.#enumeration(literals, declaration);
    }
    // A set of strings that may grow is a string.
    const all = (/** @type {ts.TypeFlags} */ flags) =>
      alternatives.every(
        (each) => (each.flags & flags) !== 0 || (each.isIntersection() && flags === ts.TypeFlags.StringLike),
      );
    if (all(ts.TypeFlags.StringLike)) {
      return { type: "string" };
    }
    if (all(ts.TypeFlags.BooleanLike)) {
      return { type: "boolean" };
    }
    if (all(ts.TypeFlags.NumberLike)) {
      // The client's schemas of all of them say `int`.
      return { type: "integer" };
    }
    const item = this.#checker.getIndexTypeOfType(given, ts.IndexKind.Number);
    if (item !== undefined) {
      const isText = (item.flags & ts.TypeFlags.StringLike) !== 0;
      const items = isText ? { type: "string" } : this.#named(this.#elementOf(declaration), item);
      return { type: "array", items };
    }
    const value = this.#checker.getIndexTypeOfType(given, ts.IndexKind.String);
    if (value !== undefined) {
      const isFlag = (value.flags & ts.TypeFlags.BooleanLike) !== 0;
      const additionalProperties = isFlag ? { type: "boolean" } : { $ref: "pulumi.json#/Any" };
      return { type: "object", additionalProperties };
    }
    return this.#named(given.symbol, given);
  }

  /**
   * The type that a list names for its elements. The compiler forgets the name when it resolves it.
   *
   * @param {ts.PropertySignature} declaration
   */
  #elementOf({ type, name }) {
    const element = type && ts.isArrayTypeNode(type) ? type.elementType : undefined;
    const symbol =
      element && ts.isTypeReferenceNode(element) && this.#checker.getSymbolAtLocation(element.typeName);
    if (!symbol) {
      throw new Error(`The list "${name.getText()}" of a query's result does not name what it has.`);
    }
    return symbol;
  }

  /**
   * @param {readonly string[]} values
   * @param {ts.PropertySignature} declaration
   */
  #enumeration(values, declaration) {
    const owner = /** @type {ts.InterfaceDeclaration} */ (declaration.parent).name.text;
    const name = `${owner.replace(/^Get|s?Args$/g, "")}${capitalized(declaration.name.getText())}`;
    const token = `${provider}:index:${name}`;
    this.types[token] = {
      type: "string",
      description: toMarkdown(docstringOf(declaration), repository),
      enum: values.map((value) => ({ value, description: `${capitalized(value)} ones.` })),
    };
    return { $ref: `#/types/${token}` };
  }

  /**
   * @param {ts.Symbol} symbol of an interface, or of the result of a function.
   * @param {ts.Type} type
   */
  #named({ name, declarations: [declaration] = [] }, type) {
    const short = name.replace(/^Get(\w+)Result$/, "$1");
    // In Go, a resource and a type of the same name would be the same name.
    const token = `${provider}:index:${this.#resources.has(short) ? `${short}Record` : short}`;
    this.types[token] = {
      description: toMarkdown(declaration ? docstringOf(declaration) : "", repository),
      ...this.#membersOf(type),
    };
    return { $ref: `#/types/${token}` };
  }
}

/**
 * @param {ts.Type} type
 * @param {ts.PropertySignature} declaration
 */
function mayBeMissing(type, declaration) {
  const types = type.isUnion() ? type.types : [type];
  const nothing = ts.TypeFlags.Null | ts.TypeFlags.Undefined;
  return declaration.questionToken !== undefined || types.some(({ flags }) => (flags & nothing) !== 0);
}

/** @param {string} text */
function capitalized(text) {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}
