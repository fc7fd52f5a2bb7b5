/** Turns a docstring of TypeScript into Markdown that fits code in every language. */

/** Path of this repository's pages below the repository's address. */
const pages = "/blob/main/";

/**
 * @param {string} docstring
 * @param {string} repository address of the repository, for links to pages.
 */
export function toMarkdown(docstring, repository) {
  const paragraphs = docstring
    .replace(/\r\n/g, "\n")
    .split(/\n[ \t]*\n/)
    .map((paragraph) => withoutErrors(paragraph))
    .filter((paragraph) => paragraph !== "");
  return paragraphs
    .map(joinLines)
    .map((paragraph) => inEveryLanguage(paragraph, repository))
    .join("\n\n");
}

/**
 * Removes the errors of a function: other languages have no classes of errors.
 *
 * @param {string} paragraph
 */
function withoutErrors(paragraph) {
  return paragraph.replace(/(^|\s)(Rejects|Throws) (with|as|`)[\s\S]*$/, "").trim();
}

/**
 * Puts each paragraph or list item on one line.
 *
 * @param {string} paragraph
 */
function joinLines(paragraph) {
  return paragraph.replace(/\n[ \t]*(?!- )/g, " ").replace(/\n[ \t]*- /g, "\n- ");
}

/**
 * Replaces links by names, and `undefined` by the meaning.
 *
 * @param {string} text
 * @param {string} repository
 */
function inEveryLanguage(text, repository) {
  return text
    .replace(/\{@link (?:\w+\.)?(\w+)\}/g, "`$1`")
    .replace(/`undefined`|\bundefined\b/g, "no value")
    .replace(/`Undefined`|\bUndefined\b/g, "No value")
    .replace(/(^|[.:] )no value/g, (_all, before) => `${before}No value`)
    .replace(/\bdocs\/([a-z/-]+\.md)\b/g, `[docs/$1](${repository}${pages}docs/$1)`);
}
