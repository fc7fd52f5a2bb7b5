import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { newId } from "./ids-and-names.js";

/** Range of rows that a list request asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** Records of a page, the requested range, and whether more records follow. */
export interface Page<Item> extends PageRequest {
  readonly rows: readonly Item[];
  readonly more: boolean;
}

/** SQL condition and parameter values. The condition applies if every value is given. */
type Condition = readonly [sql: string, ...values: (string | undefined)[]];

/** Values by column, in camelCase. Booleans are stored as 0 and 1, other objects as JSON. */
type Columns = Readonly<Record<string, SQLInputValue | boolean | object | undefined>>;

/** Conversion of rows to records. Column names become camelCase, and `seq` is omitted. */
interface Reading<Item> {
  /** Columns with JSON. */
  readonly json?: readonly (keyof Item)[];
  /** Columns with 0 or 1. */
  readonly flags?: readonly (keyof Item)[];
  /** Converts the remaining members to a record. Types are certain: tables are `STRICT`. */
  readonly read?: (row: never) => Item;
  /** The query without conditions. Default: all columns. */
  readonly select?: string;
}

/**
 * Table of the database, with rows that have an `id`. Default order: newest row first. Conditions
 * are SQL with a `?` for every value that follows.
 */
export class Table<Item> {
  protected readonly database: DatabaseSync;
  readonly #name: string;
  readonly #reading: Reading<Item>;
  readonly #select: string;

  constructor(database: DatabaseSync, name: string, reading: Reading<Item> = {}) {
    this.database = database;
    this.#name = name;
    this.#reading = reading;
    this.#select = reading.select ?? `SELECT * FROM ${name}`;
  }

  /** Stores a row. Undefined if a unique value already exists. */
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

  /** Sets the columns that are not undefined. Undefined if the row does not exist. */
  protected updateRow(id: string, changes: Columns): Item | undefined {
    const values = inSql({ ...changes, id });
    const assignments = Object.keys(values).map((name) => `${name} = :${name}`);
    this.database.prepare(`UPDATE ${this.#name} SET ${assignments.join(", ")} WHERE id = :id`).run(values);
    return this.find(id);
  }

  /** Removes a row, if present. */
  remove(id: string): void {
    this.database.prepare(`DELETE FROM ${this.#name} WHERE id = ?`).run(id);
  }

  /** Finds a record by id. */
  find(id: string): Item | undefined {
    return this.selectOne(`${this.#name}.id = ?`, id);
  }

  /** Finds the first record that fulfills a condition. `condition` may end with an order. */
  protected selectOne(condition: string, ...values: SQLInputValue[]): Item | undefined {
    const row = this.database.prepare(`${this.#select} WHERE ${condition}`).get(...values);
    return row && this.#record(row);
  }

  /** Finds every record that fulfills a condition. */
  protected select(condition = "TRUE", ...values: SQLInputValue[]): readonly Item[] {
    return this.database
      .prepare(`${this.#select} WHERE ${condition} ORDER BY ${this.#name}.rowid DESC`)
      .all(...values)
      .map((row) => this.#record(row));
  }

  /** Number of rows that fulfill a condition. */
  protected countRows(condition: string, ...values: SQLInputValue[]): number {
    const row = this.database
      .prepare(`SELECT count(*) AS count FROM ${this.#name} WHERE ${condition}`)
      .get(...values);
    return Number(row?.count);
  }

  /** Returns one page of the records that fulfill all conditions. */
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
      // One additional row shows whether the page is the last.
      .all(...values, limit + 1, offset);
    const wanted = rows.slice(0, limit);
    return { rows: wanted.map((row) => this.#record(row)), more: rows.length > limit, limit, offset };
  }

  #record(row: Record<string, SQLOutputValue>): Item {
    const { json = [], flags = [], read = (record: never) => record as Item } = this.#reading;
    const { seq, ...record }: Record<string, unknown> = camelCased(row);
    for (const name of json as readonly string[]) {
      record[name] = JSON.parse(String(record[name]));
    }
    for (const name of flags as readonly string[]) {
      record[name] = record[name] === 1;
    }
    return read(record as never);
  }
}

/** Table of objects that projects own. */
export class ProjectTable<Item> extends Table<Item> {
  /** Every record of a project, newest first. */
  all(projectId: string): readonly Item[] {
    return this.select("project_id = ?", projectId);
  }

