import { isDeepStrictEqual } from "node:util";
import type { AuthConnection, AuthConnectionSettings } from "../../../client/index.js";
import { authConnectionProblems } from "../../../client/logins/auth-connection-settings.js";
import { withoutNull } from "../../../text/without-null.js";
import {
  capturesAnything,
  isSameTelemetry,
  nothingCaptured,
  selectionOf,
  type Telemetry,
  telemetryForm,
  telemetryTypes,
} from "../../browsers/telemetry.js";
import { marks } from "../../core/marks.js";
import type { CheckFailure } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import {
  type DeclaredOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
  unknownValue,
} from "../../properties.js";
import { connectionName } from "../../reads/lists.js";

/** Settings that the service changes in place. The service cannot remove a credential. */
const settings = {
  loginUrl: t.address(
    'Give the address without them, and put them into the secret "values" of a Credential that "credential" names.',
  ),
  allowedDomains: t.listOf(t.string),
  credential: t.object({ name: t.string, provider: t.string, path: t.string, auto: t.boolean }),
  healthChecks: t.boolean,
  healthCheckInterval: t.integer,
  autoReauth: t.boolean,
  saveCredentials: t.boolean,
  recordSession: t.boolean,
  proxyId: t.string,
  proxyMode: t.oneOf({ direct: "Logins use no proxy." }),
  region: t.oneOf({
    "us-east": "Eastern United States. The service's default.",
    "us-west": "Western United States.",
    "eu-west": "Western Europe.",
    "ap-southeast": "Southeast Asia.",
  }),
  stealth: t.boolean,
  telemetry: t.object(telemetryTypes),
  telemetryDestinationId: t.string,
} as const;
type Setting = keyof typeof settings;
const settingNames = Object.keys(settings) as Setting[];

/** Values of settings that are no longer declared. Settings without a value here stay unchanged. */
const cleared: AuthConnectionSettings = {
  loginUrl: null,
  allowedDomains: [],
  healthChecks: true,
  autoReauth: true,
  saveCredentials: true,
  recordSession: false,
  proxyId: null,
  proxyMode: null,
  region: "us-east",
  stealth: true,
  telemetry: null,
  telemetryDestinationId: null,
};

/** Inputs of an AuthConnection as returned by `check`. */
export const connectionInputs = new Properties({
  domain: { ...t.string, isRequired: true, replaces: true },
  profileName: { ...t.string, isRequired: true, replaces: true },
  projectId: { ...t.string, replaces: true },
  ...settings,
  /** The domain and the profile, in place of a name. */
  name: { ...t.string, isFilledIn: true },
});
export type ConnectionInputs = PropertiesOf<typeof connectionInputs>;
export type DeclaredConnection = DeclaredOf<typeof connectionInputs>;

/** State of an AuthConnection, without the progress of logins, which changes all the time. */
export const connectionState = new Properties({
  ...connectionInputs.types,
  ...marks,
  name: { ...t.string, isInternal: true },
});
export type ConnectionState = PropertiesOf<typeof connectionState>;

/** Domain and profile, unique in a project: `example.com/work`. */
export function nameOf({
  domain,
  profileName,
}: Pick<DeclaredConnection, "domain" | "profileName">): DeclaredConnection["name"] {
  if (domain === unknownValue || profileName === unknownValue) {
    return unknownValue;
  }
  return domain === undefined || profileName === undefined
    ? undefined
    : connectionName({ domain, profileName });
}

/** Changed inputs that replace the connection: the identity, or a credential to clear. */
export function replacingInputs(state: ConnectionState, inputs: DeclaredConnection): readonly string[] {
  const lower = ({ domain }: DeclaredConnection) =>
    typeof domain === "string" ? domain.toLowerCase() : domain;
  return [
    ...(lower(state) === lower(inputs) ? [] : ["domain"]),
    ...(["profileName", "projectId"] as const).filter((input) => state[input] !== inputs[input]),
    // The service cannot remove a credential.
    ...(state.credential !== undefined && inputs.credential === undefined ? ["credential"] : []),
  ];
}

/**
 * State of a live connection, in the spelling of `known` where the service means the same.
 * Undeclared settings are the service's own: neither a difference nor drift.
 */
