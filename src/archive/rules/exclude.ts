import { InputError } from "../../errors.js";
import { quote } from "../../text/escape.js";

export const patternsMax = 200;

/** Maximum length of a pattern in `exclude`, in characters. */
export const patternCharactersMax = 1_024;

/** Maximum number of wildcards (`*` or `**`) in a pattern: each multiplies the matching time. */
export const wildcardsMax = 4;

/** Maximum number of lists in braces in a pattern. Every list multiplies the matching time. */
export const listsMax = 3;

/** Advice after a refusal of files. */
export const excludeAdvice = 'List files that need not ship in "exclude".';

/** Decides whether `exclude` excludes a path. `path`: relative to the extension, with `/`. */
export interface ExcludeMatcher {
  (path: string, isFolder: boolean): boolean;
  /** Returns the patterns, as given, without a match so far. */
  readonly unused: () => readonly string[];
}

/**
 * Compiles `exclude`. A pattern is a glob for the whole path of a file or folder below the
 * extension's folder, with `/` on every system, and letter case matters everywhere:
 * - `*` and `?` stop at `/`, `**` does not. Names that begin with a dot are matched like others.
 *   `[ab]` and `{a,b}` work, and every other character matches itself.
 * - A pattern that matches a folder excludes all contents: `tests`, `tests/` and `tests/**` are
 *   equivalent, except that `tests/` never matches a file.
 * - A pattern is anchored: `*.map` is for the top level, and with two stars and a slash before it
 *   for every level. A leading `./` is ignored.
 *
 * Throws `InputError` `exclude_invalid` if `exclude` is not a list of such patterns, or excludes the file
 * `needed`.
 */
export function compileExclude(exclude: readonly string[], needed = "manifest.json"): ExcludeMatcher {
  if (!Array.isArray(exclude)) {
    throw invalid('must be a list of glob patterns, for instance ["tests/**"]');
  }
  if (exclude.length > patternsMax) {
    throw invalid(`has ${exclude.length} patterns; the maximum is ${patternsMax}`);
  }
  const patterns = exclude.map((pattern) => ({
    pattern,
    matches: compilePattern(pattern, needed),
    isUsed: false,
  }));
  const isExcluded = (path: string, isFolder: boolean): boolean => {
    let isLeftOut = false;
    for (const each of patterns) {
      // After the first match, only patterns without a match so far are tried.
      if (!(isLeftOut && each.isUsed) && each.matches(path, isFolder)) {
        each.isUsed = true;
        isLeftOut = true;
      }
    }
    return isLeftOut;
  };
  const unused = () => patterns.filter(({ isUsed }) => !isUsed).map(({ pattern }) => pattern);
  return Object.assign(isExcluded, { unused });
}

function compilePattern(pattern: string, needed: string): (path: string, isFolder: boolean) => boolean {
  if (typeof pattern !== "string") {
    throw invalid("has a pattern that is not a string");
  }
  const problem = patternProblem(pattern);
  if (problem !== undefined) {
    throw invalidPattern(pattern, problem);
  }
  // Names in an archive are in Unicode's composed form. An editor may write patterns decomposed.
  const glob = withoutDots(pattern.normalize("NFC"));
  const foldersOnly = glob.endsWith("/");
  const matches = compileGlob(pattern, foldersOnly ? glob.slice(0, -1) : glob);
  if (!foldersOnly && matches(needed)) {
    const owner = needed === "manifest.json" ? "every extension" : "the app";
    throw invalidPattern(pattern, `matches "${needed}", which ${owner} needs. Make the pattern narrower`);
  }
  return (path, isFolder) => (isFolder || !foldersOnly) && matches(path);
}

function compileGlob(pattern: string, glob: string): (path: string) => boolean {
  // Loaded on first use: most extensions have no patterns.
  const picomatch: typeof import("picomatch") = require("picomatch");
  try {
    // Without `debug` and `strictBrackets`, a faulty pattern would silently match nothing.
    // Unescaped, the library would read these characters as a regular expression, which can take
    // forever on a malicious name.
    return picomatch(glob.replace(/[()|+^$]/g, "\\$&"), {
      dot: true,
      windows: false,
      nonegate: true,
      strictBrackets: true,
      debug: true,
    });
  } catch (error) {
    // The library's advice after the dash is a backslash, which patterns must not contain.
    const reason = (error as Error).message.replace(/ - use .*$/s, "");
    throw invalidPattern(
      pattern,
      `is not a valid glob (${reason}). To match a special character literally, put the character in brackets: "[{]"`,
    );
  }
}

/** Returns the problem of a pattern, as the end of a sentence. */
function patternProblem(pattern: string): string | undefined {
  if (pattern.length > patternCharactersMax) {
    return `is longer than ${patternCharactersMax} characters`;
  }
  const problems: readonly (readonly [holds: boolean, problem: string])[] = [
    [pattern.trim() === "", "is empty"],
    [pattern.includes("\\"), 'has a backslash. Use "/" between folders, and "[*]" for a literal "*"'],
    [pattern.startsWith("!"), 'begins with "!". Patterns exclude files and cannot add files back'],
    [/^(?:\/|[A-Za-z]:)/.test(pattern), "is absolute. Write the pattern relative to the folder"],
    [/\p{Cc}/u.test(pattern), "has a control character"],
    [pattern.split(/\*+/).length - 1 > wildcardsMax, `has more than ${wildcardsMax} wildcards. ${split}`],
    [pattern.split("{").length - 1 > listsMax, `has more than ${listsMax} lists in braces. ${split}`],
    [pattern.split("/").includes(".."), 'leads out of the folder with ".."'],
    [emptyName.test(withoutDots(pattern)), 'has an empty name or "." between slashes'],
  ];
  return problems.find(([holds]) => holds)?.[1];
}

const split = "Split the pattern into several patterns";
const emptyName = /^(?:$|\/)|\/\/|(?:^|\/)\.(?:\/|$)/;

/** Removes `./` at the beginning of a pattern. */
function withoutDots(pattern: string): string {
  return pattern.replace(/^(?:\.\/)+/, "");
}

function invalidPattern(pattern: string, problem: string): InputError {
  return invalid(`has the pattern ${quote(pattern, 100)}, which ${problem}`);
}

function invalid(problem: string): InputError {
  return new InputError("exclude_invalid", "exclude", `"exclude" ${problem}.`);
}
