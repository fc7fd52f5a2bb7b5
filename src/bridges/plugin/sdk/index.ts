/**
 * The resources and functions of `pulumi-browser-infra`, managed by its provider plugin instead of
 * as dynamic resources: the same names, arguments and outputs. Resources can then be imported, and
 * be refreshed and destroyed without `node_modules`. The page docs/plugin.md says when to use which
 * entry, how a program gets the plugin, and how to move a stack.
 *
 * A function asks through the plugin. It rejects with the error of Pulumi's SDK, whose message
 * contains that of the same function of `pulumi-browser-infra`.
 *
 * @module plugin
 */
import "../../../node-version.js";

export { BrowserInfraError, InputError, isBrowserInfraError } from "../../../errors.js";
export type * from "../../../functions/output-arguments.js";
export type * from "../../../functions/signatures.js";
export type * from "../../../resources/index.js";
export type { ApiKeySource, ProviderArgs } from "../../../resources/provider-arguments.js";
export * from "./functions.js";
export { Provider } from "./provider.js";
export {
  ApiKey,
  ApiKeyName,
  AuthConnection,
  BrowserPool,
  Credential,
  Extension,
  LoginFlow,
  OrganizationLimits,
  Profile,
  Project,
  ProjectLimits,
  Proxy,
} from "./resources.js";
