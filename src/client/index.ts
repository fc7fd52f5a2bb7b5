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
export { BrowserInfraClient, type ClientOptions } from "./client.js";
export type { Clock } from "./clock.js";
export type { Deadlines } from "./exchange.js";
export { extensionNameProblem } from "./extension-name.js";
export {
  type CallOptions,
  type ExtensionOperations,
  extensionArchiveBytesMax,
  type ListOptions,
  type UploadArguments,
} from "./extensions.js";
export type { UploadProgress } from "./multipart.js";
export { isNotFound, type Origins } from "./refusal.js";
export { RetryBudget, type RetryOptions } from "./retry.js";
export type { Extension } from "./wire.js";
