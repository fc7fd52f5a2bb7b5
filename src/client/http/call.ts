import type { BrowserInfraError, RequestContext } from "../../errors.js";
import type { Redaction } from "../../text/redact.js";

export interface CallOptions {
  /**
   * Ends the operation early. A read then throws `CanceledError`, a write that may have been sent
   * `OutcomeUnknownError`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Body of a request: the exact length, and the pieces for every send. */
export interface RequestBody {
  readonly contentType: string;
  readonly byteLength: number;
  /** Secrets in the body. No message may repeat a secret. Default: none. */
  readonly secrets?: readonly string[];
  /** Whether the body is an archive, which may take longer than `headersMs` to send. */
  readonly carriesArchive?: boolean;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

export interface HttpCall {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Percent-encoded path below the base URL, with a leading slash, without the query. */
  readonly path: string;
  readonly query?: URLSearchParams;
  /** Action of the call, as the beginning of a sentence: `Reading the extension "ad-blocker"`. */
  readonly operation: string;
  /** For a write: how to find out the outcome, as a sentence. */
  readonly unknownOutcomeAdvice?: string;
  /** Advice for a 404 `not_found`, as a sentence. Default: to check the id or name. */
  readonly notFoundAdvice?: string;
  /** Advice for a 409, as a sentence. Default: to fix what the service reports. */
  readonly conflictAdvice?: string | undefined;
  /** Default `application/json`. */
  readonly accept?: string;
  readonly body?: RequestBody;
  /** Largest body of a success response, in bytes. Default `jsonBytesMax`. */
  readonly bodyBytesMax?: number | undefined;
  /** Whether the body of the response is an archive, whose length extends the deadline. */
  readonly carriesArchive?: boolean;
  /** Called after every piece of a success response's body, with the bytes of the try so far. */
  readonly onBodyBytes?: ((length: number) => void) | undefined;
  /** Whether the response is an event stream, with its own socket and silent for any time. */
  readonly opensStream?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Head of a response: everything before the body. */
export interface HttpResponseHead {
  readonly status: number;
  /** A header by its lower-case name. Several values are joined with a comma. */
  readonly header: (name: string) => string | undefined;
  readonly context: RequestContext;
  /** Hides secrets in the text of the body. */
  readonly redaction: Redaction;
}

export interface HttpResponse extends HttpResponseHead {
  /** Decoded body; of an error response, the first MiB. */
  readonly bytes: Uint8Array;
}

/** Failure of a send, with the facts for the retry decision. */
export interface Failure {
  /** The error to throw. `note` is a sentence about retries, or empty. */
  readonly error: (note: string) => BrowserInfraError;
  readonly isTransient: boolean;
  /** Whether a rate limit refused the request before any effect; undefined without a response. */
  readonly isThrottled?: boolean;
  /** For a refusal by a rate limit: creates the same refusal for a request that also waits. */
  readonly refusalOf?: ((waiting: HttpCall) => Failure) | undefined;
  /** Requests that the service allows in a minute, if a refusal contains the number. */
  readonly requestsPerMinute?: number | undefined;
  /** Whether a time limit ended the send. Default false. */
  readonly isTimeout?: boolean;
  /** Wait requested by the service, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the service sent `x-should-retry: false`. Default false. */
  readonly isRetryForbidden?: boolean;
  /** Reason why the request may have been carried out; undefined if it certainly was not. */
  readonly unknownOutcomeReason?: string | undefined;
}

/** Result of a send. The transport's policies convert the outcome to a value or an error. */
export type Outcome<T = HttpResponse> =
  | { readonly value: T; readonly failure?: never }
  | { readonly value?: never; readonly failure: Failure };
