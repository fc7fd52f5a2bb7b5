import { join } from "node:path";
import * as ts from "typescript";

/** A member of the official client's types. */
export interface OfficialMember {
  /** Place in an exported type, without lists: `BrowserPool.browser_pool_config.region`. */
  readonly path: string;
  readonly name: string;
  /** String literals that the member's type allows. */
  readonly values: readonly string[];
}

/**
 * Reader of the official client's types, in the folder `sdk` of its package. The reader returns the
 * members of all types that a file exports, at any depth, also of types that other files declare.
 * Files are paths below `resources`, without the ending. Throws for a missing file.
 */
export function officialTypes(sdk: string, files: readonly string[]) {
  const pathOf = (file: string) => join(sdk, "resources", `${file}.d.ts`);
  const program = ts.createProgram(files.map(pathOf), { noLib: true, types: [] });
  const checker = program.getTypeChecker();
  const members: OfficialMember[] = [];

  /** Adds the members of a type, and returns the string literals in it. */
  const walk = (node: ts.Node, path: string, within: readonly ts.Node[]): readonly string[] => {
    if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) {
      return [node.literal.text];
    }
    if (ts.isPropertySignature(node)) {
      const name = ts.isStringLiteral(node.name) ? node.name.text : node.name.getText();
      const values = node.type ? walk(node.type, `${path}.${name}`, within) : [];
      members.push({ path: `${path}.${name}`, name, values });
      return [];
    }
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
      const declared = declarationsOf(name).filter((each) => !within.includes(each));
      const ofArguments = (node.typeArguments ?? []).flatMap((each) => walk(each, path, within));
      return [...declared.flatMap((each) => walk(each, path, [...within, each])), ...ofArguments];
    }
    // The name of a declared type is no part of the type.
    const parts: ts.Node[] = [];
    ts.forEachChild(node, (child) => void parts.push(child));
    return parts.filter((child) => !ts.isIdentifier(child)).flatMap((child) => walk(child, path, within));
  };

  const declarationsOf = (name: ts.Node): readonly ts.Declaration[] => {
    const symbol = checker.getSymbolAtLocation(name);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (target?.declarations ?? []).filter(isType);
  };

  return (file: string): readonly OfficialMember[] => {
    const source = program.getSourceFile(pathOf(file));
    if (source === undefined) {
      throw new Error(`The official client has no file resources/${file}.d.ts: name another in nouns.ts.`);
    }
    members.length = 0;
    // The page of a list has the members of its rows.
    for (const each of source.statements
      .filter(isType)
      .filter(({ name }) => !/Pagination$/.test(name.text))) {
      walk(each, each.name.text, [each]);
    }
    return [...members];
  };
}

function isType(node: ts.Node): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}
