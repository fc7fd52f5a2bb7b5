import { LookupError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import type { CleanText } from "../../text/redact.js";
import { listed, plural } from "../../text/words.js";
import type { CallOptions } from "../http/call.js";
import { isSameName } from "../names.js";
import type { ListOptions, Row } from "./list.js";
import { type NamedList, nearNameAdvice } from "./near-names.js";
import { RecordOperations } from "./records.js";

/** Most records listed in one message. */
const listedMax = 10;

/** Operations on a kind of record with names, and lookups by name. */
export abstract class NamedOperations<
  T extends Row,
  Options extends ListOptions = ListOptions,
> extends RecordOperations<T, Options> {
  /**
   * Finds the object with exactly the given name, byte for byte. Throws `InputError` before any
   * request, `ApiError`, and `LookupError` `name_not_found` or `name_ambiguous`. A `LookupError`
   * lists the objects found by the service, with ids.
   */
  async getByName(name: string, options: CallOptions = {}): Promise<T> {
    const { noun } = this.listing({ name } as Options);
    const rows = await this.allNamed(name, options);
    const found = findByName(rows, name, noun, this.transport.clean, (row) => this.isPreferred(row));
    if (!(found instanceof LookupError)) {
      return found;
    }
    // A row that the service finds is in the message already.
    const advice = rows.length > 0 ? "" : await nearNameAdvice(noun, name, this as NamedList, options);
    throw advice === "" ? found : found.withAdvice(advice);
  }

  /**
   * Finds the holder of a name, as the service compares names: without case and accents. Where
   * names are unique, no other object can get the name while the holder exists. An object whose
   * name is equal byte for byte comes first. Returns undefined when the name is free. Throws
   * `InputError` before any request, and `ApiError`.
   */
  async holderOf(name: string, options: CallOptions = {}): Promise<T | undefined> {
    const found = (await this.allNamed(name, options)).filter((row) => isSameName(row.name, name));
    return found.find((row) => row.name === name) ?? found[0];
  }

  /** Whether `getByName` prefers the record to namesakes. @internal */
  protected isPreferred(_row: T): boolean {
    return false;
  }
}

/**
 * Picks the record whose name is `name` byte for byte. Of several namesakes, a single `preferred`
 * record wins. Returns `LookupError` `name_not_found` or `name_ambiguous`.
 */
function findByName<T extends Row>(
  rows: readonly T[],
  name: string,
  noun: string,
  clean: CleanText,
  preferred: (row: T) => boolean,
): T | LookupError {
  const same = rows.filter((row) => row.name === name);
  const [first, second] = same.length > 1 ? same.filter(preferred) : same;
  if (first !== undefined && second === undefined) {
    return first;
  }
  const shown = (text: string) => clean(quote(text));
  const shownRow = (row: T) => `${shown(row.name ?? "")} (id ${clean(row.id)})`;
  const shownAll = (found: readonly T[]) => listed(found.map(shownRow), listedMax);
  if (same.length > 0) {
    return new LookupError(
      "name_ambiguous",
      `There are ${same.length} ${plural(noun)} with the name ${shown(name)}: ${shownAll(same)}. Use the id.`,
    );
  }
  const remedy =
    rows.length === 0
      ? "Check the name, and that this API key has access to it."
      : "Names must match exactly, including case, accents and spaces. " +
        `The service found ${shownAll(rows)}: use one of these names, or the id.`;
  return new LookupError("name_not_found", `There is no ${noun} with the name ${shown(name)}. ${remedy}`);
}
