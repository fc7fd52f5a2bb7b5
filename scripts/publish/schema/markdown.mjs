/**
 * Turns a docstring of TypeScript into Markdown that reads right beside code in every language.
 */

/** Where the pages of this repository can be read. */
const pages = "/blob/main/";

/**
 * @param {string} docstring
 * @param {string} repository address of the repository, for links to its pages.
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
 * Without what a function rejects with: other languages have no classes of errors.
 *
 * @param {string} paragraph
 */
function withoutErrors(paragraph) {
  return paragraph.replace(/(^|\s)(Rejects|Throws) (with|as|`)[\s\S]*$/, "").trim();
}

/**
 * One line for each paragraph or item of a list.
 *
 * @param {string} paragraph
 */
function joinLines(paragraph) {
  return paragraph.replace(/\n[ \t]*(?!- )/g, " ").replace(/\n[ \t]*- /g, "\n- ");
}

/**
 * Links become names, and `undefined` becomes what it means.
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
    .replace(/\bdocs\/([a-z-]+\.md)\b/g, `[docs/$1](${repository}${pages}docs/$1)`);
}
