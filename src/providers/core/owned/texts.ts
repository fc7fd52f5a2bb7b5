import { ConflictError, LookupError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import type { LiveObject } from "./declaration.js";

/** What messages need to know of a kind of object. */
interface Kind<Live extends LiveObject> {
  readonly noun: string;
  readonly notFoundCode: string;
  readonly goneCode?: string;
  readonly deleteCommand: string;
  isDormant?(live: Live): boolean;
}

type Told = { readonly id: string; readonly name?: string | null };

/** The messages about one kind of owned object. */
export class OwnedTexts<Live extends LiveObject> {
  readonly #kind: Kind<Live>;

  constructor(kind: Kind<Live>) {
    this.#kind = kind;
  }

  /** `pool`, of a browser pool. */
  get short(): string {
    return this.#kind.noun.split(" ").at(-1) ?? "";
  }

  /** `project "web" (proj_1)`, or `project proj_1`. */
  object({ id, name }: Told): string {
    const { noun } = this.#kind;
    return name == null ? `${noun} ${id}` : `${noun} ${quote(name)} (${id})`;
  }

  /** The same at the beginning of a sentence. */
  subject(told: Told): string {
    const text = this.object(told);
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  }

  /** `otherUrn`: the resource of the same program that has the object. */
  nameTaken(name: string, holder: Live, otherUrn: string | undefined): ConflictError {
    const { noun } = this.#kind;
    const who =
      holder.name === name
        ? `${noun} ${holder.id}`
        : `${noun} ${holder.id}, whose name is ${quote(holder.name ?? "")}: case and accents do not count for the service`;
    const dormant =
      this.#kind.isDormant?.(holder) === true
        ? ` It is archived, and an archived ${noun} keeps its name.`
        : "";
    const advice =
      otherUrn === undefined
        ? `To manage that ${this.short} here, import it by its id, ${holder.id}. ` +
          "If only the resource's logical name has changed, give it an alias instead. " +
          'Otherwise choose another "name", or leave "name" out to get a unique one.'
        : `It is that of another resource of this program, ${otherUrn}. A name moves from one resource to another in two deployments: ` +
          "in the first, give the other resource a name that nobody has; in the second, give this one its name.";
    return new ConflictError(
      "name_taken",
      `The name ${quote(name)} is taken by ${who}.${dormant} ${advice} Nothing was created or renamed.`,
    );
  }

  /** Of an object that a change or an archiving needs. */
  gone(id: string): LookupError {
    const { goneCode, notFoundCode } = this.#kind;
    return new LookupError(
      goneCode ?? notFoundCode,
      `${this.subject({ id })} is gone: an interrupted deployment deleted it, or somebody else did. ` +
        'Run "pulumi up --refresh" to create it again.',
    );
  }

  /** What a refresh says of it. */
  goneFromState(id: string): string {
    return `${this.subject({ id })} is gone: the service does not have it any more. "pulumi up" creates it again.`;
  }

  notFound(id: string, projectId: string | undefined): LookupError {
    const where = projectId === undefined ? "" : ` in project ${projectId}`;
    return new LookupError(
      this.#kind.notFoundCode,
      `There is no ${this.#kind.noun} "${id}"${where}. Check its id, and that this API key has access to it.`,
    );
  }

  /** What earlier deployments that ended in order created, and this one has not met. */
  unclaimed(lives: readonly Live[]): string {
    const these = lives.length === 1 ? "it" : "them";
    return (
      `${this.#listed(lives)} created by an earlier deployment of this stack, and this one does not declare ${these}. ` +
      `If ${lives.length === 1 ? "its resource is" : "their resources are"} in the state, as with "--target", nothing is wrong. ` +
      `Otherwise nothing manages ${these}: ${this.#howToDelete(lives)}`
    );
  }

  /** What an earlier deployment that ended in order created for a resource that has another object. */
  unmanaged(lives: readonly Live[]): string {
    return `${this.#listed(lives)} created by an earlier deployment of this resource, and nothing manages it any more: ${this.#howToDelete(lives)}`;
  }

  #listed(lives: readonly Live[]): string {
    const [first, ...others] = lives;
    const all = first === undefined ? [] : [this.subject(first), ...others.map((live) => this.object(live))];
    return `${all.join(", ")} ${lives.length === 1 ? "was" : "were"}`;
  }

  #howToDelete(lives: readonly Live[]): string {
    const { deleteCommand } = this.#kind;
    const commands = lives.map(({ id }) => `"${deleteCommand} ${id}"`);
    return `check that ${lives.length === 1 ? "it is" : "they are"} not in use, and delete ${lives.length === 1 ? "it" : "them"} with ${commands.join(", ")}.`;
  }
}
