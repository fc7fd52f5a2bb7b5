import * as pulumi from "@pulumi/pulumi";
import { providerArguments } from "../bridges/dynamic/contract.js";
import type * as accountsModule from "../client/accounts.js";
import type { BrowserInfraClient } from "../client/index.js";
import { providerInputs, type Settings } from "../config.js";
import { InputError } from "../errors.js";

/** What a `Provider` was given, by the names of its configuration. */
export type ProviderConfiguration = Readonly<Record<string, string | undefined>>;

/** Pulumi finds a provider by a token's package: for our resources, that of dynamic ones. */
const typeToken = "pulumi-nodejs:dynamic/browser-infra:Function";

/** The provider that a call selects, as for resources. Undefined: the default one. */
export function selectedProvider({
  provider,
  parent,
}: pulumi.InvokeOptions): pulumi.ProviderResource | undefined {
  return provider ?? parent?.getProvider(typeToken);
}

/**
 * What a provider was given, unknown while one of it is. Never secret, although the key is: what
 * the service says about a project is not. Throws `InputError` for another package's provider.
 */
export function configurationOf(provider: pulumi.ProviderResource): pulumi.Output<ProviderConfiguration> {
  type Ours = { readonly [providerArguments]?: pulumi.Inputs };
  const inputs = (provider as Ours)[providerArguments];
  if (inputs === undefined) {
    const message =
      'The "provider" of this call, or of its "parent", belongs to another package. ' +
      "Pass a Provider of pulumi-browser-infra, or leave it out.";
    throw new InputError("provider_foreign", "provider", message);
  }
  return pulumi.unsecret(pulumi.output(inputs)) as pulumi.Output<ProviderConfiguration>;
}

/**
 * Reads the configuration of a call. With a provider selected, that is what the provider was given,
 * and of the stack only the setting that it names. A resource with an explicit provider does not
 * see the rest of the stack configuration either.
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

/**
 * The client of the account that the settings name, in no particular project. Loaded by the first
 * call, because undici and zod take a while and most programs call no function. Not with
 * `import()`, which Jest cannot run in CommonJS.
 */
export function clientFor(settings: Settings): BrowserInfraClient {
  accounts ??= new (require("../client/accounts.js") as typeof accountsModule).Accounts();
  return accounts.clientFor(settings);
}
