import { InputError } from "../../errors.js";

/** The service refuses a request. Thrown anywhere below a route, it becomes the answer. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Machine-readable code of the error body. */
  readonly code: string;
  /** Lower-level code of the body's `inner_error`; undefined when the body has none. */
  readonly innerCode: string | undefined;
  /** Further members of the error body. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    innerCode?: string,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.innerCode = innerCode;
    this.more = more;
  }

  /**
   * The refusal as JSON `{code, message, inner_error?}`. Source: the published interface. The
   * service's own clients retry 409 and every 5xx without `x-should-retry: false`. That the service
   * sends the header is a guess.
   */
  response(): Response {
    const { status, code, message, innerCode, more } = this;
    const body = { code, message, ...(innerCode && { inner_error: { code: innerCode, message } }), ...more };
    const isFinal = status === 409 || status === 501;
    return Response.json(body, { status, headers: isFinal ? { "x-should-retry": "false" } : {} });
  }
}

/**
 * 400 `bad_request` with the inner error `invalid_input`. Both codes are published as examples. It
 * is a guess that every malformed input gets both. `problems` are whole sentences: where there are
 * several, `details` lists all of them, as published.
 */
export function invalidInput(message: string, problems: readonly string[] = []): ServiceError {
  const detail = "invalid_input";
  const details = problems.map((problem) => ({ code: detail, message: problem }));
  return new ServiceError(400, "bad_request", message, detail, details.length > 1 ? { details } : {});
}

/** 404 `not_found`: it does not exist, or the caller may not see it. */
export function notFound(thing: string): ServiceError {
  return new ServiceError(404, "not_found", `${thing} not found.`);
}

/** 403. The status is published, the code is not: a guess. */
export function forbidden(message: string): ServiceError {
  return new ServiceError(403, "forbidden", message);
}

/**
 * 409 for a name that `holder` has, which is named with its id. Names that differ only by case or
 * accents count as equal.
 */
export function nameConflict(
  thing: string,
  where: string,
  holder: { readonly id: string; readonly name: string | null } | undefined,
): ServiceError {
  return conflict(
    `${thing} named "${holder?.name}" (id ${holder?.id}) already exists ${where}. Case and accents of a name do not count.`,
  );
}

/** 409. The status is published, the code a guess. */
export function conflict(message: string): ServiceError {
  return new ServiceError(409, "conflict", message);
}

/** Does what a program can do too. What it would get as `InputError` becomes an answer 400. */
export function asRequest<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InputError ? invalidInput(error.message) : error;
  }
}
