import * as pulumi from "@pulumi/pulumi";
import type * as accountsModule from "../client/accounts.js";
import type { BrowserInfraClient } from "../client/index.js";
import type { Settings, SettingsSource } from "../config.js";
import { providerArguments } from "../dynamic/contract.js";
import { InputError } from "../errors.js";

/** Settings as arguments give them. */
export type ExplicitSettings = NonNullable<SettingsSource["explicit"]>;

/**
 * Pulumi finds a provider by the package of a type token. For this package's resources that is the
 * one of dynamic resources.
 */
const typeToken = "pulumi-nodejs:dynamic/browser-infra:Function";

/**
 * The provider that a call selects: the option `provider`, else that of `parent`, as for resources.
 * Undefined: the default one.
 */
export function selectedProvider({
  provider,
  parent,
}: pulumi.InvokeOptions): pulumi.ProviderResource | undefined {
  return provider ?? parent?.getProvider(typeToken);
}

/**
 * The arguments of a provider. They are unknown while one of them is. They are never secret,
 * although the key is: what the service says about a project is not secret. Throws `InputError` for
 * a provider of another package.
 */
export function explicitSettings(provider: pulumi.ProviderResource): pulumi.Output<ExplicitSettings> {
  const args = (provider as { readonly [providerArguments]?: pulumi.Input<ExplicitSettings> })[
    providerArguments
  ];
  if (args === undefined) {
    throw new InputError(
      "provider_foreign",
      "provider",
      'The "provider" of this call, or of its "parent", belongs to another package. Pass a Provider of pulumi-browser-infra, or leave it out.',
    );
  }
  return pulumi.unsecret(pulumi.output(args)) as pulumi.Output<ExplicitSettings>;
}

let accounts: accountsModule.Accounts | undefined;

/**
 * The client of the account that the settings name, in no particular project. The client is loaded
 * here, by the first call: undici and zod take a while to load, and most programs call no function.
 * Not with `import()`, which Jest cannot run in CommonJS.
 */
export function clientFor(settings: Settings): BrowserInfraClient {
  accounts ??= new (require("../client/accounts.js") as typeof accountsModule).Accounts();
  return accounts.clientFor(settings);
}
