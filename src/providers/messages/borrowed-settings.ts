import { isDeepStrictEqual } from "node:util";
import { capitalized } from "../../text/words.js";
import {
  type Borrowed,
  type BorrowedSettings,
  differing,
  type Values,
} from "../core/borrowed/declaration.js";

/** Part of a kind's declaration that messages use, such as the nouns `project` and `limits`. */
type MessageNouns = Pick<
  BorrowedSettings<Borrowed, Borrowed, unknown>,
  "resource" | "noun" | "settingsNoun" | "describe"
>;

/** Messages about the settings of a kind, such as the limits of projects. */
export class BorrowedTexts {
  readonly #kind: MessageNouns;

  constructor(kind: MessageNouns) {
    this.#kind = kind;
  }

  rival(id: string, rival: string): string {
    return `Two resources of this program set ${this.#settingsOf(id)}; the other one is ${rival}. Declare everything in one ${this.#kind.resource}.`;
  }

  /** Message of a create that has sent nothing: the object already has the declared settings. */
  unchanged(id: string, wanted: Values, previous: Values): string {
    const { settingsNoun, describe } = this.#kind;
    const before = isDeepStrictEqual(previous, wanted)
      ? "Deleting this resource leaves the present values: values from before an interrupted deployment of this stack are not known."
      : `The previous values, from before this program: ${describe(previous)}.`;
    return `${this.object(id)} already has the ${settingsNoun} ${describe(wanted)}; nothing was sent. ${before}`;
  }

  /** Message of a refresh: settings were changed outside of this program. Undefined without changes. */
  drift(id: string, known: Values, live: Values): string | undefined {
    const { describe } = this.#kind;
    const from = differing(known, live);
    const to = Object.fromEntries(Object.keys(from).map((name) => [name, live[name] ?? null]));
    return Object.keys(from).length === 0
      ? undefined
      : `${capitalized(this.#settingsOf(id))} changed outside of this program: from ${describe(from)} to ${describe(to)}.`;
  }

  transferred(id: string, previous: Values): string {
    const { settingsNoun, describe } = this.#kind;
    const before =
      Object.keys(previous).length === 0 ? "" : ` Its previous ${settingsNoun}: ${describe(previous)}.`;
    return `Nothing was restored: another resource of this program now sets ${this.#settingsOf(id)}.${before} If that resource has recorded the values set by this resource as previous values, deleting that resource restores them. With an alias to this resource, that resource inherits the earlier values.`;
  }

  restored(id: string, values: Values): string {
    const { settingsNoun, describe } = this.#kind;
    return `${this.object(id)} has its previous ${settingsNoun} again: ${describe(values)}.`;
  }

  /** Warning: a setting was changed outside of this program, so the previous value is not restored. */
  changedOutside(id: string, set: Values, now: Values, before: Values): string {
    const { describe } = this.#kind;
    return `${capitalized(this.#settingsOf(id))} changed outside of this program, from ${describe(set)} to ${describe(now)}. The outside change stays; the previous value ${describe(before)} was not restored.`;
  }

  interrupted(id: string): string {
    const { noun, settingsNoun } = this.#kind;
    return `The change of ${this.#settingsOf(id)} was interrupted, and the ${noun} has the old ${settingsNoun} or the new ${settingsNoun}.`;
  }

  /** Settings of an object, for a message: `the limits of project proj_1`. */
  #settingsOf(id: string): string {
    return `the ${this.#kind.settingsNoun} of ${this.#name(id)}`;
  }

  /** Object at the beginning of a sentence: `Project proj_1`. */
  object(id: string): string {
    return capitalized(this.#name(id));
  }

  #name(id: string): string {
    const { noun } = this.#kind;
    return id === noun ? `the ${noun}` : `${noun} ${id}`;
  }
}
