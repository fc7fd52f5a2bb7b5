import type { z } from "zod";
import type { EmulatedProjects } from "../organization/projects/store.js";
import { requireFound } from "../storage/ids-and-names.js";
import type { ProjectTable } from "../storage/table.js";

/** Methods about one object for control requests: the argument's shape, by method. @internal */
export type Operations = Readonly<Record<string, z.ZodType>>;

/** Objects of one kind, as a seed and control requests create and change the objects. @internal */
export interface Controls<Entry> {
  /** Shape of an entry. Undefined: no control request creates an object. */
  readonly entry?: z.ZodType<Entry>;
  /** Finds the existing object that an entry of a seed means. */
  existing(entry: Entry, projectId: string): { readonly id: string } | undefined;
  /** Creates the object of an entry. Throws `InputError`. */
  createFrom(entry: Entry, projectId: string): { readonly id: string };
  readonly operations: Operations;
}

/** Objects of one kind in projects or in the organization, without a client. */
export class ObjectControls<Item extends { readonly id: string; readonly projectId?: string | undefined }> {
  readonly #unknown: string;
  readonly #table: ProjectTable<Item>;
  readonly #projects: EmulatedProjects | undefined;

  /** @internal `unknown`: code for an unknown id. Without `projects`: objects of the organization. */
  constructor(unknown: string, table: ProjectTable<Item>, projects?: EmulatedProjects) {
    this.#unknown = unknown;
    this.#table = table;
    this.#projects = projects;
  }

  /** Every object of a project, by default of the default project, or of the organization, newest first. */
  list(projectId?: string): readonly Item[] {
    return this.#table.all(this.projectId(projectId));
  }

  /** Deletes an object. References of other objects to the object are unchanged. */
  remove(id: string): void {
    this.#table.remove(this.require(id).id);
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
    return requireFound(this.#table.find(id), this.#unknown, id);
  }
}
