import { apiKeyKind } from "../providers/api-key/api-key.js";
import { apiKeyNameKind } from "../providers/api-key-name/api-key-name.js";
import { authConnectionKind } from "../providers/auth-connection/auth-connection.js";
import { browserPoolKind } from "../providers/browser-pool/pool.js";
import { credentialKind } from "../providers/credential/credential.js";
import { extensionKind } from "../providers/extension/lifecycle.js";
import type { Kind } from "../providers/lifecycle.js";
import { loginFlowKind } from "../providers/login-flow/lifecycle.js";
import { organizationLimitsKind } from "../providers/organization-limits/organization-limits.js";
import { profileKind } from "../providers/profile/profile.js";
import { projectKind } from "../providers/project/project.js";
import { projectLimitsKind } from "../providers/project-limits/project-limits.js";
import type { PropertyMap } from "../providers/properties.js";
import { proxyKind } from "../providers/proxy/proxy.js";

/**
 * The kinds of resource, by the name of their class. It is the end of their type tokens, and what
 * `pulumi-browser-infra/dynamic/v1` opens. State files hold it, so a name never changes and never
 * goes.
 */
export const kinds = {
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
  Profile: profileKind,
  Proxy: proxyKind,
} as const satisfies Readonly<Record<string, Kind>>;

/** The name of a kind of resource. */
export type ResourceKind = keyof typeof kinds;

/** Every kind of resource. */
export const resourceKinds = Object.keys(kinds) as readonly ResourceKind[];

/** The inputs that a program may give to a kind, by name. */
export function programInputsOf({ inputs }: Kind) {
  return Object.fromEntries(Object.entries(inputs.types).filter(([, { isFilledIn }]) => !isFilledIn));
}

/** The outputs of a kind, by name: what a program can read of it. */
export function outputsOf({ state }: Pick<Kind, "state">) {
  return Object.fromEntries(Object.entries(state.types).filter(([, { isInternal }]) => !isInternal));
}

/**
 * The outputs of a kind as the state keeps them: null for each declared output without a value.
 * A program sees a missing output as unknown in every preview, and so does each resource that takes
 * the output.
 */
export function everyOutput(kind: Pick<Kind, "state">, outputs: PropertyMap): PropertyMap {
  const nothing = Object.keys(outputsOf(kind)).map((name) => [name, null]);
  return { ...Object.fromEntries(nothing), ...outputs };
}

/** The outputs that are unknown before the resource exists, unless an input gives them. */
export function fromServiceOf(kind: Kind): string[] {
  const isInput = (name: string) => Object.hasOwn(kind.inputs.types, name);
  const unknown = Object.entries(outputsOf(kind)).filter(
    ([name, { isFromService }]) => isFromService || !isInput(name),
  );
  return unknown.map(([name]) => name);
}
