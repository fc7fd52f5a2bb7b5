import { ApiError, type BrowserInfraError, ContractError, OutcomeUnknownError } from "../../errors.js";
import type { CleanText } from "../service-text.js";
import { refuseKeyInAddress } from "./address.js";
import { isNotFound, type Origins, refusal } from "./api-error.js";
import { canceled, connectionFailure, contextOf } from "./connection-failure.js";
import type { Connections } from "./connections.js";
import { type EventStream, openEventStream } from "./event-stream-connection.js";
import { type Call, type Deadlines, type ExchangeSettings, exchange, type Reply } from "./exchange.js";
import { Fault, plainCause } from "./failures.js";
import {
  decideRetry,
  describeRetryAfter,
  parseRetryAfter,
  type RetryOptions,
  type Trouble,
} from "./retry.js";

/** Statuses after which a read is sent again. Not 409 and no other 4xx: the same request would meet the same refusal. */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Longest request id kept from an answer, in characters. */
const requestIdCharactersMax = 128;

/** What a transport is made of. One set serves every project of a client. */
export interface TransportSettings {
  readonly connections: Connections;
  readonly deadlines: Deadlines;
  readonly retry: RetryOptions;
  readonly baseUrl: string;
  /** Sent with every request, the API key and the project among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Compared with addresses, where it must not be. */
  readonly apiKey: string;
  readonly clean: CleanText;
  readonly origins: Origins;
}

/** A whole answer, or how the request ended without one. */
type Outcome =
  | { readonly reply: Reply; readonly fault?: never }
  | { readonly reply?: never; readonly fault: Fault };

/** Why one send of a read failed. */
export interface FailedSend {
  readonly trouble: Trouble;
  /** The error to throw; `note` is a sentence on repeats, or empty. */
  readonly error: (note: string) => BrowserInfraError;
}

/** How one send of a read ended. */
export type SingleSend<T> =
  | { readonly value: T; readonly failed?: never }
  | { readonly value?: never; readonly failed: FailedSend };

/** The success after one or more sends, or the error of the last one and why an earlier or the last one may have been carried out. */
type Repeated =
  | { readonly reply: Reply; readonly error?: never }
  | { readonly error: BrowserInfraError; readonly sends: number; readonly doubt: string | undefined };

/**
 * Sends calls and gives every end its error: reads are repeated, writes are sent once and end done, failed or unknown, and writes
 * that set an absolute value are repeated like reads and end like writes.
 */
