import type { TelemetryDestination, TelemetryDestinationChanges } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { quote } from "../../../text/escape.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { OwnedResource } from "../../core/owned/declaration.js";
import { OwnedLifecycle } from "../../core/owned/lifecycle.js";
import type { Kind } from "../../lifecycle.js";
import { digestsOf, namedSecrets, secretOf } from "../../named-secrets.js";
import { requireKnown } from "../../properties.js";
import {
  type DestinationInputs,
  type DestinationState,
  destinationFailures,
  destinationInputs,
  destinationState,
  differingInputs,
  hasSameHeaders,
  headerNamesIn,
  headerOf,
  includesHeader,
  liveProperties,
} from "./properties.js";

/** Receiver of the telemetry of browsers and logins. */
const telemetryDestination: OwnedResource<DestinationInputs, DestinationState, TelemetryDestination> = {
  resource: "TelemetryDestination",
  noun: "telemetry destination",
  notFoundCode: "telemetry_destination_not_found",
  deleteCommand: "browser-infra telemetry-destinations delete",
  inputs: destinationInputs,
  state: destinationState,
  managedMarker: "endpoint",
  failures: (news, olds, _apiKey, { context }) => destinationFailures(news, olds, context),
  complete: (declared, news, olds, { context }) => ({
    ...declared,
    headers: declared.headers ?? {},
    secretDigests: digestsOf(namedSecrets(news, ["headers"]), olds?.secretDigests, context),
  }),
  differingInputs,
  find: (id, _projectId, call) => ignoreNotFound(destinationsOf(call).get(id, call.options)),
  holderOf: (name, _projectId, call) => destinationsOf(call).holderOf(name, call.options),
  create: ({ endpoint, description, ...inputs }, name, call) =>
    destinationsOf(call).create(
      {
        ...{ name, description, headers: headersOf(inputs, call) },
        endpoint: requireKnown(endpoint, "endpoint", "TelemetryDestination"),
      },
      call.options,
    ),
  change: (live, inputs, known, call, isInDoubt) => {
    const changes = changesOf(live, inputs, isInDoubt ? undefined : known, call);
    return Object.keys(changes).length === 0
      ? undefined
      : () => destinationsOf(call).update(live.id, changes, call.options);
  },
  remove: (id, _state, call) => destinationsOf(call).delete(id, call.options),
  explainRefusal: async (_destination, _state, refusal) =>
    refusal.status === 409
      ? refusal.withAdvice(
          "Nothing was deleted. First change or delete what exports to the telemetry destination: auth connections, " +
            "browser pools and their browsers.",
        )
      : refusal,
  stateOf: (live, inputs, known = {}) => ({ ...(inputs ?? known), ...liveProperties(live, inputs ?? known) }),
  readWarning: ({ id, name, headerNames }, isImport) =>
    isImport && headerNames.length > 0
      ? `The service does not show the values of the headers of telemetry destination ${quote(name)} (${id}): ${listed(headerNames)}. The first "pulumi up" sends the headers that the program declares and removes all others.`
      : undefined,
};

/**
 * Request that makes a live destination as declared. The service never shows values: if the state is
 * unknown or in doubt, all declared headers are sent again.
 */
function changesOf(
  live: TelemetryDestination,
  inputs: DestinationInputs,
  known: DestinationState | undefined,
  call: Call,
): TelemetryDestinationChanges {
  const { name, endpoint, description = null } = inputs;
  const declared = headerNamesIn(inputs);
  const removed = live.headerNames.filter((each) => !includesHeader(declared, each));
  const isSent =
    known === undefined ||
    !hasSameHeaders(known, inputs) ||
    declared.some((each) => !includesHeader(live.headerNames, each));
  const headers: Readonly<Record<string, string | null>> = {
    ...(isSent && headersOf(inputs, call)),
    ...Object.fromEntries(removed.map((each) => [each, null])),
  };
  return {
    ...(live.name === name ? {} : { name }),
    ...(live.endpoint === endpoint ? {} : { endpoint }),
    ...(live.description === description ? {} : { description }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

/** Headers of a request, given by value or named. An empty value stands for a header to leave alone. */
function headersOf({ headers, ...inputs }: DestinationInputs, { context }: Call) {
  const named = namedSecrets(inputs, ["headers"]).map((each): [string, string] => [
    headerOf(each.secret),
    secretOf(each, context),
  ]);
  return Object.fromEntries([...Object.entries(headers ?? {}).filter(([, value]) => value !== ""), ...named]);
}

/** Destinations belong to the organization, so the project of the settings does not matter. */
function destinationsOf(call: Call) {
  return call.clientFor(undefined).telemetryDestinations;
}

/** Telemetry destinations, for the bridges. */
export const telemetryDestinationKind: Kind = {
  inputs: destinationInputs,
  state: destinationState,
  lifecycle: (accounts) => new OwnedLifecycle(telemetryDestination, accounts),
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in the organization, so a forced " +
    "replacement (`--replace`, `pulumi state taint`) must delete the old destination first. Without the option, " +
    "the replacement keeps the old destination, or fails because the name is taken.",
};
