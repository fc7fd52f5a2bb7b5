/**
 * Pulumi resources for a browser infrastructure service: what a Pulumi program imports.
 * The typed client, the emulator and the command line have entries of their own.
 *
 * @module
 */
export { BrowserInfraError } from "./errors.js";
export {
  Extension,
  type ExtensionArgs,
  type ExtensionManifest,
  type ExtensionState,
} from "./resources/extension.js";
export { Provider, type ProviderArgs } from "./resources/provider.js";
