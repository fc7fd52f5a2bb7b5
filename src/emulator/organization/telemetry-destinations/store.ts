import { NamedTable } from "../../storage/table.js";
import type { NewEmulatedTelemetryDestination, TelemetryDestinationSettings } from "./requests.js";

/** Telemetry destination, as stored by the emulator. No telemetry is exported. */
export interface EmulatedTelemetryDestination {
  /** As given, at most 64 characters; otherwise 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
  readonly description: string | null;
  /** Values by name, in canonical spelling: `X-Api-Key`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly consecutiveFailures: number;
  /** Last failure. Stays after a success, as published. */
  readonly lastError: string | null;
  /** ISO 8601 date-time. */
  readonly lastErrorAt: string | null;
  /** ISO 8601 date-time of the last success. */
  readonly lastExportAt: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** ISO 8601 date-time of the last change by a request. */
  readonly updatedAt: string;
}

/** Telemetry destinations in the database. @internal */
export class TelemetryDestinationStore extends NamedTable<EmulatedTelemetryDestination> {
  /** Stores a destination; undefined if the id or the name is taken. */
  insert({
    description,
    headers = {},
    ...rest
  }: NewEmulatedTelemetryDestination): EmulatedTelemetryDestination | undefined {
    return this.addNamed({
      ...{ ...rest, description: description || null, headers: mergedHeaders({}, headers) },
      ...{ consecutiveFailures: 0, lastError: null, lastErrorAt: null, lastExportAt: null },
      updatedAt: this.now().toISOString(),
    });
  }

  /** Changes settings; undefined if the new name is taken. Omitted headers stay, as published. */
  update(
    destination: EmulatedTelemetryDestination,
    { description, headers, ...changes }: TelemetryDestinationSettings,
  ): EmulatedTelemetryDestination | undefined {
    return this.change(destination, {
      ...changes,
      // Guess: an empty string removes a description.
      description: description === undefined ? undefined : description || null,
      headers: headers && mergedHeaders(destination.headers, headers),
      updatedAt: this.now().toISOString(),
    });
  }

  protected override searched({ name, endpoint }: EmulatedTelemetryDestination) {
    return [name, endpoint];
  }
}

/** Headers after a change, in canonical spelling. */
function mergedHeaders(
  before: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  const changed = Object.entries(changes).map(([name, value]) => [canonicalHeader(name), value] as const);
  const merged = { ...before, ...Object.fromEntries(changed) };
  return Object.fromEntries(
    Object.entries(merged).filter((header): header is [string, string] => header[1] !== null),
  );
}

/** Spelling of a header: a capital after every hyphen, as Go spells headers. The rule is a guess. */
function canonicalHeader(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
