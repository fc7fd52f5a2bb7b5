/** Functions of the package, each in the plain form and in the Output form. */
import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { outputForm, plainForm } from "./invoke.js";
import type * as outputs from "./output-arguments.js";
import type * as types from "./signatures.js";

/**
 * Reads one project by id or by exact name. If an active project and archived projects share the
 * name, the active project is returned.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`,
 * which lists names that differ only by case or accent, with their ids, or `name_ambiguous`;
 * `ApiError`, such as `not_found` for an id.
 */
export function getProject(
  args: types.GetProjectArgs,
  options?: InvokeOptions,
): Promise<types.GetProjectResult> {
  return plainForm("getProject", args, options);
}

/** Output form of {@link getProject}, for Output arguments; unknown while an argument is. */
export function getProjectOutput(
  args: outputs.GetProjectOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetProjectResult> {
  return outputForm("getProject", args, options);
}

/**
 * Lists the projects of the organization visible to the API key, from all pages.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` if
 * pages repeat or do not end.
 */
export function getProjects(
  args: types.GetProjectsArgs = {},
  options?: InvokeOptions,
): Promise<types.GetProjectsResult> {
  return plainForm("getProjects", args, options);
}

/** Output form of {@link getProjects}, for Output arguments; unknown while an argument is. */
export function getProjectsOutput(
  args: outputs.GetProjectsOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetProjectsResult> {
  return outputForm("getProjects", args, options);
}

/** Reads a project, then the caps of the project. Rejects as `getProject`. */
export function getProjectLimits(
  args: types.GetProjectLimitsArgs,
  options?: InvokeOptions,
): Promise<types.GetProjectLimitsResult> {
  return plainForm("getProjectLimits", args, options);
}

/** Output form of {@link getProjectLimits}, for Output arguments; unknown while an argument is. */
export function getProjectLimitsOutput(
  args: outputs.GetProjectLimitsOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetProjectLimitsResult> {
  return outputForm("getProjectLimits", args, options);
}

/**
 * Reads the limits of the organization over all projects, and the current usage. Takes no
 * arguments.
 *
 * Rejects with `ConfigError`, and with `ApiError`, also if the service lacks the operation.
 */
export function getOrganizationLimits(
  args: types.GetOrganizationLimitsArgs = {},
  options?: InvokeOptions,
): Promise<types.GetOrganizationLimitsResult> {
  return plainForm("getOrganizationLimits", args, options);
}

/** Output form of {@link getOrganizationLimits}. */
export function getOrganizationLimitsOutput(
  args: types.GetOrganizationLimitsArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetOrganizationLimitsResult> {
  return outputForm("getOrganizationLimits", args, options);
}

/**
 * Reads the plan of the organization: features, and limits such as the number of browsers. Takes no
 * arguments.
 *
 * Rejects with `ConfigError`, and with `ApiError`, also if the service lacks the operation.
 */
export function getEntitlements(
  args: types.GetEntitlementsArgs = {},
  options?: InvokeOptions,
): Promise<types.GetEntitlementsResult> {
  return plainForm("getEntitlements", args, options);
}

/** Output form of {@link getEntitlements}. */
export function getEntitlementsOutput(
  args: types.GetEntitlementsArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetEntitlementsResult> {
  return outputForm("getEntitlements", args, options);
}

/**
 * Reads the record of one API key, by id or by exact name. Finds expired keys, but no deleted keys.
 *
 * Rejects with `InputError` before any request, also for a secret, a masked key or a name in place
 * of the id (never repeated in the message); `ConfigError`; `LookupError` `name_not_found`, or
 * `name_ambiguous` for a name that several keys have; `ApiError`, such as `not_found`.
 */
export function getApiKey(
  args: types.GetApiKeyArgs,
  options?: InvokeOptions,
): Promise<types.GetApiKeyResult> {
  return plainForm("getApiKey", args, options);
}

/** Output form of {@link getApiKey}, for Output arguments; unknown while an argument is. */
export function getApiKeyOutput(
  args: outputs.GetApiKeyOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetApiKeyResult> {
  return outputForm("getApiKey", args, options);
}

/**
 * Lists the API keys visible to the configured key, from all pages.
 *
 * Rejects with `InputError` before any request, also for a secret in "query"; `ConfigError`;
 * `ApiError`; `ContractError` if pages repeat or do not end.
 */
export function getApiKeys(
  args: types.GetApiKeysArgs = {},
  options?: InvokeOptions,
): Promise<types.GetApiKeysResult> {
  return plainForm("getApiKeys", args, options);
}

/** Output form of {@link getApiKeys}, for Output arguments; unknown while an argument is. */
export function getApiKeysOutput(
  args: outputs.GetApiKeysOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetApiKeysResult> {
  return outputForm("getApiKeys", args, options);
}

/**
 * Reads one extension by id or by exact name, declared by this program or not.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`,
 * which lists names that differ only by case or accent, with their ids; `ApiError`, such as
 * `not_found` for an id.
 */
export function getExtension(
  args: types.GetExtensionArgs,
  options?: InvokeOptions,
): Promise<types.GetExtensionResult> {
  return plainForm("getExtension", args, options);
}

/** Output form of {@link getExtension}, for Output arguments; unknown while an argument is. */
export function getExtensionOutput(
  args: outputs.GetExtensionOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetExtensionResult> {
  return outputForm("getExtension", args, options);
}

/**
 * Reads one browser pool by id or by exact name, declared by this program or not.
 *
 * Rejects as `getExtension`.
 */
export function getBrowserPool(
  args: types.GetBrowserPoolArgs,
  options?: InvokeOptions,
): Promise<types.GetBrowserPoolResult> {
  return plainForm("getBrowserPool", args, options);
}

/** Output form of {@link getBrowserPool}, for Output arguments; unknown while an argument is. */
export function getBrowserPoolOutput(
  args: outputs.GetBrowserPoolOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetBrowserPoolResult> {
  return outputForm("getBrowserPool", args, options);
}

/**
 * Lists the browser pools of one project, from all pages.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` if
 * pages repeat or do not end.
 */
export function getBrowserPools(
  args: types.GetBrowserPoolsArgs = {},
  options?: InvokeOptions,
): Promise<types.GetBrowserPoolsResult> {
  return plainForm("getBrowserPools", args, options);
}

/** Output form of {@link getBrowserPools}, for Output arguments; unknown while an argument is. */
export function getBrowserPoolsOutput(
  args: outputs.GetBrowserPoolsOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetBrowserPoolsResult> {
  return outputForm("getBrowserPools", args, options);
}

/**
 * Reads one credential by id or by exact name, declared by this program or not. The service shows
 * the names of the values, but never the values.
 *
 * Rejects as `getExtension`.
 */
export function getCredential(
  args: types.GetCredentialArgs,
  options?: InvokeOptions,
): Promise<types.GetCredentialResult> {
  return plainForm("getCredential", args, options);
}

/** Output form of {@link getCredential}, for Output arguments; unknown while an argument is. */
export function getCredentialOutput(
  args: outputs.GetCredentialOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetCredentialResult> {
  return outputForm("getCredential", args, options);
}

/**
 * Reads one credential provider by id or by exact name, declared by this program or not. The
 * service never shows the token.
 *
 * Rejects as `getProject`.
 */
export function getCredentialProvider(
  args: types.GetCredentialProviderArgs,
  options?: InvokeOptions,
): Promise<types.GetCredentialProviderResult> {
  return plainForm("getCredentialProvider", args, options);
}

/** Output form of {@link getCredentialProvider}, for Output arguments; unknown while an argument is. */
export function getCredentialProviderOutput(
  args: outputs.GetCredentialProviderOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetCredentialProviderResult> {
  return outputForm("getCredentialProvider", args, options);
}

/**
 * Reads a version of an app, with its actions and the deployment that serves it, declared by this program or not.
 *
 * Rejects with `LookupError` `app_not_found`, and otherwise as `getExtension`.
 */
export function getApp(args: types.GetAppArgs, options?: InvokeOptions): Promise<types.GetAppResult> {
  return plainForm("getApp", args, options);
}

/** Output form of {@link getApp}, for Output arguments; unknown while an argument is. */
export function getAppOutput(
  args: outputs.GetAppOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetAppResult> {
  return outputForm("getApp", args, options);
}

/**
 * Reads one deployment of an app by id, declared by this program or not.
 *
 * Rejects as `getAuthConnection`.
 */
export function getAppDeployment(
  args: types.GetAppDeploymentArgs,
  options?: InvokeOptions,
): Promise<types.GetAppDeploymentResult> {
  return plainForm("getAppDeployment", args, options);
}

/** Output form of {@link getAppDeployment}, for Output arguments; unknown while an argument is. */
export function getAppDeploymentOutput(
  args: outputs.GetAppDeploymentOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetAppDeploymentResult> {
  return outputForm("getAppDeployment", args, options);
}

/**
 * Reads one browser profile by id or by exact name, declared by this program or not.
 *
 * Rejects as `getExtension`.
 */
export function getProfile(
  args: types.GetProfileArgs,
  options?: InvokeOptions,
): Promise<types.GetProfileResult> {
  return plainForm("getProfile", args, options);
}

/** Output form of {@link getProfile}, for Output arguments; unknown while an argument is. */
export function getProfileOutput(
  args: outputs.GetProfileOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetProfileResult> {
  return outputForm("getProfile", args, options);
}

/**
 * Reads one proxy by id or by exact name, declared by this program or not.
 *
 * Rejects as `getExtension`, and with `LookupError` `name_ambiguous`, which lists the ids, if
 * several proxies have the name.
 */
export function getProxy(args: types.GetProxyArgs, options?: InvokeOptions): Promise<types.GetProxyResult> {
  return plainForm("getProxy", args, options);
}

/** Output form of {@link getProxy}, for Output arguments; unknown while an argument is. */
export function getProxyOutput(
  args: outputs.GetProxyOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetProxyResult> {
  return outputForm("getProxy", args, options);
}

/**
 * Reads one telemetry destination by id or by exact name, declared by this program or not. The
 * service shows the names of the headers, but never the values.
 *
 * Rejects as `getExtension`.
 */
export function getTelemetryDestination(
  args: types.GetTelemetryDestinationArgs,
  options?: InvokeOptions,
): Promise<types.GetTelemetryDestinationResult> {
  return plainForm("getTelemetryDestination", args, options);
}

/**
 * Output form of {@link getTelemetryDestination}, for Output arguments; unknown while an argument
 * is.
 */
export function getTelemetryDestinationOutput(
  args: outputs.GetTelemetryDestinationOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetTelemetryDestinationResult> {
  return outputForm("getTelemetryDestination", args, options);
}

/**
 * Reads the state of an auth connection. To wait for a login, declare a `LoginFlow`.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getAuthConnection(
  args: types.GetAuthConnectionArgs,
  options?: InvokeOptions,
): Promise<types.GetAuthConnectionResult> {
  return plainForm("getAuthConnection", args, options);
}

/** Output form of {@link getAuthConnection}, for Output arguments; unknown while an argument is. */
export function getAuthConnectionOutput(
  args: outputs.GetAuthConnectionOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetAuthConnectionResult> {
  return outputForm("getAuthConnection", args, options);
}
