import { jsonText } from "./json-text.js";
import { painter } from "./paint.js";
import type { Streams } from "./streams.js";
import { type Column, type Layout, tableText } from "./table.js";

/** Flags of every command that prints a result. */
export interface PrintFlags {
  readonly json?: true | undefined;
}

/** Prints a result: as one JSON document, or as text that is laid out for standard output. */
export function print(
  { stdout, env }: Streams,
  { json }: PrintFlags,
  value: unknown,
  text: (layout: Layout) => string,
): void {
  const columns = stdout.isTTY ? stdout.columns : undefined;
  stdout.write(json ? jsonText(value) : text({ columns, paint: painter(stdout, env) }));
}

/** Says something beside the result; not with `--json`. */
export function remark({ stderr }: Streams, { json }: PrintFlags, text: string): void {
  if (!json) {
    stderr.write(`${text}\n`);
  }
}

/** Prints a list: as one JSON array, or as a table. Of no rows people are told on standard error, with `none`. */
export function printRows<Row>(
  streams: Streams,
  flags: PrintFlags,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): void {
  if (rows.length === 0) {
    remark(streams, flags, none);
  }
  if (rows.length > 0 || flags.json) {
    print(streams, flags, rows, (layout) => tableText(rows, columns, layout));
  }
}
