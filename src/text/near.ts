/** Texts with a typing error, and the nearest of several known texts. */

/** Returns the candidate that differs least from `given`, ignoring case; undefined if none is near. */
export function nearest(given: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(given.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  // A third of the letters: "crw" is near "crew", and "web" is not near "api".
  const [first] = ranked;
  return first && first.edits <= Math.max(1, Math.floor(given.length / 3)) ? first.candidate : undefined;
}

/** Longest compared text, in characters: the work grows with the square. */
const comparedCharactersMax = 255;

/** Number of inserted, removed, changed and swapped letters between two texts. */
function editsBetween(from: string, to: string): number {
  if (Math.max(from.length, to.length) > comparedCharactersMax) {
    return Number.POSITIVE_INFINITY;
  }
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}

/** Name given for a known name by mistake. */
export interface Misspelling {
  readonly given: string;
  readonly meant: string;
}

/**
 * Finds the first name that is nearly a known name: the same letters in a different case or with
 * other separators, or one letter missing, added, wrong or swapped with the next. A further digit
 * makes a name of its own: `apiKey2` is no misspelling of `apiKey`.
 */
export function findMisspelling(names: readonly string[], known: readonly string[]): Misspelling | undefined {
  for (const given of names.filter((name) => !known.includes(name))) {
    const meant = known.find((name) => isMisspelling(given, name));
    if (meant !== undefined) {
      return { given, meant };
    }
  }
  return undefined;
}

/** Whether `given` is nearly the name `right`. See {@link findMisspelling}. */
export function isMisspelling(given: string, right: string): boolean {
  const [a, b] = [given, right].map((name) => name.toLowerCase().replace(/[_.-]/g, "")) as [string, string];
  return a.replace(/\D/g, "") === b.replace(/\D/g, "") && editsBetween(a, b) <= 1;
}
