import type { CallOptions } from "../http/call.js";
import { readRecord } from "../http/record-calls.js";
import type { Transport } from "../http/transport.js";
import type { OrganizationLimits } from "../records/project.js";
import { organizationLimitsSchema } from "../wire/records.js";

/** What belongs to the whole organization. Only reads. */
export class OrganizationOperations {
  readonly #transport: Transport;

  /**
   * Made by `BrowserInfraClient`.
   *
   * @internal
   */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Reads what the organization may use at most (`GET /org/limits`), with retries. Throws
   * `ApiError`; `isMissingOperation` tells whether the service does not have the operation.
   */
  async limits(options: CallOptions = {}): Promise<OrganizationLimits> {
    return readRecord(this.#transport, {
      path: "/org/limits",
      operation: "Reading the limits of the organization",
      ifNotFound: "This version of the service may not support GET /org/limits.",
      schema: organizationLimitsSchema,
      signal: options.signal,
    });
  }
}
