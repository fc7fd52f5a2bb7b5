import { plural } from "../../text/words.js";
import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { pathSegment } from "../http/path.js";
import {
  changeRecord,
  createRecord,
  deleteRecord,
  type RecordDeletion,
  type RecordWrite,
  readRecord,
} from "../http/record-calls.js";
import { ListOperations, type ListOptions, type Row } from "./list.js";

/** Operations on a kind of record: read, change, create, delete. */
export abstract class RecordOperations<
  T extends Row,
  Options extends ListOptions = ListOptions,
> extends ListOperations<T, Options> {
  /**
   * Reads a record by id, with retries. Throws `InputError` before any request for a string that
   * cannot be an id; `ApiError` (no such record: `isNotFound`); and `ContractError` if the service
   * took the id for the name of a different record.
   */
  async get(id: string, options: CallOptions = {}): Promise<T> {
    const { noun } = this.listing({} as Options);
    return readRecord(this.transport, {
      ...this.request(id, options),
      operation: `Reading the ${noun} "${id}"`,
    });
  }

  /**
   * Deletes a record by id. Sent once, and again only while a rate limit refuses the request.
   *
   * Throws `ApiError` (no such record: `isNotFound`), and `OutcomeUnknownError` when the record may
   * be deleted, also after a success other than 200, 202 or 204, or with an HTML page.
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.remove(id, options);
  }

  /** Deletes a record. `own`: further parts of the request. @internal */
  protected async remove(id: string, options: CallOptions, own: Partial<RecordDeletion> = {}): Promise<void> {
    const { noun } = this.listing({} as Options);
    return deleteRecord(this.transport, {
      ...this.request(id, options),
      operation: `Deleting the ${noun} "${id}"`,
      unknownOutcomeAdvice: `Read the ${noun}; if it still exists, delete it again.`,
      ...own,
    });
  }

  /** Sets values of a record, with retries. `part`: the changed part. `own`: as above. @internal */
  protected async change(
    id: string,
    changes: object,
    options: CallOptions,
    own: Partial<RecordWrite<T>> = {},
    part = "settings",
  ): Promise<T> {
    const { noun, schema, changedSchema = schema, conflictAdvice } = this.listing({} as Options);
    return changeRecord(this.transport, {
      ...this.request(id, options),
      operation: `Changing the ${noun} "${id}"`,
      unknownOutcomeAdvice: `The ${noun} has either the old ${part} or the new ${part}. Read the ${noun} to see which. Repeating the change is safe.`,
      ...("name" in changes && changes.name !== undefined && { conflictAdvice }),
      body: jsonBody(changes),
      schema: changedSchema,
      ...own,
    });
  }

  /** Creates a record. `settings`: further members of the body. `own`: as above. @internal */
  protected async createNamed(
    name: string | undefined,
    settings: object,
    { signal }: CallOptions,
    own: Partial<RecordWrite<T>> = {},
  ): Promise<T> {
    const { path, noun, schema, bodyBytesMax, conflictAdvice } = this.listing({} as Options);
    return createRecord(this.transport, {
      path,
      operation: name === undefined ? `Creating a ${noun} without a name` : `Creating the ${noun} "${name}"`,
      unknownOutcomeAdvice: `List the ${plural(noun)} and compare names before creating it again.`,
      conflictAdvice,
      body: jsonBody({ name, ...settings }),
      bodyBytesMax,
      schema,
      wrongIf: [(made) => made.name !== (name ?? null), `it describes another ${noun}`],
      signal,
      ...own,
    });
  }

  /** Request about a record, and the expected response. @internal */
  protected request(id: string, { signal }: CallOptions) {
    const listing = this.listing({} as Options);
    const { path, noun, schema, bodyBytesMax } = listing;
    const place = `the ${noun} is in the project of the settings: records of other projects are not found`;
    return {
      path: `${path}/${this.segment(id)}`,
      notFoundAdvice: listing.notFoundAdvice ?? `Check the ${noun}'s id, and that ${place}.`,
      schema,
      bodyBytesMax,
      wrongIf: [
        (row: T) => row.id !== id,
        `it describes another ${noun}, for example because the given id is a name`,
      ] as const,
      signal,
    };
  }

  /** Segment of a path for an id. Throws `InputError` for a string that is no id. @internal */
  protected segment(id: string): string {
    return pathSegment("id", id, `the ${this.listing({} as Options).noun}'s id`);
  }
}
