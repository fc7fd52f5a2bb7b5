import type { z } from "zod";
import type { Call, Outcome, Reply } from "./call.js";
import { orUnusable, unexpectedAnswer } from "./failures.js";
import { readJson } from "./json.js";
import type { Transport } from "./transport.js";

/** What a record in an answer must be. */
interface Expected<T> {
  readonly operation: string;
  readonly schema: z.ZodType<T>;
  /** What is wrong with the answer, such as `it describes another project`, if anything. */
  readonly mistake?: (record: T) => string | undefined;
}

/**
 * One record to read.
 *
 * @internal
 */
export type RecordRequest<T> = Expected<T> &
  Pick<Call, "path" | "query" | "ifNotFound" | "bodyBytesMax" | "signal">;

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
 * The record in an answer. Throws `ContractError`.
 *
 * @internal
 */
export function recordIn<T>(reply: Reply, expected: Expected<T>): T {
  const record = readJson(reply, expected.schema, expected);
  const what = expected.mistake?.(record);
  if (what !== undefined) {
    throw unexpectedAnswer(expected, reply.context, what);
  }
  return record;
}
