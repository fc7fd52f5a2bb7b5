/**
 * Emulator of the service, offline, in the process of a test or a script.
 *
 * @module
 */
import "../node-version.js";

export type { EmulatedDeployments } from "./apps/controls.js";
export type {
  EmulatedApp,
  EmulatedBuild,
  EmulatedDeployment,
  EmulatedDeploymentStatus,
} from "./apps/record.js";
export type {
  EmulatedBrowser,
  EmulatedBrowserPool,
  EmulatedBrowserPools,
  NewBrowserPool,
} from "./browsers/browser-pools/controls.js";
export type { PoolSettings, SettingChanges } from "./browsers/browser-pools/settings.js";
export type { EmulatedExtensions } from "./browsers/extensions/controls.js";
export { archiveBytesMax } from "./browsers/extensions/routes.js";
export type { EmulatedExtension } from "./browsers/extensions/store.js";
export type { EmulatedProfiles } from "./browsers/profiles/controls.js";
export type { EmulatedProfile } from "./browsers/profiles/store.js";
export type { EmulatedProxies, NewEmulatedProxy } from "./browsers/proxies/controls.js";
export type { EmulatedProxy, ProxyStatus } from "./browsers/proxies/store.js";
export type { EmulatedBrowsers, LeasedBrowser } from "./browsers/sessions/controls.js";
export type { BrowserPicture, Lease, LeaseProfile } from "./browsers/sessions/store.js";
export { type Emulator, startEmulator } from "./emulator.js";
export type { FaultPoint } from "./http/exchange.js";
export type { FaultAction, FaultAnswer, FaultRule } from "./http/fault-action.js";
export type { FaultHandle } from "./http/faults.js";
export { type RecordedRequest, recordedRequestsMax } from "./http/request-log.js";
export type {
  AuthStatus,
  ConnectionCredential,
  ConnectionSettings,
} from "./logins/auth-connections/auth-connection.js";
export type {
  EmulatedAuthConnection,
  EmulatedAuthConnections,
  EmulatedLogin,
  NewAuthConnection,
} from "./logins/auth-connections/controls.js";
export type {
  EmulatedCredentials,
  NewEmulatedCredential,
} from "./logins/credentials/controls.js";
export type { EmulatedCredential } from "./logins/credentials/store.js";
export type { LoginForm } from "./logins/form.js";
export type { LoginStatus, LoginStep } from "./logins/login.js";
export { builtInScenarioNames } from "./logins/scenarios/scenarios.js";
export type {
  LoginEnd,
  LoginOutcome,
  LoginScenario,
  ScenarioChoice,
  ScenarioField,
  ScenarioStep,
} from "./logins/scenarios/schema.js";
export type { ObjectControls } from "./objects/controls.js";
export type { EmulatedApiKeyPolicy } from "./objects/scope.js";
export type { ApiKeyCreator, EmulatedApiKey, EmulatedApiKeyRecord } from "./organization/api-keys/record.js";
export type { EmulatedApiKeys, NewApiKey } from "./organization/api-keys/store.js";
export type { EmulatedCredentialProviders } from "./organization/credential-providers/controls.js";
export type {
  CredentialProviderToCreate,
  EmulatedCredentialProvider,
} from "./organization/credential-providers/store.js";
export type { NewProject } from "./organization/projects/entry.js";
export type {
  EmulatedOrganization,
  OrganizationLimits as EmulatedOrganizationLimits,
} from "./organization/projects/organization.js";
export type {
  EmulatedLimits,
  EmulatedProject,
  EmulatedProjects,
  LimitChanges,
} from "./organization/projects/store.js";
export type { EmulatedTelemetryDestinations } from "./organization/telemetry-destinations/controls.js";
export type {
  NewEmulatedTelemetryDestination,
  TelemetryDestinationSettings,
} from "./organization/telemetry-destinations/requests.js";
export type { EmulatedTelemetryDestination } from "./organization/telemetry-destinations/store.js";
export type { EmulatedObjects } from "./seed/kinds.js";
export { defaultApiKey, type EmulatorOptions } from "./seed/options.js";
export type { EmulatorSeed } from "./seed/schema.js";
export type { EmulatedClock } from "./storage/clock.js";
