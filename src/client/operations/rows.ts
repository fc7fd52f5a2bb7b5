/** The rows of a list, some of which may have a form that this version cannot read. */
import { z } from "zod";
import type { Call, Reply } from "../http/call.js";
import { describeMismatch, readJson } from "../http/json.js";
import { recordId } from "../wire/answer.js";

/** A row: the record, or why the row cannot be read. */
export interface ReadRow<T> {
  /** Id of the object. Without a usable id, the place of the row in the list: `in row 3`. */
  readonly id: string;
  /** Undefined for a row that cannot be read. */
  readonly record: T | undefined;
  /** What is wrong with the row, such as `"size" should be a whole number, got a string`. */
  readonly problem: string | undefined;
  /** The member `name` of a row that cannot be read, as received. */
  readonly name: unknown;
}

const identified = z.object({ id: recordId });

/**
 * Reads a page, each row by itself: a row that cannot be read does not cost the others. `offset`:
 * the place of the first row in the list. Throws `ContractError` for anything but an array, and for
 * rows of which none has a usable id, which are no list of the service.
 */
export function readRows<T extends { readonly id: string }>(
  reply: Reply,
  schema: z.ZodType<T>,
  offset: number,
  call: Pick<Call, "operation">,
): ReadRow<T>[] {
  const values = readJson(reply, z.array(z.unknown()), call);
  const rows = values.map((value, index) => readRow(value, schema, `in row ${offset + index + 1}`));
  if (rows.length > 0 && rows.every(({ hasId }) => !hasId)) {
    // Names the wrong member.
    readJson(reply, z.array(schema), call);
  }
  return rows;
}

function readRow<T extends { readonly id: string }>(value: unknown, schema: z.ZodType<T>, place: string) {
  const { success, data, error } = schema.safeParse(value);
  if (success) {
    return { id: data.id, hasId: true, record: data, problem: undefined, name: undefined };
  }
  // Each kind has its own form of ids.
  const isIdWrong = error.issues.some(({ path: [member] }) => member === "id");
  const id = isIdWrong ? undefined : identified.safeParse(value).data?.id;
  const { name } = Object(value) as { readonly name?: unknown };
  const problem = describeMismatch(error, value, "the row");
  return { id: id ?? place, hasId: id !== undefined, record: undefined, problem, name };
}
