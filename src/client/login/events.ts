import { isDeepStrictEqual } from "node:util";
import { describeMismatch } from "../http/json.js";
import type { AuthConnection, LoginErrorEvent, LoginEvent, LoginStateEvent } from "../types.js";
import { loginEventSchemas } from "../wire/login.js";

/** What the data of an event says; neither member is there for an event of an unknown kind. */
export type EventReading =
  | { readonly event: LoginEvent; readonly problem?: never }
  /** What is wrong with the event. */
  | { readonly event?: never; readonly problem: string }
  | { readonly event?: never; readonly problem?: never };

/** Reads the data of one event. Its member `event` decides on the kind, not the line of that name before it. */
export function readLoginEvent(data: string): EventReading {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return { problem: "an event is not valid JSON" };
  }
  const kind = typeof value === "object" && value !== null && "event" in value ? value.event : undefined;
  if (typeof kind !== "string") {
    return { problem: 'an event has no member "event" that says its kind' };
  }
  if (!Object.hasOwn(loginEventSchemas, kind)) {
    return {};
  }
  const result = loginEventSchemas[kind as LoginEvent["event"]].safeParse(value);
  if (result.success) {
    return { event: result.data };
  }
  return { problem: `in an event, ${describeMismatch(result.error, value, "the event")}` };
}

/** The state of a flow as the connection's record tells it at the time `now`; undefined when it tells of no flow. */
export function loginStateOf(connection: AuthConnection, now: number): LoginStateEvent | undefined {
  const { flowStatus } = connection;
  if (flowStatus === null) {
    return undefined;
  }
  return {
    event: "managed_auth_state",
    origin: "connection",
    timestamp: new Date(now).toISOString(),
    flowStatus,
    flowStep: connection.flowStep,
    flowType: connection.flowType,
    fields: connection.fields,
    choices: connection.choices,
    discoveredFields: connection.discoveredFields,
    mfaOptions: connection.mfaOptions,
    signInOptions: connection.signInOptions,
    pendingSsoButtons: connection.pendingSsoButtons,
    externalActionMessage: connection.externalActionMessage,
    websiteError: connection.websiteError,
    errorMessage: connection.errorMessage,
    errorCode: connection.errorCode,
    postLoginUrl: connection.postLoginUrl,
    liveViewUrl: connection.liveViewUrl,
    hostedUrl: connection.hostedUrl,
  };
}

const finalStatuses: ReadonlySet<string> = new Set(["SUCCESS", "FAILED", "EXPIRED", "CANCELED"]);

/** Whether a flow that stands like this is over. A status that is not known is taken for one on the way. */
export function isFinal({ flowStatus }: Pick<LoginStateEvent, "flowStatus">): boolean {
  return finalStatuses.has(flowStatus);
}

/** What was last given of a flow, so that no state is given twice. */
export class LastStates {
  readonly #byOrigin: Partial<Record<LoginStateEvent["origin"], LoginStateEvent>> = {};
  #given: LoginStateEvent | undefined;

  /** The state given last. */
  get given(): LoginStateEvent | undefined {
    return this.#given;
  }

  /**
   * Takes a state; true when it is news, which is then the one given last. It is compared also with the last of its own origin: the stream and
   * the record may lastingly differ in a member, and would otherwise make each other news without end.
   */
  take(state: LoginStateEvent): boolean {
    const ofOrigin = this.#byOrigin[state.origin];
    const isNews = !repeats(state, this.#given) && (ofOrigin === this.#given || !repeats(state, ofOrigin));
    this.#byOrigin[state.origin] = state;
    if (isNews) {
      this.#given = state;
    }
    return isNews;
  }
}

/** Whether an event tells what another has told already, whenever and by whatever way. */
export function repeats<E extends LoginStateEvent | LoginErrorEvent>(
  event: E,
  before: E | undefined,
): boolean {
  const content = (each: E) => ({ ...each, timestamp: "", origin: "" });
  return before !== undefined && isDeepStrictEqual(content(event), content(before));
}
