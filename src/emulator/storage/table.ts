import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { newId } from "./ids-and-names.js";

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

/** How a row becomes a record. Its columns get their names in camelCase, and `seq` is left out. */
interface Reading<Item> {
  /** Columns with JSON. */
  readonly json?: readonly (keyof Item)[];
  /** Columns with 0 or 1. */
  readonly flags?: readonly (keyof Item)[];
  /** Makes a record of what else has another form. It knows the types: tables are `STRICT`. */
  readonly read?: (row: never) => Item;
  /** The query without conditions. Default: all columns. */
  readonly select?: string;
}

/**
 * One table of the database, whose rows have an `id`. Without another order, the newest row is
 * first. Conditions are SQL with `?` for each of the values that follow.
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

/** What a list of named records asks for. */
export interface NamedQuery extends PageRequest {
  readonly projectId: string;
  /** Only names equal to this one except for case and accents. */
  readonly name?: string | undefined;
  /** Only what has this text in a `searched` column in any case, or the record with exactly this id. */
  readonly query?: string | undefined;
  /** Only records with one of these ids. */
  readonly ids?: readonly string[] | undefined;
}

/** A table of what has a name that is unique within its project, or null for none. */
export class NamedTable<
  Item extends { readonly id: string; readonly projectId: string; readonly name: string | null },
> extends ProjectTable<Item> {
  /** The emulator's clock. */
  readonly now: () => Date;
  /** The columns that the `query` of a list searches. */
  protected readonly searched: readonly string[] = ["name"];

  constructor(database: DatabaseSync, name: string, now: () => Date, reading?: Reading<Item>) {
    super(database, name, reading);
    this.now = now;
  }

  /** Stores a row, created now; undefined when its id exists, or its name has a {@link holder}. */
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

  /** Stores changes; undefined when the new name is another's, as in {@link holder}. */
  change({ id, projectId }: Item, changes: Partial<Item>): Item | undefined {
    const holder = changes.name ? this.holder(projectId, changes.name) : undefined;
    return (holder?.id ?? id) === id ? this.updateRow(id, changes as Columns) : undefined;
  }

  /** The record of a project that has this name; case and accents do not count. */
  holder(projectId: string, name: string): Item | undefined {
    return this.selectOne("project_id = ? AND folded(name) = folded(?)", projectId, name);
  }

  /** The record of a project with this id, else the one that has this name. */
  findIn(projectId: string, idOrName: string): Item | undefined {
    return (
      this.selectOne("project_id = ? AND id = ?", projectId, idOrName) ?? this.holder(projectId, idOrName)
    );
  }

  /** One page, newest first: a guess, following the service's list of API keys. */
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

/** A condition for the records with one of these ids; undefined: for every record. */
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
