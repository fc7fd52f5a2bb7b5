import type { z } from "zod";
import type { Call, Reply } from "./exchange.js";
import { jsonBytesMax, readJson } from "./json.js";
import type { Transport } from "./transport.js";
import { unexpectedAnswer } from "./unexpected-answer.js";

/** One record to read. */
export interface RecordRequest<T> extends Pick<Call, "path" | "query" | "doing" | "ifNotFound" | "signal"> {
  readonly schema: z.ZodType<T>;
  /** What is wrong with the answer, as in `it describes another project`; undefined when it is the one asked for. */
  readonly mistaken?: (record: T) => string | undefined;
}

/** Reads one record. Throws as `Transport.read` does, and `ContractError` when another record came back than was asked for. */
export async function readRecord<T>(transport: Transport, request: RecordRequest<T>): Promise<T> {
  const { call, take } = recordRead(request);
  return transport.read(call, take);
}

/** The call that reads one record, and what takes the record out of its answer or throws `ContractError`. */
export function recordRead<T>(request: RecordRequest<T>): {
  readonly call: Call;
  readonly take: (reply: Reply) => T;
} {
  const { schema, mistaken, ...rest } = request;
  const call: Call = { ...rest, method: "GET", accept: "application/json", bodyBytesMax: jsonBytesMax };
  const take = (reply: Reply) => {
    const record = readJson(reply, schema, call);
    const mistake = mistaken?.(record);
    if (mistake !== undefined) {
      throw unexpectedAnswer(call, reply.context, mistake);
    }
    return record;
  };
  return { call, take };
}
