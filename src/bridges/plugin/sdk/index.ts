/**
 * Resources and functions of `pulumi-browser-infra`, managed by the provider plugin instead of as
 * dynamic resources, with the same names, arguments and outputs. Resources can then be imported,
 * and be refreshed and destroyed without `node_modules`. The page docs/programs/plugin.md explains when to
 * use which entry, how a program gets the plugin, and how to move a stack.
 *
 * Functions run in the plugin. A failed function rejects with the error of Pulumi's SDK, whose
 * message contains the message of the same function of `pulumi-browser-infra`.
 *
 * @module plugin
 */
import "../../../node-version.js";

export { BrowserInfraError, InputError, isBrowserInfraError } from "../../../errors.js";
export type * from "../../../functions/output-arguments.js";
export type * from "../../../functions/signatures.js";
export type * from "../../../resources/index.js";
export type { ApiKeySource, ProviderArgs } from "../../../resources/provider-arguments.js";
export { BrowserEnvironment } from "./browser-environment.js";
export * from "./functions.js";
export { Provider } from "./provider.js";
export {
  ApiKey,
  ApiKeyName,
  AppDeployment,
  AuthConnection,
  BrowserPool,
  Credential,
  CredentialProvider,
  Extension,
  LoginFlow,
  OrganizationLimits,
  Profile,
  Project,
  ProjectLimits,
  Proxy,
  TelemetryDestination,
} from "./resources.js";
