import { checkProjectId } from "../../config.js";
import { ApiError, type BrowserInfraError, ContractError, OutcomeUnknownError } from "../../errors.js";
import { type CleanText, isSecretKey } from "../../text/redact.js";
import { paragraph } from "../../text/words.js";
import { isNotFound, requestIdText } from "./api-error.js";
import type { Call, Outcome, Reply } from "./call.js";
import { type EventStream, openEventStream } from "./event-stream.js";
import { type ExchangeSettings, exchange } from "./exchange.js";
import { canceled, contextOf, plainCause } from "./failures.js";
import { refuseKeyInPath } from "./path.js";
import { decideRetry, describeRetryAfter, type RetryOptions } from "./retry.js";

/** What a transport is made of. The key is compared with arguments, where it must not be. */
interface TransportSettings extends ExchangeSettings {
  readonly apiKey: string;
  readonly maxPages: number;
}

/**
 * Sends calls and turns every outcome into a value or an error, by one of three policies: `read`,
 * `write` and `set`. Whoever follows an event stream takes single outcomes from `send` and `open`
 * and retries in its own rhythm.
 */
export class Transport {
  // Private, so that inspecting a client does not show the key.
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  get retry(): RetryOptions {
    return this.#settings.retry;
  }

  /** Most pages that one list reads. */
  get maxPages(): number {
    return this.#settings.maxPages;
  }

  /** See `BrowserInfraClient.inProject`. */
  inProject(projectId: string | undefined): Transport {
    const { projectId: _former, ...origins } = this.#settings.origins;
    const checked = projectId === undefined ? undefined : checkProjectId(projectId);
    return new Transport({ ...this.#settings, projectId: checked, origins });
  }

  /** See `BrowserInfraClient.close`. */
  close(): Promise<void> {
    return this.#settings.connections.close();
  }

  /** Makes foreign text fit for a message: without the API key, one line, bounded. */
  get clean(): CleanText {
    return this.#settings.clean;
  }

  /** Whether a value is, or holds, a secret such as the client's own API key. */
  isSecret(value: unknown): boolean {
    return typeof value === "string" && isSecretKey(value, this.#settings.apiKey);
  }

  /**
   * One send. Follows no redirect and decodes no compression. Throws `ContractError` for a success
   * answer that is compressed or too large.
   */
  async send(call: Call): Promise<Outcome> {
    refuseKeyInPath(call, this.#settings.apiKey);
    return exchange(this.#settings, call);
  }

  /** Opens an event stream: one send. The stream holds a connection until it is closed. */
  async open(call: Call): Promise<Outcome<EventStream>> {
    refuseKeyInPath(call, this.#settings.apiKey);
    return openEventStream(this.#settings, call);
  }

  /** A read: up to `attempts` sends. `take` reads the answer and may throw `ContractError`. */
  async read<T>(call: Call, take: (reply: Reply) => T): Promise<T> {
    return take(await this.#retried(call, (error) => error));
  }

  /**
   * A write: one send. Throws `ApiError` when the service refused, `ConnectionError` or
   * `CanceledError` when nothing was sent, and `OutcomeUnknownError` unless it is done for certain.
   */
  async write<T>(call: Call, take: (reply: Reply) => T): Promise<T> {
    const sentOnce = "It was not retried, to avoid doing it twice.";
    return doneOrUnknown(call, sentOnce, async () => {
      const { value: reply, failure } = await this.send(call);
      if (failure === undefined) {
        return take(reply);
      }
      const { doubt, retryAfterMs } = failure;
      const now = this.retry.clock.now();
      const error = failure.error(retryAfterMs === undefined ? "" : describeRetryAfter(retryAfterMs, now));
      throw doubt === undefined ? error : unknown(call, doubt, sentOnce, error);
    });
  }

  /**
   * A write that sets an absolute value, so that it may be sent twice: up to `attempts` sends. Ends
   * as `write` does. When an earlier send may have been carried out, a later refusal settles the
   * matter only if it says that the request is bad or that the object is gone.
   */
  async set<T>(call: Call, take: (reply: Reply) => T): Promise<T> {
    return doneOrUnknown(call, "", async () =>
      take(
        await this.#retried(call, (error, doubt, sends) => {
          const refused = error instanceof ApiError && error.status < 500 && error.status !== 408;
          const settled = refused && (isNotFound(error) || [400, 413, 422].includes(error.status));
          if (doubt === undefined || settled) {
            return error;
          }
          const later = refused ? `, and a later attempt got status ${error.status}` : "";
          return unknown(call, doubt + later, sends === 1 ? "" : `Tried ${sends} times.`, error);
        }),
      ),
    );
  }

  /**
   * Sends a call until it succeeds or must not be sent again. Then `settle` decides on the error,
   * given that of the last send, why any send may have been carried out, and their number.
   */
  async #retried(
    call: Call,
    settle: (error: BrowserInfraError, doubt: string | undefined, sends: number) => BrowserInfraError,
  ): Promise<Reply> {
    const { retry } = this.#settings;
    let doubt: string | undefined;
    for (let sends = 1; ; sends++) {
      const { value: reply, failure } = await this.send(call);
      if (failure === undefined) {
        retry.budget.giveBack();
        return reply;
      }
      doubt = failure.doubt ?? doubt;
      const { waitMs, note } = decideRetry(retry, sends, failure);
      if (waitMs === undefined) {
        throw settle(failure.error(note), doubt, sends);
      }
      try {
        await retry.clock.sleep(waitMs, call.signal);
      } catch (error) {
        throw settle(canceled(call, plainCause(error)), doubt, sends);
      }
    }
  }
}

/** Runs a write. A success whose answer cannot be used becomes an `OutcomeUnknownError`. */
async function doneOrUnknown<T>(call: Call, note: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw error instanceof ContractError
      ? unknown(call, "the service accepted the request, but its response cannot be used", note, error)
      : error;
  }
}

function unknown(call: Call, why: string, note: string, cause: BrowserInfraError): OutcomeUnknownError {
  const context =
    cause instanceof ApiError || cause instanceof ContractError ? cause.request : contextOf(call);
  const message = paragraph(
    `${call.operation} may or may not have happened: ${why}.`,
    note,
    call.ifUnknown ?? "Check what happened before you repeat it.",
    requestIdText(context),
  );
  return new OutcomeUnknownError(message, context, { cause });
}
