/** What every function does: check its arguments, find its settings, ask, name itself in errors. */
import * as pulumi from "@pulumi/pulumi";
import { resolveSettings, type Settings } from "../config.js";
import { InputError, isBrowserInfraError } from "../errors.js";
import {
  clientFor,
  configurationOf,
  configurationReader,
  type ProviderConfiguration,
  selectedProvider,
} from "./account.js";
import { existing } from "./existing-resources.js";
import { checkNames, checkValues } from "./forms.js";
import { inlineEnvironment } from "./inline-program.js";
import { type ArgsOf, ask, type FoundBy, type ReadName, reads } from "./reads.js";

/** The plain form: asks at once. */
export function plainForm<Name extends ReadName>(
  name: Name,
  args: ArgsOf<Name>,
  options: pulumi.InvokeOptions = {},
): Promise<FoundBy<Name>> {
  return named(name, async () => {
    checkGivenNames(name, args);
    checkGivenValues(name, args);
    const provider = selectedProvider(options);
    return answer(name, args, provider, provider && (await knownSettings(name, provider)));
  });
}

/**
 * The Output form, by Pulumi's rules. While an argument, a setting or a resource that it depends on
 * is unknown, it asks nothing and its result is unknown. Secret arguments make the result secret.
 */
export function outputForm<Name extends ReadName>(
  name: Name,
  args: pulumi.Inputs,
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<FoundBy<Name>> {
  const provider = selectedProvider(options);
  const given = pulumi.output(args);
  const settings = named(name, async () => {
    checkGivenNames(name, args);
    return provider && !mocksInForce() ? configurationOf(provider) : undefined;
  });
  return pulumi.all([given, settings, existing(given, options.dependsOn)]).apply(([known, ofProvider]) =>
    named(name, async () => {
      checkGivenValues(name, known);
      return answer(name, known, provider, ofProvider);
    }),
  ) as pulumi.Output<FoundBy<Name>>;
}

/** Refuses arguments that the read does not have, and an Output or a Promise in place of all. */
function checkGivenNames(name: ReadName, args: unknown): asserts args is object {
  checkNames(isPending(args) ? undefined : args, reads[name].takes);
}

/** Refuses arguments for which the function would have to wait, or that are missing. */
function checkGivenValues(name: ReadName, args: object): void {
  const [pending] = Object.entries(args).find(([, value]) => isPending(value)) ?? [];
  if (pending !== undefined) {
    const why = "is an Output or a Promise, and this function does not wait for it";
    throw new InputError("argument_unresolved", pending, `"${pending}" ${why}. Use ${name}Output.`);
  }
  checkValues(args, reads[name].takes);
}

function isPending(value: unknown): boolean {
  return value instanceof Promise || pulumi.Output.isInstance(value);
}

/** Asks the service or, in a unit test, the mocks. `ofProvider`: what a selected one was given. */
async function answer<Name extends ReadName>(
  name: Name,
  args: object,
  provider: pulumi.ProviderResource | undefined,
  ofProvider: ProviderConfiguration | undefined,
): Promise<FoundBy<Name>> {
  const mocks = mocksInForce();
  if (mocks !== undefined) {
    return askMocks(mocks, name, args, provider) as Promise<FoundBy<Name>>;
  }
  const settings = settingsOf(ofProvider);
  // Until `done` is called, Pulumi expects that the program may still declare resources.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    return (await ask(name, args, settings, clientFor(settings))) as FoundBy<Name>;
  } finally {
    done();
  }
}

/**
 * The settings of a call. The environment of an inline program is that of its command, as for
 * resources. Where Node does not tell it, the error for a missing setting says so.
 */
function settingsOf(ofProvider: ProviderConfiguration | undefined): Settings {
  const inline = inlineEnvironment();
  try {
    return resolveSettings({
      configuration: configurationReader(ofProvider),
      environment: inline?.variables ?? process.env,
    });
  } catch (error) {
    if (isBrowserInfraError(error) && inline !== undefined && inline.variables === undefined) {
      const why = 'An inline program does not see the "envVars" of its workspace before Node 24.';
      throw error.withAdvice(`${why} Set them in process.env too.`);
    }
    throw error;
  }
}

/** What a provider was given, for the plain form, which has no way to answer "unknown". */
async function knownSettings(
  name: string,
  provider: pulumi.ProviderResource,
): Promise<ProviderConfiguration | undefined> {
  if (mocksInForce()) {
    return undefined;
  }
  const settings = configurationOf(provider) as unknown as {
    readonly isKnown: Promise<boolean>;
    promise(): Promise<ProviderConfiguration>;
  };
  const known = await settings.promise();
  if (await settings.isKnown) {
    return known;
  }
  const message = `The settings of "provider" are unknown in this preview. Use ${name}Output: its result is then unknown too.`;
  throw new InputError("argument_unresolved", "provider", message);
}

/** The mocks of `pulumi.runtime.setMocks`, while they are in force. */
function mocksInForce(): pulumi.runtime.Mocks | undefined {
  return (pulumi.runtime.getMonitor() as { readonly mocks?: pulumi.runtime.Mocks } | undefined)?.mocks;
}

/**
 * Asks a test's mocks in place of the service, as Pulumi does for the functions of every package.
 * Not with `pulumi.runtime.invoke`, which loses the message of an error that a mock throws.
 */
async function askMocks(
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

/** Makes errors say which function they come from, because no resource's row does. */
async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isBrowserInfraError(error)) {
      throw error;
    }
    const ours = error.withMessage(`${name}: ${error.message}`);
    // Pulumi prints the stack, whose lines would be those of this package.
    throw Object.assign(ours, { stack: `${error.name}: ${ours.message}` });
  }
}
