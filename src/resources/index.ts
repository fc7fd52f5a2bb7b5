/** Resources of programs, as dynamic resources, with their types. */

export {
  ApiKey,
  type ApiKeyArgs,
  type ApiKeyCreator,
  type ApiKeyPolicy,
  type ApiKeyState,
  type ApiKeyStatement,
  type PreviousApiKey,
} from "./api-key.js";
export {
  ApiKeyName,
  type ApiKeyNameArgs,
  type ApiKeyNameCreator,
  type ApiKeyNameState,
  type FoundApiKeyName,
} from "./api-key-name.js";
export {
  AuthConnection,
  type AuthConnectionArgs,
  type AuthConnectionCredential,
  type AuthConnectionState,
} from "./auth-connection.js";
export {
  BrowserPool,
  type BrowserPoolArgs,
  type BrowserPoolState,
  type BrowserPoolTelemetry,
  type BrowserPoolViewport,
} from "./browser-pool.js";
export {
  Credential,
  type CredentialArgs,
  type CredentialState,
  type FoundCredential,
} from "./credential.js";
export {
  Extension,
  type ExtensionArgs,
  type ExtensionManifest,
  type ExtensionState,
  type FoundExtension,
} from "./extension.js";
export { LoginFlow, type LoginFlowArgs, type LoginFlowState } from "./login-flow.js";
export {
  type FoundOrganizationLimits,
  OrganizationLimits,
  type OrganizationLimitsArgs,
  type OrganizationLimitsState,
} from "./organization-limits.js";
export { Profile, type ProfileArgs, type ProfileState } from "./profile.js";
export { type FoundProject, Project, type ProjectArgs, type ProjectState } from "./project.js";
export {
  type FoundProjectLimits,
  ProjectLimits,
  type ProjectLimitsArgs,
  type ProjectLimitsState,
} from "./project-limits.js";
export { Proxy, type ProxyArgs, type ProxyConfig, type ProxyState } from "./proxy.js";
