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
    const meant = known.find((name) => isNear(plain(given), plain(name)));
    if (meant !== undefined) {
      return { given, meant };
    }
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_.-]/g, "");
}

function isNear(a: string, b: string): boolean {
  if (a.replace(/\D/g, "") !== b.replace(/\D/g, "")) {
    return false;
  }
  let start = 0;
  while (start < a.length && a[start] === b[start]) {
    start += 1;
  }
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) {
    end += 1;
  }
  const [restOfA, restOfB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const isSwapped = restOfA.length === 2 && restOfB === `${restOfA[1]}${restOfA[0]}`;
  return isSwapped || (restOfA.length <= 1 && restOfB.length <= 1);
}
