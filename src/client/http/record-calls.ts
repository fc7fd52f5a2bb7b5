/** The calls that read, create, change or delete one record, each with its policy. */
import type { z } from "zod";
import type { Call, Outcome, Reply } from "./call.js";
import { orUnusable, unexpectedAnswer } from "./failures.js";
import { checkDeleted, readJson } from "./json.js";
import type { Transport } from "./transport.js";

/** What a record in an answer must be. */
interface Expected<T> {
  readonly operation: string;
  readonly schema: z.ZodType<T>;
  /** What proves that it is the wrong record, and what to say then. */
  readonly wrongIf?: readonly [proof: (record: T) => boolean, what: string];
}

/** What a write says when it fails, or when it is in doubt. */
type WriteTexts = Required<Pick<Call, "ifUnknown">> & Pick<Call, "ifNotFound" | "ifConflict">;

/**
 * One record to read.
 *
 * @internal
 */
export type RecordRequest<T> = Expected<T> &
  Pick<Call, "path" | "query" | "ifNotFound" | "bodyBytesMax" | "signal">;

/**
 * A write whose answer is a record.
 *
 * @internal
 */
export type RecordWrite<T> = Expected<T> &
  WriteTexts &
  Required<Pick<Call, "body">> &
  Pick<Call, "path" | "bodyBytesMax" | "signal">;

/**
 * A record to delete. `accept` and `method` are always the same.
 *
 * @internal
 */
export type RecordDeletion = WriteTexts & Pick<Call, "path" | "operation" | "body" | "signal">;

/**
 * Reads one record, with retries. Throws `ContractError` also for another record.
 *
 * @internal
 */
export async function readRecord<T>(transport: Transport, request: RecordRequest<T>): Promise<T> {
  return transport.read({ ...request, method: "GET" }, (reply) => recordIn(reply, request));
}

/**
 * Reads one record with a single send, for callers that retry in their own rhythm.
 *
 * @internal
 */
export function readRecordOnce<T>(transport: Transport, request: RecordRequest<T>): Promise<Outcome<T>> {
  return orUnusable(async () => {
    const { value: reply, failure } = await transport.send({ ...request, method: "GET" });
    return failure === undefined ? { value: recordIn(reply, request) } : { failure };
  });
}

/**
 * Posts what makes a new record and returns it: a write, see `Transport.write`.
 *
 * @internal
 */
export async function createRecord<T>(transport: Transport, request: RecordWrite<T>): Promise<T> {
  return transport.write({ ...request, method: "POST" }, (reply) => recordIn(reply, request));
}

/**
 * Sets absolute values of a record and returns it as it now is, see `Transport.set`.
 *
 * @internal
 */
export async function changeRecord<T>(transport: Transport, request: RecordWrite<T>): Promise<T> {
  return transport.set({ ...request, method: "PATCH" }, (reply) => recordIn(reply, request));
}

/**
 * Deletes a record: a write, which needs the proof of `checkDeleted`.
 *
 * @internal
 */
export async function deleteRecord(transport: Transport, request: RecordDeletion): Promise<void> {
  const call: Call = { ...request, method: "DELETE", accept: "*/*" };
  await transport.write(call, (reply) => checkDeleted(reply, call));
}

/** The record in an answer. Throws `ContractError`. */
function recordIn<T>(reply: Reply, expected: Expected<T>): T {
  const record = readJson(reply, expected.schema, expected);
  const [proof, what] = expected.wrongIf ?? [];
  if (what !== undefined && proof?.(record)) {
    throw unexpectedAnswer(expected, reply.context, what);
  }
  return record;
}
