/** Calls that read, create, change or delete a record, with their retry policies. */
import type { z } from "zod";
import type { HttpCall, HttpResponse, Outcome } from "./call.js";
import { catchUnusable, unexpectedResponseError } from "./failures.js";
import { checkDeleted, readJson } from "./json.js";
import type { Transport } from "./transport.js";

/** Requirements for a record in a response. */
interface ExpectedRecord<T> {
  readonly operation: string;
  readonly schema: z.ZodType<T>;
  /** Test for a wrong record, and the text of the error. */
  readonly wrongIf?: readonly [proof: (record: T) => boolean, what: string];
}

/** Texts of a write for a failure or an unknown outcome. */
type WriteTexts = Required<Pick<HttpCall, "unknownOutcomeAdvice">> &
  Pick<HttpCall, "notFoundAdvice" | "conflictAdvice">;

/** Record to read. @internal */
export type RecordRequest<T> = ExpectedRecord<T> &
  Pick<HttpCall, "path" | "query" | "notFoundAdvice" | "bodyBytesMax" | "signal">;

/** Write whose response is a record. @internal */
export type RecordWrite<T> = ExpectedRecord<T> &
  WriteTexts &
  Required<Pick<HttpCall, "body">> &
  Pick<HttpCall, "path" | "bodyBytesMax" | "signal">;

/** Record to delete. `accept` and `method` are fixed. @internal */
export type RecordDeletion = WriteTexts & Pick<HttpCall, "path" | "operation" | "body" | "signal">;

/** Reads a record, with retries. Throws `ContractError` also for a wrong record. @internal */
export async function readRecord<T>(transport: Transport, request: RecordRequest<T>): Promise<T> {
  return transport.read({ ...request, method: "GET" }, (reply) => recordIn(reply, request));
}

/** Reads a record with a single send, for callers that retry in their own rhythm. @internal */
export function readRecordOnce<T>(transport: Transport, request: RecordRequest<T>): Promise<Outcome<T>> {
  return catchUnusable(async () => {
    const { value: reply, failure } = await transport.send({ ...request, method: "GET" });
    return failure === undefined ? { value: recordIn(reply, request) } : { failure };
  });
}

/** Posts a new record and returns the created record, see `Transport.write`. @internal */
export async function createRecord<T>(transport: Transport, request: RecordWrite<T>): Promise<T> {
  return transport.write({ ...request, method: "POST" }, (reply) => recordIn(reply, request));
}

/** Sets absolute values of a record and returns the new record, see `Transport.set`. @internal */
export async function changeRecord<T>(transport: Transport, request: RecordWrite<T>): Promise<T> {
  return transport.set({ ...request, method: "PATCH" }, (reply) => recordIn(reply, request));
}

/** Deletes a record: a write, with the proof of `checkDeleted`. @internal */
export async function deleteRecord(transport: Transport, request: RecordDeletion): Promise<void> {
  const call: HttpCall = { ...request, method: "DELETE", accept: "*/*" };
  await transport.write(call, (reply) => checkDeleted(reply, call));
}

/** Reads the record in a response. Throws `ContractError`. */
function recordIn<T>(reply: HttpResponse, expected: ExpectedRecord<T>): T {
  const record = readJson(reply, expected.schema, expected);
  const [proof, what] = expected.wrongIf ?? [];
  if (what !== undefined && proof?.(record)) {
    throw unexpectedResponseError(expected, reply.context, what);
  }
  return record;
}
