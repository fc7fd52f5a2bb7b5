import { isDeepStrictEqual } from "node:util";
import type { TelemetryDestination } from "../../../client/index.js";
import { telemetryDestinationProblems } from "../../../client/organization/telemetry-destination.js";
import { marks } from "../../core/marks.js";
import { formFailures } from "../../input-failures.js";
import type { CheckFailure, LifecycleContext } from "../../lifecycle.js";
import { namedSecretFailures, namedSecrets, secretDigests, secretIfSet } from "../../named-secrets.js";
import {
  type DeclaredOf,
  isPropertyMap,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
} from "../../properties.js";

export const destinationInputs = new Properties({
  name: t.string,
  endpoint: { ...t.string, isRequired: true },
  description: t.string,
  headers: { ...t.mapOf(t.string), isSecret: true },
  headersFromEnv: t.mapOf(t.string),
  headersFromConfig: t.mapOf(t.string),
  secretDigests,
});
export type DestinationInputs = PropertiesOf<typeof destinationInputs>;

/** State of a TelemetryDestination, without the results of exports, which change all the time. */
export const destinationState = new Properties({ ...destinationInputs.types, ...marks, createdAt: t.string });
export type DestinationState = PropertiesOf<typeof destinationState>;

/** Inputs with the headers of a destination: values, and names of places of values. */
const headerInputs = ["headers", "headersFromEnv", "headersFromConfig"] as const;

/** Names of the declared headers. */
export function headerNamesIn(inputs: DestinationInputs): readonly string[] {
  return headerInputs.flatMap((input) => Object.keys(inputs[input] ?? {}));
}

/** Whether a list contains a header. Case does not count, and the service changes the case. */
export function includesHeader(names: readonly string[], name: string): boolean {
  return names.some((each) => each.toLowerCase() === name.toLowerCase());
}

/** Whether the state and the inputs have the same headers, as far as the provider can see. */
export function hasSameHeaders(
  known: DestinationState,
  inputs: DeclaredOf<typeof destinationInputs>,
): boolean {
  return [...headerInputs, "secretDigests" as const].every((input) =>
    isDeepStrictEqual(known[input], inputs[input]),
  );
}

/** Names of inputs, except the name, that differ from the state. */
export function differingInputs(
  state: DestinationState,
  inputs: DeclaredOf<typeof destinationInputs>,
): readonly string[] {
  const differing = (["endpoint", "description"] as const).filter((input) => state[input] !== inputs[input]);
  return [...differing, ...(hasSameHeaders(state, inputs) ? [] : ["headers"])];
}

/**
 * State of a live destination. The service shows only the names of headers, so values come from
 * `known`, without removed headers. A header added outside of the program has an empty value.
 */
export function liveProperties(live: TelemetryDestination, known: DestinationState): DestinationState {
  const present = (values: DestinationState["headers"]) =>
    values &&
    Object.fromEntries(Object.entries(values).filter(([name]) => includesHeader(live.headerNames, name)));
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

/** Reports all invalid inputs at once, without values of headers. Unknown values pass. */
export function destinationFailures(
  news: PropertyMap,
  olds: DestinationInputs | undefined,
  context: LifecycleContext,
): CheckFailure[] {
  const forms = { headers: 'must be an object of strings by header, such as { "X-Api-Key": "…" }' };
  const named = namedSecrets(news, ["headers"]);
  const found = named.map((each) => [headerOf(each.secret), secretIfSet(each, context) ?? "unknown"]);
  const plain = isPropertyMap(news.headers) ? Object.keys(news.headers) : [];
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
        return telemetryDestinationProblems({ ...formed, headers: Object.fromEntries([...given, ...found]) });
      },
    ),
    ...namedSecretFailures(
      named,
      plain.map((name) => `headers.${name}`),
      context,
    ),
  ];
}

/** Name of the header that a named secret stands for. */
export function headerOf(secret: string): string {
  return secret.slice("headers.".length);
}
