/**
 * Pulumi resources and functions for a browser infrastructure service: the entry for Pulumi
 * programs. The typed client is `pulumi-browser-infra/client`, the emulator
 * `pulumi-browser-infra/emulator`.
 *
 * @module
 */
import "./node-version.js";

export {
  ApiError,
  ArchiveError,
  BrowserInfraError,
  BuildError,
  CanceledError,
  ConfigError,
  ConflictError,
  ConnectionError,
  ContractError,
  InputError,
  isBrowserInfraError,
  LocalError,
  LoginError,
  type LoginErrorCode,
  LookupError,
  OutcomeUnknownError,
  RecoveryError,
  type RequestContext,
} from "./errors.js";
export * from "./functions/functions.js";
export type * from "./functions/output-arguments.js";
export type * from "./functions/signatures.js";
export * from "./resources/index.js";
export { Provider } from "./resources/provider.js";
export type { ApiKeySource, ProviderArgs } from "./resources/provider-arguments.js";
