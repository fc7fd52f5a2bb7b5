import { noArgument, only } from "../../http/seed-members.js";
import { anyText } from "../../http/shapes.js";
import {
  type Lacks,
  ObjectControls,
  placeholder,
  placeholders,
  type Written,
} from "../../objects/controls.js";
import {
  type NewEmulatedTelemetryDestination,
  type TelemetryDestinationSettings,
  updateRequest,
} from "./requests.js";
import type { EmulatedTelemetryDestination, TelemetryDestinationStore } from "./store.js";

/** Telemetry destinations, without a client. Methods throw `InputError` for an unknown id. */
export class EmulatedTelemetryDestinations extends ObjectControls<EmulatedTelemetryDestination> {
  /** @internal */
  declare protected readonly table: TelemetryDestinationStore;

  /** @internal */
  readonly operations = {
    update: updateRequest,
    recordExport: only("error", anyText.nullable()),
    remove: noArgument,
  };

  /** Creates a destination. Id and name must be free. */
  create(destination: NewEmulatedTelemetryDestination): EmulatedTelemetryDestination {
    return this.stored(this.table.insert(destination), destination.name);
  }

  /** Changes settings of a destination. Null removes a header; omitted headers stay. */
  update(id: string, settings: TelemetryDestinationSettings): EmulatedTelemetryDestination {
    return this.stored(this.table.update(this.require(id), settings), settings.name);
  }

  /** Records the result of an export: null for a success, or the error. */
  recordExport(id: string, error: string | null): EmulatedTelemetryDestination {
    const { consecutiveFailures } = this.require(id);
    const at = this.table.now().toISOString();
    const result =
      error === null
        ? { consecutiveFailures: 0, lastExportAt: at }
        : { consecutiveFailures: consecutiveFailures + 1, lastError: error, lastErrorAt: at };
    return this.table.set(id, result) as EmulatedTelemetryDestination;
  }

  /** @internal */
  createFrom(entry: NewEmulatedTelemetryDestination): EmulatedTelemetryDestination {
    return this.create(entry);
  }

  /** @internal */
  written(
    { id, name, endpoint, description, headers }: EmulatedTelemetryDestination,
    lacks: Lacks,
  ): Written<NewEmulatedTelemetryDestination> {
    if (Object.keys(headers).length > 0) {
      lacks(`each of the values of the headers is ${placeholder}.`);
    }
    return { id, name, endpoint, description, headers: placeholders(headers) };
  }
}
