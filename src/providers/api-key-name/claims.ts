import { type PropertyMap, textOf } from "../properties.js";

/** What the state says of a key. */
interface StoredName {
  readonly name: string;
  readonly previousName: string;
}

/**
 * Which resource of this run names which API key. The engine may create a resource for a key before it deletes the one that named the
 * key until then, or the other way round, or exchange the keys of two resources; the previous name has to come through each.
 */
export class ApiKeyClaims {
  /** Keys that the program of this run declares, by the URN of the resource. */
  readonly #declared = new Map<string, string>();
  /** Keys for which this run creates a resource, by its URN. */
  readonly #toCreate = new Map<string, string>();
  /** Resources whose name a key has, by key. */
  readonly #holders = new Map<string, string | undefined>();
  /** Keys for which this run has created a resource. */
  readonly #created = new Set<string>();
  readonly #stored = new Map<string, StoredName>();
  readonly #turns = new Map<string, Promise<unknown>>();

  /** Takes down that a resource declares a key; the URN of another one that does so, too, when there is one. */
  declare(keyId: string, urn: string, isNew: boolean): string | undefined {
    this.#declared.set(urn, keyId);
    if (isNew) {
      // The engine checks what it is about to create with no old inputs, also when it replaces and deletes the old one first.
      this.#toCreate.set(urn, keyId);
    }
    return [...this.#declared].find(([other, key]) => key === keyId && other !== urn)?.[0];
  }

  /** Whether a resource of the program declares the key. */
  isDeclared(keyId: string): boolean {
    return [...this.#declared.values()].includes(keyId);
  }

  /** Whether a resource of this run is created for the key, be it to replace what names it now. */
  isToBeCreated(keyId: string): boolean {
    return [...this.#toCreate.values()].includes(keyId);
  }

  /** A resource keeps its key. A refresh compares as well, with no declaration before, and keeps nothing. */
  keep(keyId: string, urn: string | undefined): void {
    if (urn !== undefined && this.#declared.has(urn)) {
      this.#holders.set(keyId, urn);
    }
  }

  /** A resource was created for a key. */
  create(keyId: string, urn: string | undefined): void {
    this.#holders.set(keyId, urn);
    this.#created.add(keyId);
  }

  /** Whether the key belongs to another resource by now, or to the one that has replaced this one. */
  isTaken(keyId: string, urn: string | undefined): boolean {
    return this.#created.has(keyId) || (this.#holders.has(keyId) && this.#holders.get(keyId) !== urn);
  }

  /** Takes down what the state says of a key: another resource may name it next. */
  remember(keyId: string, state: PropertyMap): void {
    const [name, previousName] = [textOf(state, "name"), textOf(state, "previousName")];
    if (name !== undefined && previousName !== undefined) {
      this.#stored.set(keyId, { name, previousName });
    }
  }

  /** What the state says of a key. */
  stored(keyId: string): StoredName | undefined {
    return this.#stored.get(keyId);
  }

  /** Does `work` once nobody else works on the same key: the engine works on resources side by side. */
  inTurn<T>(keyId: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(keyId) ?? Promise.resolve()).then(work, work);
    this.#turns.set(keyId, turn);
    return turn;
  }
}
