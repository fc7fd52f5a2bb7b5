/** The package entry `pulumi-browser-infra/emulator`: the service, offline. */
export type { EmulatedApiKey } from "./api-key-store.js";
export { type Emulator, startEmulator } from "./emulator.js";
export { archiveBytesMax } from "./extension-routes.js";
export type { EmulatedExtension } from "./extension-store.js";
export type { FaultAction, FaultAnswer } from "./fault-action.js";
export type { FaultHandle, FaultPoint, FaultRule } from "./faults.js";
export { defaultApiKey, type EmulatorOptions } from "./options.js";
export type { EmulatedProject } from "./project-store.js";
export { type RecordedRequest, recordedRequestsMax } from "./request-log.js";
