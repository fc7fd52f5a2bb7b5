/** What the Output form of each function takes. Types alone. */
import type { Input } from "@pulumi/pulumi";
import type {
  GetApiKeyArgs,
  GetApiKeysArgs,
  GetAuthConnectionArgs,
  GetBrowserPoolArgs,
  GetBrowserPoolsArgs,
  GetExtensionArgs,
  GetProjectArgs,
  GetProjectLimitsArgs,
  GetProjectsArgs,
} from "./signatures.js";

/** The same arguments, where each may be an Output or a Promise. */
type InputsOf<Args> = Args extends unknown ? { readonly [Name in keyof Args]: Input<Args[Name]> } : never;

/** Arguments of `getApiKeyOutput`. */
export type GetApiKeyOutputArgs = InputsOf<GetApiKeyArgs>;

/** Arguments of `getApiKeysOutput`. */
export type GetApiKeysOutputArgs = InputsOf<GetApiKeysArgs>;

/** Arguments of `getAuthConnectionOutput`. */
export type GetAuthConnectionOutputArgs = InputsOf<GetAuthConnectionArgs>;

/** Arguments of `getBrowserPoolOutput`. */
export type GetBrowserPoolOutputArgs = InputsOf<GetBrowserPoolArgs>;

/** Arguments of `getBrowserPoolsOutput`. */
export type GetBrowserPoolsOutputArgs = InputsOf<GetBrowserPoolsArgs>;

/** Arguments of `getExtensionOutput`. */
export type GetExtensionOutputArgs = InputsOf<GetExtensionArgs>;

/** Arguments of `getProjectOutput`. */
export type GetProjectOutputArgs = InputsOf<GetProjectArgs>;

/** Arguments of `getProjectLimitsOutput`. */
export type GetProjectLimitsOutputArgs = InputsOf<GetProjectLimitsArgs>;

/** Arguments of `getProjectsOutput`. */
export type GetProjectsOutputArgs = InputsOf<GetProjectsArgs>;
