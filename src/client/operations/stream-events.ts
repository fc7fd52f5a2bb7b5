/** Events of a stream: parsing, and the count of unreadable events. */
import type { z } from "zod";
import type { Redaction } from "../../text/redact.js";
import { type EventData, eventBytesMax } from "../http/exchange/event-stream-decoder.js";
import { describeMismatch, withoutSecrets } from "../http/json.js";

/** Schemas of the events of a stream, by the value of `event`. Any other value is an unknown kind. */
export type EventSchemas<Event extends { readonly event: string }> = Readonly<
  Record<Event["event"], z.ZodType<Event>>
>;

/** Reads an event. A string is the problem of an unreadable event; undefined: unknown kind. */
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
