import type { JournalFiles } from "../journal/files.js";
import { digestOf, type EntryOwner, type NotedEntry, type RemovalList, stackOf } from "./entry.js";
import { readRemovals, version } from "./entry-file.js";

const ending = ".removed.json";

/**
 * Objects of one kind that a deployment has deleted, and that its state lists all the same if it
 * was not written. All kinds of a process share one file, so that a destroy leaves one, however
 * many resources it deleted. The next update drops what it has compared with the service.
 */
export class Removals {
  readonly #files: JournalFiles;
  readonly #owner: EntryOwner;
  readonly #kind: string;

  constructor(files: JournalFiles, owner: EntryOwner, kind: string) {
    this.#files = files;
    this.#owner = owner;
    this.#kind = kind;
  }

  /** The deletion of an object, as an entry in `file`. Throws `LocalError` `journal_unreadable`. */
  find(id: string, file: string): NotedEntry | undefined {
    const list = this.#lists().find(({ removed }) => removed[this.#kind]?.includes(id));
    return (
      list && {
        op: "remove",
        id,
        sentAt: 0,
        answered: "removed",
        hasEnded: true,
        file,
        ...this.#owner,
        deployment: list.deployment,
      }
    );
  }

  /** The deployment has deleted these objects, and has completed. */
  add(ids: readonly string[]): void {
    if (ids.length > 0) {
      const { deployment } = this.#owner;
      // Processes that end at once must not overwrite each other's.
      const file = `${this.#stack}.${digestOf([deployment, process.pid])}${ending}`;
      const { removed = {} } = this.#lists().find((list) => list.file === file) ?? {};
      const all = [...new Set([...(removed[this.#kind] ?? []), ...ids])];
      this.#write(file, { deployment, removed: { ...removed, [this.#kind]: all } });
    }
  }

  /** A later entry says more of the object. */
  forget(id: string): void {
    this.#keep((each) => each !== id);
  }

  /**
   * An update ends, and no state lists what earlier deployments deleted. `mayList`: the update met
   * the resource, but could not compare it with the service.
   */
  pass(mayList: (id: string) => boolean): void {
    this.#keep((id, { deployment }) => deployment === this.#owner.deployment || mayList(id));
  }

  #keep(isKept: (id: string, list: RemovalList) => boolean): void {
    for (const { file, ...list } of this.#lists()) {
      const ids = list.removed[this.#kind] ?? [];
      const kept = ids.filter((id) => isKept(id, list));
      const removed = { ...list.removed, [this.#kind]: kept };
      if (Object.values(removed).every(({ length }) => length === 0)) {
        this.#files.remove(file);
      } else if (kept.length < ids.length) {
        this.#write(file, { ...list, removed });
      }
    }
  }

  /** One for each stack and account. */
  get #stack(): string {
    const { urn, baseUrl, account } = this.#owner;
    return digestOf([stackOf(urn) ?? null, baseUrl, account]);
  }

  #lists(): readonly (RemovalList & { readonly file: string })[] {
    return this.#files
      .list()
      .filter((file) => file.startsWith(`${this.#stack}.`) && file.endsWith(ending))
      .flatMap((file) => {
        const list = readRemovals(this.#files, file);
        return list === undefined ? [] : [{ ...list, file }];
      });
  }

  #write(file: string, list: RemovalList): void {
    this.#files.write(file, JSON.stringify({ version, ...list }));
  }
}
