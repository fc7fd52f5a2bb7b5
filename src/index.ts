/**
 * Pulumi resources and functions for a browser infrastructure service: what a Pulumi program
 * imports. The typed client is `pulumi-browser-infra/client`, the emulator
 * `pulumi-browser-infra/emulator`.
 *
 * @module
 */
import "./node-version.js";

export {
  ApiError,
  ArchiveError,
  BrowserInfraError,
  CanceledError,
  ConfigError,
  ConflictError,
  ConnectionError,
  ContractError,
  InputError,
  isBrowserInfraError,
  LocalError,
  LoginError,
  type LoginErrorCode,
  LookupError,
  OutcomeUnknownError,
  RecoveryError,
  type RequestContext,
} from "./errors.js";
export {
  type GetApiKeyArgs,
  type GetApiKeyOutputArgs,
  type GetApiKeyResult,
  getApiKey,
  getApiKeyOutput,
} from "./functions/get-api-key.js";
export {
  type GetApiKeysArgs,
  type GetApiKeysOutputArgs,
  type GetApiKeysResult,
  getApiKeys,
  getApiKeysOutput,
} from "./functions/get-api-keys.js";
export {
  type GetAuthConnectionArgs,
  type GetAuthConnectionOutputArgs,
  type GetAuthConnectionResult,
  getAuthConnection,
  getAuthConnectionOutput,
} from "./functions/get-auth-connection.js";
export {
  type GetBrowserPoolArgs,
  type GetBrowserPoolOutputArgs,
  type GetBrowserPoolResult,
  type GetBrowserPoolsArgs,
  type GetBrowserPoolsOutputArgs,
  type GetBrowserPoolsResult,
  getBrowserPool,
  getBrowserPoolOutput,
  getBrowserPools,
  getBrowserPoolsOutput,
} from "./functions/get-browser-pools.js";
export {
  type GetExtensionArgs,
  type GetExtensionOutputArgs,
  type GetExtensionResult,
  getExtension,
  getExtensionOutput,
} from "./functions/get-extension.js";
export {
  type GetOrganizationLimitsArgs,
  type GetOrganizationLimitsResult,
  getOrganizationLimits,
  getOrganizationLimitsOutput,
} from "./functions/get-organization-limits.js";
export {
  type GetProjectArgs,
  type GetProjectOutputArgs,
  type GetProjectResult,
  getProject,
  getProjectOutput,
} from "./functions/get-project.js";
export {
  type GetProjectLimitsArgs,
  type GetProjectLimitsOutputArgs,
  type GetProjectLimitsResult,
  getProjectLimits,
  getProjectLimitsOutput,
} from "./functions/get-project-limits.js";
export {
  type GetProjectsArgs,
  type GetProjectsOutputArgs,
  type GetProjectsResult,
  getProjects,
  getProjectsOutput,
} from "./functions/get-projects.js";
export {
  ApiKey,
  type ApiKeyArgs,
  type ApiKeyCreator,
  type ApiKeyState,
  type PreviousApiKey,
} from "./resources/api-key.js";
export {
  ApiKeyName,
  type ApiKeyNameArgs,
  type ApiKeyNameCreator,
  type ApiKeyNameState,
} from "./resources/api-key-name.js";
export {
  BrowserPool,
  type BrowserPoolArgs,
  type BrowserPoolState,
  type BrowserPoolTelemetry,
  type BrowserPoolViewport,
} from "./resources/browser-pool.js";
export {
  Extension,
  type ExtensionArgs,
  type ExtensionManifest,
  type ExtensionState,
} from "./resources/extension.js";
export { LoginFlow, type LoginFlowArgs, type LoginFlowState } from "./resources/login-flow.js";
export { Project, type ProjectArgs, type ProjectState } from "./resources/project.js";
export {
  ProjectLimits,
  type ProjectLimitsArgs,
  type ProjectLimitsState,
} from "./resources/project-limits.js";
export { type ApiKeySource, Provider, type ProviderArgs } from "./resources/provider.js";
