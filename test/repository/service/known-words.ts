import { readFileSync } from "node:fs";
import * as ts from "typescript";

/**
 * Names and strings that sources use, without comments: `sizeBytes` for a member, the text of a
 * string literal. Names in the service's spelling are converted to ours.
 */
export function wordsOf(files: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>();
  forEachNode(files, (node) => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) {
      words.add(ours(node.text));
    }
  });
  return words;
}

/**
 * Strings that sources offer as one of several: in `Open<…>`, in a union of strings with a name, in a
 * constant list of strings of a file, and in shapes made with `oneOf` or `enum`.
 */
export function choicesOf(files: readonly string[]): ReadonlySet<string> {
  const choices = new Set<string>();
  const addAll = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) {
      choices.add(node.text);
    }
    ts.forEachChild(node, addAll);
  };
  forEachNode(files, (node) => {
    if (ts.isTypeReferenceNode(node) && node.typeName.getText() === "Open") {
      addAll(node);
    } else if (ts.isTypeAliasDeclaration(node) && ts.isUnionTypeNode(node.type)) {
      node.type.types.filter(ts.isLiteralTypeNode).forEach(addAll);
    } else if (ts.isVariableStatement(node) && node.parent === node.getSourceFile()) {
      node.declarationList.declarations.flatMap(constantStrings).forEach(addAll);
    } else if (ts.isCallExpression(node) && /^(oneOf|z\.enum)$/.test(node.expression.getText())) {
      const [first] = node.arguments;
      // The reader of a query takes the context and the name of the parameter first.
      const given = first && ts.isStringLiteral(first) ? node.arguments : node.arguments.filter(isList);
      given.forEach(addAll);
    }
  });
  return choices;
}

function isList(node: ts.Node): node is ts.ArrayLiteralExpression {
  return ts.isArrayLiteralExpression(node);
}

/** Elements of a list, or of the lists of an object, that are constant and only strings. */
function constantStrings({ initializer }: ts.VariableDeclaration): readonly ts.Node[] {
  if (initializer === undefined || !ts.isAsExpression(initializer)) {
    return [];
  }
  const { expression } = initializer;
  const lists = ts.isObjectLiteralExpression(expression)
    ? expression.properties.filter(ts.isPropertyAssignment).map((each) => each.initializer)
    : [expression];
  return lists.filter(isList).flatMap(({ elements }) => elements.filter(ts.isStringLiteral));
}

/** Our spelling of a name of the service: `size_bytes` becomes `sizeBytes`. */
export function ours(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function forEachNode(files: readonly string[], use: (node: ts.Node) => void): void {
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      use(node);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true));
  }
}
