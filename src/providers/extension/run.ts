import { KeyedMutex } from "../keyed-mutex.js";
import { ArchiveCache } from "./archive-cache.js";
import type { ExtensionState } from "./properties.js";

type Urn = string | undefined;

/**
 * Everything that one run of the engine (an update, a preview, a refresh, a destroy) knows in
 * memory about the extensions of a program. A provider process lives for one run.
 *
 * It answers one question above all: is a deletion meant? A forced replacement (`pulumi up
 * --replace`, `pulumi state taint`) calls create and then delete, with no diff before. If the
 * content has not changed, create finds the very object that the engine deletes next. So the delete
 * of an id that is in use in this run deletes nothing.
 */
export class Run {
  /** Archives that `check` packed, for the `create` that follows. */
  readonly archives = new ArchiveCache();
  /** Folders that are being read or packed, by path. */
  readonly folders = new KeyedMutex();
  /** Resources that the program declares. */
  readonly #declared = new Set<Urn>();
  /** Resources that this run creates, possibly to replace what they are now. */
  readonly #toCreate = new Set<Urn>();
  /** Resources that this run replaces because they differ. */
  readonly #replaced = new Set<Urn>();
  /** Extensions in use: a create returned the id, or a diff found nothing to replace. */
  readonly #users = new Map<string, Urn>();
  /** What the state said of extensions that were backed up and deleted. */
  readonly #backedUp = new Map<Urn, ExtensionState>();

  /** The program declares the resource. `isNew`: the engine gave no old inputs. */
  declare(urn: Urn, isNew: boolean): void {
    this.#declared.add(urn);
    if (isNew) {
      // The engine checks what it is about to create without old inputs, also when it deletes the
      // old object before it creates the replacement.
      this.#toCreate.add(urn);
    }
  }

  isDeclared(urn: Urn): boolean {
    return this.#declared.has(urn);
  }

  isToBeCreated(urn: Urn): boolean {
    return this.#toCreate.has(urn);
  }

  /** The resource is replaced, so the deletion of its extension is meant. */
  replace(id: string, urn: Urn): void {
    this.#users.delete(id);
    this.#replaced.add(urn);
  }

  isReplaced(urn: Urn): boolean {
    return this.#replaced.has(urn);
  }

  /** The resource has this extension from now on. */
  use(id: string, urn: Urn): void {
    this.#users.set(id, urn);
  }

  isInUse(id: string): boolean {
    return this.#users.has(id);
  }

  isUsedByAnother(id: string, urn: Urn): boolean {
    return this.#users.has(id) && this.#users.get(id) !== urn;
  }

  /** Whether the resource has an extension already, so its replacement exists. */
  hasExtension(urn: Urn): boolean {
    return [...this.#users.values()].includes(urn);
  }

  /** The extension that the state has of a resource is backed up and about to be deleted. */
  backUp(urn: Urn, state: ExtensionState): void {
    this.#backedUp.set(urn, state);
  }

  /** What the state said of it; undefined when an earlier run made the backup. */
  stateBackedUp(urn: Urn): ExtensionState | undefined {
    return this.#backedUp.get(urn);
  }
}
