import { checkProjectId } from "../../config.js";
import { ApiError, type BrowserInfraError, ContractError, OutcomeUnknownError } from "../../errors.js";
import { type CleanText, containsSecret, type Redaction } from "../../text/redact.js";
import { paragraph } from "../../text/words.js";
import { isNotFound } from "../not-found.js";
import { isOutcomeUnknown, requestIdText } from "./api-error.js";
import type { Failure, HttpCall, HttpResponse, Outcome } from "./call.js";
import { type EventStream, openEventStream } from "./exchange/event-stream.js";
import { type ExchangeSettings, exchange } from "./exchange/exchange.js";
import { canceledError, contextOf, plainCause } from "./failures.js";
import { refuseKeyInPath } from "./path.js";
import { decideRetry, decideThrottled } from "./retry/decide.js";
import type { RetryOptions } from "./retry/options.js";
import type { OnRateLimitWait, RateGate } from "./retry/rate-gate.js";
import { describeRetryAfter } from "./retry/retry-after.js";

/** Settings of a transport. The key is compared with arguments that must not contain the key. */
interface TransportSettings extends ExchangeSettings {
  readonly apiKey: string;
  /** Shared by all clients of the account in the process. */
  readonly gate: RateGate;
  readonly onRateLimitWait?: OnRateLimitWait;
  readonly maxPages: number;
  readonly warn: (message: string) => void;
}

/**
 * Sends calls and converts every outcome to a value or an error, by three policies: `read`, `write`
 * and `set`. Followers of an event stream take single outcomes from `send` and `open` and retry in
 * their own rhythm.
 */
export class Transport {
  // Private, so that inspecting a client does not show the key.
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Time of the service, in milliseconds since 1970. Undefined before the first response. */
  serviceTime(): number | undefined {
    return this.#settings.serviceClock.now();
  }

  get retry(): RetryOptions {
    return this.#settings.retry;
  }

  /** Project of the requests, if any. */
  get projectId(): string | undefined {
    return this.#settings.projectId;
  }

  get maxPages(): number {
    return this.#settings.maxPages;
  }

  /** Reports a fact to the caller although nothing failed. See `ClientOptions.onWarning`. */
  warn(message: string): void {
    this.#settings.warn(message);
  }

