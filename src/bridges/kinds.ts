import { browserPoolKind } from "../providers/browsers/browser-pool/pool.js";
import { extensionKind } from "../providers/browsers/extension/lifecycle.js";
import { profileKind } from "../providers/browsers/profile/profile.js";
import { proxyKind } from "../providers/browsers/proxy/proxy.js";
import type { Kind } from "../providers/lifecycle.js";
import { authConnectionKind } from "../providers/logins/auth-connection/auth-connection.js";
import { credentialKind } from "../providers/logins/credential/credential.js";
import { loginFlowKind } from "../providers/logins/login-flow/lifecycle.js";
import { apiKeyKind } from "../providers/organization/api-key/api-key.js";
import { apiKeyNameKind } from "../providers/organization/api-key-name/api-key-name.js";
import { credentialProviderKind } from "../providers/organization/credential-provider/credential-provider.js";
import { organizationLimitsKind } from "../providers/organization/organization-limits/organization-limits.js";
import { projectKind } from "../providers/organization/project/project.js";
import { projectLimitsKind } from "../providers/organization/project-limits/project-limits.js";
import { telemetryDestinationKind } from "../providers/organization/telemetry-destination/telemetry-destination.js";
import type { PropertyMap } from "../providers/properties.js";
import { attended } from "./attended.js";

/**
 * Kinds of resource, by the name of the class. The name ends the type token, and is the argument of
 * `open` in `pulumi-browser-infra/dynamic/v1`. State files contain the name, so no name is ever
 * changed or removed.
 */
export const kinds = attended({
  Extension: extensionKind,
  ApiKeyName: apiKeyNameKind,
  ApiKey: apiKeyKind,
  LoginFlow: loginFlowKind,
  Project: projectKind,
  ProjectLimits: projectLimitsKind,
  OrganizationLimits: organizationLimitsKind,
  BrowserPool: browserPoolKind,
  AuthConnection: authConnectionKind,
  Credential: credentialKind,
  CredentialProvider: credentialProviderKind,
  Profile: profileKind,
  Proxy: proxyKind,
  TelemetryDestination: telemetryDestinationKind,
} satisfies Readonly<Record<string, Kind>>);

/** Name of a kind of resource. */
export type ResourceKind = keyof typeof kinds;

export const resourceKinds = Object.keys(kinds) as readonly ResourceKind[];

/** Inputs that a program may give to a kind, by name. */
export function programInputsOf({ inputs }: Kind) {
  return Object.fromEntries(Object.entries(inputs.types).filter(([, { isFilledIn }]) => !isFilledIn));
}

/** Outputs of a kind that a program can read, by name. */
export function outputsOf({ state }: Pick<Kind, "state">) {
  return Object.fromEntries(Object.entries(state.types).filter(([, { isInternal }]) => !isInternal));
}

/**
 * Completes the outputs of a kind for the state: null for every declared output without a value. In
 * previews, a missing output is unknown to the program and to every resource that takes the output.
 */
export function completeOutputs(kind: Pick<Kind, "state">, outputs: PropertyMap): PropertyMap {
  const nothing = Object.keys(outputsOf(kind)).map((name) => [name, null]);
  return { ...Object.fromEntries(nothing), ...outputs };
}

/** Names of the outputs that are unknown before the resource exists, unless given by an input. */
export function serviceOutputsOf(kind: Kind): string[] {
  const isInput = (name: string) => Object.hasOwn(kind.inputs.types, name);
  const unknown = Object.entries(outputsOf(kind)).filter(
    ([name, { isFromService }]) => isFromService || !isInput(name),
  );
  return unknown.map(([name]) => name);
}
