import type { CallOptions } from "../http/call.js";
import { telemetryDestinationNameProblem } from "../names.js";
import { type RenamableListing, RenamableOperations } from "../operations/renamable.js";
import { checkSettings } from "../options.js";
import {
  type NewTelemetryDestination,
  type TelemetryDestination,
  type TelemetryDestinationChanges,
  telemetryDestinationProblems,
  telemetryDestinationSchema,
} from "./telemetry-destination.js";

/**
 * The telemetry destinations of the organization (`/telemetry/destinations`). Reads and `update`
 * are retried; `create` and `delete` only while a rate limit refuses the request. Only a key of the
 * whole organization may write. No response contains the value of a header. A destination in use is
 * not deleted (409).
 *
 * Source: the service's published description.
 */
export class TelemetryDestinationOperations extends RenamableOperations<TelemetryDestination> {
  /**
   * Creates a destination. Sent once, and again only while a rate limit refuses the request. No
   * error contains the value of a header, except strings of fewer than 6 characters.
   *
   * Throws `InputError` before any request; `ApiError` when nothing was created (409: the name is
   * taken); `ConnectionError` when nothing was sent; `OutcomeUnknownError` when the destination may
   * exist: look for the name.
   */
  async create(
    destination: NewTelemetryDestination,
    options: CallOptions = {},
  ): Promise<TelemetryDestination> {
    const { name, description, ...others } = destination;
    checkSettings("telemetry destination", telemetryDestinationProblems(destination));
    return this.createNamed(name, { ...others, description: description ?? undefined }, options);
  }

  /**
   * Changes the given settings, with retries, and returns the destination as stored by the service.
   * Running sessions use new headers at once. No error contains the value of a header, as for
   * `create`.
   *
   * Throws `InputError` before any request; `ApiError` (409: the name is taken, or an auth
   * connection selects the destination by the old name) or `ConnectionError` when nothing changed;
   * `OutcomeUnknownError` when the destination may have the old or the new settings.
   */
  async update(
    id: string,
    changes: TelemetryDestinationChanges,
    options: CallOptions = {},
  ): Promise<TelemetryDestination> {
    checkSettings("telemetry destination", telemetryDestinationProblems(changes));
    const { description, ...others } = changes;
    // The service publishes no way to remove a description: an empty string is a guess.
    return this.change(id, { ...others, description: description === null ? "" : description }, options);
  }

  /** Deletes a destination by id, as for every record. A destination in use is not deleted (409). */
  override async delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.remove(id, options, {
      conflictAdvice:
        "First change or delete what exports to the telemetry destination: auth connections, browser pools and their browsers.",
    });
  }

  /** @internal */
  protected override listing(): RenamableListing<TelemetryDestination> {
    return {
      path: "/telemetry/destinations",
      noun: "telemetry destination",
      schema: telemetryDestinationSchema,
      nameProblem: telemetryDestinationNameProblem,
      notFoundAdvice:
        "Check the telemetry destination's id, and that this API key belongs to its organization.",
      conflictAdvice:
        "Names are unique in the organization, and a destination that an auth connection selects by name keeps the name.",
    };
  }
}