  /** See `BrowserInfraClient.inProject`. */
  inProject(projectId: string | undefined, origin?: string): Transport {
    const { projectId: _former, ...others } = this.#settings.origins;
    const checked = projectId === undefined ? undefined : checkProjectId(projectId, origin);
    const origins = origin === undefined ? others : { ...others, projectId: origin };
    return new Transport({ ...this.#settings, projectId: checked, origins });
  }

  /** See `BrowserInfraClient.tellingWaits`. */
  tellingWaits(onRateLimitWait: OnRateLimitWait): Transport {
    return new Transport({ ...this.#settings, onRateLimitWait });
  }

  /** See `BrowserInfraClient.close`. */
  close(): Promise<void> {
    return this.#settings.connections.close();
  }

  /** Hides the API key, and every secret that the process knows, in text of the service. */
  get redaction(): Redaction {
    return this.#settings.redaction;
  }

  /** Makes foreign text fit for a message: without any secret, on a single line, bounded. */
  get clean(): CleanText {
    return this.redaction.clean;
  }

  /** Whether a value is, or contains, a secret such as the client's own API key. */
  isSecret(value: unknown): boolean {
    return typeof value === "string" && containsSecret(value, this.#settings.apiKey);
  }

  /** Whether a rate limit holds requests back now. */
  get isHeldBack(): boolean {
    return this.#settings.gate.isClosed;
  }

  /** Sends once, at the turn of the account. Throws `ContractError` for an unreadable success. */
  async send(call: HttpCall): Promise<Outcome> {
    return this.#inTurn(call, this.#settings.gate.now(), () => exchange(this.#settings, call));
  }

  /** Opens an event stream with a single send. The stream holds a connection until closed. */
  async open(call: HttpCall): Promise<Outcome<EventStream>> {
    return this.#inTurn(call, this.#settings.gate.now(), () => openEventStream(this.#settings, call));
  }

  /** Reads: up to `attempts` sends. `take` reads the response and may throw `ContractError`. */
  async read<T>(call: HttpCall, take: Take<T>): Promise<T> {
    return take(await this.#retried(call, retryAllPolicy));
  }

  /**
   * Writes: a single send, repeated only while a rate limit refuses the request (429, 425), so that
   * the write is never carried out twice. Throws `ApiError` when the service refused,
   * `ConnectionError` or `CanceledError` when nothing was carried out, and `OutcomeUnknownError` when
   * the write may have been carried out, also after a success with an unusable response.
   */
  async write<T>(call: HttpCall, take: Take<T>): Promise<T> {
    const sentOnce = "The request was not retried, because a second request might repeat the change.";
    return this.#written(call, take, sentOnce, {
      canRetry: ({ isThrottled }) => isThrottled === true,
      finalError: (error, doubt) =>
        doubt === undefined ? error : unknownOutcomeError(call, doubt, sentOnce, error),
    });
  }

  /**
   * Writes an absolute value: idempotent, therefore up to `attempts` sends. Ends as `write` does.
   * When an earlier send may have been carried out, a later refusal decides the outcome only if the
   * request is bad or the object does not exist.
   */
  async set<T>(call: HttpCall, take: Take<T>): Promise<T> {
    return this.#written(call, take, "", {
      ...retryAllPolicy,
      finalError: (error, doubt, sends) => {
        const refused = error instanceof ApiError && !isOutcomeUnknown(error.status);
        const settled = refused && (isNotFound(error) || [400, 413, 422].includes(error.status));
        if (doubt === undefined || settled) {
          return error;
        }
        const later = refused ? `, and a later attempt got status ${error.status}` : "";
        const tried = sends === 1 ? "" : `Tried ${sends} times.`;
        return unknownOutcomeError(call, doubt + later, tried, error);
      },
    });
  }

  /** Runs a write. A success with an unusable response becomes an `OutcomeUnknownError`, with `note`. */
  async #written<T>(call: HttpCall, take: Take<T>, note: string, policy: RetryPolicy): Promise<T> {
    try {
      return take(await this.#retried(call, policy));
    } catch (error) {
      const unusable = "the service accepted the request, but its response cannot be used";
      throw error instanceof ContractError ? unknownOutcomeError(call, unusable, note, error) : error;
    }
  }

  /** Sends a call until a success or a failure that must not be retried. */
  async #retried(call: HttpCall, { canRetry, finalError }: RetryPolicy): Promise<HttpResponse> {
    const { retry, gate } = this.#settings;
    const since = gate.now();
    let [sends, failed] = [0, 0];
    let doubt: string | undefined;
    for (;;) {
      const { value: reply, failure } = await this.#inTurn(call, since, () => {
        sends += 1;
        return exchange(this.#settings, call);
      });
      if (failure === undefined) {
        retry.budget.giveBack();
        return reply;
      }
      doubt = failure.unknownOutcomeReason ?? doubt;
      if (!canRetry(failure)) {
        throw finalError(failure.error(this.#retryAfterText(failure)), doubt, sends);
      }
      failed += failure.isThrottled ? 0 : 1;
      const { waitMs, note } = failure.isThrottled
        ? decideThrottled(retry, failure, sends, gate.isStuck(since, retry.maxThrottledMs))
        : decideRetry(retry, failed, failure, { sends });
      if (waitMs === undefined) {
        throw finalError(failure.error(note), doubt, sends);
      }
      try {
        if (waitMs > 0) {
          await retry.clock.sleep(waitMs, call.signal);
        }
      } catch (error) {
        throw finalError(canceledError(call, plainCause(error)), doubt, sends);
      }
    }
  }

  /** Waits at the gate, then sends. `since`: moment since which the request has waited. */
  async #inTurn<T>(call: HttpCall, since: number, send: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { apiKey, gate, retry, onRateLimitWait } = this.#settings;
    refuseKeyInPath(call, apiKey);
    let turn: Awaited<ReturnType<RateGate["enter"]>>;
    try {
      turn = await gate.enter(call, since, retry, onRateLimitWait);
    } catch (error) {
      return { failure: { error: () => canceledError(call, plainCause(error)), isTransient: false } };
    }
    if (typeof turn === "object") {
      return { failure: turn };
    }
    let failure: Failure | undefined;
    try {
      const outcome = await send();
      failure = outcome.failure;
      return outcome;
    } finally {
      gate.recordResult(turn, failure, retry);
    }
  }

  /** For a failure that is not retried: sentence with the wait requested by the service, if any. */
  #retryAfterText({ retryAfterMs }: Failure): string {
    return retryAfterMs === undefined ? "" : describeRetryAfter(retryAfterMs, this.retry.clock.now());
  }
}

/** Reads the response of a call. May throw `ContractError`. */
type Take<T> = (reply: HttpResponse) => T;

/** Retries and final error of a kind of call. */
interface RetryPolicy {
  /** Whether the failure may be retried at all. */
  readonly canRetry: (failure: Failure) => boolean;
  /** Chooses the error to throw. `doubt`: why any send may have been carried out. */
  readonly finalError: (
    error: BrowserInfraError,
    doubt: string | undefined,
    sends: number,
  ) => BrowserInfraError;
}

/** Policy of a read: whatever failed, nothing was changed. */
const retryAllPolicy: RetryPolicy = { canRetry: () => true, finalError: (error) => error };

function unknownOutcomeError(
  call: HttpCall,
  why: string,
  note: string,
  cause: BrowserInfraError,
): OutcomeUnknownError {
  const context =
    cause instanceof ApiError || cause instanceof ContractError ? cause.request : contextOf(call);
  const message = paragraph(
    `${call.operation} may or may not have happened: ${why}.`,
    note,
    call.unknownOutcomeAdvice ?? "Check the result before you repeat the request.",
    requestIdText(context),
  );
  return new OutcomeUnknownError(message, context, { cause });
}
