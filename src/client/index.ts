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
export { isNotFound, type Origins } from "./http/api-error.js";
export type { Clock } from "./http/clock.js";
export { eventBytesMax } from "./http/event-stream.js";
export type { CallOptions, Deadlines } from "./http/exchange.js";
export type { UploadProgress } from "./http/multipart.js";
export { RetryBudget, type RetryOptions } from "./http/retry.js";
export { type LoginStanding, loginStanding } from "./login/begin.js";
export type { FollowOptions } from "./login/follow-options.js";
export { LoginNarrator, type LoginTeller, loggedInText } from "./login/reporter.js";
export { loginStateText } from "./login/state-text.js";
export { apiKeyIdCharactersMax, apiKeyIdProblem } from "./operations/api-key-id.js";
export { apiKeyNameCodePointsMax, apiKeyNameProblem } from "./operations/api-key-name.js";
export type { ApiKeyListOptions, ApiKeyOperations, ApiKeyReadOptions } from "./operations/api-keys.js";
export type {
  AuthConnectionOperations,
  WaitForAuthenticationOptions,
  WaitForLoginOptions,
} from "./operations/auth-connections.js";
export { extensionNameProblem } from "./operations/extension-name.js";
export {
  type DownloadOptions,
  type DownloadProgress,
  type ExtensionOperations,
  extensionArchiveBytesMax,
  type UploadArguments,
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
