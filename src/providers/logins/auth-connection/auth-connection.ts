import type { AuthConnection } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { quote } from "../../../text/escape.js";
import type { LiveObject, OwnedResource } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import { warnOfPlan } from "../../organization/plan.js";
import { requireKnown } from "../../properties.js";
import {
  connectionName,
  connectionsOf,
  type NamedConnection,
  namedConnectionsOf,
} from "../../reads/lists.js";
import { referencesOf, unknownReferences } from "../../reads/references.js";
import {
  type ConnectionInputs,
  type ConnectionState,
  changeRequest,
  connectionFailures,
  connectionInputs,
  connectionState,
  type DeclaredConnection,
  differingSettings,
  importedSettings,
  liveProperties,
  nameOf,
  replacingInputs,
  undeclaredSettings,
} from "./properties.js";

type Live = NamedConnection & LiveObject;

/** The service reports no creation time. */
const withName = (live: AuthConnection): Live => ({ ...live, name: connectionName(live) });

/** A profile's login at a domain. */
const authConnection: OwnedResource<ConnectionInputs, ConnectionState, Live> = {
  resource: "AuthConnection",
  noun: "auth connection",
  isInProject: true,
  notFoundCode: "auth_connection_not_found",
  deleteCommand: "browser-infra auth-connections delete",
  naturalName: { input: "domain", nameIn: nameOf },
  inputs: connectionInputs,
  state: connectionState,
  managedMarker: "profileName",
  failures: connectionFailures,
  replacingInputs: replacingInputs,
  differingInputs: differingSettings,
  list: namedConnectionsOf,
  find: async (id, projectId, call) => {
    const live = await ignoreNotFound(connectionsOf(projectId, call).get(id, call.options));
    return live && withName(live);
  },
  holderOf: async (name, projectId, call) => {
    const [domain = "", profileName = ""] = name.split("/");
    const live = await connectionsOf(projectId, call).find({ domain, profileName }, call.options);
    return live && withName(live);
  },
  create: async ({ domain, profileName, projectId, ...settings }, _name, call) =>
    withName(
      await connectionsOf(projectId, call).create(
        {
          ...settings,
          domain: requireKnown(domain, "domain", "AuthConnection"),
          profileName: requireKnown(profileName, "profileName", "AuthConnection"),
        },
        call.options,
      ),
    ),
  change: (live, inputs, known = {}, call) => {
    // Settings that are no longer declared are set to the service's default.
    const changes = changeRequest(live, inputs, known);
    const connections = connectionsOf(inputs.projectId, call);
    return changes && (async () => withName(await connections.update(live.id, changes, call.options)));
  },
  remove: (id, { projectId }, call) => connectionsOf(projectId, call).delete(id, call.options),
  undeclared: undeclaredSettings,
  doubt: ({ status, lastAuthCheckAt, flowStatus }) =>
    status === "NEEDS_AUTH" && lastAuthCheckAt === null && flowStatus === null
      ? undefined
      : "a login has been made or checked already",
  previewFailures: async (inputs, old, call) => {
    const { healthCheckInterval } = inputs;
    const interval = typeof healthCheckInterval === "number" ? { interval: healthCheckInterval } : {};
    const isMore = old === undefined || old.healthCheckInterval !== healthCheckInterval;
    await warnOfPlan({ feature: "managed_auth", ...interval }, isMore, call);
    const references = (of: DeclaredConnection) => [
      ...referencesOf("proxyId", "proxy", [of.proxyId]),
      ...referencesOf("telemetryDestinationId", "telemetry destination", [of.telemetryDestinationId]),
    ];
    const olds = references(old ?? {});
    return unknownReferences("auth connection", references(inputs), olds, inputs.projectId, call);
  },
  onChange: ({ profileName, domain }, inputs, { context }) => {
    if (inputs.profileName !== profileName) {
      context.report.warning(
        `The connection to ${domain} is replaced, because "profileName" changes from ${quote(profileName ?? "")}${typeof inputs.profileName === "string" ? ` to ${quote(inputs.profileName)}` : ""}. ` +
          "The new connection is logged out, and a LoginFlow holds the deployment until a person logs in. " +
          "If only the profile was renamed and the service has given the connection the new name, the connection stays.",
      );
    }
  },
  stateOf: (live, inputs, known = {}) =>
    (inputs ?? known).profileName === undefined
      ? { ...known, ...importedSettings(live) }
      : { ...(inputs ?? known), ...liveProperties(live, inputs ?? known) },
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. A project can have one connection of a domain and " +
    "a profile, so a forced replacement (`--replace`, `pulumi state taint`) must delete the old connection first.",
};

export const authConnectionKind = ownedKind(authConnection);