export function liveProperties(live: AuthConnection, known: ConnectionState): ConnectionState {
  const { credential, domain, profileName } = live;
  const values: ConnectionState = {
    ...(withoutNull(live) as unknown as ConnectionState),
    credential:
      credential === null
        ? undefined
        : Object.fromEntries(Object.entries(credential).filter(([, value]) => value !== null)),
    telemetry: liveTelemetry(live, known.telemetry),
    allowedDomains: isSameList(live.allowedDomains, known.allowedDomains)
      ? known.allowedDomains
      : live.allowedDomains,
  };
  const declared = settingNames.filter((setting) => known[setting] !== undefined);
  return {
    domain: known.domain?.toLowerCase() === domain.toLowerCase() ? known.domain : domain,
    profileName,
    name: connectionName(live),
    // A value that the response omits is the service's default.
    ...Object.fromEntries(
      declared.map((setting) => [setting, values[setting] ?? cleared[setting] ?? undefined]),
    ),
  };
}

/** Selection of a live connection. A destination alone exports the usual selection, which is not declared then. */
function liveTelemetry(
  { telemetry, telemetryDestinationId }: AuthConnection,
  known: Telemetry | undefined,
): Telemetry | undefined {
  if (telemetry === null) {
    return undefined;
  }
  const isImplied = known === undefined && telemetryDestinationId !== null && isSameTelemetry(telemetry, {});
  return isImplied ? undefined : isSameTelemetry(telemetry, known) ? known : selectionOf(telemetry);
}

/** Settings declared by an import: all settings that differ from the service's defaults. */
export function importedSettings(live: AuthConnection): ConnectionState {
  const all = Object.entries(liveProperties(live, live as unknown as ConnectionState));
  const defaults: Readonly<Record<string, unknown>> = { ...cleared, healthCheckInterval: 3600 };
  const changed = all.filter(([name, value]) => !isDeepStrictEqual(value ?? null, defaults[name] ?? null));
  return Object.fromEntries(changed);
}

/** Undeclared settings of a live connection, except the service's defaults. */
export function undeclaredSettings(live: AuthConnection, declared: ConnectionState): PropertyMap {
  const all = Object.entries(importedSettings(live)).filter(
    ([name, value]) =>
      settingNames.some((setting) => setting === name) &&
      declared[name as Setting] === undefined &&
      value !== undefined,
  );
  return connectionState.write(Object.fromEntries(all));
}

/** Compares lists of domains. The service omits a leading `www.` or `*.`. */
function isSameList(live: readonly string[], known: DeclaredConnection["allowedDomains"]): boolean {
  const bare = (domain: string) => domain.replace(/^(www|\*)\./, "").toLowerCase();
  return known !== unknownValue && isDeepStrictEqual(live.map(bare), known?.map(bare));
}

/** Settings that differ from the declaration. An unknown setting counts as different. */
export function differingSettings(known: ConnectionState, declared: DeclaredConnection): readonly Setting[] {
  return settingNames.filter((setting) => !isDeepStrictEqual(known[setting], declared[setting]));
}

/** Request that makes a live connection as declared; undefined if nothing differs. `known`: the state. */
export function changeRequest(live: AuthConnection, inputs: ConnectionInputs, known: ConnectionState) {
  const differing = differingSettings(liveProperties(live, { ...known, ...inputs }), inputs);
  const changes = differing.map((setting) => [setting, inputs[setting] ?? cleared[setting]]);
  // A request replaces all telemetry. A destination that the program never declared stays.
  const { telemetry = null } = inputs;
  const others =
    telemetry === null || known.telemetryDestinationId !== undefined ? null : live.telemetryDestinationId;
  const isOfTelemetry = differing.includes("telemetry") || differing.includes("telemetryDestinationId");
  const all = { telemetry, telemetryDestinationId: inputs.telemetryDestinationId ?? others };
  return differing.length === 0
    ? undefined
    : ({ ...Object.fromEntries(changes), ...(isOfTelemetry && all) } as AuthConnectionSettings);
}

/** Reports all invalid inputs of an AuthConnection at once. Unknown values pass. */
export function connectionFailures(news: PropertyMap, olds: ConnectionInputs | undefined): CheckFailure[] {
  const forms = {
    allowedDomains: "must be a list of domains",
    credential: 'must be an object with "name", or with "provider" and "path" or "auto"',
    telemetry: telemetryForm,
  };
  const failures = formFailures(news, connectionInputs, "An AuthConnection", forms, authConnectionProblems);
  const { telemetry } = connectionInputs.readDeclared(news);
  if (telemetry !== undefined && telemetry !== unknownValue && !capturesAnything(telemetry)) {
    failures.push({ property: "telemetry", reason: `"telemetry" ${nothingCaptured}` });
  }
  // The option `ignoreChanges` gives the old name.
  if (news.name !== undefined && news.name !== olds?.name) {
    failures.push({
      property: "name",
      reason: 'An AuthConnection has no name of its own: "domain" and "profileName" identify it.',
    });
  }
  return failures;
}
