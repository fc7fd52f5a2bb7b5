/**
 * The typed client of the service, for a script or a test: `pulumi-browser-infra/client`.
 *
 * @module
 */
import "../node-version.js";

export * from "../errors.js";
export type { ApiKeyRotation } from "./api-key-rotation.js";
export { BrowserInfraClient, type ClientOptions } from "./client.js";
export type { CallOptions } from "./http/call.js";
export type { Deadlines } from "./http/connections/deadline.js";
export type { UploadProgress } from "./http/multipart.js";
export { RetryBudget } from "./http/retry/budget.js";
export type { RetryOptions } from "./http/retry/options.js";
export type { FollowOptions } from "./login/follow-options.js";
export { type LoginStanding, loginStanding } from "./login/standing.js";
export type {
  ApiKeyListOptions,
  ApiKeyOperations,
  ApiKeyReadOptions,
  NewApiKey,
} from "./operations/api-keys.js";
export type {
  AuthConnectionListOptions,
  AuthConnectionOperations,
  WaitForAuthenticationOptions,
  WaitForLoginOptions,
} from "./operations/auth-connections.js";
export type {
  BrowserPoolDeleteOptions,
  BrowserPoolListOptions,
  BrowserPoolOperations,
  BrowserPoolUpdateOptions,
} from "./operations/browser-pools.js";
export type { CredentialListOptions, CredentialOperations } from "./operations/credentials.js";
export type {
  DownloadOptions,
  DownloadProgress,
  ExtensionOperations,
  UploadArguments,
  UploadOptions,
} from "./operations/extensions.js";
export type { ListOptions, PagedOptions } from "./operations/list.js";
export type { OrganizationLimitChanges, OrganizationOperations } from "./operations/organization.js";
export type { ProfileOperations } from "./operations/profiles.js";
export type {
  ProjectChanges,
  ProjectLimitChanges,
  ProjectListOptions,
  ProjectOperations,
} from "./operations/projects.js";
export type { ProxyOperations } from "./operations/proxies.js";
export type * from "./records/api-key.js";
export type * from "./records/auth-connection.js";
export type * from "./records/browser-pool.js";
export type * from "./records/credential.js";
export type * from "./records/extension.js";
export type * from "./records/login.js";
export type * from "./records/profile.js";
export type * from "./records/project.js";
export type * from "./records/proxy.js";
export { isMissingOperation, isNotFound } from "./refusals.js";
