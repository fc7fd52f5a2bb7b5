import { foldedName } from "../auto-name.js";
import { claim } from "../call.js";

/**
 * What one run knows of the projects of a program. The engine may create a resource before it
 * deletes the one that had the project until then.
 */
export class ProjectRun {
  /** Names that the program declares, as the service compares them, by URN. */
  readonly #names = new Map<string, string>();
  /** URNs that the program declares. */
  readonly #declared = new Set<string | undefined>();
  /** The resource that has a project, by the project's id. */
  readonly #holders = new Map<string, string | undefined>();
  /** Projects that this run has created or reused. */
  readonly #kept = new Set<string>();

  /** A resource declares a name. Returns the URN of another one that declares it too, if any. */
  declare(urn: string | undefined, name: string | undefined): string | undefined {
    this.#declared.add(urn);
    if (urn === undefined || name === undefined) {
      return undefined;
    }
    return claim(this.#names, foldedName(name), urn);
  }

  /** Whether the program of this run declares the resource. A refresh declares nothing. */
  isDeclared(urn: string | undefined): boolean {
    return this.#declared.has(urn);
  }

  /** The state says that the resource has this project. */
  stored(id: string, urn: string | undefined): void {
    if (!this.#holders.has(id)) {
      this.#holders.set(id, urn);
    }
  }

  /** A resource was created with this project. */
  keep(id: string, urn: string | undefined): void {
    this.#holders.set(id, urn);
    this.#kept.add(id);
  }

  /** Whether this run has created or reused the project, so that no deletion may end it. */
  isKept(id: string): boolean {
    return this.#kept.has(id);
  }

  /** The other resource of the program that has the project, if any. */
  otherHolder(id: string, urn: string | undefined): string | undefined {
    const holder = this.#holders.get(id);
    return holder === urn ? undefined : holder;
  }
}
