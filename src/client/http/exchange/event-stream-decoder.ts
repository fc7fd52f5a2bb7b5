import type { EventSourceParser, ParserConfig } from "eventsource-parser";

/** Largest event accepted, in bytes of its data. Enough for about a thousand fields of a page. */
export const eventBytesMax = 262_144;

/** Allowance for the field name before the data of an event, in characters. */
const fieldNameCharactersMax = 16;

/** Loads the parser with the first stream: an ES module, which not every `require` accepts. */
function newParser(config: ParserConfig): EventSourceParser {
  const { createParser } = require("eventsource-parser") as typeof import("eventsource-parser");
  return createParser(config);
}

/** Data of an event; null in place of an event larger than `eventBytesMax`. */
export type EventData = string | null;

/**
 * Converts the bytes of an event stream, split anywhere, to the data of events, by the standard.
 * Skips comments, unknown fields, events without data, and an event cut off by the end of the
 * stream. Keeps nothing of an event that is too large, and continues after its end. Broken UTF-8
 * becomes U+FFFD.
 */
export class EventStreamDecoder {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #events: EventData[] = [];
  /** Maximum number of characters that the parser can hold of an incomplete event. */
  #heldMax = 0;
  #hasOverflowed = false;
  /** Whether the parser holds the rest of an event that is too large. */
  #isDropping = false;
  readonly #parser = newParser({
    // In characters, of which there are never more than bytes. The exact count follows below.
    maxBufferSize: eventBytesMax + fieldNameCharactersMax,
    onEvent: ({ data }) => {
      this.#heldMax = 0;
      if (this.#isDropping) {
        this.#isDropping = false;
      } else if (data !== "") {
        this.#events.push(Buffer.byteLength(data) > eventBytesMax ? null : data);
      }
    },
    onError: ({ type }) => {
      this.#hasOverflowed ||= type === "max-buffer-size-exceeded";
    },
  });

  /** Takes the next piece; returns the data of the events completed by the piece. */
  push(piece: Uint8Array): readonly EventData[] {
    const text = this.#decoder.decode(piece, { stream: true });
    if (this.#heldMax + text.length <= eventBytesMax && !this.#isDropping) {
      this.#parser.feed(text);
    } else {
      // After an overflow the parser drops the rest of its input, so the parser gets single lines.
      for (const line of linesOf(text)) {
        this.#takeLine(line);
      }
    }
    this.#heldMax += text.length;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #takeLine(line: string): void {
    this.#parser.feed(line);
    if (this.#hasOverflowed) {
      this.#hasOverflowed = false;
      if (!this.#isDropping) {
        this.#events.push(null);
      }
      this.#isDropping = true;
      // The rest becomes an event of its own, so that the parser reports the end.
      this.#parser.reset();
      this.#parser.feed(`data:${line.replace(/[^\r\n]+/, "")}`);
    }
  }
}

/** Splits text into lines with their ends. A pattern for a line takes forty times as long. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (const { index } of text.matchAll(/[\r\n]/g)) {
    yield text.slice(start, index + 1);
    start = index + 1;
  }
  if (start < text.length) {
    yield text.slice(start);
  }
}
