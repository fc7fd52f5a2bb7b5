/** The typed client of the browser infrastructure service: `import { BrowserInfraClient } from "pulumi-browser-infra/client"`. */
export {
  ApiError,
  BrowserInfraError,
  type BrowserInfraErrorOptions,
  CanceledError,
  ConfigError,
  ConnectionError,
  ContractError,
  InputError,
  OutcomeUnknownError,
  type RequestContext,
} from "../errors.js";
export { apiKeyIdCharactersMax, apiKeyIdProblem } from "./api-key-id.js";
export { apiKeyNameCodePointsMax, apiKeyNameProblem } from "./api-key-name.js";
export type { ApiKey, ApiKeyCreator } from "./api-key-wire.js";
export type { ApiKeyListOptions, ApiKeyOperations, ApiKeyReadOptions } from "./api-keys.js";
export type {
  AuthConnection,
  AuthConnectionCredential,
  AuthConnectionStatus,
} from "./auth-connection-wire.js";
export type {
  AuthConnectionOperations,
  WaitForAuthenticationOptions,
  WaitForLoginOptions,
} from "./auth-connections.js";
export type { AuthContext } from "./auth-context-wire.js";
export { BrowserInfraClient, type ClientOptions } from "./client.js";
export type { Clock } from "./clock.js";
export { eventBytesMax } from "./event-stream.js";
export type { CallOptions, Deadlines } from "./exchange.js";
export { extensionNameProblem } from "./extension-name.js";
export {
  type DownloadOptions,
  type DownloadProgress,
  type ExtensionOperations,
  extensionArchiveBytesMax,
  type UploadArguments,
} from "./extensions.js";
export type { ListOptions } from "./listing.js";
export { type LoginStanding, loginStanding } from "./login-begin.js";
export { LoginError, type LoginErrorCode, type LoginErrorFields } from "./login-errors.js";
export type {
  LoginErrorDetail,
  LoginErrorEvent,
  LoginEvent,
  LoginHeartbeatEvent,
  LoginStateEvent,
} from "./login-event-wire.js";
export type {
  DiscoveredField,
  LoginChoice,
  LoginField,
  LoginFlowDetails,
  LoginFlowStatus,
  LoginFlowStep,
  LoginFlowType,
  MfaOption,
  MfaType,
  SignInOption,
  SsoButton,
} from "./login-flow-wire.js";
export type { FollowOptions } from "./login-follow-options.js";
export { LoginNarrator, type LoginTeller, loggedInText } from "./login-narrator.js";
export { loginStateText } from "./login-state-text.js";
export type { UploadProgress } from "./multipart.js";
export type { Project, ProjectLimits, ProjectStatus } from "./project-wire.js";
export type { ProjectListOptions, ProjectOperations } from "./projects.js";
export { isNotFound, type Origins } from "./refusal.js";
export { RetryBudget, type RetryOptions } from "./retry.js";
export type { Extension } from "./wire.js";
