import { isNotFound } from "../../../client/not-found.js";
import { ApiError, InputError, OutcomeUnknownError } from "../../../errors.js";
import type { Call } from "../../call.js";
import { BorrowedTexts } from "../../messages/borrowed-settings.js";
import type { SentSetting } from "../marks.js";
import { continuesAdvice, findBestEffort, refreshAdvice, unknownOutcomeError } from "../requests.js";
import { type Borrowed, type BorrowedSettings, differing, type Values } from "./declaration.js";

/** Settings of an object according to the state: values set by the resource, and earlier values. */
export interface KnownSettings {
  readonly set: Values;
  /** Values before the first change by the resource. Deleting the resource restores these values. */
  readonly previous: Values;
  /** Values that requests without a response may have set, from the mark `unfinished` in the state. */
  readonly sent: readonly SentSetting[];
}

/** Names of the settings that the resource has set, or may have set by a request without a response. */
function namesIn({ set, sent }: KnownSettings): string[] {
  return [...new Set([...sent.flatMap(({ name }) => name ?? []), ...Object.keys(set)])];
}

/** Whether the resource has set the live value of a setting, or may have, by a request without a response. */
function isSetByResource(name: string, value: Values[string], { set, sent }: KnownSettings): boolean {
  const isSent = sent.some((each) => each.name === name && (each.value ?? null) === value);
  return set[name] === value || isSent;
}

/** Sets the declared values of objects, and restores the previous values that the state has recorded. */
export class SettingsOfObjects<In extends Borrowed, St extends Borrowed, Live> {
  readonly texts: BorrowedTexts;
  readonly #resource: BorrowedSettings<In, St, Live>;

  constructor(resource: BorrowedSettings<In, St, Live>) {
    this.#resource = resource;
    this.texts = new BorrowedTexts(resource);
  }

  /**
   * Plans the values of a create or an update. `target`: values to set, declared or restored; `restored`:
   * previous values of settings no longer declared; `previous`: previous values of declared settings, for the
   * state. `former`: in a create, settings in the state of the resource that managed the object before.
   */
  plan(
    id: string,
    inputs: In,
    now: Values,
    known: KnownSettings,
    former: KnownSettings | undefined,
    call: Call,
  ) {
    const wanted = this.#resource.declaredValues(inputs);
    const undeclared = namesIn(known).filter((name) => !Object.hasOwn(wanted, name));
    const restored = inputs.onDelete === "keep" ? {} : this.#restorable(id, undeclared, now, known, call);
    const pairs = Object.keys(wanted).map((name) => {
      const value = now[name] ?? null;
      const theirs = former?.set[name] === value ? former.previous[name] : undefined;
      return [name, [known.previous[name], theirs, value].find((each) => each !== undefined)];
    });
    const previous: Values = Object.fromEntries(pairs);
    return { target: { ...restored, ...wanted }, restored, previous };
  }

  /** For a deletion: restores the previous values, except of settings changed outside of the program. */
  async restore(id: string, known: KnownSettings, call: Call): Promise<void> {
    const { report } = call.context;
    const live = await this.#resource.find(id, call);
    if (typeof live === "string") {
      const { settingsNoun } = this.#resource;
      report.info(
        `${this.texts.object(id)} is gone, so the previous ${settingsNoun} could not be restored: ${live}.`,
      );
      return;
    }
    const target = this.#restorable(id, namesIn(known), this.#resource.liveValues(live), known, call);
    try {
      if ((await this.send(id, target, live, call, true)) !== undefined) {
        report.info(this.texts.restored(id, target));
      }
    } catch (error) {
      if (error instanceof OutcomeUnknownError || typeof (await this.#resource.find(id, call)) !== "string") {
        throw error;
      }
      // The object was deleted meanwhile.
    }
  }

  /** The object, if it has the values of a request without a response. */
  async #changed(id: string, changes: Values, call: Call): Promise<Live | undefined> {
    const live = await this.#resource.find(id, call);
    const has =
      typeof live !== "string" &&
      Object.keys(differing(changes, this.#resource.liveValues(live))).length === 0;
    return has ? live : undefined;
  }

  /** Selects the previous values to restore. Warns of, and skips, settings changed outside of the program. */
  #restorable(
    id: string,
    names: readonly string[],
    now: Values,
    known: KnownSettings,
    { context }: Call,
  ): Values {
    const restorable = names.flatMap((name) => {
      const before = known.previous[name];
      const value = now[name] ?? null;
      if (before === undefined || before === value) {
        return [];
      }
      if (!isSetByResource(name, value, known)) {
        const set = known.set[name] ?? null;
        const text = this.texts.changedOutside(id, { [name]: set }, { [name]: value }, { [name]: before });
        context.report.warning(text);
        return [];
      }
      return [[name, before]];
    });
    return Object.fromEntries(restorable);
  }

  /** Sends the values of `target` that differ from the live values. Returns undefined if none differs. */
  async send(
    id: string,
    target: Values,
    live: Live,
    call: Call,
    isLeaving = false,
  ): Promise<Live | undefined> {
    const changes = differing(target, this.#resource.liveValues(live));
    if (Object.keys(changes).length === 0) {
      return undefined;
    }
    try {
      return await this.#resource.send(id, changes, call);
    } catch (error) {
      if (error instanceof OutcomeUnknownError) {
        const present = await findBestEffort(() => this.#changed(id, changes, call), call.context);
        if (present !== undefined) {
          return present;
        }
        const advice = isLeaving ? refreshAdvice : continuesAdvice;
        throw unknownOutcomeError(error, call.context, this.texts.interrupted(id), advice);
      }
      if (isNotFound(error)) {
        // Throws the clearer error for a missing object.
        await this.#resource.require(id, call);
      }
      const isRefused = error instanceof InputError || (error instanceof ApiError && error.status === 400);
      throw isLeaving && isRefused
        ? error.withAdvice(
            'Set "onDelete" to "keep" and deploy, then delete the resource: nothing is restored then.',
          )
        : error;
    }
  }
}
