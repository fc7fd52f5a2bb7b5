import type { z } from "zod";
import type { Call, Outcome, Reply } from "./call.js";
import { orUnusable, unexpectedAnswer } from "./failures.js";
import { jsonBytesMax, readJson } from "./json.js";
import type { Transport } from "./transport.js";

/** One record to read. */
export interface RecordRequest<T>
  extends Pick<Call, "path" | "query" | "operation" | "ifNotFound" | "signal"> {
  readonly schema: z.ZodType<T>;
  /** What is wrong with the answer, such as `it describes another project`, if anything. */
  readonly mistake?: (record: T) => string | undefined;
}

/**
 * Reads one record, with retries. Throws as `Transport.read` does, and `ContractError` when the
 * service answers with another record.
 */
export async function readRecord<T>(transport: Transport, request: RecordRequest<T>): Promise<T> {
  const call = callOf(request);
  return transport.read(call, (reply) => recordIn(reply, request, call));
}

/** Reads one record with a single send, for callers that retry in their own rhythm. */
export async function readRecordOnce<T>(
  transport: Transport,
  request: RecordRequest<T>,
): Promise<Outcome<T>> {
  const call = callOf(request);
  const read = async (): Promise<Outcome<T>> => {
    const { value: reply, failure } = await transport.send(call);
    return failure === undefined ? { value: recordIn(reply, request, call) } : { failure };
  };
  return orUnusable(read());
}

function callOf<T>({ schema: _schema, mistake: _mistake, ...rest }: RecordRequest<T>): Call {
  return { ...rest, method: "GET", accept: "application/json", bodyBytesMax: jsonBytesMax };
}

/** The record in an answer. Throws `ContractError`. */
export function recordIn<T>(
  reply: Reply,
  { schema, mistake }: Pick<RecordRequest<T>, "schema" | "mistake">,
  call: Pick<Call, "operation">,
): T {
  const record = readJson(reply, schema, call);
  const what = mistake?.(record);
  if (what !== undefined) {
    throw unexpectedAnswer(call, reply.context, what);
  }
  return record;
}
