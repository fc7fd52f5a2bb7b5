import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";

/** Which rows a list request asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The records of a page, what was asked for, and whether more follow. */
export interface Page<Item> extends PageRequest {
  readonly rows: readonly Item[];
  readonly more: boolean;
}

/** A condition in SQL and the values of its parameters. It applies when every value is given. */
type Condition = readonly [sql: string, ...values: (string | undefined)[]];

/** Values by column, in camelCase. Booleans are stored as 0 and 1, other objects as JSON. */
type Columns = Readonly<Record<string, SQLInputValue | boolean | object | undefined>>;

/**
 * One table of the database, whose rows have an `id`. Without another order, the newest row is
 * first. Conditions are SQL with `?` for each of the values that follow.
 */
export class Table<Item> {
  protected readonly database: DatabaseSync;
  readonly #name: string;
  readonly #read: (row: never) => Item;
  readonly #select: string;

  /**
   * `read` makes a record of a row whose names are in camelCase. The tables are `STRICT`, so it may
   * rely on the types. `select` is the query without conditions, by default for all columns.
   */
  constructor(
    database: DatabaseSync,
    name: string,
    read: (row: never) => Item,
    select = `SELECT * FROM ${name}`,
  ) {
    this.database = database;
    this.#name = name;
    this.#read = read;
    this.#select = select;
  }

  /** Stores a row. Undefined when a value that must be unique exists. */
  protected insertRow(row: Columns & { readonly id: string }): Item | undefined {
    const values = inSql(row);
    const names = Object.keys(values);
    const { changes } = this.database
      .prepare(
        `INSERT INTO ${this.#name} (${names.join(", ")}) VALUES (:${names.join(", :")}) ON CONFLICT DO NOTHING`,
      )
      .run(values);
    return changes === 1 ? this.find(row.id) : undefined;
  }

  /** Sets the columns that are not undefined. Undefined when there is no such row. */
  protected updateRow(id: string, changes: Columns): Item | undefined {
    const values = inSql({ ...changes, id });
    const assignments = Object.keys(values).map((name) => `${name} = :${name}`);
    this.database.prepare(`UPDATE ${this.#name} SET ${assignments.join(", ")} WHERE id = :id`).run(values);
    return this.find(id);
  }

  /** Removes a row, if there is one. */
  remove(id: string): void {
    this.database.prepare(`DELETE FROM ${this.#name} WHERE id = ?`).run(id);
  }

  /** The record with this id. */
  find(id: string): Item | undefined {
    return this.selectOne(`${this.#name}.id = ?`, id);
  }

  /** The first record that fulfills a condition, after which an order may follow. */
  protected selectOne(condition: string, ...values: SQLInputValue[]): Item | undefined {
    const row = this.database.prepare(`${this.#select} WHERE ${condition}`).get(...values);
    return row && this.#record(row);
  }

  /** Every record that fulfills a condition. */
  protected select(condition = "TRUE", ...values: SQLInputValue[]): readonly Item[] {
    return this.database
      .prepare(`${this.#select} WHERE ${condition} ORDER BY ${this.#name}.rowid DESC`)
      .all(...values)
      .map((row) => this.#record(row));
  }

  /** How many rows fulfill a condition. */
  protected countRows(condition: string, ...values: SQLInputValue[]): number {
    const row = this.database
      .prepare(`SELECT count(*) AS count FROM ${this.#name} WHERE ${condition}`)
      .get(...values);
    return Number(row?.count);
  }

  /** One page of the records that fulfill all conditions. */
  selectPage(
    { limit, offset }: PageRequest,
    where: readonly Condition[],
    orderBy = `${this.#name}.rowid DESC`,
  ): Page<Item> {
    const applied = where.filter(([, ...values]) => !values.includes(undefined));
    const conditions = ["TRUE", ...applied.map(([sql]) => sql)].join(" AND ");
    const values = applied.flatMap(([, ...given]) => given.filter((value) => value !== undefined));
    const rows = this.database
      .prepare(`${this.#select} WHERE ${conditions} ORDER BY ${orderBy} LIMIT ? OFFSET ?`)
      // One row more than asked for tells whether the page is the last.
      .all(...values, limit + 1, offset);
    const wanted = rows.slice(0, limit);
    return { rows: wanted.map((row) => this.#record(row)), more: rows.length > limit, limit, offset };
  }

  #record(row: Record<string, SQLOutputValue>): Item {
    return this.#read(camelCased(row) as never);
  }
}

/** A table of what projects own. */
export class ProjectTable<Item> extends Table<Item> {
  /** Every record of a project, newest first. */
  all(projectId: string): readonly Item[] {
    return this.select("project_id = ?", projectId);
  }

  /** How many records all projects own. */
  countAll(): number {
    return this.countRows("TRUE");
  }

  /** How many records a project owns. */
  count(projectId: string): number {
    return this.countRows("project_id = ?", projectId);
  }
}

function inSql(columns: Columns): Record<string, SQLInputValue> {
  const inColumn = (value: Columns[string]) =>
    typeof value === "boolean" ? Number(value) : Object(value) === value ? JSON.stringify(value) : value;
  const given = Object.entries(snakeCased(columns)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, inColumn(value) as SQLInputValue]));
}

/**
 * The members of a record by the names that the service and the tables use: `createdAt` is
 * `created_at`. Members of members keep their names.
 */
export function snakeCased<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return renamed(record, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** The columns of a row by the names of our records: `key_sha256` is `keySha256`. */
export function camelCased<Value>(row: Readonly<Record<string, Value>>): Record<string, Value> {
  return renamed(row, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

function renamed<Value>(
  record: Readonly<Record<string, Value>>,
  rename: (name: string) => string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [rename(name), value]));
}

/** The members of a record that are neither null nor undefined. */
export function withValues(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  );
}
