import { isDeepStrictEqual } from "node:util";
import { capitalized } from "../../../text/words.js";
import type { Values } from "../entry.js";
import type { Borrowed, BorrowedSettings } from "./declaration.js";
import { differing } from "./previous.js";

/** What messages need to know of a kind of settings. */
type Kind = Pick<BorrowedSettings<Borrowed, Borrowed, unknown>, "resource" | "noun" | "settings" | "text">;

/** The messages about one kind of settings. */
export class BorrowedTexts {
  readonly #kind: Kind;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  rival(id: string, rival: string): string {
    return `Two resources of this program set ${this.#what(id)}; the other one is ${rival}. Declare everything in one ${this.#kind.resource}.`;
  }

  /** The object had already what the resource declares. */
  unchanged(id: string, wanted: Values, previous: Values): string {
    const { settings, text } = this.#kind;
    const before = isDeepStrictEqual(previous, wanted)
      ? "Deleting this resource will leave that as it is."
      : `Before this program set that, it had ${text(previous)}.`;
    return `${this.#object(id)} already has the ${settings} ${text(wanted)}; nothing was sent. ${before}`;
  }

  /** The same where it is unknown who has set it. */
  unnoted(id: string, wanted: Values): string {
    return (
      `${this.unchanged(id, wanted, wanted)} The journal has nothing about it. ` +
      "If an interrupted deployment of this stack set it and its journal is lost, the previous value is unknown. Otherwise nothing is wrong."
    );
  }

  gone(id: string, why: string): string {
    return `${this.#object(id)} is gone: ${why}.`;
  }

  goneBefore(id: string, why: string): string {
    return `${this.#object(id)} is gone, so the previous ${this.#kind.settings} could not be restored: ${why}.`;
  }

  /** What was changed outside of this program; undefined when nothing was. */
  drift(id: string, known: Values, live: Values): string | undefined {
    const { text } = this.#kind;
    const from = differing(known, live);
    const to = Object.fromEntries(Object.keys(from).map((name) => [name, live[name] ?? null]));
    return Object.keys(from).length === 0
      ? undefined
      : `${capitalized(this.#what(id))} changed outside of this program: from ${text(from)} to ${text(to)}.`;
  }

  handedOn(id: string, previous: Values): string {
    const { settings, text } = this.#kind;
    const before = Object.keys(previous).length === 0 ? "" : ` Its previous ${settings}: ${text(previous)}.`;
    return `Nothing was restored: another resource of this program now sets ${this.#what(id)}.${before}`;
  }

  restored(id: string, values: Values): string {
    const { settings, text } = this.#kind;
    return `${this.#object(id)} has its previous ${settings} again: ${text(values)}.`;
  }

  /** What was to be restored has been set outside of this program. */
  changedOutside(
    id: string,
    was: { readonly set: Values; readonly now: Values; readonly before: Values },
  ): string {
    const { text } = this.#kind;
    const { set, now, before } = was;
    return `${capitalized(this.#what(id))} changed outside of this program, from ${text(set)} to ${text(now)}. That stays, and ${text(before)} was not restored.`;
  }

  interrupted(id: string): string {
    const { noun, settings } = this.#kind;
    return `The change of ${this.#what(id)} was interrupted, and the ${noun} has the old ${settings} or the new ${settings}.`;
  }

  /** What an earlier deployment that completed has set, and no later one has met. */
  unclaimed(id: string, previous: Values): string {
    return (
      `An earlier deployment of this stack set ${this.#what(id)}, and this one does not declare that. ` +
      'If its resource is in the state, as with "--target" or after an error, nothing is wrong. Otherwise nothing restores the ' +
      `previous ${this.#kind.settings}, ${this.#kind.text(previous)}. To restore that, declare the resource again and run "pulumi up", then remove it and run "pulumi up".`
    );
  }

  /** `the limits of project proj_1` */
  #what(id: string): string {
    return `the ${this.#kind.settings} of ${this.#name(id)}`;
  }

  /** `Project proj_1`, at the beginning of a sentence. */
  #object(id: string): string {
    return capitalized(this.#name(id));
  }

  #name(id: string): string {
    const { noun } = this.#kind;
    return id === noun ? `the ${noun}` : `${noun} ${id}`;
  }
}
