/** Events of a login stream: detection of repetitions. */
import { isDeepStrictEqual } from "node:util";
import type { LoginErrorEvent, LoginStateEvent } from "../login.js";

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
