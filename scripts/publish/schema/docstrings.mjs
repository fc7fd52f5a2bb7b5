/**
 * Reads docstrings of classes and interfaces from TypeScript sources by the compiler's parser
 * alone, without any type check.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * Member of a class or an interface.
 *
 * @typedef {object} Member
 * @property {string} text docstring as written; empty if none.
 * @property {string} type type as written; empty if none.
 * @property {boolean} mayBeMissing whether the type allows undefined, or a `?` stands at the name.
 */

/**
 * Class or interface with its own members.
 *
 * @typedef {{ readonly text: string, readonly members: ReadonlyMap<string, Member> }} Declaration
 */

/**
 * Classes, interfaces and functions of a file by name, in order. Functions have no members.
 *
 * @param {string} file
 * @returns {ReadonlyMap<string, Declaration>}
 */
export function readDeclarations(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  /** @type {Map<string, Declaration>} */
  const found = new Map();
  for (const statement of source.statements) {
    if (ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement)) {
      const own = [...statement.members].flatMap((member) => membersOf(member, source));
      found.set(statement.name?.text ?? "", { text: docstringOf(statement), members: new Map(own) });
    } else if (ts.isFunctionDeclaration(statement)) {
      found.set(statement.name?.text ?? "", { text: docstringOf(statement), members: new Map() });
    }
  }
  return found;
}

/**
 * @param {ts.ClassElement | ts.TypeElement} member
 * @param {ts.SourceFile} source
 * @returns {[name: string, member: Member][]}
 */
function membersOf(member, source) {
  if (!ts.isPropertyDeclaration(member) && !ts.isPropertySignature(member)) {
    return [];
  }
  const type = member.type?.getText(source) ?? "";
  const mayBeMissing = member.questionToken !== undefined || /\bundefined\b/.test(type);
  return [[member.name.getText(source), { text: docstringOf(member), type, mayBeMissing }]];
}

/**
 * Docstring of a declaration as written; without a docstring, the text of `@deprecated`.
 *
 * @param {ts.Node} node
 */
export function docstringOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  return ts.getTextOfJSDocComment(comment?.comment) ?? deprecationOf(node) ?? "";
}

/**
 * Text of `@deprecated` at a declaration.
 *
 * @param {ts.Node} node
 */
export function deprecationOf(node) {
  const tag = ts.getJSDocDeprecatedTag(node);
  return tag && (ts.getTextOfJSDocComment(tag.comment) ?? "");
}
