import { painter, type Streams } from "./streams.js";
import { type Column, type Layout, tableText } from "./table.js";
import { jsonText } from "./text.js";

/** Flags of every command that prints a result. */
export interface PrintFlags {
  readonly json?: true | undefined;
}

/** Prints a result: as one JSON document, or as text laid out for standard output. */
export function print(
  { stdout, env }: Streams,
  { json }: PrintFlags,
  value: unknown,
  text: (layout: Layout) => string,
): void {
  const columns = stdout.isTTY ? stdout.columns : undefined;
  stdout.write(json ? `${jsonText(value, 2)}\n` : text({ columns, paint: painter(stdout, env) }));
}

/** Says something beside the result, on standard error. Says nothing with `--json`. */
export function remark({ stderr }: Streams, { json }: PrintFlags, text: string): void {
  if (!json) {
    stderr.write(`${text}\n`);
  }
}

/**
 * Prints a list: as one JSON array, or as a table. For an empty list it prints no table and says
 * `whenEmpty` on standard error.
 */
export function printRows<Row>(
  streams: Streams,
  flags: PrintFlags,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  whenEmpty: string,
): void {
  if (rows.length === 0) {
    remark(streams, flags, whenEmpty);
  }
  if (rows.length > 0 || flags.json) {
    print(streams, flags, rows, (layout) => tableText(rows, columns, layout));
  }
}
