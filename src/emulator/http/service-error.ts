import { InputError } from "../../errors.js";

/** Refusal of a request. Thrown anywhere below a route, the error becomes the response. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Machine-readable code of the error body. */
  readonly code: string;
  /** Whether clients must not send the request again, whatever the status. */
  readonly isFinal: boolean = false;
  /** Further members of the error body. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }

  /**
   * Converts the refusal to JSON `{code, message, …}`. Source: the published interface.
   * The service's own clients retry 409 and every 5xx without `x-should-retry: false`. Guess: the
   * service sends the header.
   */
  response(): Response {
    const { status, code, message, more } = this;
    const isFinal = this.isFinal || status === 409 || status === 501;
    const headers = new Headers(isFinal ? { "x-should-retry": "false" } : {});
    return Response.json({ code, message, ...more }, { status, headers });
  }
}

/** Refusal that another try does not change. */
export class FinalServiceError extends ServiceError {
  override readonly isFinal = true;
}

/**
 * Refusal 400 `bad_request` with the inner error `invalid_input`. Both codes are published as
 * examples. Guess: every malformed input gets both codes. `problems`: whole sentences. If there are
 * several, `details` lists all, as published.
 */
export function invalidInput(message: string, problems: readonly string[] = []): ServiceError {
  const detailOf = (text: string) => ({ code: "invalid_input", message: text });
  const details = problems.length > 1 ? problems.map(detailOf) : undefined;
  return new ServiceError(400, "bad_request", message, { inner_error: detailOf(message), details });
}

/** Refusal 404 `not_found`: the object does not exist or is hidden from the caller. */
export function notFound(thing: string): ServiceError {
  return new ServiceError(404, "not_found", `${thing} not found.`);
}

/** Refusal 403. The status is published; the code is a guess. */
export function forbidden(message: string): ServiceError {
  return new ServiceError(403, "forbidden", message);
}

/** Refusal 409. The status is published; the code is a guess. */
export function conflict(message: string): ServiceError {
  return new ServiceError(409, "conflict", message);
}

/** Runs work that a program can do, too. An `InputError` becomes a response 400. */
export function asBadRequest<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InputError ? invalidInput(error.message) : error;
  }
}
