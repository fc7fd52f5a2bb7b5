import picomatch from "picomatch";
import { InputError } from "../../errors.js";
import { quote } from "../../text/escape.js";

/** Most patterns in `exclude`. */
export const excludePatternsMax = 200;

/** Longest pattern in `exclude`, in characters. */
export const excludePatternCharactersMax = 1_024;

/**
 * Most wildcards in a pattern, `*` and `**` alike. Each multiplies the ways in which a name is
 * tried.
 */
export const excludeWildcardsMax = 4;

/** Most lists in braces in a pattern, for the same reason. */
export const excludeListsMax = 3;

/** Decides what the caller wants left out. `path` is relative to the extension, with `/`. */
export type ExcludeMatcher = (path: string, isFolder: boolean) => boolean;

/**
 * Compiles `exclude`. A pattern is a glob for the whole path of a file or folder below the
 * extension's folder, with `/` on every system and letter case counting everywhere:
 *  - `*` and `?` stop at `/`, `**` does not; names that begin with a dot are matched like others;
 *    `[ab]` and `{a,b}` work, and every other character stands for itself;
 *  - a pattern that matches a folder leaves out everything in it: `tests`, `tests/` and `tests/**`
 *    do the same, except that `tests/` never matches a file;
 *  - a pattern is anchored: `*.map` is for the top level, and the same after two stars and a slash
 *    for every level; a leading `./` is dropped.
 *
 * Throws `InputError` `exclude_invalid` for `exclude` that is not a list of such patterns, and for
 * one that leaves out `manifest.json`.
 */
export function compileExclude(exclude: readonly string[]): ExcludeMatcher {
  if (!Array.isArray(exclude)) {
    throw invalid('has to be a list of glob patterns, for instance ["tests/**"]');
  }
  if (exclude.length > excludePatternsMax) {
    throw invalid(`has ${exclude.length} patterns; ${excludePatternsMax} are the most`);
  }
  const matchers = exclude.map(compilePattern);
  return (path, isFolder) => matchers.some((matches) => matches(path, isFolder));
}

function compilePattern(pattern: string): ExcludeMatcher {
  if (typeof pattern !== "string") {
    throw invalid("has a pattern that is not a text");
  }
  const problem = patternProblem(pattern);
  if (problem !== undefined) {
    throw invalidPattern(pattern, problem);
  }
  // Names in an archive are in Unicode's composed form, whatever the editor of the program wrote.
  const glob = pattern.normalize("NFC").replace(/^(\.\/)+/, "");
  const foldersOnly = glob.endsWith("/");
  const matches = compileGlob(pattern, foldersOnly ? glob.slice(0, -1) : glob);
  if (!foldersOnly && matches("manifest.json")) {
    throw invalidPattern(
      pattern,
      'matches "manifest.json", without which there is no extension. Make the pattern narrower',
    );
  }
  return (path, isFolder) => (isFolder || !foldersOnly) && matches(path);
}

function compileGlob(pattern: string, glob: string): (path: string) => boolean {
  try {
    // `debug` and `strictBrackets`: without them a faulty pattern would match nothing, silently.
    // Unescaped, the library would read these as regular expressions, which can take forever on a
    // name made for it.
    return picomatch(glob.replace(/[()|+^$]/g, "\\$&"), {
      dot: true,
      windows: false,
      nonegate: true,
      strictBrackets: true,
      debug: true,
    });
  } catch (error) {
    // The advice after the dash is to use a backslash, which is not taken here.
    const reason = (error as Error).message.replace(/ - use .*$/s, "");
    throw invalidPattern(
      pattern,
      `is not a valid glob (${reason}). Put a character that is meant literally in brackets: "[{]"`,
    );
  }
}

function patternProblem(pattern: string): string | undefined {
  if (pattern.length > excludePatternCharactersMax) {
    return `is longer than ${excludePatternCharactersMax} characters`;
  }
  if (pattern.trim() === "") {
    return "is empty";
  }
  if (pattern.includes("\\")) {
    return 'has a backslash. Use "/" between folders, on Windows too, and "[*]" to match a "*" itself';
  }
  if (pattern.startsWith("!")) {
    return 'begins with "!". Patterns only leave out; nothing can be taken back in';
  }
  if (pattern.startsWith("/") || /^[A-Za-z]:/.test(pattern)) {
    return "is absolute. Write it relative to the extension's folder";
  }
  if (/\p{Cc}/u.test(pattern)) {
    return "has a control character";
  }
  if ((pattern.match(/\*+/g) ?? []).length > excludeWildcardsMax) {
    return `has more than ${excludeWildcardsMax} wildcards. Make several patterns of it`;
  }
  if ((pattern.match(/\{/g) ?? []).length > excludeListsMax) {
    return `has more than ${excludeListsMax} lists in braces. Make several patterns of it`;
  }
  const names = pattern.replace(/^(\.\/)+/, "").split("/");
  if (names.at(-1) === "" && names.length > 1) {
    names.pop();
  }
  if (names.includes("..")) {
    return 'leads out of the extension\'s folder with ".."';
  }
  if (names.includes(".") || names.includes("")) {
    return 'has an empty name or "." between its slashes';
  }
  return undefined;
}

function invalidPattern(pattern: string, problem: string): InputError {
  return invalid(`has the pattern ${quote(pattern, 100)}, which ${problem}`);
}

function invalid(problem: string): InputError {
  return new InputError("exclude_invalid", "exclude", `"exclude" ${problem}.`);
}
