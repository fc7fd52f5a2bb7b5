/** Arguments of the Output forms. Types only. */
import type { Input } from "@pulumi/pulumi";
import type * as types from "./signatures.js";

/** Arguments of which each may be an Output or a Promise. */
type InputsOf<Args> = Args extends unknown ? { readonly [Name in keyof Args]: Input<Args[Name]> } : never;

/** Arguments of `getApiKeyOutput`. */
export type GetApiKeyOutputArgs = InputsOf<types.GetApiKeyArgs>;

/** Arguments of `getApiKeysOutput`. */
export type GetApiKeysOutputArgs = InputsOf<types.GetApiKeysArgs>;

/** Arguments of `getAuthConnectionOutput`. */
export type GetAuthConnectionOutputArgs = InputsOf<types.GetAuthConnectionArgs>;

/** Arguments of `getBrowserPoolOutput`. */
export type GetBrowserPoolOutputArgs = InputsOf<types.GetBrowserPoolArgs>;

/** Arguments of `getBrowserPoolsOutput`. */
export type GetBrowserPoolsOutputArgs = InputsOf<types.GetBrowserPoolsArgs>;

/** Arguments of `getExtensionOutput`. */
export type GetExtensionOutputArgs = InputsOf<types.GetExtensionArgs>;

/** Arguments of `getCredentialOutput`. */
export type GetCredentialOutputArgs = InputsOf<types.GetCredentialArgs>;

/** Arguments of `getCredentialProviderOutput`. */
export type GetCredentialProviderOutputArgs = InputsOf<types.GetCredentialProviderArgs>;

/** Arguments of `getProfileOutput`. */
export type GetProfileOutputArgs = InputsOf<types.GetProfileArgs>;

/** Arguments of `getProjectOutput`. */
export type GetProjectOutputArgs = InputsOf<types.GetProjectArgs>;

/** Arguments of `getProjectLimitsOutput`. */
export type GetProjectLimitsOutputArgs = InputsOf<types.GetProjectLimitsArgs>;

/** Arguments of `getProxyOutput`. */
export type GetProxyOutputArgs = InputsOf<types.GetProxyArgs>;

/** Arguments of `getTelemetryDestinationOutput`. */
export type GetTelemetryDestinationOutputArgs = InputsOf<types.GetTelemetryDestinationArgs>;

/** Arguments of `getProjectsOutput`. */
export type GetProjectsOutputArgs = InputsOf<types.GetProjectsArgs>;
