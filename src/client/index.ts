/** The typed client of the browser infrastructure service: `import { BrowserInfraClient } from "pulumi-browser-infra/client"`. */
export {
  ApiError,
  BrowserInfraError,
  type BrowserInfraErrorOptions,
  CanceledError,
  ConfigError,
  ConflictError,
  ConnectionError,
  ContractError,
  InputError,
  isBrowserInfraError,
  LoginError,
  type LoginErrorCode,
  type LoginErrorFields,
  LookupError,
  OutcomeUnknownError,
  type RequestContext,
} from "../errors.js";
export { BrowserInfraClient, type ClientOptions } from "./client.js";
export { isNotFound } from "./http/api-error.js";
export type { CallOptions } from "./http/call.js";
export type { Deadlines } from "./http/deadline.js";
export type { UploadProgress } from "./http/multipart.js";
export { RetryBudget, type RetryOptions } from "./http/retry.js";
export { type LoginStanding, loginStanding } from "./login/connection.js";
export type { FollowOptions } from "./login/follow-options.js";
export type { ApiKeyListOptions, ApiKeyOperations, ApiKeyReadOptions } from "./operations/api-keys.js";
export type {
  AuthConnectionOperations,
  WaitForAuthenticationOptions,
  WaitForLoginOptions,
} from "./operations/auth-connections.js";
export type {
  DownloadOptions,
  DownloadProgress,
  ExtensionOperations,
  UploadArguments,
  UploadOptions,
} from "./operations/extensions.js";
export type { ListOptions } from "./operations/list.js";
export type { ProjectListOptions, ProjectOperations } from "./operations/projects.js";
export type {
  ApiKey,
  ApiKeyCreator,
  AuthConnection,
  AuthConnectionCredential,
  AuthConnectionStatus,
  AuthContext,
  DiscoveredField,
  Extension,
  LoginChoice,
  LoginErrorDetail,
  LoginErrorEvent,
  LoginEvent,
  LoginField,
  LoginFlowDetails,
  LoginFlowStatus,
  LoginFlowStep,
  LoginFlowType,
  LoginHeartbeatEvent,
  LoginStateEvent,
  MfaOption,
  MfaType,
  Project,
  ProjectLimits,
  ProjectStatus,
  SignInOption,
  SsoButton,
} from "./types.js";
