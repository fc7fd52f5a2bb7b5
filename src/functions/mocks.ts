import * as pulumi from "@pulumi/pulumi";

/** The mocks of `pulumi.runtime.setMocks`, while they are in force. */
export function mocksInForce(): pulumi.runtime.Mocks | undefined {
  return (pulumi.runtime.getMonitor() as { readonly mocks?: pulumi.runtime.Mocks } | undefined)?.mocks;
}

/**
 * Asks a test's mocks in place of the service, as Pulumi does for the functions of every package: `call` gets the token
 * `browser-infra:index:<name>`, the arguments that have a value, and the provider. Not by way of `pulumi.runtime.invoke`, which
 * loses the message of an error that a mock throws.
 */
export async function askMocks(
  mocks: pulumi.runtime.Mocks,
  name: string,
  args: object,
  provider: pulumi.ProviderResource | undefined,
): Promise<unknown> {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return mocks.call({
    token: `browser-infra:index:${name}`,
    inputs: Object.fromEntries(given),
    ...(provider && { provider: await referenceTo(provider) }),
  });
}

/** How Pulumi names a provider in requests. */
function referenceTo({ urn, id }: pulumi.ProviderResource): Promise<string> {
  return new Promise((resolve) => {
    pulumi.interpolate`${urn}::${id}`.apply(resolve);
  });
}
