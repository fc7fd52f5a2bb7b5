import { LookupError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import type { CleanText } from "../../text/redact.js";
import { listed } from "../../text/words.js";

/** What lists need of a record. Not every kind has names. */
export interface Row {
  readonly id: string;
  readonly name?: string | null;
}

/** Most records listed in one message. */
const listedMax = 10;

/**
 * Picks the one record whose name is `name` byte for byte, among those that the service found
 * without regard to case and accents. If several have it, the only one that is `preferred` wins.
 *
 * Throws `LookupError` `name_not_found` or `name_ambiguous`. The message lists the records with
 * their ids and escapes what the eye would miss. `clean` takes the API key out of names.
 */
export function findByName<T extends Row>(
  rows: readonly T[],
  name: string,
  noun: string,
  clean: CleanText,
  preferred: (row: T) => boolean = () => false,
): T {
  const same = rows.filter((row) => row.name === name);
  const [first, second] = same.length > 1 ? same.filter(preferred) : same;
  if (first !== undefined && second === undefined) {
    return first;
  }
  const shown = (text: string) => clean(quote(text));
  const shownRow = (row: T) => `${shown(row.name ?? "")} (id ${clean(row.id)})`;
  const shownAll = (found: readonly T[]) => listed(found.map(shownRow), listedMax);
  if (same.length > 0) {
    throw new LookupError(
      "name_ambiguous",
      `There are ${same.length} ${noun}s with the name ${shown(name)}: ${shownAll(same)}. Use the id.`,
    );
  }
  const remedy =
    rows.length === 0
      ? "Check the name, and that this API key has access to it."
      : "Names must match exactly, including case, accents and spaces. " +
        `The service found ${shownAll(rows)}: use one of these names, or the id.`;
  throw new LookupError("name_not_found", `There is no ${noun} with the name ${shown(name)}. ${remedy}`);
}
