import { z } from "zod";
import { InputError } from "../../../errors.js";
import { id, noArgument, only } from "../../http/seed-members.js";
import { notAString } from "../../http/shapes.js";
import { ObjectControls } from "../../objects/controls.js";
import { refuse } from "../../storage/ids-and-names.js";
import { createRequest, updateRequest } from "./requests.js";
import type {
  EmulatedTelemetryDestination,
  NewEmulatedTelemetryDestination,
  TelemetryDestinationSettings,
  TelemetryDestinationStore,
} from "./store.js";

/**
 * Telemetry destination in a seed.
 *
 * @internal
 */
export const telemetryDestinationEntry = createRequest.extend({ id: id.optional() });

type Entry = z.infer<typeof telemetryDestinationEntry>;

/** Telemetry destinations, without a client. Methods throw `InputError` for an unknown id. */
export class EmulatedTelemetryDestinations extends ObjectControls<EmulatedTelemetryDestination> {
  readonly #destinations: TelemetryDestinationStore;

  /** @internal */
  readonly entry = telemetryDestinationEntry;

  /** @internal */
  readonly operations = {
    update: updateRequest,
    recordExport: only("error", z.string(notAString).nullable()),
    remove: noArgument,
  };

  /** @internal */
  constructor(destinations: TelemetryDestinationStore) {
    super("telemetry_destination_unknown", destinations);
    this.#destinations = destinations;
  }

  /** Creates a destination. Id and name must be free. */
  create(destination: NewEmulatedTelemetryDestination): EmulatedTelemetryDestination {
    return this.#destinations.insert(destination) ?? refuse(exists(destination.name));
  }

  /** Changes settings of a destination. Null removes a header; omitted headers stay. */
  update(id: string, settings: TelemetryDestinationSettings): EmulatedTelemetryDestination {
    return this.#destinations.update(this.require(id), settings) ?? refuse(exists(settings.name ?? ""));
  }

  /** Records the result of an export: null for a success, or the error. */
  recordExport(id: string, error: string | null): EmulatedTelemetryDestination {
    const { consecutiveFailures } = this.require(id);
    const at = this.#destinations.now().toISOString();
    const result =
      error === null
        ? { consecutiveFailures: 0, lastExportAt: at }
        : { consecutiveFailures: consecutiveFailures + 1, lastError: error, lastErrorAt: at };
    return this.#destinations.set(id, result) as EmulatedTelemetryDestination;
  }

  /** @internal */
  existing(entry: Entry): { readonly id: string } | undefined {
    return this.#destinations.existing(entry, undefined);
  }

  /** @internal */
  createFrom(entry: Entry): EmulatedTelemetryDestination {
    return this.create(entry);
  }
}

function exists(name: string): InputError {
  const problem = `A telemetry destination with this id or with the name "${name}" already exists. Choose others.`;
  return new InputError("telemetry_destination_exists", "name", problem);
}
