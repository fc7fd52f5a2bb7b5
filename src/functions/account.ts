import * as pulumi from "@pulumi/pulumi";
import type * as accountsModule from "../client/accounts.js";
import type { BrowserInfraClient } from "../client/index.js";
import type { Settings, SettingsSource } from "../config.js";
import { providerArguments } from "../dynamic/contract.js";
import { InputError } from "../errors.js";

/** Settings as arguments give them. */
export type ExplicitSettings = NonNullable<SettingsSource["explicit"]>;

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
 * The arguments of a provider, unknown while one of them is. Never secret, although the key is:
 * what the service says about a project is not. Throws `InputError` for another package's provider.
 */
export function explicitSettings(provider: pulumi.ProviderResource): pulumi.Output<ExplicitSettings> {
  type Ours = { readonly [providerArguments]?: pulumi.Input<ExplicitSettings> };
  const args = (provider as Ours)[providerArguments];
  if (args === undefined) {
    const message =
      'The "provider" of this call, or of its "parent", belongs to another package. ' +
      "Pass a Provider of pulumi-browser-infra, or leave it out.";
    throw new InputError("provider_foreign", "provider", message);
  }
  return pulumi.unsecret(pulumi.output(args)) as pulumi.Output<ExplicitSettings>;
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
