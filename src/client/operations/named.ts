import { LookupError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import type { CleanText } from "../../text/redact.js";
import { listed, plural } from "../../text/words.js";
import type { CallOptions } from "../http/call.js";
import { isSameName } from "../names.js";
import { ListOperations, type ListOptions, type Row } from "./list.js";

/** Most records listed in one message. */
const listedMax = 10;

/** The lists of one kind of record whose name only one can have, and how one is found by it. */
export abstract class NamedOperations<
  T extends Row,
  Options extends ListOptions = ListOptions,
> extends ListOperations<T, Options> {
  /**
   * Finds the one with exactly this name, byte for byte. Throws `InputError` before any request,
   * `ApiError`, and `LookupError` `name_not_found` or `name_ambiguous`, which list what the service
   * found, with ids.
   */
  async getByName(name: string, options: CallOptions = {}): Promise<T> {
    const { noun } = this.listing({ name } as Options);
    const rows = await this.allNamed(name, options);
    return findByName(rows, name, noun, this.transport.clean, (row) => this.isPreferred(row));
  }

  /**
   * Finds the one that has this name for the service, which ignores case and accents: as long as it
   * exists, no other can get the name. One whose name is equal byte for byte comes first. Undefined
   * when the name is free. Throws `InputError` before any request, and `ApiError`.
   */
  async holderOf(name: string, options: CallOptions = {}): Promise<T | undefined> {
    const found = (await this.allNamed(name, options)).filter((row) => isSameName(row.name, name));
    return found.find((row) => row.name === name) ?? found[0];
  }

  /**
   * Whether `getByName` prefers this one to others with the same name.
   *
   * @internal
   */
  protected isPreferred(_row: T): boolean {
    return false;
  }
}

/**
 * Picks the one record whose name is `name` byte for byte, among those that the service found
 * without regard to case and accents. If several have it, the only one that is `preferred` wins.
 *
 * Throws `LookupError` `name_not_found` or `name_ambiguous`. The message lists the records with
 * their ids and escapes what the eye would miss. `clean` takes the API key out of names.
 */
function findByName<T extends Row>(
  rows: readonly T[],
  name: string,
  noun: string,
  clean: CleanText,
  preferred: (row: T) => boolean,
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
      `There are ${same.length} ${plural(noun)} with the name ${shown(name)}: ${shownAll(same)}. Use the id.`,
    );
  }
  const remedy =
    rows.length === 0
      ? "Check the name, and that this API key has access to it."
      : "Names must match exactly, including case, accents and spaces. " +
        `The service found ${shownAll(rows)}: use one of these names, or the id.`;
  throw new LookupError("name_not_found", `There is no ${noun} with the name ${shown(name)}. ${remedy}`);
}
