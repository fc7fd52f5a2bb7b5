import { Readable } from "node:stream";
import type { RequestContext } from "../../../errors.js";
import { timerMsMax } from "../../../text/duration.js";
import type { Failure, HttpCall, Outcome } from "../call.js";
import { startDeadline } from "../connections/deadline.js";
import {
  failureFrom,
  type InterruptedCall,
  interruptionFailure,
  unexpectedResponseError,
  unusableFailure,
} from "../failures.js";
import { mediaType } from "../json.js";
import { contentEncoding } from "./body.js";
import { decoded, isSupported, UndecodableBody } from "./content-encoding.js";
import { type EventData, EventStreamDecoder } from "./event-stream-decoder.js";
import { type ExchangeSettings, send } from "./exchange.js";

/** Beginnings of an event stream: a field, a comment or an empty line. */
const beginnings = ["data:", "event:", "id:", "retry:", ":", "\n", "\r"];

const byteOrderMark = "\u00ef\u00bb\u00bf";

/** Whether the first bytes, as Latin-1 text, may begin an event stream. */
function canBeginStream(text: string): boolean {
  const start = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
  return [...beginnings, byteOrderMark].some((each) => each.startsWith(start) || start.startsWith(each));
}

/** An open event stream. Reads from the socket only on request: a slow reader fills no memory. */
export class EventStream {
  readonly context: RequestContext;
  readonly #call: HttpCall;
  readonly #interruption: InterruptedCall;
  readonly #body: Readable;
  readonly #encoding: string;
  readonly #decoder = new EventStreamDecoder();
  readonly #end: AbortController;
  readonly #abort = () => this.#end.abort(this.#call.signal?.reason);
  /** First bytes of a stream without a content type, until the form is verified; then undefined. */
  #beginning: string | undefined;
  /** Reason why nothing more comes. */
  #endFailure: Failure | undefined;
  /** Ends the wait for a piece; false: no piece came. */
  #wake: ((hasCome: boolean) => void) | undefined;
  /** Moments of `performance.now()`: when the wait ends, and when the timer fires. */
  #quietAt = 0;
  #timerAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Called by `openEventStream`. `end` closes the socket, as does the caller's signal. */
  constructor(
    call: HttpCall,
    { baseUrl, connections }: Pick<ExchangeSettings, "baseUrl" | "connections">,
    context: RequestContext,
    body: Readable,
    { encoding, hasType }: { readonly encoding: string; readonly hasType: boolean },
    end: AbortController,
  ) {
    this.context = context;
    this.#call = call;
    this.#interruption = { call, baseUrl, proxy: connections.proxy, sent: true };
    this.#encoding = encoding;
    this.#body =
      encoding === "" ? body : Readable.from(decoded(pieces(body), encoding), { objectMode: false });
    this.#beginning = hasType ? undefined : "";
    this.#end = end;
    this.#body
      .on("readable", () => this.#endWait(true))
      .on("end", () => this.#finish(this.failure("broken", "the service closed the event stream too early")))
      .on("error", (error) => this.#finish(this.#failureOf(error)));
    if (call.signal?.aborted) {
      this.#abort();
    }
    call.signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** Data of the events completed by the next piece; undefined if none came in `quietMs`. */
  async next(quietMs: number): Promise<Outcome<readonly EventData[] | undefined>> {
    for (;;) {
      const piece: Buffer | null = this.#endFailure === undefined ? this.#body.read() : null;
      if (piece !== null && this.#verifyForm(piece)) {
        return { value: this.#decoder.push(piece) };
      }
      if (this.#endFailure !== undefined) {
        return { failure: this.#endFailure };
      }
      if (!(await this.#wait(quietMs))) {
        return { value: undefined };
      }
    }
  }

  /** Failure of a stream that is silent or ends. `why`: what happened. */
  failure(kind: "timeout" | "broken", why: string): Failure {
    return interruptionFailure(this.#interruption, kind, why);
  }

  close(): void {
    this.#call.signal?.removeEventListener("abort", this.#abort);
    clearTimeout(this.#timer);
    this.#end.abort();
  }

  #wait(quietMs: number): Promise<boolean> {
    this.#startTimer(Math.min(quietMs, timerMsMax));
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Sets the timer for the end of a wait. Keeps an earlier timer: pieces come quickly. */
  #startTimer(milliseconds: number): void {
    this.#quietAt = performance.now() + milliseconds;
    if (this.#timer !== undefined && this.#timerAt <= this.#quietAt) {
      return;
    }
    clearTimeout(this.#timer);
    this.#timerAt = this.#quietAt;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const leftMs = this.#quietAt - performance.now();
      if (leftMs <= 0) {
        this.#endWait(false);
      } else if (this.#wake !== undefined) {
        this.#startTimer(leftMs);
      }
    }, milliseconds);
  }

  #endWait(hasCome: boolean): void {
    this.#wake?.(hasCome);
    this.#wake = undefined;
  }

  #finish(failure: Failure): void {
    this.#endFailure ??= failure;
    this.#endWait(true);
  }

  #failureOf(error: unknown): Failure {
    return error instanceof UndecodableBody
      ? this.#unexpected(`the event stream is not valid ${this.#encoding}`)
      : failureFrom(this.#interruption, error);
  }

  #unexpected(what: string): Failure {
    return unusableFailure(unexpectedResponseError(this.#call, this.context, what));
  }

  /** Whether type or form identifies an event stream. Otherwise, the stream is over. */
  #verifyForm(piece: Buffer): boolean {
    if (this.#beginning === undefined) {
      return true;
    }
    this.#beginning += piece.toString("latin1", 0, 16);
    if (!canBeginStream(this.#beginning)) {
      this.#endFailure = this.#unexpected("expected an event stream, got a body without a content type");
      return false;
    }
    if (this.#beginning.length >= 16) {
      this.#beginning = undefined;
    }
    return true;
  }
}

async function* pieces(body: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  yield* body as AsyncIterable<Uint8Array>;
}

/** Opens an event stream. Throws `ContractError` for a success response that is no event stream. */
export async function openEventStream(
  settings: ExchangeSettings,
  call: HttpCall,
): Promise<Outcome<EventStream>> {
  const end = new AbortController();
  const opening = startDeadline(settings.deadlines.requestMs, call.signal);
  const giveUp = () => end.abort(opening.signal.reason);
  opening.signal.addEventListener("abort", giveUp, { once: true });
  let opened = false;
  try {
    const opens: HttpCall = { ...call, accept: "text/event-stream", opensStream: true };
    return await send(settings, opens, opening, end.signal, async ({ header, context }, body) => {
      const refuse = (what: string) => unexpectedResponseError(call, context, what);
      const type = mediaType(header("content-type"));
      if (type !== "text/event-stream" && type !== "") {
        const got = type === "text/html" ? "an HTML page" : "another content type";
        throw refuse(`expected an event stream, got ${got}`);
      }
      const encoding = contentEncoding(header);
      if (!isSupported(encoding)) {
        throw refuse("the event stream has an unsupported compression");
      }
      opened = true;
      const form = { encoding, hasType: type !== "" };
      return { value: new EventStream(call, settings, context, body, form, end) };
    });
  } finally {
    opening.signal.removeEventListener("abort", giveUp);
    if (!opened) {
      end.abort();
    }
  }
}
