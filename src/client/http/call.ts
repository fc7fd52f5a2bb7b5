import type { BrowserInfraError, RequestContext } from "../../errors.js";

/** Options that every operation accepts. */
export interface CallOptions {
  /**
   * Ends the operation early. A read then throws `CanceledError`, a write that may have been sent
   * `OutcomeUnknownError`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** A body to send: its exact length, and its pieces each time they are asked for. */
export interface RequestBody {
  readonly contentType: string;
  readonly byteLength: number;
  /** Secrets in the body, which no message may repeat. Default: none. */
  readonly secrets?: readonly string[];
  /** The body is an archive, which may take longer than `headersMs` to send. */
  readonly carriesArchive?: boolean;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** One request, described completely. */
export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Percent-encoded path below the base URL, with a leading slash, without the query. */
  readonly path: string;
  readonly query?: URLSearchParams;
  /** What the call does, as the beginning of a sentence: `Reading the extension "ad-blocker"`. */
  readonly operation: string;
  /** For a write: how to find out what became of it, as a sentence. */
  readonly ifUnknown?: string;
  /** What to do about a 404 `not_found`, as a sentence, if not just "check the id". */
  readonly ifNotFound?: string;
  /** What to do about a 409, as a sentence, if the name is not what exists already. */
  readonly ifConflict?: string;
  /** Default `application/json`. */
  readonly accept?: string;
  readonly body?: RequestBody;
  /** Largest body of a success answer, in bytes. Default `jsonBytesMax`. */
  readonly bodyBytesMax?: number;
  /** The body of the answer is an archive: its length extends the deadline. */
  readonly carriesArchive?: boolean;
  /** Called after each piece of a success answer's body, with the bytes of this try so far. */
  readonly onBodyBytes?: ((length: number) => void) | undefined;
  /** The answer is an event stream: it has its own socket and may be silent for any time. */
  readonly opensStream?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What comes before the body of an answer. */
export interface ReplyHead {
  readonly status: number;
  /** A header by its lower-case name. Several values are joined with a comma. */
  readonly header: (name: string) => string | undefined;
  readonly context: RequestContext;
}

/** A complete answer. */
export interface Reply extends ReplyHead {
  /** The body, decoded: of an error answer its first MiB. */
  readonly bytes: Uint8Array;
}

/** Why one send did not succeed, and what decides whether it is retried. */
export interface Failure {
  /** The error to throw. `note` is a sentence about retries, or empty. */
  readonly error: (note: string) => BrowserInfraError;
  /** Whether the same request may succeed later. */
  readonly mayPass: boolean;
  /**
   * Whether a rate limit refused it before anything was carried out; undefined without an answer.
   */
  readonly throttled?: boolean;
  /** For a refusal by a rate limit: the same for a request that waits for the limit as well. */
  readonly refusalOf?: ((waiting: Call) => Failure) | undefined;
  /** Requests that the service allows in a minute, if such a refusal tells. */
  readonly perMinute?: number | undefined;
  /** Whether a time limit ended it. Default false. */
  readonly timedOut?: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The service said `x-should-retry: false`. Default false. */
  readonly retryForbidden?: boolean;
  /** Why the request may have been carried out anyway; undefined when it certainly was not. */
  readonly doubt?: string | undefined;
}

/** How one send ended. The transport's policies turn it into a value or an error. */
export type Outcome<T = Reply> =
  | { readonly value: T; readonly failure?: never }
  | { readonly value?: never; readonly failure: Failure };
