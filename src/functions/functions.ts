/** What a program asks of the service: each function in the plain form and in its Output form. */
import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { outputForm, plainForm } from "./invoke.js";
import type * as outputs from "./output-arguments.js";
import type * as types from "./signatures.js";

/**
 * Reads one project by id or by exact name. When an active project and archived ones have the same
 * name, it is the active one.
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

/** As {@link getProject}, for arguments that may be Outputs; unknown while one is. */
export function getProjectOutput(
  args: outputs.GetProjectOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetProjectResult> {
  return outputForm("getProject", args, options);
}

/**
 * Lists the projects of the organization that the API key may see, over every page.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` when
 * pages repeat or do not end.
 */
export function getProjects(
  args: types.GetProjectsArgs = {},
  options?: InvokeOptions,
): Promise<types.GetProjectsResult> {
  return plainForm("getProjects", args, options);
}

/** As {@link getProjects}, for arguments that may be Outputs; unknown while one is. */
export function getProjectsOutput(
  args: outputs.GetProjectsOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetProjectsResult> {
  return outputForm("getProjects", args, options);
}

/** Reads the caps that a project sets for itself, after the project. Rejects as `getProject`. */
export function getProjectLimits(
  args: types.GetProjectLimitsArgs,
  options?: InvokeOptions,
): Promise<types.GetProjectLimitsResult> {
  return plainForm("getProjectLimits", args, options);
}

/** As {@link getProjectLimits}, for arguments that may be Outputs; unknown while one is. */
export function getProjectLimitsOutput(
  args: outputs.GetProjectLimitsOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetProjectLimitsResult> {
  return outputForm("getProjectLimits", args, options);
}

/**
 * Reads what the organization may use at most, over all projects, and what it uses now. Takes no
 * arguments.
 *
 * Rejects with `ConfigError`, and with `ApiError`, also for a service without this operation.
 */
export function getOrganizationLimits(
  args: types.GetOrganizationLimitsArgs = {},
  options?: InvokeOptions,
): Promise<types.GetOrganizationLimitsResult> {
  return plainForm("getOrganizationLimits", args, options);
}

/** As {@link getOrganizationLimits}, as an Output. */
export function getOrganizationLimitsOutput(
  args: types.GetOrganizationLimitsArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetOrganizationLimitsResult> {
  return outputForm("getOrganizationLimits", args, options);
}

/**
 * Reads the record of one API key. Finds expired keys, but no deleted ones.
 *
 * Rejects with `InputError` before any request, also for a secret, a masked key or a name in place
 * of the id (the message repeats none of them); `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getApiKey(
  args: types.GetApiKeyArgs,
  options?: InvokeOptions,
): Promise<types.GetApiKeyResult> {
  return plainForm("getApiKey", args, options);
}

/** As {@link getApiKey}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeyOutput(
  args: outputs.GetApiKeyOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetApiKeyResult> {
  return outputForm("getApiKey", args, options);
}

/**
 * Lists the API keys that the configured one may see, over every page.
 *
 * Rejects with `InputError` before any request, also for a secret in "query"; `ConfigError`;
 * `ApiError`; `ContractError` when pages repeat or do not end.
 */
export function getApiKeys(
  args: types.GetApiKeysArgs = {},
  options?: InvokeOptions,
): Promise<types.GetApiKeysResult> {
  return plainForm("getApiKeys", args, options);
}

/** As {@link getApiKeys}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeysOutput(
  args: outputs.GetApiKeysOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetApiKeysResult> {
  return outputForm("getApiKeys", args, options);
}

/**
 * Reads one extension by id or by exact name, also one that this program does not declare.
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

/** As {@link getExtension}, for arguments that may be Outputs; unknown while one is. */
export function getExtensionOutput(
  args: outputs.GetExtensionOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetExtensionResult> {
  return outputForm("getExtension", args, options);
}

/**
 * Reads one browser pool by id or by exact name, also one that this program does not declare.
 *
 * Rejects as `getExtension`.
 */
export function getBrowserPool(
  args: types.GetBrowserPoolArgs,
  options?: InvokeOptions,
): Promise<types.GetBrowserPoolResult> {
  return plainForm("getBrowserPool", args, options);
}

/** As {@link getBrowserPool}, for arguments that may be Outputs; unknown while one is. */
export function getBrowserPoolOutput(
  args: outputs.GetBrowserPoolOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetBrowserPoolResult> {
  return outputForm("getBrowserPool", args, options);
}

/**
 * Lists the browser pools of one project, over every page.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` when
 * pages repeat or do not end.
 */
export function getBrowserPools(
  args: types.GetBrowserPoolsArgs = {},
  options?: InvokeOptions,
): Promise<types.GetBrowserPoolsResult> {
  return plainForm("getBrowserPools", args, options);
}

/** As {@link getBrowserPools}, for arguments that may be Outputs; unknown while one is. */
export function getBrowserPoolsOutput(
  args: outputs.GetBrowserPoolsOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<types.GetBrowserPoolsResult> {
  return outputForm("getBrowserPools", args, options);
}

/**
 * Reads one browser profile by id or by exact name, also one that this program does not declare.
 *
 * Rejects as `getExtension`.
 */
export function getProfile(
  args: types.GetProfileArgs,
  options?: InvokeOptions,
): Promise<types.GetProfileResult> {
  return plainForm("getProfile", args, options);
}

/** As {@link getProfile}, for arguments that may be Outputs; unknown while one is. */
export function getProfileOutput(
  args: outputs.GetProfileOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetProfileResult> {
  return outputForm("getProfile", args, options);
}

/**
 * Reads one proxy by id or by exact name, also one that this program does not declare.
 *
 * Rejects as `getExtension`, and with `LookupError` `name_ambiguous`, which lists the ids, when
 * several proxies have the name.
 */
export function getProxy(args: types.GetProxyArgs, options?: InvokeOptions): Promise<types.GetProxyResult> {
  return plainForm("getProxy", args, options);
}

/** As {@link getProxy}, for arguments that may be Outputs; unknown while one is. */
export function getProxyOutput(
  args: outputs.GetProxyOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetProxyResult> {
  return outputForm("getProxy", args, options);
}

/**
 * Reads the state of an auth connection, for programs that decide by it. To wait for a login,
 * declare a `LoginFlow`.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getAuthConnection(
  args: types.GetAuthConnectionArgs,
  options?: InvokeOptions,
): Promise<types.GetAuthConnectionResult> {
  return plainForm("getAuthConnection", args, options);
}

/** As {@link getAuthConnection}, for arguments that may be Outputs; unknown while one is. */
export function getAuthConnectionOutput(
  args: outputs.GetAuthConnectionOutputArgs,
  options?: InvokeOutputOptions,
): Output<types.GetAuthConnectionResult> {
  return outputForm("getAuthConnection", args, options);
}
