import * as pulumi from "@pulumi/pulumi";
import type { GetApiKeyArgs, GetApiKeyOutputArgs, GetApiKeyResult } from "../../../functions/get-api-key.js";
import type {
  GetApiKeysArgs,
  GetApiKeysOutputArgs,
  GetApiKeysResult,
} from "../../../functions/get-api-keys.js";
import type {
  GetAuthConnectionArgs,
  GetAuthConnectionOutputArgs,
  GetAuthConnectionResult,
} from "../../../functions/get-auth-connection.js";
import type {
  GetBrowserPoolArgs,
  GetBrowserPoolOutputArgs,
  GetBrowserPoolResult,
  GetBrowserPoolsArgs,
  GetBrowserPoolsOutputArgs,
  GetBrowserPoolsResult,
} from "../../../functions/get-browser-pools.js";
import type {
  GetExtensionArgs,
  GetExtensionOutputArgs,
  GetExtensionResult,
} from "../../../functions/get-extension.js";
import type {
  GetOrganizationLimitsArgs,
  GetOrganizationLimitsResult,
} from "../../../functions/get-organization-limits.js";
import type {
  GetProjectArgs,
  GetProjectOutputArgs,
  GetProjectResult,
} from "../../../functions/get-project.js";
import type {
  GetProjectLimitsArgs,
  GetProjectLimitsOutputArgs,
  GetProjectLimitsResult,
} from "../../../functions/get-project-limits.js";
import type {
  GetProjectsArgs,
  GetProjectsOutputArgs,
  GetProjectsResult,
} from "../../../functions/get-projects.js";
import { pluginOptions } from "./declare.js";

/**
 * Reads one project by id or by exact name. When an active project and archived ones have the same
 * name, it is the active one.
 */
export function getProject(args: GetProjectArgs, options?: pulumi.InvokeOptions): Promise<GetProjectResult> {
  return ask("getProject", args, options);
}

/** As {@link getProject}, for arguments that may be Outputs; unknown while one is. */
export function getProjectOutput(
  args: GetProjectOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectResult> {
  return askWhenKnown("getProject", args, options);
}

/** Lists the projects of the organization that the API key may see, over every page. */
export function getProjects(
  args: GetProjectsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetProjectsResult> {
  return ask("getProjects", args, options);
}

/** As {@link getProjects}, for arguments that may be Outputs; unknown while one is. */
export function getProjectsOutput(
  args: GetProjectsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectsResult> {
  return askWhenKnown("getProjects", args, options);
}

/** Reads the caps that a project sets for itself, after the project. */
export function getProjectLimits(
  args: GetProjectLimitsArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetProjectLimitsResult> {
  return ask("getProjectLimits", args, options);
}

/** As {@link getProjectLimits}, for arguments that may be Outputs; unknown while one is. */
export function getProjectLimitsOutput(
  args: GetProjectLimitsOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectLimitsResult> {
  return askWhenKnown("getProjectLimits", args, options);
}

/**
 * Reads what the organization may use at most, over all projects, and what it uses now. Takes no
 * arguments.
 */
export function getOrganizationLimits(
  args: GetOrganizationLimitsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetOrganizationLimitsResult> {
  return ask("getOrganizationLimits", args, options);
}

/** As {@link getOrganizationLimits}, as an Output. */
export function getOrganizationLimitsOutput(
  args: GetOrganizationLimitsArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetOrganizationLimitsResult> {
  return askWhenKnown("getOrganizationLimits", args, options);
}

/** Reads the record of one API key. Finds expired keys, but no deleted ones. */
export function getApiKey(args: GetApiKeyArgs, options?: pulumi.InvokeOptions): Promise<GetApiKeyResult> {
  return ask("getApiKey", args, options);
}

/** As {@link getApiKey}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeyOutput(
  args: GetApiKeyOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetApiKeyResult> {
  return askWhenKnown("getApiKey", args, options);
}

/** Lists the API keys that the configured one may see, over every page. */
export function getApiKeys(
  args: GetApiKeysArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetApiKeysResult> {
  return ask("getApiKeys", args, options);
}

/** As {@link getApiKeys}, for arguments that may be Outputs; unknown while one is. */
export function getApiKeysOutput(
  args: GetApiKeysOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetApiKeysResult> {
  return askWhenKnown("getApiKeys", args, options);
}

/**
 * Reads one extension by id or by exact name, also one that this program does not declare. Looks in
 * the project that the setting `browser-infra:projectId` or the provider names, or else in that of
 * the API key.
 */
export function getExtension(
  args: GetExtensionArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetExtensionResult> {
  return ask("getExtension", args, options);
}

/** As {@link getExtension}, for arguments that may be Outputs; unknown while one is. */
export function getExtensionOutput(
  args: GetExtensionOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetExtensionResult> {
  return askWhenKnown("getExtension", args, options);
}

/** Reads one browser pool of the project by id or by exact name. */
export function getBrowserPool(
  args: GetBrowserPoolArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetBrowserPoolResult> {
  return ask("getBrowserPool", args, options);
}

/** As {@link getBrowserPool}, for arguments that may be Outputs; unknown while one is. */
export function getBrowserPoolOutput(
  args: GetBrowserPoolOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBrowserPoolResult> {
  return askWhenKnown("getBrowserPool", args, options);
}

/** Lists the browser pools of the project, over every page. */
export function getBrowserPools(
  args: GetBrowserPoolsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetBrowserPoolsResult> {
  return ask("getBrowserPools", args, options);
}

/** As {@link getBrowserPools}, for arguments that may be Outputs; unknown while one is. */
export function getBrowserPoolsOutput(
  args: GetBrowserPoolsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBrowserPoolsResult> {
  return askWhenKnown("getBrowserPools", args, options);
}

/**
 * Reads the state of an auth connection, for programs that decide by it. To wait for a login,
 * declare a `LoginFlow`.
 */
export function getAuthConnection(
  args: GetAuthConnectionArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetAuthConnectionResult> {
  return ask("getAuthConnection", args, options);
}

/** As {@link getAuthConnection}, for arguments that may be Outputs; unknown while one is. */
export function getAuthConnectionOutput(
  args: GetAuthConnectionOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAuthConnectionResult> {
  return askWhenKnown("getAuthConnection", args, options);
}

/** The plain form: asks at once. */
function ask<Result>(name: string, args: object, options?: pulumi.InvokeOptions): Promise<Result> {
  return pulumi.runtime.invoke(tokenOf(name), { ...args }, { ...pluginOptions, ...options });
}

/** The Output form. */
function askWhenKnown<Result>(
  name: string,
  args: object,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<Result> {
  return pulumi.runtime.invokeOutput(tokenOf(name), { ...args }, { ...pluginOptions, ...options });
}

function tokenOf(name: string): string {
  return `browser-infra:index:${name}`;
}
