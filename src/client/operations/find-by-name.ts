import { LookupError } from "../../errors.js";
import { quote } from "../quote.js";

/** Records listed in one message at most. */
const listedMax = 10;

/** What is needed of a record to find it by name. */
export interface Named {
  readonly id: string;
  readonly name: string | null;
}

/**
 * Picks the one record whose name is `name` byte for byte, among those the service found for it without regard to case and accents.
 * Of several with that very name, the only one that is `preferred` wins.
 *
 * Throws `LookupError` with code `name_not_found`, or `name_ambiguous` when several records have the name; the message lists every record found
 * with its id, and spells out what the eye would miss. `clean` takes the API key out of names.
 */
export function pickByName<Row extends Named>(
  rows: readonly Row[],
  name: string,
  noun: string,
  clean: (text: string) => string,
  preferred: (row: Row) => boolean = () => false,
): Row {
  const same = rows.filter((row) => row.name === name);
  const preferable = same.filter(preferred);
  const [only] = same.length === 1 ? same : preferable;
  if (only !== undefined && (same.length === 1 || preferable.length === 1)) {
    return only;
  }
  const shown = (text: string) => clean(quote(text));
  const listed = (found: readonly Row[]) => {
    const each = found.slice(0, listedMax).map((row) => `${shown(row.name ?? "")} (id ${clean(row.id)})`);
    return each.join(", ") + (found.length > listedMax ? ` and ${found.length - listedMax} more` : "");
  };
  if (same.length > 0) {
    throw new LookupError(
      "name_ambiguous",
      `There are ${same.length} ${noun}s with the name ${shown(name)}, so it does not say which is meant: ${listed(same)}. Use the id.`,
    );
  }
  const remedy =
    rows.length === 0
      ? "Check the name, and that this API key may see it."
      : `Names are compared exactly, case, accents and spaces included. The service found ${listed(rows)}: use that very name, or the id.`;
  throw new LookupError("name_not_found", `There is no ${noun} with the name ${shown(name)}. ${remedy}`);
}