  /** Number of records of all projects. */
  countAll(): number {
    return this.countRows("TRUE");
  }

  /** Number of records of a project. */
  count(projectId: string): number {
    return this.countRows("project_id = ?", projectId);
  }
}

/** Parameters of a list of named records. */
export interface NamedQuery extends PageRequest {
  readonly projectId: string;
  /** Only records with the given name, regardless of case and accents. */
  readonly name?: string | undefined;
  /** Only records with the given text in a `searched` column, in any case, or as exact id. */
  readonly query?: string | undefined;
  /** Only records with the given ids. */
  readonly ids?: readonly string[] | undefined;
}

/** Table of objects with a name, unique within the project, or null. */
export class NamedTable<
  Item extends { readonly id: string; readonly projectId: string; readonly name: string | null },
> extends ProjectTable<Item> {
  /** The emulator's clock. */
  readonly now: () => Date;
  /** Columns searched by the `query` of a list. */
  protected readonly searched: readonly string[] = ["name"];

  constructor(database: DatabaseSync, name: string, now: () => Date, reading?: Reading<Item>) {
    super(database, name, reading);
    this.now = now;
  }

  /** Stores a row, created now. Undefined if the id exists, or if the name has a {@link holder}. */
  insertNamed({
    id = newId(),
    ...row
  }: Columns & {
    readonly id?: string | undefined;
    readonly projectId: string;
    readonly name: string | null;
  }): Item | undefined {
    const isFree = row.name === null || this.holder(row.projectId, row.name) === undefined;
    return isFree ? this.insertRow({ ...row, id, createdAt: this.now().toISOString() }) : undefined;
  }

  /** Stores changes. Undefined if a different record is the {@link holder} of the new name. */
  change({ id, projectId }: Item, changes: Partial<Item>): Item | undefined {
    const holder = changes.name ? this.holder(projectId, changes.name) : undefined;
    return (holder?.id ?? id) === id ? this.updateRow(id, changes as Columns) : undefined;
  }

  /** Finds the record of a project with a name; case and accents do not count. */
  holder(projectId: string, name: string): Item | undefined {
    return this.selectOne("project_id = ? AND folded(name) = folded(?)", projectId, name);
  }

  /** Finds the record of a project by id, or else by name. */
  findIn(projectId: string, idOrName: string): Item | undefined {
    return (
      this.selectOne("project_id = ? AND id = ?", projectId, idOrName) ?? this.holder(projectId, idOrName)
    );
  }

  /** Returns one page, newest first: a guess, based on the service's list of API keys. */
  page({ projectId, name, query, ids, ...page }: NamedQuery, others: readonly Condition[] = []): Page<Item> {
    const parts = this.searched.map((column) => `instr(lowered(${column}), lowered(?)) > 0`);
    return this.selectPage(page, [
      ["project_id = ?", projectId],
      ["folded(name) = folded(?)", name],
      [`(id = ? OR ${parts.join(" OR ")})`, query, ...parts.map(() => query)],
      oneOfIds(ids),
      ...others,
    ]);
  }
}

/** Condition for the records with the given ids; undefined selects every record. */
export function oneOfIds(ids: readonly string[] | undefined): Condition {
  return ["id IN (SELECT value FROM json_each(?))", ids && JSON.stringify(ids)];
}

function inSql(columns: Columns): Record<string, SQLInputValue> {
  const inColumn = (value: Columns[string]) =>
    typeof value === "boolean" ? Number(value) : Object(value) === value ? JSON.stringify(value) : value;
  const given = Object.entries(snakeCased(columns)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, inColumn(value) as SQLInputValue]));
}

/**
 * Renames the members of a record for the service and the tables: `createdAt` becomes `created_at`.
 * Members of members keep their names.
 */
export function snakeCased<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return renamed(record, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** Renames the columns of a row for our records: `key_sha256` becomes `keySha256`. */
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
