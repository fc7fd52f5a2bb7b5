import type { CallOptions } from "../http/call.js";
import { checkName } from "../options.js";
import type { Listing, ListOptions, Row } from "./list.js";
import { NamedOperations } from "./named.js";

/** List of a kind of record that can be renamed. @internal */
export interface RenamableListing<T> extends Listing<T> {
  /** Describes the problem of a name, as the end of a sentence; undefined for a valid name. */
  readonly nameProblem: (name: string) => string | undefined;
}

/** Operations on a kind of record that can be renamed. */
export abstract class RenamableOperations<
  T extends Row,
  Options extends ListOptions = ListOptions,
> extends NamedOperations<T, Options> {
  /** @internal */
  protected abstract override listing(options: Options): RenamableListing<T>;

  /**
   * Renames a record, with retries, and returns the record as stored by the service, which may have
   * trimmed the name.
   *
   * Throws `InputError` before any request; `ApiError` (409: the name is taken, where names are
   * unique) or `ConnectionError` when the name is unchanged; `OutcomeUnknownError` when the record
   * may have either name.
   */
  async rename(id: string, name: string, options: CallOptions = {}): Promise<T> {
    const { noun, nameProblem } = this.listing({} as Options);
    checkName(noun, nameProblem(name));
    return this.change(id, { name }, options, { operation: `Renaming the ${noun} "${id}"` }, "name");
  }
}
