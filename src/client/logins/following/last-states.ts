/** States of a login stream: detection of repetitions. */
import { isDeepStrictEqual } from "node:util";
import type { LoginStateEvent } from "../login.js";

/** States of a flow that were reported last, so that no state is reported twice. */
export class LastStates {
  readonly #byOrigin: Partial<Record<LoginStateEvent["origin"], LoginStateEvent>> = {};
  #state: LoginStateEvent | undefined;

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
    }
    return isNew;
  }
}

/** Whether two states have the same content, whatever the times and origins. */
function isRepeat(state: LoginStateEvent, before: LoginStateEvent | undefined): boolean {
  const { timestamp, origin } = state;
  return before !== undefined && isDeepStrictEqual(state, { ...before, timestamp, origin });
}
