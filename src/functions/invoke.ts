/** Steps of every function: check the arguments, find the settings, read, add the function name to errors. */
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
import { waitForDependencies } from "./dependencies.js";
import { checkNames, checkValues } from "./forms.js";
import { inlineEnvironment } from "./inline-program.js";
import { type ArgsOf, type ReadName, type ResultOf, reads, sendRead } from "./reads.js";

/** Plain form: sends the read at once. */
export function plainForm<Name extends ReadName>(
  name: Name,
  args: ArgsOf<Name>,
  options: pulumi.InvokeOptions = {},
): Promise<ResultOf<Name>> {
  return withFunctionName(name, async () => {
    checkGivenNames(name, args);
    checkGivenValues(name, args);
    const provider = selectedProvider(options);
    return callRead(name, args, provider, provider && (await knownConfiguration(name, provider)));
  });
}

/** Output form: while anything needed is unknown, sends nothing, and the result is unknown. */
export function outputForm<Name extends ReadName>(
  name: Name,
  args: pulumi.Inputs,
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<ResultOf<Name>> {
  const provider = selectedProvider(options);
  const given = pulumi.output(args);
  const settings = withFunctionName(name, async () => {
    checkGivenNames(name, args);
    return provider && !activeMocks() ? configurationOf(provider) : undefined;
  });
  return pulumi
    .all([given, settings, waitForDependencies(given, options.dependsOn)])
    .apply(([known, ofProvider]) =>
      withFunctionName(name, async () => {
        checkGivenValues(name, known);
        return callRead(name, known, provider, ofProvider);
      }),
    ) as pulumi.Output<ResultOf<Name>>;
}

/** Refuses unknown arguments, and an Output or a Promise in place of all arguments. */
function checkGivenNames(name: ReadName, args: unknown): asserts args is object {
  checkNames(isPending(args) ? undefined : args, reads[name].rules);
}

/** Refuses missing arguments, and Outputs or Promises, because the plain form does not wait. */
function checkGivenValues(name: ReadName, args: object): void {
  const [pending] = Object.entries(args).find(([, value]) => isPending(value)) ?? [];
  if (pending !== undefined) {
    const why = "is an Output or a Promise, and this function does not wait for it";
    throw new InputError("argument_unresolved", pending, `"${pending}" ${why}. Use ${name}Output.`);
  }
  checkValues(args, reads[name].rules);
}

function isPending(value: unknown): boolean {
  return value instanceof Promise || pulumi.Output.isInstance(value);
}

/** Calls the service or, in a unit test, the mocks. `ofProvider`: the provider's arguments. */
async function callRead<Name extends ReadName>(
  name: Name,
  args: object,
  provider: pulumi.ProviderResource | undefined,
  ofProvider: ProviderConfiguration | undefined,
): Promise<ResultOf<Name>> {
  const mocks = activeMocks();
  if (mocks !== undefined) {
    return callMocks(mocks, name, args, provider) as Promise<ResultOf<Name>>;
  }
  const settings = settingsOf(ofProvider);
  // Until the call of `done`, Pulumi expects further resources from the program.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    return (await sendRead(name, args, settings, clientFor(settings))) as ResultOf<Name>;
  } finally {
    done();
  }
}

/** Settings of a call, in an inline program with the environment of the command. */
function settingsOf(ofProvider: ProviderConfiguration | undefined): Settings {
  const inline = inlineEnvironment();
  try {
    return resolveSettings({
      configuration: configurationReader(ofProvider),
      configurationKeys: () => Object.keys(ofProvider ?? pulumi.runtime.allConfig()),
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

/** Arguments of a provider for the plain form. Throws `InputError` while unknown. */
async function knownConfiguration(
  name: string,
  provider: pulumi.ProviderResource,
): Promise<ProviderConfiguration | undefined> {
  if (activeMocks()) {
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

/** Mocks of `pulumi.runtime.setMocks`, while in force. */
function activeMocks(): pulumi.runtime.Mocks | undefined {
  return (pulumi.runtime.getMonitor() as { readonly mocks?: pulumi.runtime.Mocks } | undefined)?.mocks;
}

/** Calls a test's mocks. `pulumi.runtime.invoke` would lose the message of a mock's error. */
async function callMocks(
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

/** Reference to a provider in Pulumi's requests: `<urn>::<id>`. */
function referenceTo({ urn, id }: pulumi.ProviderResource): Promise<string> {
  return new Promise((resolve) => {
    pulumi.interpolate`${urn}::${id}`.apply(resolve);
  });
}

/** Adds the function name to errors, because functions have no resource row. */
async function withFunctionName<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isBrowserInfraError(error)) {
      throw error;
    }
    const ours = error.withMessage(`${name}: ${error.message}`);
    // Pulumi prints the stack, with lines of this package only.
    throw Object.assign(ours, { stack: `${error.name}: ${ours.message}` });
  }
}
