import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

/** Which rows a list request asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a page, and whether more follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** A condition in SQL and the values of its parameters. It applies when every value is given. */
type Condition = readonly [sql: string, ...values: (string | undefined)[]];

/** What to select a page of. */
interface Selection<Row> {
  /** The query up to its conditions. */
  readonly select: string;
  readonly where: readonly Condition[];
  readonly orderBy: string;
  /** Makes a record of a row. */
  readonly read: (row: Record<string, SQLOutputValue>) => Row;
}

/** Selects one page of the rows that fulfill all conditions. */
export function selectPage<Row>(
  database: DatabaseSync,
  { limit, offset }: PageRequest,
  { select, where, orderBy, read }: Selection<Row>,
): Page<Row> {
  const applied = where.filter(([, ...values]) => !values.includes(undefined));
  const conditions = ["TRUE", ...applied.map(([sql]) => sql)].join(" AND ");
  const values = applied.flatMap(([, ...given]) => given.filter((value) => value !== undefined));
  const rows = database
    .prepare(`${select} WHERE ${conditions} ORDER BY ${orderBy} LIMIT ? OFFSET ?`)
    // One row more than asked for tells whether the page is the last.
    .all(...values, limit + 1, offset);
  return { rows: rows.slice(0, limit).map(read), more: rows.length > limit };
}

/** The string in a column; null when it holds none. */
export function stringOrNull(value: SQLOutputValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
