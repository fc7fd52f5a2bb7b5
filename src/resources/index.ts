/** Resources of programs, as dynamic resources, with their types. */

export {
  type AppAction,
  AppDeployment,
  type AppDeploymentArgs,
  type AppDeploymentState,
  type DeployedApp,
} from "./apps/app-deployment.js";
export {
  BrowserEnvironment,
  type BrowserEnvironmentArgs,
  type BrowserEnvironmentTransform,
  type Transform,
} from "./browser-environment.js";
export {
  BrowserPool,
  type BrowserPoolArgs,
  type BrowserPoolState,
  type BrowserPoolViewport,
  type BrowserTelemetry,
} from "./browsers/browser-pool.js";
export {
  Extension,
  type ExtensionArgs,
  type ExtensionManifest,
  type ExtensionState,
  type FoundExtension,
} from "./browsers/extension.js";
export { Profile, type ProfileArgs, type ProfileState } from "./browsers/profile.js";
export { Proxy, type ProxyArgs, type ProxyConfig, type ProxyState } from "./browsers/proxy.js";
export {
  AuthConnection,
  type AuthConnectionArgs,
  type AuthConnectionCredential,
  type AuthConnectionState,
} from "./logins/auth-connection.js";
export {
  Credential,
  type CredentialArgs,
  type CredentialState,
  type FoundCredential,
} from "./logins/credential.js";
export { LoginFlow, type LoginFlowArgs, type LoginFlowState } from "./logins/login-flow.js";
export type { GetArguments } from "./lookup.js";
export {
  ApiKey,
  type ApiKeyArgs,
  type ApiKeyCreator,
  type ApiKeyPolicy,
  type ApiKeyState,
  type ApiKeyStatement,
  type PreviousApiKey,
} from "./organization/api-key.js";
export {
  ApiKeyName,
  type ApiKeyNameArgs,
  type ApiKeyNameCreator,
  type ApiKeyNameState,
  type FoundApiKeyName,
} from "./organization/api-key-name.js";
export {
  CredentialProvider,
  type CredentialProviderArgs,
  type CredentialProviderState,
  type FoundCredentialProvider,
} from "./organization/credential-provider.js";
export {
  type FoundOrganizationLimits,
  OrganizationLimits,
  type OrganizationLimitsArgs,
  type OrganizationLimitsState,
} from "./organization/organization-limits.js";
export { type FoundProject, Project, type ProjectArgs, type ProjectState } from "./organization/project.js";
export {
  type FoundProjectLimits,
  ProjectLimits,
  type ProjectLimitsArgs,
  type ProjectLimitsState,
} from "./organization/project-limits.js";
export {
  type FoundTelemetryDestination,
  TelemetryDestination,
  type TelemetryDestinationArgs,
  type TelemetryDestinationState,
} from "./organization/telemetry-destination.js";
