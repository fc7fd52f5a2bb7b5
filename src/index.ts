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
export * from "./functions/functions.js";
export type * from "./functions/output-arguments.js";
export type * from "./functions/signatures.js";
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
  type FoundApiKeyName,
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
  type FoundExtension,
} from "./resources/extension.js";
export { LoginFlow, type LoginFlowArgs, type LoginFlowState } from "./resources/login-flow.js";
export { type FoundProject, Project, type ProjectArgs, type ProjectState } from "./resources/project.js";
export {
  type FoundProjectLimits,
  ProjectLimits,
  type ProjectLimitsArgs,
  type ProjectLimitsState,
} from "./resources/project-limits.js";
export { type ApiKeySource, Provider, type ProviderArgs } from "./resources/provider.js";
