/** Arguments of the Output forms. Types only. */
import type { Input } from "@pulumi/pulumi";
import type * as types from "./signatures.js";

/** Arguments of which each may be an Output or a Promise. */
type InputsOf<Args> = Args extends unknown ? { readonly [Name in keyof Args]: Input<Args[Name]> } : never;

export type GetApiKeyOutputArgs = InputsOf<types.GetApiKeyArgs>;

export type GetApiKeysOutputArgs = InputsOf<types.GetApiKeysArgs>;

export type GetAuthConnectionOutputArgs = InputsOf<types.GetAuthConnectionArgs>;

export type GetBrowserPoolOutputArgs = InputsOf<types.GetBrowserPoolArgs>;

export type GetBrowserPoolsOutputArgs = InputsOf<types.GetBrowserPoolsArgs>;

export type GetExtensionOutputArgs = InputsOf<types.GetExtensionArgs>;

export type GetCredentialOutputArgs = InputsOf<types.GetCredentialArgs>;

export type GetAppOutputArgs = InputsOf<types.GetAppArgs>;

export type GetAppDeploymentOutputArgs = InputsOf<types.GetAppDeploymentArgs>;

export type GetCredentialProviderOutputArgs = InputsOf<types.GetCredentialProviderArgs>;

export type GetProfileOutputArgs = InputsOf<types.GetProfileArgs>;

export type GetProjectOutputArgs = InputsOf<types.GetProjectArgs>;

export type GetProjectLimitsOutputArgs = InputsOf<types.GetProjectLimitsArgs>;

export type GetProxyOutputArgs = InputsOf<types.GetProxyArgs>;

export type GetTelemetryDestinationOutputArgs = InputsOf<types.GetTelemetryDestinationArgs>;

export type GetProjectsOutputArgs = InputsOf<types.GetProjectsArgs>;
