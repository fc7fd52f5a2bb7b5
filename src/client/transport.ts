import {
  type BrowserInfraError,
  CanceledError,
  ConnectionError,
  ContractError,
  OutcomeUnknownError,
  type RequestContext,
} from "../errors.js";
import type { Connections } from "./connections.js";
import { type Call, type Deadlines, exchange, type Reply } from "./exchange.js";
import { Fault, plainCause } from "./fault.js";
import { type Origins, refusal } from "./refusal.js";
import {
  decideRetry,
  describeRetryAfter,
  parseRetryAfter,
  type RetryOptions,
  type Trouble,
} from "./retry.js";
import type { CleanText } from "./service-text.js";

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
  readonly clean: CleanText;
  readonly origins: Origins;
}

/** A whole answer, or how the request ended without one. */
type Outcome =
  | { readonly reply: Reply; readonly fault?: never }
  | { readonly reply?: never; readonly fault: Fault };

/** Sends calls and gives every end its error: reads are repeated, writes are sent once and end done, failed or unknown. */
export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** A read: up to `attempts` sends. `take` turns the answer into a value and may throw `ContractError`, which is final. */
  async read<T>(call: Call, take: (reply: Reply) => T): Promise<T> {
    const { retry } = this.#settings;
    for (let attempt = 1; ; attempt++) {
      const { reply, fault } = await this.#exchange(call);
      if (reply !== undefined && reply.status < 300) {
        retry.budget.giveBack();
        return take(reply);
      }
      const decision = decideRetry(retry, attempt, this.#trouble(reply, fault));
      if ("note" in decision) {
        if (reply === undefined) throw this.#failure(call, fault, decision.note);
        throw this.#refusal(call, reply, decision.note);
      }
      try {
        await retry.clock.sleep(decision.waitMs, call.signal);
      } catch (error) {
        throw canceled(call, plainCause(error));
      }
    }
  }

  /**
   * A write: one send. Returns when the service says it is done. Throws `ApiError` when the service refused, `ConnectionError` or
   * `CanceledError` when it saw nothing, and `OutcomeUnknownError` for every other end.
   */
  async write<T>(call: Call, take: (reply: Reply) => T): Promise<T> {
    const unknown = (why: string, context: RequestContext, cause: unknown) => {
      const report = context.requestId === undefined ? "" : ` Request id: ${context.requestId}.`;
      const advice = call.ifUnknown ?? "Look before you repeat it.";
      return new OutcomeUnknownError(
        `${call.doing} may or may not have happened: ${why}. It is not sent again, so that nothing is done twice. ${advice}${report}`,
        context,
        { cause },
      );
    };
    try {
      const { reply, fault } = await this.#exchange(call);
      if (reply === undefined) {
        const failure = this.#failure(call, fault, "");
        throw fault.sent ? unknown(fault.message, contextOf(call), failure) : failure;
      }
      if (reply.status < 300) return take(reply);
      const refused = this.#refusal(call, reply, this.#askedToWait(reply));
      if (reply.status === 408 || reply.status >= 500) {
        throw unknown(`the service answered ${reply.status}`, reply.context, refused);
      }
      throw refused;
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      throw unknown("the service agreed, but its answer is unusable", error.request, error);
    }
  }

  async #exchange(call: Call): Promise<Outcome> {
    const { clean } = this.#settings;
    const cleanRequestId = (id: string) => clean(id, requestIdCharactersMax);
    try {
      return { reply: await exchange({ ...this.#settings, cleanRequestId }, call) };
    } catch (error) {
      if (error instanceof Fault) return { fault: error };
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

  /** The error for a request without a whole answer. */
  #failure(call: Call, fault: Fault, note: string): BrowserInfraError {
    if (fault.kind === "canceled") return canceled(call, fault.cause);
    const host = new URL(this.#settings.baseUrl).host;
    const { code, advice } = remedies[fault.kind];
    const message = [`${call.doing} failed: ${fault.message}, host ${host}.`, note, advice]
      .filter(Boolean)
      .join(" ");
    return new ConnectionError(code, message, contextOf(call), { cause: fault.cause });
  }
}

const remedies: Readonly<Record<Exclude<Fault["kind"], "canceled">, { code: string; advice: string }>> = {
  timeout: { code: "connection_timeout", advice: "Check the network, or try again later." },
  unreachable: { code: "connection_failed", advice: "Check the base URL and the network." },
  untrusted: {
    code: "connection_untrusted",
    advice: "Check the base URL; a private certificate authority is named to Node with NODE_EXTRA_CA_CERTS.",
  },
  broken: { code: "connection_broken", advice: "Check the network, or try again later." },
  closed: { code: "client_closed", advice: "Make a new client; one that was closed stays closed." },
};

function contextOf(call: Call): RequestContext {
  return { method: call.method, path: call.path };
}

function canceled(call: Call, cause: unknown): CanceledError {
  return new CanceledError(`${call.doing} was canceled by its caller.`, { cause });
}
