import * as pulumi from "@pulumi/pulumi";
import type * as clientModule from "../client/index.js";
import type { Settings, SettingsSource } from "../config.js";
import { InputError } from "../errors.js";

/** Settings as arguments give them. */
export type ExplicitSettings = NonNullable<SettingsSource["explicit"]>;

/**
 * Member under which the class `Provider` keeps its arguments. A registered symbol, so that a provider from another copy of this package is
 * understood too; `resources/provider.ts` spells it as well, since neither folder imports the other.
 */
const providerArguments = Symbol.for("pulumi-browser-infra/provider-arguments");

/** Pulumi finds a provider by the package of a type token; for this package's resources that is the one of dynamic resources. */
const typeToken = "pulumi-nodejs:dynamic/browser-infra:Function";

/** The provider that a call selects: the option `provider`, else that of `parent`, as for resources. Undefined means the default one. */
export function selectedProvider({
  provider,
  parent,
}: pulumi.InvokeOptions): pulumi.ProviderResource | undefined {
  return provider ?? parent?.getProvider(typeToken);
}

/**
 * The arguments of a provider. Never secret, although the key is: what the service says about a project is not. Not known while one
 * of them is not. Throws `InputError` for a provider of another package.
 */
export function explicitSettings(provider: pulumi.ProviderResource): pulumi.Output<ExplicitSettings> {
  const args = (provider as { readonly [providerArguments]?: pulumi.Input<ExplicitSettings> })[
    providerArguments
  ];
  if (args === undefined) {
    throw new InputError(
      "provider_foreign",
      "provider",
      'The "provider" of this call, or of its "parent", is not one of this package. Pass a Provider of pulumi-browser-infra, or none.',
    );
  }
  return pulumi.unsecret(pulumi.output(args)) as pulumi.Output<ExplicitSettings>;
}

/** The clients of this process: one for each account, so that all calls share its connections and its budget of repeats. */
const clients = new Map<string, clientModule.BrowserInfraClient>();

/** A client of the account, in no project by name. Its idle connections do not keep the program alive. */
export function clientFor({ baseUrl, apiKey, origins }: Settings): clientModule.BrowserInfraClient {
  const account = JSON.stringify([baseUrl, apiKey]);
  let client = clients.get(account);
  if (client === undefined) {
    // Not needed under mocks, nor before.
    const { BrowserInfraClient } = require("../client/index.js") as typeof clientModule;
    client = new BrowserInfraClient({ baseUrl, apiKey, origins });
    clients.set(account, client);
  }
  return client;
}
