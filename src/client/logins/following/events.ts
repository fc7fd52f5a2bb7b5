/** Events of a login stream: parsing, and detection of repetitions. */
import { isDeepStrictEqual } from "node:util";
import type { Redaction } from "../../../text/redact.js";
import { type EventData, eventBytesMax } from "../../http/exchange/event-stream-decoder.js";
import { describeMismatch, withoutSecrets } from "../../http/json.js";
import { type LoginErrorEvent, type LoginEvent, type LoginStateEvent, loginEventSchemas } from "../login.js";

/** Reads an event. A string is the problem of an unreadable event; undefined: unknown kind. */
export function readLoginEvent(data: EventData, redaction: Redaction): LoginEvent | string | undefined {
  if (data === null) {
    return `an event has more than ${eventBytesMax} bytes`;
  }
  let value: unknown;
  try {
    value = withoutSecrets(JSON.parse(data), redaction);
  } catch {
    return "an event is not valid JSON";
  }
  const { event: kind } = Object(value) as { readonly event?: unknown };
  if (typeof kind !== "string") {
    return 'an event has no member "event" that names its kind';
  }
  if (!Object.hasOwn(loginEventSchemas, kind)) {
    return undefined;
  }
  const { data: event, error } = loginEventSchemas[kind as LoginEvent["event"]].safeParse(value);
  return error === undefined ? event : `in an event, ${describeMismatch(error, value, "the event")}`;
}

/** Count of the unreadable events, so that a message can report missed events. */
export class UnreadableEvents {
  #count = 0;
  #inRow = 0;
  #last = "";

  /** Counts an unreadable event; `what` is the problem. Returns the number in a row. */
  add(what: string): number {
    this.#count++;
    this.#inRow++;
    this.#last = what;
    return this.#inRow;
  }

  /** Ends the row: an event was readable. */
  endRow(): void {
    this.#inRow = 0;
  }

  /** Sentence about the skipped events, for the end of a message; empty without any. */
  get skippedText(): string {
    if (this.#count === 0) {
      return "";
    }
    return this.#count === 1
      ? `One event was skipped: ${this.#last}.`
      : `${this.#count} events were skipped; with the last one, ${this.#last}.`;
  }
}

/** State and error of a flow that were reported last, so that nothing is reported twice. */
export class LastEvents {
  readonly #byOrigin: Partial<Record<LoginStateEvent["origin"], LoginStateEvent>> = {};
  #state: LoginStateEvent | undefined;
  #error: LoginErrorEvent | undefined;

  get state(): LoginStateEvent | undefined {
    return this.#state;
  }

  /**
   * Whether a state is new; a new state becomes the last reported state. Also compares with the
   * last state from the same origin, so that a stream and a record that permanently differ do not
   * alternate.
   */
  recordState(state: LoginStateEvent): boolean {
    const ofOrigin = this.#byOrigin[state.origin];
    const isNew = !isRepeat(state, this.#state) && (ofOrigin === this.#state || !isRepeat(state, ofOrigin));
    this.#byOrigin[state.origin] = state;
    if (isNew) {
      this.#state = state;
      this.#error = undefined;
    }
    return isNew;
  }

  /** Whether an error is new; the error becomes the error reported last. */
  recordError(error: LoginErrorEvent): boolean {
    const isNew = !isRepeat(error, this.#error);
    this.#error = error;
    return isNew;
  }
}

/** Members in which two events with the same content may differ. */
const circumstances: ReadonlySet<string> = new Set(["timestamp", "origin"]);

/** Whether two events have the same content, whatever the times and origins. */
function isRepeat<E extends LoginStateEvent | LoginErrorEvent>(event: E, before: E | undefined): boolean {
  if (before === undefined) {
    return false;
  }
  const others = (Object.keys(event) as (keyof E & string)[]).filter(
    (name) => !circumstances.has(name) && event[name] !== before[name],
  );
  // Objects last: nearly always a plain member differs too.
  const isObject = (name: keyof E) => typeof event[name] === "object" && typeof before[name] === "object";
  return others.every(isObject) && others.every((name) => isDeepStrictEqual(event[name], before[name]));
}
