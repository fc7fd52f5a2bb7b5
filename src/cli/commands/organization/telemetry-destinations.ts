import type { TelemetryDestination } from "../../../client/index.js";
import { telemetryDestinationNameProblem } from "../../../client/names.js";
import { listings } from "../../../providers/reads/listings.js";
import { type Noun, nameFact, onlyInGet, timeFact } from "../../noun.js";

/** `browser-infra telemetry-destinations`: receivers of telemetry, without values of headers. */
export const telemetryDestinations: Noun<TelemetryDestination> = {
  group: "telemetry-destinations",
  noun: "telemetry destination",
  listing: listings.TelemetryDestination,
  help: "Show, rename and delete the telemetry destinations of the organization.",
  facts: [
    nameFact,
    { header: "ENDPOINT", cell: ({ endpoint }) => endpoint, cutWhenNarrow: true },
    { header: "FAILURES", cell: ({ consecutiveFailures }) => consecutiveFailures?.toString() ?? null },
    onlyInGet("DESCRIPTION", ({ description }) => description),
    onlyInGet("HEADERS", ({ headerNames }) => headerNames.join(", ") || "none"),
    timeFact("LAST EXPORT", ({ lastExportAt }) => lastExportAt),
    onlyInGet("LAST ERROR", ({ lastError }) => lastError),
    { ...timeFact<TelemetryDestination>("FAILED", ({ lastErrorAt }) => lastErrorAt), onlyInGet: true },
    { ...timeFact<TelemetryDestination>("CREATED", ({ createdAt }) => createdAt), onlyInGet: true },
    { ...timeFact<TelemetryDestination>("CHANGED", ({ updatedAt }) => updatedAt), onlyInGet: true },
  ],
  list: { help: "List the telemetry destinations." },
  get: { help: "Show one telemetry destination, without the values of its headers." },
  rename: {
    rule: "1 to 255 letters, digits, dots, underscores and hyphens",
    problem: telemetryDestinationNameProblem,
    send: (client, id, name, options) => client.telemetryDestinations.rename(id, name, options),
  },
  delete: { help: "Delete one telemetry destination that nothing uses, after a confirmation." },
};
