import type { EventSourceParser, ParserConfig } from "eventsource-parser";

/** Largest event taken, in bytes of its data. Room for about a thousand fields of a page. */
export const eventBytesMax = 262_144;

/** Room for the name of the field before the data of an event, in characters. */
const fieldNameCharactersMax = 16;

/**
 * The parser is loaded with the first stream: it is an ES module, which Node's `require` takes and other loaders of CommonJS may not, and most
 * programs never open a stream.
 */
function newParser(config: ParserConfig): EventSourceParser {
  const { createParser } = require("eventsource-parser") as typeof import("eventsource-parser");
  return createParser(config);
}

/** An event, or a line that does not end, is larger than `eventBytesMax`. Internal: whoever follows the stream says which stream. */
export class EventTooLarge extends Error {}

/**
 * Turns the bytes of an event stream, split anywhere, into the data of its events, as the standard says: lines end with LF, CR or CRLF,
 * a byte order mark at the start, comments and unknown fields are passed over, and so is an event that has no data or that the end of the
 * stream cuts off. Broken UTF-8 becomes U+FFFD.
 */
export class EventStreamDecoder {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #events: string[] = [];
  #tooLarge = false;
  readonly #parser = newParser({
    // The parser counts characters, of which there are never more than bytes; the exact count follows once an event is whole.
    maxBufferSize: eventBytesMax + fieldNameCharactersMax,
    onEvent: ({ data }) => {
      if (data !== "") {
        this.#events.push(data);
      }
      this.#tooLarge ||= Buffer.byteLength(data) > eventBytesMax;
    },
    onError: ({ type }) => {
      this.#tooLarge ||= type === "max-buffer-size-exceeded";
    },
  });

  /** Takes the next piece and gives the data of the events that it completes. Throws `EventTooLarge`; nothing may follow then. */
  push(piece: Uint8Array): readonly string[] {
    this.#parser.feed(this.#decoder.decode(piece, { stream: true }));
    if (this.#tooLarge) {
      throw new EventTooLarge(`more than ${eventBytesMax} bytes`);
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
