/** The package entry `pulumi-browser-infra/emulator`: the service, offline. */
export type { ApiKeyCreator, EmulatedApiKey, EmulatedApiKeyRecord } from "./api-key-record.js";
export type { NewApiKey } from "./api-key-store.js";
export { type Emulator, startEmulator } from "./emulator.js";
export { archiveBytesMax } from "./extension-routes.js";
export type { EmulatedExtension } from "./extension-store.js";
export type { FaultAction, FaultAnswer } from "./fault-action.js";
export type { FaultHandle, FaultPoint, FaultRule } from "./faults.js";
export type { EmulatedLimits } from "./limits.js";
export type { AuthStatus, ConnectionCredential, ConnectionSettings } from "./login/auth-connection.js";
export type {
  EmulatedAuthConnection,
  EmulatedAuthConnections,
  EmulatedLogin,
  NewAuthConnection,
} from "./login/emulated-auth-connections.js";
export type { LoginStatus, LoginStep } from "./login/login-flow.js";
export type { LoginForm } from "./login/login-form.js";
export type { LoginEnd } from "./login/login-transition.js";
export type {
  LoginOutcome,
  LoginScenario,
  ScenarioChoice,
  ScenarioField,
  ScenarioStep,
} from "./login/scenario-schema.js";
export { builtInScenarioNames } from "./login/scenarios.js";
export { defaultApiKey, type EmulatorOptions } from "./options.js";
export type { EmulatedProject, LimitChanges, NewProject } from "./project-store.js";
export { type RecordedRequest, recordedRequestsMax } from "./request-log.js";
export type { EmulatorSeed } from "./seed-schema.js";
