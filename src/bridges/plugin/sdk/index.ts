/**
 * The resources and functions of `pulumi-browser-infra`, managed by its provider plugin instead of
 * as dynamic resources: the same names, arguments and outputs. Resources can then be imported, and
 * be refreshed and destroyed without `node_modules`. The page docs/plugin.md says when to use which
 * entry, how a program gets the plugin, and how to move a stack.
 *
 * A function asks through the plugin. It rejects with the error of Pulumi's SDK, whose message
 * contains that of the same function of `pulumi-browser-infra`.
 *
 * @module plugin
 */
import "../../../node-version.js";

export { BrowserInfraError, InputError, isBrowserInfraError } from "../../../errors.js";
export type {
  GetApiKeyArgs,
  GetApiKeyOutputArgs,
  GetApiKeyResult,
} from "../../../functions/get-api-key.js";
export type {
  GetApiKeysArgs,
  GetApiKeysOutputArgs,
  GetApiKeysResult,
} from "../../../functions/get-api-keys.js";
export type {
  GetAuthConnectionArgs,
  GetAuthConnectionOutputArgs,
  GetAuthConnectionResult,
} from "../../../functions/get-auth-connection.js";
export type {
  GetBrowserPoolArgs,
  GetBrowserPoolOutputArgs,
  GetBrowserPoolResult,
  GetBrowserPoolsArgs,
  GetBrowserPoolsOutputArgs,
  GetBrowserPoolsResult,
} from "../../../functions/get-browser-pools.js";
export type {
  GetExtensionArgs,
  GetExtensionOutputArgs,
  GetExtensionResult,
} from "../../../functions/get-extension.js";
export type {
  GetOrganizationLimitsArgs,
  GetOrganizationLimitsResult,
} from "../../../functions/get-organization-limits.js";
export type {
  GetProjectArgs,
  GetProjectOutputArgs,
  GetProjectResult,
} from "../../../functions/get-project.js";
export type {
  GetProjectLimitsArgs,
  GetProjectLimitsOutputArgs,
  GetProjectLimitsResult,
} from "../../../functions/get-project-limits.js";
export type {
  GetProjectsArgs,
  GetProjectsOutputArgs,
  GetProjectsResult,
} from "../../../functions/get-projects.js";
export type { ApiKeyArgs, ApiKeyCreator, ApiKeyState, PreviousApiKey } from "../../../resources/api-key.js";
export type { ApiKeyNameArgs, ApiKeyNameCreator, ApiKeyNameState } from "../../../resources/api-key-name.js";
export type {
  BrowserPoolArgs,
  BrowserPoolState,
  BrowserPoolTelemetry,
  BrowserPoolViewport,
} from "../../../resources/browser-pool.js";
export type { ExtensionArgs, ExtensionManifest, ExtensionState } from "../../../resources/extension.js";
export type { LoginFlowArgs, LoginFlowState } from "../../../resources/login-flow.js";
export type { ProjectArgs, ProjectState } from "../../../resources/project.js";
export type { ProjectLimitsArgs, ProjectLimitsState } from "../../../resources/project-limits.js";
export {
  getApiKey,
  getApiKeyOutput,
  getApiKeys,
  getApiKeysOutput,
  getAuthConnection,
  getAuthConnectionOutput,
  getBrowserPool,
  getBrowserPoolOutput,
  getBrowserPools,
  getBrowserPoolsOutput,
  getExtension,
  getExtensionOutput,
  getOrganizationLimits,
  getOrganizationLimitsOutput,
  getProject,
  getProjectLimits,
  getProjectLimitsOutput,
  getProjectOutput,
  getProjects,
  getProjectsOutput,
} from "./functions.js";
export { type ApiKeySource, Provider, type ProviderArgs } from "./provider.js";
export {
  ApiKey,
  ApiKeyName,
  BrowserPool,
  Extension,
  LoginFlow,
  Project,
  ProjectLimits,
} from "./resources.js";
