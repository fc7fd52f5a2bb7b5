import { join, relative } from "node:path";
import ts from "typescript";
import { kinds } from "../../../src/bridges/kinds.js";
import { root } from "./pages.js";

const entries = [
  "src/index.ts",
  "src/bridges/plugin/sdk/index.ts",
  "src/client/index.ts",
  "src/emulator/index.ts",
].map((file) => join(root, file));
const program = ts.createProgram(entries, {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  types: ["node"],
});
const checker = program.getTypeChecker();

/** Symbols that an entry of the package exports. */
function exportsOf(entry: string): ts.Symbol[] {
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  return (module === undefined ? [] : checker.getExportsOfModule(module)).map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
}

/** Public members of a class, an interface or an object type that are declared in src. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  const isType = symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias);
  const members = isType ? checker.getDeclaredTypeOfSymbol(symbol).getProperties() : [];
  const isClass = symbol.flags & ts.SymbolFlags.Class;
  const statics = isClass ? checker.getTypeOfSymbol(symbol).getProperties() : [];
  return [...members, ...statics].filter((member) => {
    const declaration = member.declarations?.[0];
    return (
      declaration !== undefined &&
      relative(root, declaration.getSourceFile().fileName).startsWith("src/") &&
      !ts.isPrivateIdentifier((declaration as ts.NamedDeclaration).name ?? declaration) &&
      !(ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) &&
      !(member.flags & ts.SymbolFlags.Prototype)
    );
  });
}

/**
 * Docstring of the symbol, or of the function that is the symbol's type, as an editor shows at a
 * call.
 */
function textOf(symbol: ts.Symbol): string {
  const own = symbol.getDocumentationComment(checker);
  const [call] = own.length > 0 ? [] : checker.getTypeOfSymbol(symbol).getCallSignatures();
  return ts.displayPartsToString(call?.getDocumentationComment(checker) ?? own).trim();
}

const isDocumented = (symbol: ts.Symbol) =>
  textOf(symbol) !== "" ||
  symbol.getJsDocTags(checker).some(({ name, text }) => name === "deprecated" && text !== undefined);

/** Whether the members of a type are in schema.json, with the docstring as the description. */
const isInSchema = (member: ts.Symbol) =>
  member.declarations?.some((declaration) =>
    /\/src\/(resources|functions)\//.test(declaration.getSourceFile().fileName),
  ) === true;

/** Endings of names that state the unit of a number. */
const withUnit = /(?:Bytes|Count|Seconds|Ms|Digits|port)$/;

/**
 * Whether name and type of a member leave something open: the default of an option, the unit of a
 * number, the result and the errors of a method.
 */
function needsDocstring(member: ts.Symbol): boolean {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(member));
  return (
    isInSchema(member) ||
    (member.flags & ts.SymbolFlags.Optional) !== 0 ||
    ((type.flags & ts.TypeFlags.NumberLike) !== 0 && !withUnit.test(member.name)) ||
    type.getCallSignatures().length > 0
  );
}

describe("the docstrings", () => {
  const names = entries.flatMap(exportsOf);

  test("every public function, class and constant of the package has a docstring", () => {
    const values = names.filter(({ flags }) => (flags & ts.SymbolFlags.Value) !== 0);
    expect(values.length).toBeGreaterThan(60);
    expect(values.filter((symbol) => !isDocumented(symbol)).map(({ name }) => name)).toEqual([]);
  });

  test("every public member has a docstring if name and type do not state its default, unit or result", () => {
    const members = entries
      .slice(0, 3)
      .flatMap(exportsOf)
      .flatMap((symbol) =>
        membersOf(symbol)
          .filter(needsDocstring)
          .map((member) => ({ member, name: `${symbol.name}.${member.name}` })),
      );
    expect(members.length).toBeGreaterThan(200);
    const silent = members.filter(({ member }) => !isDocumented(member)).map(({ name }) => name);
    expect([...new Set(silent)]).toEqual([]);
  });

  test("resources and functions have the same docstrings in the dynamic entry and in the plugin entry", () => {
    const [dynamic = [], plugin = []] = entries.slice(0, 2).map((entry) =>
      exportsOf(entry)
        .filter(({ name }) => Object.hasOwn(kinds, name) || name.startsWith("get"))
        .flatMap((symbol) =>
          // The docstring of a class names the bridge.
          [...(symbol.name.startsWith("get") ? [symbol] : []), ...membersOf(symbol)].map((each) => [
            symbol.name,
            each.name,
            textOf(each),
          ]),
        )
        .sort(),
    );
    expect(dynamic.length).toBeGreaterThan(30);
    expect(plugin).toEqual(dynamic);
  });
});
