import { isDeepStrictEqual } from "node:util";
import type { TelemetryDestination, TelemetryDestinationChanges } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import {
  headerValueProblem,
  telemetryDestinationProblems,
} from "../../../client/organization/telemetry-destination.js";
import { memberName, quote } from "../../../text/escape.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { adoptInput, marks } from "../../core/marks.js";
import type { OwnedResource } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import {
  byField,
  digestsOf,
  type NamedSecret,
  namedSecretFailures,
  namedSecrets,
  secretDigests,
  secretIfSet,
  valueInWords,
  valuesOf,
} from "../../inputs/named-secrets.js";
import type { CheckFailure, LifecycleContext } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import { Properties, type PropertiesOf, type PropertyMap, requireKnown, t } from "../../properties.js";
import { destinationsOf } from "../../reads/lists.js";

const destinationInputs = new Properties({
  name: t.string,
  ...adoptInput,
  endpoint: {
    ...t.address('Give the address without them, and put them into "headers", which are secret.'),
    isRequired: true,
  },
  description: t.string,
  headers: { ...t.mapOf(t.string), isSecret: true },
  headersFromEnv: t.mapOf(t.string),
  headersFromConfig: t.mapOf(t.string),
  secretDigests,
});
type Inputs = PropertiesOf<typeof destinationInputs>;

/** State of a TelemetryDestination, without the results of exports, which change all the time. */
export const destinationState = new Properties({ ...destinationInputs.types, ...marks, createdAt: t.string });
type State = PropertiesOf<typeof destinationState>;

/** Inputs with the headers of a destination: values, names of places, and digests of values. */
const headerInputs = ["headers", "headersFromEnv", "headersFromConfig", "secretDigests"] as const;

