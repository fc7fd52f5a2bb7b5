import { isNotFound } from "../../../client/refusals.js";
import { ApiError, InputError, OutcomeUnknownError } from "../../../errors.js";
import type { Call } from "../../call.js";
import { type Entries, orLater } from "../entries.js";
import { digestOf, type NotedEntry, type Values } from "../entry.js";
import { continuesAdvice, sendNoted, stillUnknown } from "../requests.js";
import type { Borrowed, BorrowedSettings } from "./declaration.js";
import { differing, hasSent, type Known, previousOfAll, sentBy, unlessRestored } from "./previous.js";
import { BorrowedTexts } from "./texts.js";

/** A change of the settings of one object. */
interface Change<Live> {
  readonly op: "change" | "remove";
  /** What is to be. What is so already is not sent. */
  readonly target: Values;
  /** What the state will have then. */
  readonly stored: Values;
  readonly live: Live;
  readonly known: Known;
}

/** Gives objects their settings, and restores the previous ones. Notes each request. */
export class SettingsOfObjects<In extends Borrowed, St extends Borrowed, Live> {
  readonly texts: BorrowedTexts;
  readonly #resource: BorrowedSettings<In, St, Live>;

  constructor(resource: BorrowedSettings<In, St, Live>) {
    this.#resource = resource;
    this.texts = new BorrowedTexts(resource);
  }

  entries(call: Call): Entries {
    return call.entries(this.#resource.kind);
  }

  /**
   * Gives the object what inputs declare, and restores what they no longer declare. Returns what
   * everything declared was before. `known`: undefined for a new resource. `former`: what the state
   * says of another resource that had the object until now.
   */
  async apply(
    id: string,
    inputs: In,
    live: Live,
    { known = { set: {}, previous: {} }, former }: { known?: Known; former?: Known | undefined },
    call: Call,
  ): Promise<{ readonly live: Live; readonly previous: Values; readonly isSent: boolean }> {
    const wanted = this.#resource.wanted(inputs);
    const now = this.#resource.live(live);
    const entry = unlessRestored(this.entries(call).about(id));
    const every: Known = {
      set: { ...sentBy(entry), ...known.set },
      previous: { ...entry?.previous, ...known.previous },
    };
    const left = Object.keys(every.set).filter((name) => !Object.hasOwn(wanted, name));
    const restored = inputs.onDelete === "keep" ? {} : this.#restorable(id, left, now, every, entry, call);
    const previous = previousOfAll(Object.keys(wanted), now, { known, entry, stored: former });
    const changed = await this.#set(
      id,
      {
        op: "change",
        target: { ...restored, ...wanted },
        stored: wanted,
        live,
        known: { set: known.set, previous: { ...every.previous, ...previous } },
      },
      call,
    );
    if (Object.keys(restored).length > 0) {
      call.context.report.info(this.texts.restored(id, restored));
    }
    return { live: changed ?? live, previous, isSent: changed !== undefined };
  }

