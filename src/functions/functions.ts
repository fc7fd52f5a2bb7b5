/** What a program asks of the service: each function in the plain form and in its Output form. */
import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { outputForm, plainForm } from "./invoke.js";
import type {
  GetApiKeyOutputArgs,
  GetApiKeysOutputArgs,
  GetAuthConnectionOutputArgs,
  GetBrowserPoolOutputArgs,
  GetBrowserPoolsOutputArgs,
  GetExtensionOutputArgs,
  GetProjectLimitsOutputArgs,
  GetProjectOutputArgs,
  GetProjectsOutputArgs,
} from "./output-arguments.js";
import type {
  GetApiKeyArgs,
  GetApiKeyResult,
  GetApiKeysArgs,
  GetApiKeysResult,
  GetAuthConnectionArgs,
  GetAuthConnectionResult,
  GetBrowserPoolArgs,
  GetBrowserPoolResult,
  GetBrowserPoolsArgs,
  GetBrowserPoolsResult,
  GetExtensionArgs,
  GetExtensionResult,
  GetOrganizationLimitsArgs,
  GetOrganizationLimitsResult,
  GetProjectArgs,
  GetProjectLimitsArgs,
  GetProjectLimitsResult,
  GetProjectResult,
  GetProjectsArgs,
  GetProjectsResult,
} from "./signatures.js";

/**
 * Reads one project by id or by exact name. When an active project and archived ones have the same
 * name, it is the active one.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`,
 * which lists names that differ only by case or accent, with their ids, or `name_ambiguous`;
 * `ApiError`, such as `not_found` for an id.
 */
export function getProject(args: GetProjectArgs, options?: InvokeOptions): Promise<GetProjectResult> {
  return plainForm("getProject", args, options);
}

/** As {@link getProject}, for arguments that may be Outputs; unknown while one is. */
export function getProjectOutput(
  args: GetProjectOutputArgs,
  options?: InvokeOutputOptions,
): Output<GetProjectResult> {
  return outputForm("getProject", args, options);
}

/**
 * Lists the projects of the organization that the API key may see, over every page.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` when
 * pages repeat or do not end.
 */
export function getProjects(args: GetProjectsArgs = {}, options?: InvokeOptions): Promise<GetProjectsResult> {
  return plainForm("getProjects", args, options);
}

/** As {@link getProjects}, for arguments that may be Outputs; unknown while one is. */
export function getProjectsOutput(
  args: GetProjectsOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<GetProjectsResult> {
  return outputForm("getProjects", args, options);
}

/** Reads the caps that a project sets for itself, after the project. Rejects as `getProject`. */
export function getProjectLimits(
  args: GetProjectLimitsArgs,
  options?: InvokeOptions,
): Promise<GetProjectLimitsResult> {
  return plainForm("getProjectLimits", args, options);
}

/** As {@link getProjectLimits}, for arguments that may be Outputs; unknown while one is. */
export function getProjectLimitsOutput(
  args: GetProjectLimitsOutputArgs,
  options?: InvokeOutputOptions,
): Output<GetProjectLimitsResult> {
  return outputForm("getProjectLimits", args, options);
}

/**
 * Reads what the organization may use at most, over all projects, and what it uses now. Takes no
 * arguments.
 *
 * Rejects with `ConfigError`, and with `ApiError`, also for a service without this operation.
 */
export function getOrganizationLimits(
  args: GetOrganizationLimitsArgs = {},
  options?: InvokeOptions,
): Promise<GetOrganizationLimitsResult> {
  return plainForm("getOrganizationLimits", args, options);
}

/** As {@link getOrganizationLimits}, as an Output. */
export function getOrganizationLimitsOutput(
  args: GetOrganizationLimitsArgs = {},
  options?: InvokeOutputOptions,
): Output<GetOrganizationLimitsResult> {
  return outputForm("getOrganizationLimits", args, options);
}

/**
 * Reads the record of one API key. Finds expired keys, but no deleted ones.
 *
 * Rejects with `InputError` before any request, also for a secret, a masked key or a name in place
 * of the id (the message repeats none of them); `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getApiKey(args: GetApiKeyArgs, options?: InvokeOptions): Promise<GetApiKeyResult> {
  return plainForm("getApiKey", args, options);
}

/** As {@link getApiKey}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeyOutput(
  args: GetApiKeyOutputArgs,
  options?: InvokeOutputOptions,
): Output<GetApiKeyResult> {
  return outputForm("getApiKey", args, options);
}

/**
 * Lists the API keys that the configured one may see, over every page.
 *
 * Rejects with `InputError` before any request, also for a secret in "query"; `ConfigError`;
 * `ApiError`; `ContractError` when pages repeat or do not end.
 */
export function getApiKeys(args: GetApiKeysArgs = {}, options?: InvokeOptions): Promise<GetApiKeysResult> {
  return plainForm("getApiKeys", args, options);
}

/** As {@link getApiKeys}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeysOutput(
  args: GetApiKeysOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<GetApiKeysResult> {
  return outputForm("getApiKeys", args, options);
}

/**
 * Reads one extension by id or by exact name, also one that this program does not declare.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`,
 * which lists names that differ only by case or accent, with their ids; `ApiError`, such as
 * `not_found` for an id.
 */
export function getExtension(args: GetExtensionArgs, options?: InvokeOptions): Promise<GetExtensionResult> {
  return plainForm("getExtension", args, options);
}

/** As {@link getExtension}, for arguments that may be Outputs; unknown while one is. */
export function getExtensionOutput(
  args: GetExtensionOutputArgs,
  options?: InvokeOutputOptions,
): Output<GetExtensionResult> {
  return outputForm("getExtension", args, options);
}

/**
 * Reads one browser pool by id or by exact name, also one that this program does not declare.
 *
 * Rejects as `getExtension`.
 */
export function getBrowserPool(
  args: GetBrowserPoolArgs,
  options?: InvokeOptions,
): Promise<GetBrowserPoolResult> {
  return plainForm("getBrowserPool", args, options);
}

/** As {@link getBrowserPool}, for arguments that may be Outputs; unknown while one is. */
export function getBrowserPoolOutput(
  args: GetBrowserPoolOutputArgs,
  options?: InvokeOutputOptions,
): Output<GetBrowserPoolResult> {
  return outputForm("getBrowserPool", args, options);
}

/**
 * Lists the browser pools of one project, over every page.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` when
 * pages repeat or do not end.
 */
export function getBrowserPools(
  args: GetBrowserPoolsArgs = {},
  options?: InvokeOptions,
): Promise<GetBrowserPoolsResult> {
  return plainForm("getBrowserPools", args, options);
}

/** As {@link getBrowserPools}, for arguments that may be Outputs; unknown while one is. */
export function getBrowserPoolsOutput(
  args: GetBrowserPoolsOutputArgs = {},
  options?: InvokeOutputOptions,
): Output<GetBrowserPoolsResult> {
  return outputForm("getBrowserPools", args, options);
}

/**
 * Reads the state of an auth connection, for programs that decide by it. To wait for a login,
 * declare a `LoginFlow`.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getAuthConnection(
  args: GetAuthConnectionArgs,
  options?: InvokeOptions,
): Promise<GetAuthConnectionResult> {
  return plainForm("getAuthConnection", args, options);
}

/** As {@link getAuthConnection}, for arguments that may be Outputs; unknown while one is. */
export function getAuthConnectionOutput(
  args: GetAuthConnectionOutputArgs,
  options?: InvokeOutputOptions,
): Output<GetAuthConnectionResult> {
  return outputForm("getAuthConnection", args, options);
}
