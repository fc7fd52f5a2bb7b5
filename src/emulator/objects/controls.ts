import type { z } from "zod";
import { InputError } from "../../errors.js";
import { refuse, requireFound, type Selector } from "../storage/ids-and-names.js";
import type { ProjectTable } from "../storage/table.js";

/** Methods about one object for control requests: the argument's shape, by method. @internal */
export type Operations = Readonly<Record<string, z.ZodType>>;

/** Record in a table, as a saved seed reads every kind. @internal */
export interface Recorded {
  readonly id: string;
  readonly name?: string | null;
  readonly projectId?: string | null;
}

/** Notes a part of a record that the entry lacks: the end of a sentence about the record. @internal */
export type Lacks = (what: string) => void;

/** Entry of a saved seed, with a value for every member. Null and undefined leave a member out. @internal */
export type Written<Entry> = Readonly<Record<Exclude<keyof Entry, "project">, unknown>>;

/** Value of every secret in a saved seed. @internal */
export const placeholder = "replace-me";

/** Placeholders of secrets by name. @internal */
export function placeholders(secrets: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.keys(secrets).map((name) => [name, placeholder]));
}

/** Returns the object to which a record refers. Notes that the seed lacks a deleted object. @internal */
export function referred<Item>(reference: unknown, found: Item | undefined, lacks: Lacks): Item | undefined {
  if (reference && !found) {
    lacks("the deleted objects to which it refers are not in the seed.");
  }
  return found;
}

/** Objects of one kind, as a seed and control requests create and change the objects. @internal */
export interface Controls<Entry> {
  /** Finds the existing object that an entry of a seed means. */
  existing(entry: Entry, projectId: string): { readonly id: string } | undefined;
  /** Creates the object of an entry. Throws `InputError`. */
  createFrom(entry: Entry, projectId: string): { readonly id: string };
  /** Every record, oldest first. @internal */
  records(): readonly Recorded[];
  /**
   * Converts a record to an entry, without a project unless the kind has a rule for the project. Undefined if
   * no entry can create the record.
   */
  written(record: Recorded, lacks: Lacks): Readonly<Record<string, unknown>> | undefined;
  /** Name of the kind, such as `browser_pool`. */
  readonly noun: string;
  readonly operations: Operations;
}

/** Projects of an emulator, as far as the objects in them need. */
export interface ProjectIds {
  /** Id of a project, by default of the default project. Throws `InputError` `project_unknown`. */
  idOf(id: string | undefined): string;
}

/** Objects of one kind in projects or in the organization, without a client. */
export class ObjectControls<
  Item extends { readonly id: string; readonly projectId?: string | undefined },
  Shown = Item,
> {
  /** @internal */
  protected readonly table: ProjectTable<Item>;
  /** @internal */
  readonly noun: string;
  readonly #projects: ProjectIds | undefined;

  /** @internal `noun`: start of the error codes. Without `projects`: objects of the organization. */
  constructor(noun: string, table: ProjectTable<Item>, projects?: ProjectIds) {
    this.noun = noun;
    this.table = table;
    this.#projects = projects;
  }

  /** Every object of a project, by default of the default project, or of the organization, newest first. */
  list(projectId?: string): readonly Shown[] {
    return this.table.all(this.projectId(projectId)).map((item) => this.shown(item));
  }

  /** Deletes an object. References of other objects to the object are unchanged. */
  remove(id: string): void {
    this.table.remove(this.require(id).id);
  }

  /** @internal */
  existing(entry: Selector, projectId: string): { readonly id: string } | undefined {
    return this.table.existing(entry, this.projectId(projectId));
  }

  /** @internal */
  records(): readonly Item[] {
    return this.table.select().toReversed();
  }

  /**
   * Id of a project, by default of the default project; undefined for objects of the organization. Throws
   * `InputError` `project_unknown`.
   */
  protected projectId(id: string | undefined): Item["projectId"] {
    return this.#projects?.idOf(id) as Item["projectId"];
  }

  /** Finds an object by id. Throws `InputError` for an unknown id. */
  protected require(id: string): Item {
    return requireFound(this.table.find(id), `${this.noun}_unknown`, id);
  }

  /** Returns an object that was stored. Throws `InputError` if the id or the name was taken. */
  protected stored(item: Item | undefined, name: string | undefined): Item {
    const where = this.#projects && " in its project";
    const noun = this.noun.replaceAll("_", " ");
    const problem = `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun} with this id, or with the name "${name}"${where ?? ""}, already exists. Choose others.`;
    return item ?? refuse(new InputError(`${this.noun}_exists`, "name", problem));
  }

  /** Converts a record for a test. Default: the record. */
  protected shown(item: Item): Shown {
    return item as unknown as Shown;
  }
}
