import type { StatementSync } from "node:sqlite";
import type { Database } from "./database.js";
import { foldedName, newId, refuse, type Selector } from "./ids-and-names.js";

/** Range of records that a list request asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** Records of a page, the requested range, and whether more records follow. */
export interface Page<Item> extends PageRequest {
  readonly rows: readonly Item[];
  readonly more: boolean;
}

type Condition<Item> = (item: Item) => boolean;

/** Changes of a record. Undefined members are unchanged. */
type Changes<Item> = { readonly [K in keyof Item]?: Item[K] | undefined };

/**
 * Records of one kind. All are in memory, and every change is stored before the change is visible. A
 * record is never changed, but replaced.
 */
export class Table<Item extends { readonly id: string }> {
  protected readonly database: Database;
  readonly #kind: string;
  readonly #store: StatementSync;
  readonly #delete: StatementSync;
  /** By id, oldest first. */
  readonly #records = new Map<string, Item>();

  constructor(database: Database, kind: string) {
    this.database = database;
    this.#kind = kind;
    const insert = "INSERT INTO records (kind, id, record) VALUES (:kind, :id, :text)";
    this.#store = database.prepare(`${insert} ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record`);
    this.#delete = database.prepare("DELETE FROM records WHERE kind = ? AND id = ?");
    this.#load();
    database.register(this.#load);
  }

  /** Stores a new record. Undefined if the id exists. */
  add(record: Item): Item | undefined {
    return this.#records.has(record.id) ? undefined : this.#put(record);
  }

  /** Changes a record. Undefined if the record does not exist. */
  set(id: string, changes: Changes<Item>): Item | undefined {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    const before = this.find(id);
    return before && this.#put({ ...before, ...Object.fromEntries(given) });
  }

  remove(id: string): void {
    this.#delete.run(this.#kind, id);
    this.#records.delete(id);
  }

  find(id: string): Item | undefined {
    return this.#records.get(id);
  }

  /** Finds the oldest record that fulfills a condition. */
  first(condition: Condition<Item>): Item | undefined {
    // Without a copy of the table: every lookup by name comes here.
    for (const record of this.#records.values()) {
      if (condition(record)) {
        return record;
      }
    }
    return undefined;
  }

  /** Every record that fulfills a condition, newest first. */
  select(condition: Condition<Item> = () => true): readonly Item[] {
    return [...this.#records.values()].filter(condition).reverse();
  }

  #put(record: Item): Item {
    // As after a restart: without undefined members, and independent of the given object.
    const text = JSON.stringify(record);
    this.#store.run({ kind: this.#kind, id: record.id, text });
    const stored = JSON.parse(text) as Item;
    this.#records.set(record.id, stored);
    return stored;
  }

  readonly #load = (): void => {
    this.#records.clear();
    const find = this.database.prepare("SELECT record FROM records WHERE kind = ? ORDER BY seq");
    for (const { record } of find.all(this.#kind)) {
      const item = JSON.parse(String(record)) as Item;
      this.#records.set(item.id, item);
    }
  };
}

export function pageOf<Item>(all: readonly Item[], { limit, offset }: PageRequest): Page<Item> {
  const end = offset + limit;
  return { rows: all.slice(offset, end), more: all.length > end, limit, offset };
}

/** Filters of a list. Undefined filters select every record. */
export interface Filters<Item> {
  /** Members with a given value, regardless of case and accents. */
  readonly exact?: Readonly<Record<string, string | undefined>> | undefined;
  /** Text in a searched member, in any case, or an exact id. */
  readonly query?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly also?: Condition<Item> | undefined;
}

/** Builds the condition of a list. `searched` lists the texts in which `query` is searched. */
export function fitting<Item extends { readonly id: string }>(
  { exact = {}, query, ids, also = () => true }: Filters<Item>,
  searched: (item: Item) => readonly (string | null | undefined)[],
): Condition<Item> {
  const wanted = Object.entries(exact).flatMap(([member, value]) =>
    value === undefined ? [] : [[member as keyof Item, foldedName(value)] as const],
  );
  const part = query?.toLowerCase();
  return (item) =>
    wanted.every(([member, folded]) => item[member] && foldedName(String(item[member])) === folded) &&
    (part === undefined ||
      item.id === query ||
      searched(item).some((text) => text?.toLowerCase().includes(part))) &&
    (ids === undefined || ids.includes(item.id)) &&
    also(item);
}

/** Parameters of a list of the objects of a project. */
interface ObjectQuery<Item> extends PageRequest, Filters<Item> {
  readonly projectId: ProjectId;
}

/** Project of an object; undefined for an object of the organization. */
type ProjectId = string | undefined;

/** Table of objects that projects, or the organization, own. */
export class ProjectTable<
  Item extends { readonly id: string; readonly projectId?: ProjectId },
> extends Table<Item> {
  readonly now: () => Date;

  constructor(database: Database, kind: string, now: () => Date) {
    super(database, kind);
    this.now = now;
  }

  /** Every record of a project, newest first. */
  all(projectId: ProjectId): readonly Item[] {
    return this.select((item) => item.projectId === projectId);
  }

  findIn(projectId: ProjectId, id: string): Item | undefined {
    const item = this.find(id);
    return item?.projectId === projectId ? item : undefined;
  }

  /** Finds the record with an id. Tables of objects with a name or another key look that up, too. */
  existing({ id = "" }: Selector, _projectId: ProjectId): Item | undefined {
    return this.find(id);
  }

  /** Returns one page, newest first: a guess, based on the service's list of API keys. */
  page({ projectId, ...request }: ObjectQuery<Item>): Page<Item> {
    const fits = fitting<Item>(request, (item) => this.searched(item));
    return pageOf(this.all(projectId).filter(fits), request);
  }

  /** Texts in which the `query` of a list is searched. */
  protected searched(_item: Item): readonly (string | null | undefined)[] {
    return [];
  }
}

/** Table of objects with a name, unique within the project or the organization, or null. */
export class NamedTable<
  Item extends { readonly id: string; readonly projectId?: ProjectId; readonly name: string | null },
> extends ProjectTable<Item> {
  /** Stores a record, created now. Undefined if the id exists or the name is taken. */
  addNamed({
    id = newId(),
    ...record
  }: Omit<Item, "id" | "createdAt"> & {
    readonly id?: string | undefined;
    readonly projectId?: ProjectId;
    readonly name: string | null;
  }): Item | undefined {
    const isFree = record.name === null || this.holderOf(record.projectId, record.name) === undefined;
    const made: unknown = { ...record, id, createdAt: this.now().toISOString() };
    return isFree ? this.add(made as Item) : undefined;
  }

  /** Stores changes. Undefined if a different record is the {@link holderOf holder} of the new name. */
  change({ id, projectId }: Item, changes: Changes<Item>): Item | undefined {
    const holder = changes.name ? this.holderOf(projectId, changes.name) : undefined;
    return (holder?.id ?? id) === id ? this.set(id, changes) : undefined;
  }

  /** Finds the record of a project with a name; case and accents do not count. */
  holderOf(projectId: ProjectId, name: string): Item | undefined {
    const folded = foldedName(name);
    return this.first(
      (item) => item.projectId === projectId && item.name !== null && foldedName(item.name) === folded,
    );
  }

  /** Finds the record with an id or, without an id, the record of the project with the name. */
  override existing({ id, name = "" }: Selector, projectId: ProjectId): Item | undefined {
    return id === undefined ? this.holderOf(projectId, name) : this.find(id);
  }

  /** Finds the record of a project that another object selects. Throws `refusal`, with the problem. */
  selected(
    projectId: ProjectId,
    { id, name }: Selector,
    noun: string,
    refusal: (problem: string) => Error,
  ): Item {
    const found = id ? super.findIn(projectId, id) : this.holderOf(projectId, name ?? "");
    const owner = projectId === undefined ? "organization" : "project";
    return found ?? refuse(refusal(`names no ${noun} of the ${owner}: "${id || name}"`));
  }

  /** Finds the record of a project by id, or else by name. */
  override findIn(projectId: ProjectId, idOrName: string): Item | undefined {
    return super.findIn(projectId, idOrName) ?? this.holderOf(projectId, idOrName);
  }

  protected override searched({ name }: Item): readonly (string | null | undefined)[] {
    return [name];
  }
}
