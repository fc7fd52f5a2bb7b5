/** Events of a stream: the kinds that every stream has, parsing, and the count of unreadable events. */
import { z } from "zod";
import type { Redaction } from "../../../text/redact.js";
import { type EventData, eventBytesMax } from "../../http/exchange/event-stream-decoder.js";
import { describeMismatch, withoutSecrets } from "../../http/json.js";
import { dateTime, errorBodySchema, ifReadable } from "../../schema.js";

/** Code and message, either of which the service may omit. */
export interface StreamErrorDetail {
  /** The code, such as `no_active_flow`. */
  readonly code: string | null;
  readonly message: string | null;
}

/** Error reported by the service inside an open stream. It does not decide the result of what is followed. */
export interface StreamErrorEvent {
  readonly event: "error";
  /** Time of the service's report, as an ISO 8601 date-time, if readable. */
  readonly timestamp: string | null;
  /** Error reported by the service, with details and an inner error if sent. */
  readonly error: StreamErrorDetail & {
    readonly details: readonly StreamErrorDetail[];
    readonly innerError: StreamErrorDetail | null;
  };
}

/** A sign of life while nothing happens. */
export interface StreamHeartbeatEvent {
  readonly event: "sse_heartbeat";
  /** Time at which the service sent the event, as an ISO 8601 date-time, if readable. */
  readonly timestamp: string | null;
}

/** Event of the kinds that every stream has. @internal */
export type SharedEvent = StreamErrorEvent | StreamHeartbeatEvent;

/** Schemas of events, by the value of `event`. Any other value is an unknown kind. @internal */
export type EventSchemas<Event extends { readonly event: string }> = Readonly<
  Record<Event["event"], z.ZodType<Event>>
>;

const timestamp = ifReadable(dateTime);

const detail = (wire: Partial<Record<"code" | "message", string | undefined>>): StreamErrorDetail => ({
  code: wire.code ?? null,
  message: wire.message ?? null,
});

/** Schemas of the events of every stream. @internal */
export const sharedSchemas: EventSchemas<SharedEvent> = {
  // The explanation is read as tolerantly as in an error response.
  error: z
    .object({ event: z.literal("error"), timestamp, error: errorBodySchema })
    .transform(({ error: { code, message, error, details = [], inner_error }, ...wire }) => ({
      ...wire,
      error: {
        ...detail({ code: code ?? error?.code, message: message ?? error?.message }),
        details: (typeof details === "string" ? [{ message: details }] : details).map(detail),
        innerError: inner_error === undefined ? null : detail(inner_error),
      },
    })),
  sse_heartbeat: z.object({ event: z.literal("sse_heartbeat"), timestamp }),
};

/** Whether an event is of a kind that every stream has. @internal */
export function isSharedEvent(event: { readonly event: string }): event is SharedEvent {
  return Object.hasOwn(sharedSchemas, event.event);
}

/** Codes of error events that a new stream would get again. Other errors may be transient. */
const permanentCodes: ReadonlySet<string> = new Set([
  "bad_request",
  "forbidden",
  "no_active_flow",
  "not_found",
  "project_not_found",
  "sdk_update_required",
  "sdk_upgrade_required",
  "unauthorized",
]);

/** Whether the error in an event may be transient, so that the stream is worth reopening. @internal */
export function isTransientEvent({ error }: StreamErrorEvent): boolean {
  return error.code === null || !permanentCodes.has(error.code);
}

/** Reads an event. A string is the problem of an unreadable event; undefined: unknown kind. @internal */
export function readEvent<Event extends { readonly event: string }>(
  data: EventData,
  schemas: EventSchemas<Event>,
  redaction: Redaction,
): Event | string | undefined {
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
  if (!Object.hasOwn(schemas, kind)) {
    return undefined;
  }
  const { data: event, error } = schemas[kind as Event["event"]].safeParse(value);
  return error === undefined ? event : `in an event, ${describeMismatch(error, value, "the event")}`;
}

/** Count of the unreadable events, so that a message can report missed events. @internal */
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
