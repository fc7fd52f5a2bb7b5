/**
 * Error family of the whole package. Every message explains the failure, the cause and the remedy
 * in a single paragraph, and contains neither an API key nor a character that could steer a
 * terminal. `code` is stable and meant for programs; `message` is for people and may improve.
 *
 * A code consists of the subject and then the problem: `path_invalid`, `name_not_found`. Only the
 * code of an `ApiError` is the service's own.
 */

import { safeMessage } from "./text/escape.js";

/** Mark of the errors of this package, shared by all copies of the package in a process. */
const familyMark = Symbol.for("browser-infra/error");

export interface BrowserInfraErrorOptions {
  /** Error behind this one. Default: none. */
  readonly cause?: unknown;
}

/**
 * Base class of the errors that this package throws on purpose. Distinguish errors by `name` or,
 * finer, by `code`.
 */
export class BrowserInfraError extends Error {
  override readonly name: string = "BrowserInfraError";
  /** Stable machine-readable code in snake_case, for instance `config_missing`. */
  readonly code: string;

  static {
    // On the prototype, so the mark is not shown as a field of the error.
    Object.defineProperty(BrowserInfraError.prototype, familyMark, { value: true });
  }

  constructor(code: string, message: string, options: BrowserInfraErrorOptions = {}) {
    super(safeMessage(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }

  /** Returns a copy with a sentence of advice at the end of the message. */
  withAdvice(sentence: string): this {
    return this.withMessage(`${this.message} ${sentence}`);
  }

  /** Returns a copy with a new message. Everything else is the same. */
  withMessage(text: string): this {
    const message = safeMessage(text);
    // Made by Error itself, so the copy is a native error; the classes' constructors differ.
    const copy = Object.setPrototypeOf(new Error(message), Object.getPrototypeOf(this)) as this;
    const { message: _message, stack: _stack, ...fields } = Object.getOwnPropertyDescriptors(this);
    // The message is the first thing in a stack trace, after the name.
    copy.stack = (this.stack ?? "").replace(this.message, () => message);
    return Object.defineProperties(copy, fields);
  }
}

/**
 * Whether a value is an error of this package. Unlike `instanceof`, true also for errors of a
 * different copy of the package.
 */
export function isBrowserInfraError(error: unknown): error is BrowserInfraError {
  return typeof error === "object" && error !== null && familyMark in error;
}

/** A setting (API key, base URL, project id) is missing or malformed. Raised before any request. */
export class ConfigError extends BrowserInfraError {
  override readonly name = "ConfigError";
}

/**
 * An argument or an input of a resource is missing, malformed or unknown. Raised before any request
 * that changes something; `property` contains the name.
 */
export class InputError extends BrowserInfraError {
  override readonly name = "InputError";
  /** Name of the argument or input, as the caller wrote it: `path`, `name`, `exclude`. */
  readonly property: string;

  constructor(code: string, property: string, message: string, options: BrowserInfraErrorOptions = {}) {
    super(code, message, options);
    this.property = property;
  }
}

/** No object has the requested name or id, or several objects have the name. */
export class LookupError extends BrowserInfraError {
  override readonly name = "LookupError";
}

/**
 * The name is taken, two resources declare the same object, or an object in use cannot be replaced,
 * archived or deleted. Nothing was changed.
 */
export class ConflictError extends BrowserInfraError {
  override readonly name = "ConflictError";
}

/** A file, a folder, a port, a program or the runtime of this machine cannot be used. */
export class LocalError extends BrowserInfraError {
  override readonly name = "LocalError";
}

/** An object cannot be recovered: the old version of an extension, or an interrupted request. */
export class RecoveryError extends BrowserInfraError {
  override readonly name = "RecoveryError";
}

/** A folder or zip cannot become an extension archive, or has changed since the preview. */
export class ArchiveError extends BrowserInfraError {
  override readonly name = "ArchiveError";
}

/** Request of an error: enough to find the call in a log, without query values or headers. */
export interface RequestContext {
  /** HTTP method, upper case. */
  readonly method: string;
  /** Path below the base URL, percent-encoded, without the query. */
  readonly path: string;
  /** Project that a request with a response has named. Without the member: the project of the API key. */
  readonly projectId?: string;
  /** The service's request id (response header `x-request-id`), if any. */
  readonly requestId?: string;
}

class RequestError extends BrowserInfraError {
  readonly request: RequestContext;

  constructor(
    code: string,
    message: string,
    request: RequestContext,
    options: BrowserInfraErrorOptions = {},
  ) {
    super(code, message, options);
    this.request = request;
  }
}

/** The service responded with an error status. A write with this error was not carried out. */
export class ApiError extends RequestError {
  override readonly name = "ApiError";
  /** HTTP status, 300 to 599. */
  readonly status: number;
  /** The service's own code from the error body (`not_found`, `conflict`, …), if any. */
  readonly serviceCode: string | undefined;

  constructor(
    code: string,
    message: string,
    details: Pick<ApiError, "status" | "serviceCode" | "request"> & BrowserInfraErrorOptions,
  ) {
    super(code, message, details.request, details);
    this.status = details.status;
    this.serviceCode = details.serviceCode;
  }
}

/**
 * The service could not be reached. Or, during a read, the connection broke or a deadline passed. A
 * write ends with this error only if nothing was sent.
 */
export class ConnectionError extends RequestError {
  override readonly name = "ConnectionError";
}

/**
 * A write was sent, and the outcome is unknown: the connection broke, a deadline passed, the caller
 * canceled, or the service sent 3xx, 408, 5xx (except 501) or an unusable success. Check the outcome
 * first, and repeat the write only if the message recommends a repetition.
 */
export class OutcomeUnknownError extends RequestError {
  override readonly name = "OutcomeUnknownError";

  constructor(message: string, request: RequestContext, options: BrowserInfraErrorOptions = {}) {
    super("outcome_unknown", message, request, options);
  }
}

/**
 * The service reported success, but the response has the wrong shape or content
 * (`answer_unexpected`), or the received bytes do not match the checksum (`checksum_mismatch`). The
 * fault is in the service or in this package.
 */
export class ContractError extends RequestError {
  override readonly name = "ContractError";

  constructor(
    message: string,
    request: RequestContext,
    { code = "answer_unexpected", ...options }: BrowserInfraErrorOptions & { readonly code?: string } = {},
  ) {
    super(code, message, request, options);
  }
}

/** The caller canceled the work by an `AbortSignal`. */
export class CanceledError extends BrowserInfraError {
  override readonly name = "CanceledError";

  constructor(message: string, options: BrowserInfraErrorOptions = {}) {
    super("canceled", message, options);
  }
}

/**
 * A build did not end (`build_timed_out`), cannot be followed (`build_stream_error`), or has failed
 * (`build_failed`).
 */
export class BuildError extends BrowserInfraError {
  override readonly name = "BuildError";
}

/**
 * Kind of failure of a login. `login_not_begun`: no login began in the time allowed for waiting.
 * `login_stream_error`: the service reported an error instead of an end.
 */
export type LoginErrorCode =
  | "login_not_begun"
  | "login_failed"
  | "login_expired"
  | "login_canceled"
  | "login_timed_out"
  | "login_stream_error";

/** Fields of a `LoginError`. None contains an address: an address lets anyone log in or watch. */
export interface LoginErrorFields {
  readonly connectionId: string;
  /** Last known status, such as `IN_PROGRESS` or `FAILED`; null when no status is known. */
  readonly flowStatus: string | null;
  /** Last known step, such as `AWAITING_INPUT`; null when no step is known. */
  readonly flowStep: string | null;
  /** The service's own code, such as `credentials_invalid`; null if the service sent no code. */
  readonly serviceCode: string | null;
  /** The service's own message on a single line, at most 500 characters; null if there is none. */
  readonly serviceMessage: string | null;
}

/** A login did not succeed. `code`: kind of failure. */
export class LoginError extends BrowserInfraError implements LoginErrorFields {
  override readonly name = "LoginError";
  declare readonly code: LoginErrorCode;
  declare readonly connectionId: string;
  declare readonly flowStatus: string | null;
  declare readonly flowStep: string | null;
  declare readonly serviceCode: string | null;
  declare readonly serviceMessage: string | null;

  constructor(code: LoginErrorCode, message: string, fields: LoginErrorFields) {
    super(code, message);
    Object.assign(this, fields);
  }
}
