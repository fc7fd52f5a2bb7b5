/** Rows of a list. Some rows may have a form that the package cannot read. */
import { z } from "zod";
import type { HttpCall, HttpResponse } from "../http/call.js";
import { describeMismatch, readJson } from "../http/json.js";
import { recordId } from "../schema.js";

/** A row: the record, or the problem of an unreadable row. */
export interface ReadRow<T> {
  /** Id of the object. Without a usable id, the place of the row in the list: `in row 3`. */
  readonly id: string;
  /** Undefined for an unreadable row. */
  readonly record: T | undefined;
  /** Problem of the row, such as `"size" should be a whole number, got a string`. */
  readonly problem: string | undefined;
  /** Member `name` of an unreadable row, as received. */
  readonly name: unknown;
}

const identified = z.object({ id: recordId });

/** Reads rows separately. Throws `ContractError` if no row has an id. `offset`: first place. */
export function readRows<T extends { readonly id: string }>(
  reply: HttpResponse,
  schema: z.ZodType<T>,
  offset: number,
  call: Pick<HttpCall, "operation">,
): ReadRow<T>[] {
  const values = readJson(reply, z.array(z.unknown()), call);
  const rows = values.map((value, index) => readRow(value, schema, `in row ${offset + index + 1}`));
  if (rows.length > 0 && rows.every(({ hasId }) => !hasId)) {
    // Throws an error that names the wrong member.
    readJson(reply, z.array(schema), call);
  }
  return rows;
}

function readRow<T extends { readonly id: string }>(value: unknown, schema: z.ZodType<T>, place: string) {
  const { success, data, error } = schema.safeParse(value);
  if (success) {
    return { id: data.id, hasId: true, record: data, problem: undefined, name: undefined };
  }
  // Forms of ids differ by kind.
  const isIdWrong = error.issues.some(({ path: [member] }) => member === "id");
  const id = isIdWrong ? undefined : identified.safeParse(value).data?.id;
  const { name } = Object(value) as { readonly name?: unknown };
  const problem = describeMismatch(error, value, "the row");
  return { id: id ?? place, hasId: id !== undefined, record: undefined, problem, name };
}
