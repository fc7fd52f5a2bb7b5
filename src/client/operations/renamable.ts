import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { pathSegment } from "../http/path.js";
import { changeRecord, deleteRecord, readRecord } from "../http/record-calls.js";
import { checkName } from "../options.js";
import type { Listing, ListOptions, Row } from "./list.js";
import { NamedOperations } from "./named.js";

/**
 * The list of one such kind.
 *
 * @internal
 */
export interface RenamableListing<T> extends Listing<T> {
  /** What is wrong with a name, as the end of a sentence. */
  readonly nameProblem: (name: string) => string | undefined;
}

/** One kind of record of a project, of which the service can change the name alone. */
export abstract class RenamableOperations<T extends Row> extends NamedOperations<T> {
  /** @internal */
  protected abstract override listing(options: ListOptions): RenamableListing<T>;

  /**
   * Reads one by id, with retries. Throws `InputError` before any request for what cannot be an id;
   * `ApiError`; `isNotFound` tells whether it is gone; and `ContractError` if the service took the
   * id for the name of another one.
   */
  async get(id: string, options: CallOptions = {}): Promise<T> {
    const { noun } = this.listing({});
    return readRecord(this.transport, {
      operation: `Reading the ${noun} "${id}"`,
      ...this.#one(id),
      ...this.#answer(id),
      signal: options.signal,
    });
  }

  /**
   * Renames one, with retries, and returns it as the service now has it.
   *
   * Throws `InputError` before any request; `ApiError` (409: the name is taken, where names are
   * unique) or `ConnectionError` when the name is unchanged; `OutcomeUnknownError` when it may be
   * either.
   */
  async rename(id: string, name: string, options: CallOptions = {}): Promise<T> {
    const { noun, nameProblem } = this.listing({});
    const one = this.#one(id);
    checkName(noun, nameProblem(name));
    return changeRecord(this.transport, {
      operation: `Renaming the ${noun} "${id}"`,
      ifUnknown: `The ${noun} has either its old name or the new one. Read it to see which. Renaming it again is safe.`,
      ...one,
      body: jsonBody({ name }),
      ...this.#answer(id),
      signal: options.signal,
    });
  }

  /**
   * Deletes one. Sent once, and again only while a rate limit refuses it. Throws `ApiError` (already
   * gone: `isNotFound`), and `OutcomeUnknownError` when it may be gone.
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const { noun } = this.listing({});
    return deleteRecord(this.transport, {
      operation: `Deleting the ${noun} "${id}"`,
      ifUnknown: `Read the ${noun}; if it still exists, delete it again.`,
      ...this.#one(id),
      signal: options.signal,
    });
  }

  #one(id: string) {
    const { path, noun } = this.listing({});
    return {
      path: `${path}/${pathSegment("id", id, `the ${noun}'s id`)}`,
      ifNotFound: `Check the ${noun}'s id, and that it is in the project of the settings: a ${noun} of another project is not found.`,
    };
  }

  #answer(id: string) {
    const { noun, schema } = this.listing({});
    return {
      schema,
      wrongIf: [(row: T) => row.id !== id, `it describes another ${noun}`] as const,
    };
  }
}
