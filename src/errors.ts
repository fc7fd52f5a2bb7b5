/**
 * One error family for the whole package. Every message says what failed, why, and what to do, in one paragraph,
 * and never holds an API key. `code` is stable and meant for programs; `message` is for people and free to improve.
 */

/** Fields every error of this package may carry besides its message. */
export interface BrowserInfraErrorOptions {
  /** The error underneath, when there is one. */
  readonly cause?: unknown;
}

/** Base of every error this package throws on purpose. Tell kinds apart by `name` or, more finely, by `code`. */
export class BrowserInfraError extends Error {
  override readonly name: string = "BrowserInfraError";
  /** Stable machine-readable code in snake_case, for instance `config_missing`. */
  readonly code: string;

  constructor(code: string, message: string, options: BrowserInfraErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}

/** A setting (API key, base URL, project id) is missing or malformed. Raised before any request. */
export class ConfigError extends BrowserInfraError {
  override readonly name = "ConfigError";
}

/** An argument is malformed. Raised before any request; `property` names the argument. */
export class InputError extends BrowserInfraError {
  override readonly name = "InputError";
  /** Name of the argument at fault, as the caller wrote it: `path`, `name`, `exclude`. */
  readonly property: string;

  constructor(code: string, property: string, message: string, options: BrowserInfraErrorOptions = {}) {
    super(code, message, options);
    this.property = property;
  }
}

/** A folder or zip cannot become an extension archive. Raised before any request. */
export class ArchiveError extends BrowserInfraError {
  override readonly name = "ArchiveError";
}

/** Where an answer came from: enough to find the call in a log, without query values or headers. */
export interface RequestContext {
  /** HTTP method, upper case. */
  readonly method: string;
  /** Path below the base URL, percent-encoded, without the query. */
  readonly path: string;
  /** The service's request id (response header `x-request-id`), when it sent one. */
  readonly requestId?: string;
}

/** The service answered with an error status. For a write this means: definitely not done. */
export class ApiError extends BrowserInfraError {
  override readonly name = "ApiError";
  /** HTTP status, 300 to 599. */
  readonly status: number;
  /** The service's own code from the error body (`not_found`, `conflict`, …); undefined when the body had none. */
  readonly serviceCode: string | undefined;
  readonly request: RequestContext;

  constructor(
    code: string,
    message: string,
    details: {
      status: number;
      serviceCode: string | undefined;
      request: RequestContext;
    } & BrowserInfraErrorOptions,
  ) {
    super(code, message, details);
    this.status = details.status;
    this.serviceCode = details.serviceCode;
    this.request = details.request;
  }
}

/**
 * The service could not be reached, or, during a read, the connection broke or a deadline passed. A write ends like this
 * only when nothing of it was sent.
 */
export class ConnectionError extends BrowserInfraError {
  override readonly name = "ConnectionError";
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

/**
 * A write was sent and its outcome is not known: the connection broke, a deadline passed or the service answered 5xx.
 * The thing may or may not exist now. Look first; only a write whose advice says so may be sent again.
 */
export class OutcomeUnknownError extends BrowserInfraError {
  override readonly name = "OutcomeUnknownError";
  readonly request: RequestContext;

  constructor(message: string, request: RequestContext, options: BrowserInfraErrorOptions = {}) {
    super("outcome_unknown", message, options);
    this.request = request;
  }
}

/** The service answered with success but not in the agreed shape. A fault of the service or of this package. */
export class ContractError extends BrowserInfraError {
  override readonly name = "ContractError";
  readonly request: RequestContext;

  constructor(message: string, request: RequestContext, options: BrowserInfraErrorOptions = {}) {
    super("unexpected_shape", message, options);
    this.request = request;
  }
}

/** The caller's signal ended the work. */
export class CanceledError extends BrowserInfraError {
  override readonly name = "CanceledError";

  constructor(message: string, options: BrowserInfraErrorOptions = {}) {
    super("canceled", message, options);
  }
}
