import type { EventSourceParser, ParserConfig } from "eventsource-parser";
import type { Dispatcher } from "undici";
import type { RequestContext } from "../../../errors.js";
import { timerMsMax } from "../../../text/duration.js";
import type { Call, Failure, Outcome } from "../call.js";
import { startDeadline } from "../connections/deadline.js";
import { failureFrom, type InterruptedCall, interrupted, unexpectedAnswer } from "../failures.js";
import { mediaType } from "../json.js";
import { contentEncoding } from "./body.js";
import { type ExchangeSettings, send } from "./exchange.js";

/** Largest event accepted, in bytes of its data. Enough for about a thousand fields of a page. */
export const eventBytesMax = 262_144;

/** Allowance for the field name before the data of an event, in characters. */
const fieldNameCharactersMax = 16;

/** Loads the parser with the first stream: an ES module, which not every `require` accepts. */
function newParser(config: ParserConfig): EventSourceParser {
  const { createParser } = require("eventsource-parser") as typeof import("eventsource-parser");
  return createParser(config);
}

/** The data of an event; null in place of one that is larger than `eventBytesMax`. */
export type EventData = string | null;

/**
 * Turns the bytes of an event stream, split anywhere, into the data of its events, as the standard
 * says. Skips comments, unknown fields, events without data, and one that the end of the stream
 * cuts off. Of an event that is too large, it keeps nothing and continues after its end. Broken
 * UTF-8 becomes U+FFFD.
 */
export class EventStreamDecoder {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #events: EventData[] = [];
  /** Most characters that the parser can hold of an event that is not complete. */
  #heldMax = 0;
  #hasOverflowed = false;
  readonly #overflow = new RestOfEvent();
  readonly #parser = newParser({
    // In characters, of which there are never more than bytes. The exact count follows below.
    maxBufferSize: eventBytesMax + fieldNameCharactersMax,
    onEvent: ({ data }) => {
      this.#heldMax = 0;
      if (data !== "") {
        this.#events.push(Buffer.byteLength(data) > eventBytesMax ? null : data);
      }
    },
    onError: ({ type }) => {
      this.#hasOverflowed ||= type === "max-buffer-size-exceeded";
    },
  });

  /** Takes the next piece; returns the data of the events that it completes. */
  push(piece: Uint8Array): readonly EventData[] {
    const text = this.#decoder.decode(piece, { stream: true });
    if (this.#heldMax + text.length <= eventBytesMax && !this.#overflow.isOpen) {
      this.#parser.feed(text);
    } else {
      // After an overflow the parser drops the rest of what it was fed, so it gets single lines.
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
    if (this.#overflow.isOpen) {
      this.#overflow.take(line);
      return;
    }
    this.#parser.feed(line);
    if (this.#hasOverflowed) {
      this.#hasOverflowed = false;
      this.#parser.reset();
      this.#events.push(null);
      this.#overflow.open(line);
    }
  }
}

/**
 * Splits a string into lines. Each keeps the character that ends it, and the last may lack one.
 * Looks at each character once: a pattern for a whole line backtracks over a long one without an
 * end, which takes forty times as long.
 */
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

/** The rest of an event that is dropped: everything up to the next empty line. */
class RestOfEvent {
  #isOpen = false;
  #isLineBegun = false;
  #mayBeWithinLineEnd = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins after `line`, a line or a part of one that is already dropped. */
  open(line: string): void {
    this.#isOpen = true;
    this.#isLineBegun = true;
    this.#mayBeWithinLineEnd = false;
    this.take(line);
  }

  /** Drops a line with its end, or a part of one. */
  take(line: string): void {
    const isRestOfLineEnd = this.#mayBeWithinLineEnd && line === "\n";
    this.#mayBeWithinLineEnd = line.endsWith("\r");
    if (isRestOfLineEnd) {
      return;
    }
    if (!line.endsWith("\r") && !line.endsWith("\n")) {
      this.#isLineBegun = true;
      return;
    }
    this.#isOpen = this.#isLineBegun || line.length > 1;
    this.#isLineBegun = false;
  }
}

/** An open event stream. Reads from its socket only when asked: a slow reader fills no memory. */
export class EventStream {
  /** Where the stream comes from. */
  readonly context: RequestContext;
  readonly #call: Call;
  readonly #interruption: InterruptedCall;
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #decoder = new EventStreamDecoder();
  readonly #end: AbortController;
  readonly #abort = () => this.#end.abort(this.#call.signal?.reason);
  #pending: Promise<IteratorResult<Uint8Array>> | undefined;

  /** Made by `openEventStream`. `end` closes the socket; the caller's signal does so too. */
  constructor(
    call: Call,
    { baseUrl, connections }: Pick<ExchangeSettings, "baseUrl" | "connections">,
    context: RequestContext,
    body: Dispatcher.ResponseData["body"],
    end: AbortController,
  ) {
    this.context = context;
    this.#call = call;
    this.#interruption = { call, baseUrl, proxy: connections.proxy, sent: true };
    this.#pieces = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    this.#end = end;
    if (call.signal?.aborted) {
      this.#abort();
    }
    call.signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /**
   * Waits up to `quietMs` milliseconds for the next piece of the stream. Returns the data of the
   * events that it completes, if any; undefined when no piece came. Fails when the stream ends or
   * breaks.
   */
  async next(quietMs: number): Promise<Outcome<readonly EventData[] | undefined>> {
    if (this.#pending === undefined) {
      this.#pending = this.#pieces.next();
      // It may fail while nobody waits; the next call finds the error.
      this.#pending.catch(() => {});
    }
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, Math.min(quietMs, timerMsMax), undefined);
    });
    try {
      const piece = await Promise.race([this.#pending, quiet]);
      if (piece === undefined) {
        return { value: undefined };
      }
      this.#pending = undefined;
      return piece.done === true
        ? { failure: this.failure("broken", "the service closed the event stream too early") }
        : { value: this.#decoder.push(piece.value) };
    } catch (error) {
      return { failure: failureFrom(this.#interruption, error) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** The failure of this stream when it is silent or ends. `why` says what happened. */
  failure(kind: "timeout" | "broken", why: string): Failure {
    return interrupted(this.#interruption, kind, why);
  }

  /** Closes the socket. */
  close(): void {
    this.#call.signal?.removeEventListener("abort", this.#abort);
    this.#end.abort();
  }
}

/**
 * Sends a call and returns its answer as an open stream, which has no time limit any more. Throws
 * `ContractError` when a success answer is not an event stream.
 */
export async function openEventStream(settings: ExchangeSettings, call: Call): Promise<Outcome<EventStream>> {
  const end = new AbortController();
  const opening = startDeadline(settings.deadlines.requestMs, call.signal);
  const giveUp = () => end.abort(opening.signal.reason);
  opening.signal.addEventListener("abort", giveUp, { once: true });
  let opened = false;
  try {
    const opens: Call = { ...call, accept: "text/event-stream", opensStream: true };
    return await send(settings, opens, opening, end.signal, async ({ header, context }, body) => {
      const refuse = (what: string) => unexpectedAnswer(call, context, what);
      const type = mediaType(header("content-type"));
      if (type !== "text/event-stream") {
        const got = type === "text/html" ? "an HTML page" : "another content type";
        throw refuse(`expected an event stream, got ${got}`);
      }
      if (contentEncoding(header) !== "") {
        throw refuse("the event stream is compressed, although the request asked for no compression");
      }
      opened = true;
      return { value: new EventStream(call, settings, context, body, end) };
    });
  } finally {
    opening.signal.removeEventListener("abort", giveUp);
    if (!opened) {
      end.abort();
    }
  }
}
