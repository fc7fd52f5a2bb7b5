import { claim } from "../call.js";
import { type Caps, capsIn, type LimitsState, namesIn } from "./properties.js";

/**
 * What one run knows of which resource manages the limits of which project. The engine may create a
 * resource for a project before or after it deletes the one that managed its limits until then. The
 * previous caps must survive that.
 */
export class LimitsClaims {
  /** Projects that the program declares, by the URN of the resource. */
  readonly #declared = new Map<string, string>();
  /** Projects for which this run creates a resource, by its URN. */
  readonly #toCreate = new Map<string, string>();
  /** The resource that this run created for a project. */
  readonly #created = new Map<string, string | undefined>();
  /** What the state says of a project, by its id. */
  readonly #stored = new Map<string, { readonly caps: Caps; readonly previous: Caps }>();

  /** A resource declares a project. Returns the URN of another one that declares it, if any. */
  declare(projectId: string, urn: string, isNew: boolean): string | undefined {
    if (isNew) {
      // The engine checks what it is about to create without old inputs, also when it deletes the
      // old object before it creates the replacement.
      this.#toCreate.set(urn, projectId);
    }
    return claim(this.#declared, projectId, urn);
  }

  /** Whether a resource of the program declares the limits of the project. */
  isDeclared(projectId: string): boolean {
    return [...this.#declared.values()].includes(projectId);
  }

  /** Whether this run had to do with the project, so notes of it are not an orphan's. */
  isKnown(projectId: string): boolean {
    return this.isDeclared(projectId) || this.#stored.has(projectId);
  }

  /** Whether this run creates a resource for the project, possibly to replace one. */
  isToBeCreated(projectId: string): boolean {
    return [...this.#toCreate.values()].includes(projectId);
  }

  /** A resource was created for a project. */
  create(projectId: string, urn: string | undefined): void {
    this.#created.set(projectId, urn);
  }

  /** Whether another resource, or the one that replaced this one, manages the project now. */
  isTaken(projectId: string): boolean {
    return this.#created.has(projectId);
  }

  /** Keeps what the state says of a project, in case another resource manages it next. */
  remember(projectId: string, state: LimitsState): void {
    if (state.previous !== undefined) {
      this.#stored.set(projectId, { caps: capsIn(state), previous: capsIn(state.previous) });
    }
  }

  /** What the caps were before this program set them, as far as a resource of it knows. */
  previousOf(projectId: string, live: Caps): Caps {
    const { caps = {}, previous = {} } = this.#stored.get(projectId) ?? {};
    return Object.fromEntries(
      namesIn(previous)
        .filter((name) => caps[name] === live[name])
        .map((name) => [name, previous[name]]),
    );
  }
}
