/**
 * The typed client of the service, for a script or a test: `pulumi-browser-infra/client`.
 *
 * @module
 */
import "../node-version.js";

export * from "../errors.js";
export type * from "./apps/app.js";
export type { AppListOptions, AppOperations } from "./apps/apps.js";
export type * from "./apps/deployment.js";
export type { DeploymentListOptions, DeploymentOperations } from "./apps/deployments.js";
export type { DeploymentFollowOptions } from "./apps/follow.js";
export type * from "./browsers/browser-pool.js";
export type {
  BrowserPoolDeleteOptions,
  BrowserPoolListOptions,
  BrowserPoolOperations,
  BrowserPoolUpdateOptions,
} from "./browsers/browser-pools.js";
export type * from "./browsers/extension.js";
export type {
  DownloadOptions,
  DownloadProgress,
  ExtensionOperations,
  UploadArguments,
  UploadOptions,
} from "./browsers/extensions.js";
export type * from "./browsers/profile.js";
export type { ProfileOperations } from "./browsers/profiles.js";
export type { ProxyOperations } from "./browsers/proxies.js";
export type * from "./browsers/proxy.js";
export { BrowserInfraClient, type ClientOptions } from "./client.js";
export type { CallOptions } from "./http/call.js";
export type { Deadlines } from "./http/connections/deadline.js";
export type { UploadProgress } from "./http/multipart.js";
export { RetryBudget } from "./http/retry/budget.js";
export type { RetryOptions } from "./http/retry/options.js";
export type * from "./logins/auth-connection.js";
export type {
  AuthConnectionListOptions,
  AuthConnectionOperations,
  WaitForAuthenticationOptions,
  WaitForLoginOptions,
} from "./logins/auth-connections.js";
export type * from "./logins/credential.js";
export type { CredentialListOptions, CredentialOperations } from "./logins/credentials.js";
export { type LoginStanding, loginStanding } from "./logins/following/connection-record.js";
export type { FollowOptions } from "./logins/following/follow-options.js";
export type * from "./logins/login.js";
export { isMissingOperation, isNotFound } from "./not-found.js";
export type { StreamLimits } from "./operations/following/limits.js";
export type {
  StreamErrorDetail,
  StreamErrorEvent,
  StreamHeartbeatEvent,
} from "./operations/following/stream-events.js";
export type { ListOptions, PagedOptions } from "./operations/list.js";
export type * from "./organization/api-key.js";
export type { ApiKeyRotation } from "./organization/api-key-rotation.js";
export type {
  ApiKeyListOptions,
  ApiKeyOperations,
  ApiKeyReadOptions,
  NewApiKey,
} from "./organization/api-keys.js";
export type * from "./organization/credential-provider.js";
export type { CredentialProviderOperations } from "./organization/credential-providers.js";
export type * from "./organization/entitlements.js";
export type { OrganizationLimitChanges, OrganizationOperations } from "./organization/organization.js";
export type * from "./organization/project.js";
export type {
  ProjectChanges,
  ProjectLimitChanges,
  ProjectListOptions,
  ProjectOperations,
} from "./organization/projects.js";
export type * from "./organization/telemetry-destination.js";
export type { TelemetryDestinationOperations } from "./organization/telemetry-destinations.js";
