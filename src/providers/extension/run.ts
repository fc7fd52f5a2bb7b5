/**
 * Ids that are in use in this run: returned by a create, or kept by a diff that replaces nothing. A forced replacement
 * (`pulumi up --replace`, `pulumi state taint`) calls create and then delete with no diff before; when the content has
 * not changed, create finds the very object that the engine deletes next. So a delete of a live id deletes nothing.
 */
export class LiveIds {
  readonly #urns = new Map<string, string | undefined>();

  keep(id: string, urn: string | undefined): void {
    this.#urns.set(id, urn);
  }

  /** The id is about to be replaced: its delete is meant. */
  release(id: string): void {
    this.#urns.delete(id);
  }

  has(id: string): boolean {
    return this.#urns.has(id);
  }

  /** Whether a resource of this run owns an id already: its replacement stands. */
  keeps(urn: string | undefined): boolean {
    return [...this.#urns.values()].includes(urn);
  }

  /** Whether another resource of this run owns the id. */
  isKeptByAnother(id: string, urn: string | undefined): boolean {
    return this.#urns.has(id) && this.#urns.get(id) !== urn;
  }
}
