import { isDeepStrictEqual } from "node:util";
import { ApiError, type BrowserInfraError } from "../../../errors.js";
import { paragraph } from "../../../text/words.js";
import type { CallOptions, Failure, HttpCall, Outcome } from "../../http/call.js";
import { type Deadline, startDeadline } from "../../http/connections/deadline.js";
import type { EventStream } from "../../http/exchange/event-stream.js";
import {
  canceledError,
  catchUnusable,
  unexpectedResponseError,
  unusableFailure,
} from "../../http/failures.js";
import { type RecordRequest, readRecordOnce } from "../../http/record-calls.js";
import type { Transport } from "../../http/transport.js";
import { isMissingOperation } from "../../not-found.js";
import { withDefaults } from "../../options.js";
import type { StreamLimits } from "./limits.js";
import { Reconnects } from "./reconnects.js";
import {
  type EventSchemas,
  isSharedEvent,
  isTransientEvent,
  readEvent,
  type SharedEvent,
  type StreamErrorEvent,
  sharedSchemas,
  UnreadableEvents,
} from "./stream-events.js";

/** Life of a stream that counts as progress, in milliseconds. */
const steadyMsMin = 10_000;

/** Time for a new stream to report the present state before the record is read. Milliseconds. */
const firstStateMs = 2_000;

/** Maximum number of unreadable events in a row before a stream counts as broken. */
const unreadableInRowMax = 100;

/** What is followed: a record whose status decides about the end, with a stream at `events` below its path. */
interface Followed<Event extends { readonly event: string }, Live> {
  readonly record: RecordRequest<Live>;
  /** Action, as the beginning of a sentence: `Following the deployment "abc"`. */
  readonly operation: string;
  /** Schemas of the events besides errors and heartbeats. */
  readonly schemas: EventSchemas<Event>;
  readonly defaults: { readonly [Limit in keyof Omit<StreamLimits, "signal">]-?: number };
  /** Whether heartbeats are returned. Default: false. */
  readonly showsHeartbeats?: boolean;
}

/**
 * Moment of a read of the record, relative to streams. `gone`: the service reports nothing to follow
 * any more, so the end in the record is the end of what was followed.
 */
export type ReadPhase = "before" | "beside" | "between" | "after" | "gone";

/** Meaning of an event, or of a record. Omitted members: no end, no failure, no state, nothing shown. */
export interface Judged<Event, End> {
  readonly end?: { readonly value: End };
  /** Only for a record: only a new stream can tell whether the end in the record counts. */
  readonly reopen?: boolean;
  /** Error reported by the service. A transient error ends nothing, and the record is read soon. */
  readonly failure?: Failure;
  /** Whether it is a state in progress. */
  readonly isState?: boolean;
  /** Event that the reader gets. None for a repetition. */
  readonly shown?: Event | undefined;
}

/** Result of following a stream. */
type StreamEnd<End> = Outcome<End> | "reopen";

/**
 * Follows an event stream until the record of the service has a final state: never until a silence. A
 * stream that breaks is reopened, and the record is read beside and between streams. Nothing is sent before
 * the first event is requested. `Own`: events besides errors and heartbeats. `End`: last event, or undefined
 * without one.
 */
