import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import * as errorFamily from "../../../../src/errors.js";
import { filesBelow } from "../../../support/files-below.js";
import { page, root, tableRows } from "../pages.js";

const errorsPage = page("docs/reference/errors.md");
const ofTheService = "## Codes of the service";

const sources = filesBelow(join(root, "src"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true));

/** Index of the parameter `code`, by name of a function in src. */
const codeParameters = new Map<string, number>();

forEachNode((node) => {
  if (ts.isFunctionLike(node)) {
    const index = node.parameters.findIndex(({ name }) => name.getText() === "code");
    const name = ts.isConstructorDeclaration(node) ? node.parent.name : node.name;
    if (index >= 0 && name !== undefined) {
      codeParameters.set(name.getText(), index);
    }
  }
});

/** Source file by class, for the classes whose objects build two error codes from their noun. */
const kindsOfEmulator = new Map<string, ts.SourceFile>();

forEachNode((node) => {
  if (
    ts.isClassDeclaration(node) &&
    /extends ObjectControls\b/.test(node.heritageClauses?.[0]?.getText() ?? "")
  ) {
    kindsOfEmulator.set(node.name?.text ?? "", node.getSourceFile());
  }
});

/** Error codes of this package in src, collected from all ways into an error. */
const codes = new Set<string>();
/** Codes in the emulator's imitation of the service's responses. */
const serviceCodes = new Set<string>();

forEachNode((node) => {
  if (ts.isNewExpression(node)) {
    const name = node.expression.getText();
    if (name === "ServiceError") {
      add(serviceCodes, node.arguments?.[1]);
    } else if (name in errorFamily) {
      add(codes, node.arguments?.[0]);
    } else if (kindsOfEmulator.has(name)) {
      addKind(node.arguments?.[0], kindsOfEmulator.get(name));
    }
  } else if (ts.isCallExpression(node)) {
    const { expression } = node;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    const index = codeParameters.get(name.getText());
    if (expression.kind === ts.SyntaxKind.SuperKeyword) {
      const isKind = [...kindsOfEmulator.values()].includes(node.getSourceFile());
      if (isKind) {
        addKind(node.arguments[0], node.getSourceFile());
      } else {
        add(codes, node.arguments[0]);
      }
    } else if (index !== undefined) {
      add(codes, node.arguments[index], /_/);
    }
  } else if (ts.isPropertyAssignment(node) || ts.isBindingElement(node)) {
    if (/^(code|goneCode|notFoundCode)$/.test(node.name.getText())) {
      const isAnswer = node.getSourceFile().fileName.includes("/src/emulator/");
      add(isAnswer ? serviceCodes : codes, node.initializer, /_|^interrupted$/);
    }
  } else if (ts.isVariableDeclaration(node) && /^(code|\w+Code)$/.test(node.name.getText())) {
    add(codes, node.initializer);
  } else if (ts.isTypeAliasDeclaration(node) && node.name.text.endsWith("ErrorCode")) {
    add(codes, node.type);
  }
});

describe("docs/reference/errors.md", () => {
  const headings = Array.from(errorsPage.text.matchAll(/^## .+$/gm), ([heading]) => heading);
  /** Codes of the first column. A row may have several with the same meaning. */
  const codesOf = (heading: string) =>
    tableRows(errorsPage, heading).flatMap(([codes = ""]) =>
      Array.from(codes.matchAll(/`([a-z0-9_]+)`/g), ([, code = ""]) => code),
    );
  const listed = headings.filter((heading) => heading !== ofTheService).flatMap(codesOf);

  test("the page of errors lists exactly the error codes of the source, each once", () => {
    expect(codes.size).toBeGreaterThan(80);
    expect([...listed].sort()).toEqual([...codes].sort());
  });

  test("the page of errors lists every service code in the responses of the emulator", () => {
    expect(serviceCodes.size).toBeGreaterThan(10);
    const known = codesOf(ofTheService);
    expect([...serviceCodes].filter((code) => !known.includes(code))).toEqual([]);
  });

  test("the page of errors lists every error class", () => {
    const classes = Object.keys(errorFamily).filter((name) => /^(?!Browser|is).*Error$/.test(name));
    const named = Array.from(errorsPage.text.matchAll(/^\| `(\w+Error)`/gm), ([, name]) => name);
    expect(named.sort()).toEqual(classes.sort());
  });
});

function forEachNode(visit: (node: ts.Node) => void): void {
  const walk = (node: ts.Node): void => {
    visit(node);
    ts.forEachChild(node, walk);
  };
  sources.forEach(walk);
}

/**
 * Adds all string literals that an expression or a type may be, if the literals look like codes.
 */
/** Adds the codes of a kind of the emulator. Only a class that calls `stored` refuses a taken name. */
function addKind(noun: ts.Node | undefined, { text }: Pick<ts.SourceFile, "text"> = { text: "" }): void {
  if (noun !== undefined && ts.isStringLiteral(noun)) {
    codes.add(`${noun.text}_unknown`);
    if (text.includes("this.stored(")) {
      codes.add(`${noun.text}_exists`);
    }
  }
}

function add(to: Set<string>, node: ts.Node | undefined, must = /./): void {
  if (node === undefined) {
    return;
  }
  if (ts.isStringLiteral(node)) {
    if (/^[a-z][a-z0-9_]*$/.test(node.text) && must.test(node.text)) {
      to.add(node.text);
    }
  } else if (
    ts.isConditionalExpression(node) ||
    ts.isBinaryExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isUnionTypeNode(node) ||
    ts.isLiteralTypeNode(node)
  ) {
    ts.forEachChild(node, (child) => add(to, child, must));
  }
}
