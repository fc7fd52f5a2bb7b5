import type { Dispatcher } from "undici";
import { timerMsMax } from "../../duration.js";
import { ContractError, type RequestContext } from "../../errors.js";
import { startDeadline, untilAborted } from "./deadline.js";
import { EventStreamDecoder, EventTooLarge } from "./event-stream.js";
import {
  type Call,
  type ExchangeSettings,
  exchangeFault,
  isEncoded,
  type Reply,
  readHead,
  send,
} from "./exchange.js";
import { faultFrom } from "./failures.js";
import { mediaType } from "./json.js";
import { discardBody, readErrorBody } from "./reply-body.js";
import { unexpectedAnswer } from "./unexpected-answer.js";

/** What the next look at an event stream found: data of events, none within the time given, or the end of the stream. */
export type StreamPart = readonly string[] | "quiet" | "ended";

/** An open event stream. It reads from its socket only when asked, so that a slow reader holds up the sender and fills no memory. */
export class EventStream {
  /** Where the stream came from. */
  readonly context: RequestContext;
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #decoder = new EventStreamDecoder();
  readonly #end: AbortController;
  readonly #caller: AbortSignal | undefined;
  readonly #abort = () => this.#end.abort(this.#caller?.reason);
  #pending: Promise<IteratorResult<Uint8Array>> | undefined;

  /** `end` closes the socket; `caller` leads to that. Made by `openEventStream`. */
  constructor(
    context: RequestContext,
    body: Dispatcher.ResponseData["body"],
    end: AbortController,
    caller: AbortSignal | undefined,
  ) {
    this.context = context;
    this.#pieces = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    this.#end = end;
    this.#caller = caller;
    if (caller?.aborted) {
      this.#abort();
    }
    caller?.addEventListener("abort", this.#abort, { once: true });
  }

  /**
   * Waits up to `quietMs` milliseconds for the next piece of the stream. A piece may complete no event, as a comment does.
   * Throws `Fault` when the connection breaks, `EventTooLarge` for an event without measure.
   */
  async next(quietMs: number): Promise<StreamPart> {
    if (this.#pending === undefined) {
      this.#pending = this.#pieces.next();
      // It may fail while nobody looks; the next look finds it.
      this.#pending.catch(() => {});
    }
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<"quiet">((resolve) => {
      timer = setTimeout(resolve, Math.min(quietMs, timerMsMax), "quiet");
    });
    try {
      const found = await Promise.race([this.#pending, quiet]);
      if (found === "quiet") {
        return found;
      }
      this.#pending = undefined;
      return found.done === true ? "ended" : this.#decoder.push(found.value);
    } catch (error) {
      throw error instanceof EventTooLarge ? error : faultFrom(error, true);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the socket. */
  close(): void {
    this.#caller?.removeEventListener("abort", this.#abort);
    this.#end.abort();
  }
}

/**
 * Sends a call and gives its answer as an open stream, or whole when its status is an error. Up to then the time limits of a request hold;
 * an open stream has none. Throws `Fault` when no answer came, `ContractError` when a success answer is no event stream.
 */
export async function openEventStream(
  settings: ExchangeSettings,
  call: Call,
): Promise<
  | { readonly stream: EventStream; readonly reply?: never }
  | { readonly stream?: never; readonly reply: Reply }
> {
  let sent = false;
  const end = new AbortController();
  const opening = startDeadline(settings.deadlines.requestMs, call.signal);
  const giveUp = () => end.abort(opening.signal.reason);
  opening.signal.addEventListener("abort", giveUp, { once: true });
  try {
    call.signal?.throwIfAborted();
    const onSent = () => {
      sent = true;
    };
    const response = await untilAborted(opening.signal, send(settings, call, end.signal, onSent));
    const { body } = response;
    const head = readHead(settings, call, response);
    if (head.status >= 300) {
      return { reply: { ...head, bytes: await readErrorBody(body) } };
    }
    const type = mediaType(head.header("content-type"));
    const problem =
      type !== "text/event-stream"
        ? `${type === "text/html" ? "an HTML page" : "another content type"}, where an event stream is due`
        : isEncoded(head.header)
          ? "the event stream is compressed, although that was not asked for"
          : undefined;
    if (problem !== undefined) {
      discardBody(body);
      throw unexpectedAnswer(call, head.context, problem);
    }
    return { stream: new EventStream(head.context, body, end, call.signal) };
  } catch (error) {
    end.abort();
    if (error instanceof ContractError) {
      throw error;
    }
    throw exchangeFault(error, sent, call.signal, opening);
  } finally {
    opening.stop();
    opening.signal.removeEventListener("abort", giveUp);
  }
}