export abstract class Follower<Own extends { readonly event: string }, End extends Own | undefined, Live>
  implements AsyncIterableIterator<Own | SharedEvent>
{
  protected readonly transport: Transport;
  protected readonly reconnects: Reconnects;
  /** Whether the service has reported the record. Until then a failure may be permanent. */
  protected isReported = false;
  readonly #followed: Followed<Own, Live>;
  readonly #schemas: EventSchemas<Own | SharedEvent>;
  readonly #limits: Followed<Own, Live>["defaults"] & CallOptions;
  readonly #unreadable = new UnreadableEvents();
  readonly #stop = new AbortController();
  readonly #events: AsyncGenerator<Own | SharedEvent, undefined>;
  #lastError: StreamErrorEvent | undefined;
  #hasReturned = false;

  /** Throws `InputError` for a limit that is not positive. */
  constructor(transport: Transport, followed: Followed<Own, Live>, { signal, ...limits }: StreamLimits) {
    this.transport = transport;
    this.#followed = followed;
    this.#schemas = { ...sharedSchemas, ...followed.schemas };
    this.#limits = { ...withDefaults("", followed.defaults, limits), signal };
    this.reconnects = new Reconnects(transport.retry, this.#limits.maxReconnects);
    this.#events = this.#run();
  }

  protected abstract see(event: Own): Judged<Own, End>;
  protected abstract judge(record: Live, phase: ReadPhase): Judged<Own, End>;
  /** Error when the time is up. `skipped`: sentence about unreadable events, or empty. */
  protected abstract timedOut(seconds: number, skipped: string): Error;
  /** Error for the service's last error event. `note`: a sentence about retries, or empty. */
  protected abstract reported(event: StreamErrorEvent, note: string): BrowserInfraError;

  /** Query of the next stream. Default: none. */
  protected query(): URLSearchParams | undefined {
    return undefined;
  }

  /** Waits until there is something to follow. False: nothing is followed. */
  protected async prepare(_deadline: Deadline): Promise<boolean> {
    return true;
  }

  /** Notes a new state: failures before it no longer count, and an error may be reported again. */
  protected noteNews(): void {
    this.reconnects.noteProgress();
    this.#lastError = undefined;
  }

  /** Reads the record, with a single send. */
  protected readOnce(signal: AbortSignal | undefined): Promise<Outcome<Live>> {
    return readRecordOnce(this.transport, { ...this.#followed.record, signal });
  }

  /** Called when a stream opens. */
  protected noteOpened(): void {}

  /** Whether the failure of the last stream says that there is nothing to follow any more. */
  protected isGone({ error, isTransient }: Failure): boolean {
    const refusal = isTransient ? undefined : error("");
    return refusal instanceof ApiError && [404, 409, 410].includes(refusal.status);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Own | SharedEvent, undefined>> {
    return this.#events.next();
  }

  /** Ends the iteration immediately, also while waiting for an event. */
  return(): Promise<IteratorResult<Own | SharedEvent, undefined>> {
    this.#hasReturned = true;
    this.#stop.abort();
    return this.#events.return(undefined);
  }

  async *#run(): AsyncGenerator<Own | SharedEvent, undefined> {
    const { signal, timeoutMs } = this.#limits;
    const stop = () => this.#stop.abort();
    signal?.addEventListener("abort", stop, { once: true });
    const deadline = startDeadline(timeoutMs, this.#stop.signal);
    let end: End | undefined;
    try {
      signal?.throwIfAborted();
      end = (await this.prepare(deadline)) ? yield* this.#follow(deadline) : undefined;
    } catch (error) {
      // The stop made the request in progress fail.
      if (this.#hasReturned) {
        return;
      }
      if (signal?.aborted) {
        throw canceledError(this.#request());
      }
      throw deadline.hasExpired() ? this.timedOut(deadline.seconds(), this.#unreadable.skippedText) : error;
    } finally {
      deadline.stop();
      signal?.removeEventListener("abort", stop);
    }
    // Only now, so that a reader who requests no further event leaves nothing open.
    if (end !== undefined) {
      yield end as Own;
    }
  }

  /** Request of the next stream. */
  #request(): HttpCall {
    const { record, operation } = this.#followed;
    const { path, notFoundAdvice } = record;
    const query = this.query();
    return {
      ...{ method: "GET", path: `${path}/events`, operation },
      ...(notFoundAdvice !== undefined && { notFoundAdvice }),
      ...(query && { query }),
    };
  }

  /** Yields every event except the end, and returns the end. */
  async *#follow(deadline: Deadline): AsyncGenerator<Own | SharedEvent, End> {
    const { signal } = deadline;
    for (;;) {
      const call: HttpCall = { ...this.#request(), signal };
      const opened = await catchUnusable(() => this.transport.open(call));
      const ended: StreamEnd<End> =
        opened.failure === undefined ? yield* this.#readStream(call, opened.value) : opened;
      if (ended === "reopen") {
        continue;
      }
      const { value: end, failure } = ended;
      if (failure === undefined) {
        return end as End;
      }
      signal.throwIfAborted();
      const note = await this.reconnects.pause(failure, deadline, this.isReported);
      const givesUp = note !== undefined;
      // The record may contain states that the stream cannot report, and shows a state in progress.
      if (!givesUp || this.isReported || failure.isTransient) {
        const final = this.isGone(failure) ? "gone" : "after";
        const recorded = yield* this.#readRecord(
          signal,
          givesUp ? final : this.isReported ? "between" : "before",
        );
        if (recorded !== undefined && recorded !== "reopen") {
          return recorded.value;
        }
      }
      if (givesUp) {
        throw failure.error(paragraph(note, this.#unreadable.skippedText));
      }
    }
  }

  /** Yields the events of a stream. Returns the end, or why the stream is over. */
  async *#readStream(call: HttpCall, stream: EventStream): AsyncGenerator<Own | SharedEvent, StreamEnd<End>> {
    const { idleMs, recheckMs } = this.#limits;
    const openedAt = performance.now();
    this.isReported = true;
    this.noteOpened();
    let checkAt = openedAt + Math.min(firstStateMs, recheckMs);
    let idleAt = openedAt + idleMs;
    /** Error of the service without a later state in the stream. */
    let reported: Failure | undefined;
    const soon = () => Math.min(checkAt, performance.now() + Math.min(firstStateMs, recheckMs));
    try {
      for (;;) {
        const quietMs = Math.max(0, Math.min(checkAt, idleAt) - performance.now());
        const { value: piece, failure } = await stream.next(quietMs);
        call.signal?.throwIfAborted();
        if (failure !== undefined) {
          return { failure: reported ?? failure };
        }
        if (piece === undefined) {
          if (idleAt <= checkAt) {
            const silence = stream.failure("timeout", `nothing was received for ${idleMs / 1000} s`);
            return { failure: reported ?? silence };
          }
          // While a rate limit holds reads back, the read would hold up the stream's reports.
          const ended = this.transport.isHeldBack
            ? undefined
            : yield* this.#readRecord(call.signal, "beside");
          if (ended !== undefined) {
            return ended;
          }
          checkAt = performance.now() + recheckMs;
          continue;
        }
        for (const data of piece) {
          const event = readEvent(data, this.#schemas, this.transport.redaction);
          if (typeof event === "string") {
            if (this.#unreadable.add(event) > unreadableInRowMax) {
              return { failure: unusableFailure(unexpectedResponseError(call, stream.context, event)) };
            }
            // The event may have been a state. The record then contains the state.
            checkAt = soon();
            continue;
          }
          this.#unreadable.endRow();
          const seen: Judged<Own | SharedEvent, End> = event === undefined ? {} : this.#see(event);
          if (seen.end !== undefined) {
            return seen.end;
          }
          if (seen.isState) {
            reported = undefined;
          }
          if (seen.shown !== undefined) {
            yield seen.shown;
          }
          if (seen.isState) {
            checkAt = performance.now() + recheckMs;
          }
          if (seen.failure !== undefined) {
            reported = seen.failure;
            if (!reported.isTransient) {
              return { failure: reported };
            }
            // The service decides whether the stream ends with the error, so the record is read
            // soon.
            checkAt = soon();
          }
          call.signal?.throwIfAborted();
        }
        // Time in which the reader handled events is not silence of the stream.
        idleAt = performance.now() + idleMs;
      }
    } finally {
      stream.close();
      if (performance.now() - openedAt >= steadyMsMin) {
        this.reconnects.noteProgress();
      }
    }
  }

  #see(event: Own | SharedEvent): Judged<Own | SharedEvent, End> {
    if (isSharedEvent(event)) {
      if (event.event === "sse_heartbeat") {
        return this.#followed.showsHeartbeats ? { shown: event } : {};
      }
      const isNew = !isDeepStrictEqual(event.error, this.#lastError?.error);
      this.#lastError = event;
      const error = (note: string) => this.reported(event, note);
      return { failure: { error, isTransient: isTransientEvent(event) }, shown: isNew ? event : undefined };
    }
    return this.see(event);
  }

  /**
   * Reads the record and yields a new state, or returns the end. Throws only before and between streams, for
   * a permanent failure that is not about the record only.
   */
  async *#readRecord(
    signal: AbortSignal | undefined,
    phase: ReadPhase,
  ): AsyncGenerator<Own, { readonly value: End } | "reopen" | undefined> {
    const { value: record, failure } = await this.readOnce(signal);
    signal?.throwIfAborted();
    if (failure !== undefined) {
      const error = failure.error("");
      if (failure.isTransient || !["before", "between"].includes(phase) || isAboutRecordOnly(error)) {
        return undefined;
      }
      throw error;
    }
    const { end, reopen, isState, shown } = this.judge(record, phase);
    if (isState) {
      this.isReported = true;
      this.reconnects.noteAlive();
    }
    if (shown !== undefined) {
      yield shown;
    }
    return reopen ? "reopen" : end;
  }
}

/** Whether a refusal to read the record does not concern the stream. */
function isAboutRecordOnly(error: unknown): boolean {
  return isMissingOperation(error) || (error instanceof ApiError && error.status === 403);
}