/** Receiver of the telemetry of browsers and logins. */
const telemetryDestination: OwnedResource<Inputs, State, TelemetryDestination> = {
  resource: "TelemetryDestination",
  noun: "telemetry destination",
  notFoundCode: "telemetry_destination_not_found",
  deleteCommand: "browser-infra telemetry-destinations delete",
  inputs: destinationInputs,
  state: destinationState,
  managedMarker: "endpoint",
  failures: (news, olds, _apiKey, { context }) => failuresOf(news, olds, context),
  complete: (declared, news, olds, { context }) => ({
    ...declared,
    headers: declared.headers ?? {},
    secretDigests: digestsOf(namedSecrets(news, ["headers"]), olds?.secretDigests, context),
  }),
  differingInputs: (state, inputs) =>
    (["endpoint", "description", ...headerInputs] as const).filter(
      (input) => !isDeepStrictEqual(state[input], inputs[input]),
    ),
  list: (_projectId, call) => destinationsOf(call),
  find: (id, _projectId, call) => ignoreNotFound(destinationsOf(call).get(id, call.options)),
  holderOf: (name, _projectId, call) => destinationsOf(call).holderOf(name, call.options),
  create: ({ endpoint, description, ...inputs }, name, call) =>
    destinationsOf(call).create(
      {
        ...{ name, description, headers: valuesOf(inputs, "headers", call.context) },
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
    refusal.status === 409 ? refusal.withAdvice("Nothing was deleted.") : refusal,
  stateOf: (live, inputs, known = {}) => ({ ...(inputs ?? known), ...liveProperties(live, inputs ?? known) }),
  readWarning: ({ id, name, headerNames }, isImport) =>
    isImport && headerNames.length > 0
      ? `The service does not show the values of the headers of telemetry destination ${quote(name)} (${id}): ${listed(headerNames.map(memberName))}. The first "pulumi up" sends the headers that the program declares and removes all others.`
      : undefined,
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in the organization, so a forced " +
    "replacement (`--replace`, `pulumi state taint`) must delete the old destination first. Without the option, " +
    "the replacement keeps the old destination, or fails because the name is taken.",
};

function headerNamesIn({ headers, headersFromEnv, headersFromConfig }: Inputs): readonly string[] {
  return Object.keys({ ...headers, ...headersFromEnv, ...headersFromConfig });
}

/** Whether a list contains a header. Case does not count, and the service changes the case. */
function includesHeader(names: readonly string[], name: string): boolean {
  return names.some((each) => each.toLowerCase() === name.toLowerCase());
}

/**
 * State of a live destination. The service shows only the names of headers, so values come from
 * `known`, without removed headers. A header added outside of the program has an empty value.
 */
function liveProperties(live: TelemetryDestination, known: State): State {
  const isPresent = ([name]: [string, string]) => includesHeader(live.headerNames, name);
  const present = (values: State["headers"]) =>
    values && Object.fromEntries(Object.entries(values).filter(isPresent));
  const isImport = known.endpoint === undefined;
  const added = live.headerNames.filter((name) => !isImport && !includesHeader(headerNamesIn(known), name));
  return {
    name: live.name,
    endpoint: live.endpoint,
    description: live.description || undefined,
    headers: { ...present(known.headers), ...Object.fromEntries(added.map((name) => [name, ""])) },
    headersFromEnv: present(known.headersFromEnv),
    headersFromConfig: present(known.headersFromConfig),
    createdAt: live.createdAt ?? undefined,
  };
}

/**
 * Request that makes a live destination as declared. The service never shows values: if the state is
 * unknown or in doubt, all declared headers are sent again.
 */
function changesOf(
  live: TelemetryDestination,
  inputs: Inputs,
  known: State | undefined,
  call: Call,
): TelemetryDestinationChanges {
  const { name, endpoint, description = null } = inputs;
  const declared = headerNamesIn(inputs);
  const removed = live.headerNames.filter((each) => !includesHeader(declared, each));
  const isSent =
    headerInputs.some((input) => !isDeepStrictEqual(known?.[input], inputs[input])) ||
    declared.some((each) => !includesHeader(live.headerNames, each));
  // An empty value stands for a header that was added outside of the program.
  const given = isSent ? Object.entries(valuesOf(inputs, "headers", call.context)) : [];
  const headers = Object.fromEntries([
    ...given.filter(([, value]) => value !== ""),
    ...removed.map((each) => [each, null] as const),
  ]);
  return {
    ...(live.name === name ? {} : { name }),
    ...(live.endpoint === endpoint ? {} : { endpoint }),
    ...(live.description === description ? {} : { description }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

/** Reports all invalid inputs at once, without values of headers. Unknown values pass. */
function failuresOf(news: PropertyMap, olds: Inputs | undefined, context: LifecycleContext): CheckFailure[] {
  const forms = { headers: 'must be an object of strings by header, such as { "X-Api-Key": "…" }' };
  const named = namedSecrets(news, ["headers"]);
  const problemOf = (each: NamedSecret) => headerValueProblem(secretIfSet(each, context) ?? "");
  const problems = named.flatMap((each) => {
    const problem = problemOf(each);
    return problem === undefined ? [] : [{ property: each.property, problem, subject: valueInWords(each) }];
  });
  // A value that is reported under its own place is not judged again.
  const found = byField(named, (each) =>
    problemOf(each) ? "not judged" : (secretIfSet(each, context) ?? "not set"),
  );
  return [
    ...formFailures(
      news,
      destinationInputs,
      "A TelemetryDestination",
      forms,
      ({ headers = {}, ...formed }) => {
        // The option `ignoreChanges` gives the empty value of a header added outside of the program.
        const given = Object.entries(headers).filter(
          ([name, value]) => value || olds?.headers?.[name] !== "",
        );
        const headersGiven = { ...Object.fromEntries(given), ...found };
        return [...telemetryDestinationProblems({ ...formed, headers: headersGiven }), ...problems];
      },
    ),
    ...namedSecretFailures(news, ["headers"], context),
  ];
}

export const telemetryDestinationKind = ownedKind(telemetryDestination);
