import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { changeRecord, readRecord } from "../http/record-calls.js";
import type { Transport } from "../http/transport.js";
import { capOnWire } from "../options.js";
import { type Entitlements, entitlementsSchema } from "./entitlements.js";
import { type OrganizationLimits, organizationLimitsSchema } from "./project.js";

/** Limits to set. Null removes a limit, and omitted limits stay unchanged. */
export interface OrganizationLimitChanges {
  /**
   * Browsers at the same time in every project without a cap: at least 1, and at most the
   * organization's own limit.
   */
  readonly defaultProjectMaxConcurrentSessions?: number | null | undefined;
}

/** Reads of limits and plan, and a change of the default limit of projects. */
export class OrganizationOperations {
  readonly #transport: Transport;

  /** Made by `BrowserInfraClient`. @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Reads the limits of the organization (`GET /org/limits`), with retries. Throws `ApiError`;
   * `isMissingOperation` detects a service without the operation.
   */
  async limits(options: CallOptions = {}): Promise<OrganizationLimits> {
    return readRecord(this.#transport, {
      path: "/org/limits",
      operation: "Reading the limits of the organization",
      notFoundAdvice: "This version of the service may not support GET /org/limits.",
      schema: organizationLimitsSchema,
      signal: options.signal,
    });
  }

  /**
   * Reads the features and limits of the organization's plan (`GET /org/entitlements`), with
   * retries. Throws `ApiError`; `isMissingOperation` detects a service without the operation.
   */
  async entitlements(options: CallOptions = {}): Promise<Entitlements> {
    return readRecord(this.#transport, {
      path: "/org/entitlements",
      operation: "Reading the plan of the organization",
      notFoundAdvice: "This version of the service may not support GET /org/entitlements.",
      schema: entitlementsSchema,
      signal: options.signal,
    });
  }

  /**
   * Sets the default cap of projects (`PATCH /org/limits`), with retries, and returns all limits.
   * Null is sent as 0, which the service reads as "no cap"; the number 0 is refused for that
   * reason.
   *
   * Throws `InputError` before any request; `ApiError` or `ConnectionError` when nothing has
   * changed, also for a cap above the organization's own limit; `OutcomeUnknownError` when the cap
   * may be the old or the new cap.
   */
  async setLimits(
    { defaultProjectMaxConcurrentSessions: cap }: OrganizationLimitChanges,
    options: CallOptions = {},
  ): Promise<OrganizationLimits> {
    const onWire = capOnWire("defaultProjectMaxConcurrentSessions", cap);
    return changeRecord(this.#transport, {
      path: "/org/limits",
      operation: "Setting the limits of the organization",
      unknownOutcomeAdvice:
        "The organization has either the old limits or the new limits. Setting the limits again is safe.",
      notFoundAdvice: "This version of the service may not support PATCH /org/limits.",
      body: jsonBody({ default_project_max_concurrent_sessions: onWire }),
      schema: organizationLimitsSchema,
      wrongIf: [
        (limits) => cap !== undefined && limits.defaultProjectMaxConcurrentSessions !== cap,
        "its limits differ from the sent limits",
      ],
      signal: options.signal,
    });
  }
}