  /** Restores the previous values, except those that were changed outside of this program. */
  async restore(id: string, known: Known, call: Call): Promise<void> {
    const { report } = call.context;
    const entries = this.entries(call);
    const entry = entries.about(id);
    const live = await this.#resource.find(id, call);
    if (typeof live === "string") {
      entries.drop(entry);
      report.info(this.texts.goneBefore(id, live));
      return;
    }
    const set = { ...sentBy(entry), ...known.set };
    const now = this.#resource.live(live);
    const target = this.#restorable(id, Object.keys(set), now, { ...known, set }, entry, call);
    let changed: Live | undefined;
    try {
      changed = await this.#set(id, { op: "remove", target, stored: target, live, known }, call);
    } catch (error) {
      if (error instanceof OutcomeUnknownError || typeof (await this.#resource.find(id, call)) !== "string") {
        throw error;
      }
      // Deleted in between.
      entries.drop(entries.about(id));
      return;
    }
    if (changed !== undefined) {
      report.info(this.texts.restored(id, target));
    }
  }

  /**
   * The resource goes, and another one has the object already. That one took for previous what this
   * one had set, and corrects it in the next run.
   */
  handOn(id: string, { set, previous }: Known, call: Call): void {
    const entries = this.entries(call);
    const entry = unlessRestored(entries.about(id));
    call.context.report.info(this.texts.handedOn(id, previous));
    const theirs = entry?.sent?.at(-1) ?? {};
    const found = Object.entries(entry?.previous ?? {}).filter(([name, value]) => set[name] !== value);
    this.#note(entries, {
      op: "change",
      id,
      sent: [set, ...(entry?.sent ?? [])],
      previous: { ...previous, ...Object.fromEntries(found) },
      // If the other one has not set everything of this, its next run restores the rest. No state
      // has that, also not this resource's own, should the engine not write that it is gone.
      answered: Object.keys(set).every((name) => Object.hasOwn(theirs, name)) ? entry?.answered : "handed on",
      isHandedOn: true,
    });
  }

  /** The previous values to restore: those of settings that still are as the resource set them. */
  #restorable(
    id: string,
    names: readonly string[],
    now: Values,
    { set, previous }: Known,
    entry: NotedEntry | undefined,
    call: Call,
  ): Values {
    return Object.fromEntries(
      names.flatMap((name) => {
        const before = previous[name];
        const value = now[name] ?? null;
        if (before === undefined || before === value) {
          return [];
        }
        if (set[name] !== value && !hasSent(entry, name, value)) {
          const was = {
            set: { [name]: set[name] ?? null },
            now: { [name]: value },
            before: { [name]: before },
          };
          call.context.report.warning(this.texts.changedOutside(id, was));
          return [];
        }
        return [[name, before]];
      }),
    );
  }

  /** Sends what differs, noted before and after. Undefined when there is nothing to send. */
  async #set(
    id: string,
    { op, target, stored, live, known }: Change<Live>,
    call: Call,
  ): Promise<Live | undefined> {
    const entries = this.entries(call);
    const present = entries.about(id);
    const earlier = unlessRestored(present);
    const changes = differing(target, this.#resource.live(live));
    const answered = { answered: digestOf(stored) };
    const intent = {
      op,
      id,
      sent: [...(earlier?.sent ?? []), known.set, target],
      previous: known.previous,
      isHandedOn: op === "change" ? earlier?.isHandedOn : undefined,
    };
    if (Object.keys(changes).length === 0) {
      if (earlier !== undefined) {
        this.#note(entries, { ...intent, ...answered });
      } else if (op === "change") {
        // What a deletion restored was set again outside of this program.
        entries.drop(present);
      }
      return undefined;
    }
    const isLeaving = op === "remove";
    try {
      return await sendNoted(
        entries,
        {
          intent,
          isLeaving,
          send: () => this.#resource.send(id, changes, call),
          answered: () => answered,
          resolve: (outcome) => {
            throw stillUnknown(outcome, call.context, this.texts.interrupted(id), continuesAdvice);
          },
        },
        call.context.report,
      );
    } catch (error) {
      throw await this.#explained(id, error, isLeaving, call);
    }
  }

  async #explained(id: string, error: unknown, isLeaving: boolean, call: Call): Promise<unknown> {
    if (isNotFound(error)) {
      // Throws what says better that the object is gone.
      await this.#resource.require(id, call);
    }
    return isLeaving && (error instanceof InputError || (error instanceof ApiError && error.status === 400))
      ? error.withAdvice(
          'Set "onDelete" to "keep" and deploy, then delete the resource: nothing is restored then.',
        )
      : error;
  }

  /** Notes what is known already. If that fails, a later run finds out. */
  #note(entries: Entries, entry: Parameters<Entries["intend"]>[0]): void {
    orLater(() => entries.intend(entry));
  }
}
