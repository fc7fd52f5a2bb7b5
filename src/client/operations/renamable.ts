import { plural } from "../../text/words.js";
import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { pathSegment } from "../http/path.js";
import { changeRecord, createRecord, deleteRecord, readRecord } from "../http/record-calls.js";
import { checkName } from "../options.js";

import type { Listing, ListOptions, Row } from "./list.js";
import { NamedOperations } from "./named.js";

/** List of a kind of record that can be renamed. @internal */
export interface RenamableListing<T> extends Listing<T> {
  /** Describes the problem of a name, as the end of a sentence; undefined for a valid name. */
  readonly nameProblem: (name: string) => string | undefined;
  /** Whether records belong to the organization. Default: to a project. */
  readonly isOfOrganization?: true;
}

/** Operations on a kind of record: read, rename, delete. */
export abstract class RenamableOperations<
  T extends Row,
  Options extends ListOptions = ListOptions,
> extends NamedOperations<T, Options> {
  /** @internal */
  protected abstract override listing(options: Options): RenamableListing<T>;

  /**
   * Reads a record by id, with retries. Throws `InputError` before any request for a string that
   * cannot be an id; `ApiError` (no such record: `isNotFound`); and `ContractError` if the service
   * took the id for the name of a different record.
   */
  async get(id: string, options: CallOptions = {}): Promise<T> {
    const { noun } = this.listing({} as Options);
    return readRecord(this.transport, {
      operation: `Reading the ${noun} "${id}"`,
      ...objectRequest(this.listing({} as Options), id),
      ...this.#expectedRecord(id),
      signal: options.signal,
    });
  }

  /**
   * Renames a record, with retries, and returns the record as stored by the service.
   *
   * Throws `InputError` before any request; `ApiError` (409: the name is taken, where names are
   * unique) or `ConnectionError` when the name is unchanged; `OutcomeUnknownError` when the record
   * may have either name.
   */
  async rename(id: string, name: string, options: CallOptions = {}): Promise<T> {
    const { noun, nameProblem } = this.listing({} as Options);
    checkName(noun, nameProblem(name));
    return this.change(id, { name }, options, "Renaming");
  }

  /**
   * Creates a record. Sent once, and again only while a rate limit refuses the request. `settings`:
   * further members of the body. `isOther`: whether a response with the name describes another
   * record.
   */
  protected createNamed(
    name: string | undefined,
    settings: object,
    { signal }: CallOptions,
    isOther: (made: T) => boolean = () => false,
  ): Promise<T> {
    const { path, noun, schema } = this.listing({} as Options);
    return createRecord(this.transport, {
      path,
      operation: name === undefined ? `Creating a ${noun} without a name` : `Creating the ${noun} "${name}"`,
      unknownOutcomeAdvice: `List the ${plural(noun)} and compare names before creating it again.`,
      body: jsonBody({ name, ...settings }),
      schema,
      wrongIf: [(made) => made.name !== (name ?? null) || isOther(made), `it describes another ${noun}`],
      signal,
    });
  }

  /** Sets values of a record. */
  protected change(id: string, changes: object, { signal }: CallOptions, doing = "Changing"): Promise<T> {
    const { noun } = this.listing({} as Options);
    const what =
      doing === "Renaming" ? ["the old name", "the new name"] : ["the old settings", "the new settings"];
    return changeRecord(this.transport, {
      operation: `${doing} the ${noun} "${id}"`,
      unknownOutcomeAdvice: `The ${noun} has either ${what.join(" or ")}. Read the ${noun} to see which. ${doing} the ${noun} again is safe.`,
      ...objectRequest(this.listing({} as Options), id),
      body: jsonBody(changes),
      ...this.#expectedRecord(id),
      signal,
    });
  }

  /**
   * Deletes a record. Sent once, and again only while a rate limit refuses the request. Throws
   * `ApiError` (no such record: `isNotFound`), and `OutcomeUnknownError` when the record may be
   * deleted.
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const { noun } = this.listing({} as Options);
    return deleteRecord(this.transport, {
      operation: `Deleting the ${noun} "${id}"`,
      unknownOutcomeAdvice: `Read the ${noun}; if it still exists, delete it again.`,
      ...objectRequest(this.listing({} as Options), id),
      signal: options.signal,
    });
  }

  #expectedRecord(id: string) {
    const { noun, schema } = this.listing({} as Options);
    return {
      schema,
      wrongIf: [(row: T) => row.id !== id, `it describes another ${noun}`] as const,
    };
  }
}

/**
 * Path of a record, or of an operation `below` the record, with the advice for a missing record.
 * @internal
 */
export function objectRequest<T>(
  { path, noun, isOfOrganization }: RenamableListing<T>,
  id: string,
  below = "",
) {
  const place = isOfOrganization
    ? "this API key belongs to its organization"
    : `the ${noun} is in the project of the settings: records of other projects are not found`;
  return {
    path: `${path}/${pathSegment("id", id, `the ${noun}'s id`)}${below}`,
    notFoundAdvice: `Check the ${noun}'s id, and that ${place}.`,
  };
}
