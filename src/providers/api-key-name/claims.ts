import { claim } from "../call.js";
import type { ApiKeyNameState } from "./properties.js";

/**
 * What one run knows of which resource names which API key. The engine may create a resource for a
 * key before or after it deletes the one that named it until then, or exchange the keys of two
 * resources. The previous name must survive each of these.
 */
export class ApiKeyClaims {
  /** Keys that the program declares, by the URN of the resource. */
  readonly #declared = new Map<string, string>();
  /** Keys for which this run creates a resource, by its URN. */
  readonly #toCreate = new Map<string, string>();
  /** The resource that names a key, by key. */
  readonly #holders = new Map<string, string | undefined>();
  /** Keys for which this run has created a resource. */
  readonly #created = new Set<string>();
  /** What the state says of a key, by key. */
  readonly stored = new Map<string, { readonly name: string; readonly previousName: string }>();

  /** A resource declares a key. Returns the URN of another one that declares it too, if any. */
  declare(keyId: string, urn: string, isNew: boolean): string | undefined {
    if (isNew) {
      // The engine checks what it is about to create without old inputs, also when it deletes the
      // old object before it creates the replacement.
      this.#toCreate.set(urn, keyId);
    }
    return claim(this.#declared, keyId, urn);
  }

  /** Whether a resource of the program declares the key. */
  isDeclared(keyId: string): boolean {
    return [...this.#declared.values()].includes(keyId);
  }

  /** Whether this run had to do with the key, so notes of it are not an orphan's. */
  isKnown(keyId: string): boolean {
    return this.isDeclared(keyId) || this.stored.has(keyId);
  }

  /** Whether this run creates a resource for the key, possibly to replace what names it now. */
  isToBeCreated(keyId: string): boolean {
    return [...this.#toCreate.values()].includes(keyId);
  }

  /** A resource keeps its key. A refresh compares without a declaration, and keeps nothing. */
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

  /** Whether the key now belongs to another resource, or to the one that replaced this one. */
  isTaken(keyId: string, urn: string | undefined): boolean {
    return this.#created.has(keyId) || (this.#holders.has(keyId) && this.#holders.get(keyId) !== urn);
  }

  /** Keeps what the state says of a key, in case another resource names it next. */
  remember(keyId: string, { name, previousName }: ApiKeyNameState): void {
    if (name !== undefined && previousName !== undefined) {
      this.stored.set(keyId, { name, previousName });
    }
  }
}