export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Makes text of the service or of a caller fit for a message: without the API key, one line, bounded. */
  clean(text: string): string {
    return this.#settings.clean(text);
  }

  /** A read: up to `attempts` sends. `take` turns the answer into a value and may throw `ContractError`, which is final. */
  async read<T>(call: Call, take: (reply: Reply) => T): Promise<T> {
    const end = await this.#repeat(call);
    if (end.error !== undefined) {
      throw end.error;
    }
    return take(end.reply);
  }

  /** One send of a read, for callers that repeat it in a rhythm of their own. `take` may throw `ContractError`. */
  async readOnce<T>(call: Call, take: (reply: Reply) => T): Promise<SingleSend<T>> {
    return this.#once(call, async () => {
      const outcome = await this.#exchange(call);
      const { reply } = outcome;
      return reply !== undefined && reply.status < 300 ? { value: take(reply) } : outcome;
    });
  }

  /** Opens an event stream: one send. The stream then holds a connection until it is closed. */
  async openEventStream(call: Call): Promise<SingleSend<EventStream>> {
    return this.#once(call, () =>
      this.#outcome(call, async (settings) => {
        const { stream, reply } = await openEventStream(settings, call);
        return stream === undefined ? { reply } : { value: stream };
      }),
    );
  }

  /** What a fault means for a caller that repeats by itself. */
  failed(call: Call, fault: Fault): FailedSend {
    return {
      trouble: this.#trouble(undefined, fault),
      error: (note) => this.#failure(call, fault, note),
    };
  }

  /**
   * A write: one send. Returns when the service says it is done. Throws `ApiError` when the service refused, `ConnectionError` or
   * `CanceledError` when it saw nothing, and `OutcomeUnknownError` for every other end.
   */
  async write<T>(call: Call, take: (reply: Reply) => T): Promise<T> {
    const sentOnce = "It is not sent again, so that nothing is done twice.";
    return doneOrUnknown(call, sentOnce, async () => {
      const outcome = await this.#exchange(call);
      const { reply, fault } = outcome;
      if (reply !== undefined && reply.status < 300) {
        return take(reply);
      }
      const error =
        reply === undefined
          ? this.#failure(call, fault, "")
          : this.#refusal(call, reply, this.#askedToWait(reply));
      const doubt = doubtAfter(outcome);
      throw doubt === undefined ? error : unknown(call, doubt, sentOnce, error);
    });
  }

  /**
   * A write that sets an absolute value, so that sending it twice does what sending it once does: up to `attempts` sends, as a read.
   * Ends as `write` does. When an earlier send may have been carried out, the refusal of a later one settles the matter only if it says that
   * the request is bad or that the thing is gone; any other is an `OutcomeUnknownError`.
   */
  async set<T>(call: Call, take: (reply: Reply) => T): Promise<T> {
    return doneOrUnknown(call, "", async () => {
      const end = await this.#repeat(call);
      if (end.error === undefined) {
        return take(end.reply);
      }
      const { error, doubt, sends } = end;
      const refused = error instanceof ApiError && error.status < 500 && error.status !== 408;
      const settled = refused && (isNotFound(error) || [400, 413, 422].includes(error.status));
      if (doubt === undefined || settled) {
        throw error;
      }
      const later = refused ? `, and a later try was answered ${error.status}` : "";
      throw unknown(call, doubt + later, sends === 1 ? "" : `Tried ${sends} times.`, error);
    });
  }

  /** Sends a call until it succeeds, fails for good, or may not be sent again. */
  async #repeat(call: Call): Promise<Repeated> {
    const { retry } = this.#settings;
    let doubt: string | undefined;
    for (let sends = 1; ; sends++) {
      const outcome = await this.#exchange(call);
      const { reply, fault } = outcome;
      if (reply !== undefined && reply.status < 300) {
        retry.budget.giveBack();
        return { reply };
      }
      doubt = doubtAfter(outcome) ?? doubt;
      const decision = decideRetry(retry, sends, this.#trouble(reply, fault));
      if ("note" in decision) {
        const { note } = decision;
        const error =
          reply === undefined ? this.#failure(call, fault, note) : this.#refusal(call, reply, note);
        return { error, sends, doubt };
      }
      try {
        await retry.clock.sleep(decision.waitMs, call.signal);
      } catch (error) {
        return { error: canceled(call, plainCause(error)), sends, doubt };
      }
    }
  }

  async #once<T>(call: Call, send: () => Promise<Outcome | { readonly value: T }>): Promise<SingleSend<T>> {
    try {
      const end = await send();
      if ("value" in end) {
        return end;
      }
      const { reply, fault } = end;
      if (reply === undefined) {
        return { failed: this.failed(call, fault) };
      }
      const error = (note: string) => this.#refusal(call, reply, note);
      return { failed: { trouble: this.#trouble(reply, undefined), error } };
    } catch (error) {
      if (!(error instanceof ContractError)) {
        throw error;
      }
      return { failed: unreadable(error) };
    }
  }

  async #exchange(call: Call): Promise<Outcome> {
    return this.#outcome(call, async (settings) => ({ reply: await exchange(settings, call) }));
  }

  async #outcome<T>(
    call: Call,
    send: (settings: ExchangeSettings) => Promise<T>,
  ): Promise<T | { readonly reply?: never; readonly fault: Fault }> {
    const { apiKey, clean } = this.#settings;
    refuseKeyInAddress(call, apiKey);
    const cleanRequestId = (id: string) => clean(id, requestIdCharactersMax);
    try {
      return await send({ ...this.#settings, cleanRequestId });
    } catch (error) {
      if (error instanceof Fault) {
        return { fault: error };
      }
      throw error;
    }
  }

  #trouble(reply: Reply | undefined, fault: Fault | undefined): Trouble {
    if (reply === undefined) {
      const passing = fault?.kind === "timeout" || fault?.kind === "unreachable" || fault?.kind === "broken";
      return { passing, timedOut: fault?.kind === "timeout", retryAfterMs: undefined, forbidden: false };
    }
    return {
      passing: passingStatuses.has(reply.status),
      timedOut: reply.status === 408 || reply.status === 504,
      retryAfterMs: this.#retryAfterMs(reply),
      forbidden: reply.header("x-should-retry")?.trim().toLowerCase() === "false",
    };
  }

  #retryAfterMs(reply: Reply): number | undefined {
    return parseRetryAfter(reply.header("retry-after"), this.#settings.retry.clock.now());
  }

  #askedToWait(reply: Reply): string {
    const retryAfterMs = this.#retryAfterMs(reply);
    return retryAfterMs === undefined
      ? ""
      : describeRetryAfter(retryAfterMs, this.#settings.retry.clock.now());
  }

  #refusal(call: Call, reply: Reply, note: string): BrowserInfraError {
    return refusal(call, reply, note, this.#settings.clean, this.#settings.origins);
  }

  #failure(call: Call, fault: Fault, note: string): BrowserInfraError {
    return connectionFailure(call, fault, note, this.#settings.baseUrl);
  }
}

/** An answer in another form than agreed. It may pass: a page of something between here and the service looks the same. */
export function unreadable(error: ContractError): FailedSend {
  return {
    trouble: { passing: true, timedOut: false, retryAfterMs: undefined, forbidden: false },
    error: () => error,
  };
}

/** Why the request may have been carried out although no success came back; undefined when it certainly was not. */
function doubtAfter({ reply, fault }: Outcome): string | undefined {
  if (reply === undefined) {
    return fault.sent ? fault.message : undefined;
  }
  return reply.status === 408 || reply.status >= 500 ? `the service answered ${reply.status}` : undefined;
}

/** Runs a write; a success whose answer is unusable becomes an `OutcomeUnknownError`. */
async function doneOrUnknown<T>(call: Call, note: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ContractError)) {
      throw error;
    }
    throw unknown(call, "the service agreed, but its answer is unusable", note, error);
  }
}

function unknown(call: Call, why: string, note: string, cause: BrowserInfraError): OutcomeUnknownError {
  const context =
    cause instanceof ApiError || cause instanceof ContractError ? cause.request : contextOf(call);
  const sentences = [
    `${call.doing} may or may not have happened: ${why}.`,
    note,
    call.ifUnknown ?? "Look before you repeat it.",
    context.requestId === undefined ? "" : `Request id: ${context.requestId}.`,
  ];
  return new OutcomeUnknownError(sentences.filter(Boolean).join(" "), context, { cause });
}
