import type { z } from "zod";
import { InputError } from "../../errors.js";
import { refuse, requireFound } from "../storage/ids-and-names.js";
import type { ProjectTable } from "../storage/table.js";

/** Methods about one object for control requests: the argument's shape, by method. @internal */
export type Operations = Readonly<Record<string, z.ZodType>>;

/** Objects of one kind, as a seed and control requests create and change the objects. @internal */
export interface Controls<Entry> {
  /** Finds the existing object that an entry of a seed means. */
  existing(entry: Entry, projectId: string): { readonly id: string } | undefined;
  /** Creates the object of an entry. Throws `InputError`. */
  createFrom(entry: Entry, projectId: string): { readonly id: string };
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
  readonly #noun: string;
  readonly #projects: ProjectIds | undefined;

  /** @internal `noun`: start of the error codes. Without `projects`: objects of the organization. */
  constructor(noun: string, table: ProjectTable<Item>, projects?: ProjectIds) {
    this.#noun = noun;
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
  existing(
    entry: { readonly id?: string | undefined; readonly name?: string | undefined },
    projectId: string,
  ): { readonly id: string } | undefined {
    return this.table.existing(entry, this.projectId(projectId));
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
    return requireFound(this.table.find(id), `${this.#noun}_unknown`, id);
  }

  /** Returns an object that was stored. Throws `InputError` if the id or the name was taken. */
  protected stored(item: Item | undefined, name: string | undefined): Item {
    const where = this.#projects && " in its project";
    const problem = `A ${this.#noun.replaceAll("_", " ")} with this id, or with the name "${name}"${where ?? ""}, already exists. Choose others.`;
    return item ?? refuse(new InputError(`${this.#noun}_exists`, "name", problem));
  }

  /** Converts a record for a test. Default: the record. */
  protected shown(item: Item): Shown {
    return item as unknown as Shown;
  }
}
