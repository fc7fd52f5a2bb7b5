import picomatch from "picomatch";
import { InputError } from "../errors.js";

/** Most patterns of one extension, and the longest of them, characters: what they take to match has a limit then. */
export const excludePatternsMax = 100;
export const excludePatternLengthMax = 500;

/**
 * A function that tells whether a path is left out. A pattern is compared with the path relative to the folder, with `/`; names
 * that begin with a dot are nothing special. A pattern that matches a folder leaves out everything in it, and `tests/` is the
 * same as `tests`. A pattern without a slash matches at the top level only; `**\/*.map` matches everywhere.
 */
export function excludeMatcher(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length > excludePatternsMax) {
    throw invalid(`"exclude" has ${patterns.length} patterns; at most ${excludePatternsMax} are taken.`);
  }
  const matchers = patterns.map((pattern) => {
    const problem = problemOf(pattern);
    if (problem !== undefined) {
      throw invalid(`The pattern "${pattern}" in "exclude" ${problem}.`);
    }
    return picomatch(pattern.replace(/\/+$/, ""), { dot: true });
  });
  return (path) => matchers.some((matches) => matches(path));
}

function problemOf(pattern: string): string | undefined {
  if (pattern.trim() === "") return "is empty; leave it out";
  if (pattern.length > excludePatternLengthMax) return `is longer than ${excludePatternLengthMax} characters`;
  if (pattern.startsWith("!")) return 'begins with "!"; name what to leave out instead of what to keep';
  if (pattern.startsWith("/"))
    return 'begins with "/"; paths are relative to the folder, without a slash in front';
  if (pattern.startsWith("./")) return 'begins with "./"; paths are relative to the folder, without it';
  if (pattern.split("/").includes("..")) return 'has a ".." in it; only files in the folder are packed';
  if (pattern.includes("\\")) return "has a backslash in it; folders are parted by / on every system";
  return undefined;
}

function invalid(message: string): InputError {
  return new InputError("exclude_invalid", "exclude", message);
}
