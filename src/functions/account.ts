import * as pulumi from "@pulumi/pulumi";
import type * as accountsModule from "../client/accounts.js";
import type { BrowserInfraClient } from "../client/index.js";
import { providerArguments, providerInputs, type Settings } from "../config.js";
import { InputError } from "../errors.js";

/** Arguments of a `Provider`, by the names of the configuration. */
export type ProviderConfiguration = Readonly<Record<string, string | undefined>>;

/** Token by whose package Pulumi selects the provider of a call: the package of dynamic resources. */
const typeToken = "pulumi-nodejs:dynamic/browser-infra:Function";

/** Provider selected by a call's options, as for resources. Undefined: the default provider. */
export function selectedProvider({
  provider,
  parent,
}: pulumi.InvokeOptions): pulumi.ProviderResource | undefined {
  return provider ?? parent?.getProvider(typeToken);
}

/** Arguments of a provider, never secret: a secret key would make every result secret. */
export function configurationOf(provider: pulumi.ProviderResource): pulumi.Output<ProviderConfiguration> {
  type OwnProvider = { readonly [providerArguments]?: pulumi.Inputs };
  const inputs = (provider as OwnProvider)[providerArguments];
  if (inputs === undefined) {
    const message =
      'The "provider" of this call, or of its "parent", belongs to another package. ' +
      'Pass a Provider of pulumi-browser-infra, or remove "provider".';
    throw new InputError("provider_foreign", "provider", message);
  }
  return pulumi.unsecret(pulumi.output(inputs)) as pulumi.Output<ProviderConfiguration>;
}

/**
 * Reader for the configuration of a call. With a selected provider: the arguments of the provider,
 * and from the stack only the setting named by the provider. For resources with an explicit
 * provider, the rest of the stack configuration does not count either.
 */
export function configurationReader(
  ofProvider: ProviderConfiguration | undefined,
): (key: string) => string | undefined {
  if (ofProvider === undefined) {
    return pulumi.runtime.getConfig;
  }
  return (key) =>
    ofProvider[key] ??
    (key === ofProvider[providerInputs.keySetting] ? pulumi.runtime.getConfig(key) : undefined);
}

let accounts: accountsModule.Accounts | undefined;

/** Client without a project. Loads the client late, and not by `import()`, for Jest. */
export function clientFor(settings: Settings): BrowserInfraClient {
  accounts ??= new (require("../client/accounts.js") as typeof accountsModule).Accounts();
  return accounts.clientFor(settings);
}
