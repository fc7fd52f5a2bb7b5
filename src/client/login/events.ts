/** The events of a login stream: how they are read, and which of them are new. */
import { isDeepStrictEqual } from "node:util";
import type { ContractError, RequestContext } from "../../errors.js";
import type { Call } from "../http/call.js";
import { unexpectedAnswer } from "../http/failures.js";
import { describeMismatch } from "../http/json.js";
import type { LoginErrorEvent, LoginEvent, LoginStateEvent } from "../types.js";
import { loginEventSchemas } from "../wire/login.js";

/** Reads the data of one event. Undefined: its kind, the member `event`, is unknown. */
export function readLoginEvent(
  data: string,
  call: Pick<Call, "operation">,
  context: RequestContext,
): LoginEvent | ContractError | undefined {
  const fail = (what: string) => unexpectedAnswer(call, context, what);
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return fail("an event is not valid JSON");
  }
  const { event: kind } = Object(value) as { readonly event?: unknown };
  if (typeof kind !== "string") {
    return fail('an event has no member "event" that names its kind');
  }
  if (!Object.hasOwn(loginEventSchemas, kind)) {
    return undefined;
  }
  const { data: event, error } = loginEventSchemas[kind as LoginEvent["event"]].safeParse(value);
  return error === undefined ? event : fail(`in an event, ${describeMismatch(error, value, "the event")}`);
}

/** What was last reported about a flow, so that nothing is reported twice. */
export class LastEvents {
  readonly #byOrigin: Partial<Record<LoginStateEvent["origin"], LoginStateEvent>> = {};
  #state: LoginStateEvent | undefined;
  #error: LoginErrorEvent | undefined;

  /** The state reported last. */
  get state(): LoginStateEvent | undefined {
    return this.#state;
  }

  /**
   * Whether a state is new; it then is the one reported last. Also compared with the last one from
   * the same origin, so that a stream and a record that permanently differ do not alternate.
   */
  isNewState(state: LoginStateEvent): boolean {
    const ofOrigin = this.#byOrigin[state.origin];
    const isNew = !repeats(state, this.#state) && (ofOrigin === this.#state || !repeats(state, ofOrigin));
    this.#byOrigin[state.origin] = state;
    if (isNew) {
      this.#state = state;
      this.#error = undefined;
    }
    return isNew;
  }

  /** Whether an error is new; it then is the one reported last. */
  isNewError(error: LoginErrorEvent): boolean {
    const isNew = !repeats(error, this.#error);
    this.#error = error;
    return isNew;
  }
}

/** Whether an event says the same as another, whatever their times and origins. */
function repeats<E extends LoginStateEvent | LoginErrorEvent>(event: E, before: E | undefined): boolean {
  const content = (each: E) => ({ ...each, timestamp: "", origin: "" });
  return before !== undefined && isDeepStrictEqual(content(event), content(before));
}
