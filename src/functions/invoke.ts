/** What every function does: check its arguments, find its settings, ask, sign its errors. */
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { defaultProjectId, resolveSettings, type Settings } from "../config.js";
import { InputError, isBrowserInfraError } from "../errors.js";
import { type Query, runQuery } from "../queries/query.js";
import type { WithoutNull } from "../queries/results.js";
import {
  clientFor,
  configurationOf,
  configurationReader,
  type ProviderConfiguration,
  selectedProvider,
} from "./account.js";
import { checkGivenNames, checkGivenValues } from "./arguments.js";
import { existing } from "./existing-resources.js";
import { inlineEnvironment } from "./inline-program.js";

/** The plain form: asks at once. */
export function plainForm<Args extends object, Found>(
  query: Query<Args, Found>,
  args: Args,
  options: pulumi.InvokeOptions = {},
): Promise<WithoutNull<Found>> {
  const caller = callingLines();
  return signed(query.name, caller, async () => {
    checkGivenNames(args, query.takes);
    checkGivenValues(args, query.takes, `${query.name}Output`);
    const provider = selectedProvider(options);
    return answer(query, args, provider, provider && (await knownSettings(query.name, provider)));
  });
}

/**
 * The Output form, by Pulumi's rules. While an argument, a setting or a resource that it depends on
 * is unknown, it asks nothing and its result is unknown. Secret arguments make the result secret.
 */
export function outputForm<Args extends object, Found>(
  query: Query<Args, Found>,
  args: pulumi.Inputs,
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<WithoutNull<Found>> {
  const { takes, name } = query;
  const caller = callingLines();
  const provider = selectedProvider(options);
  const given = pulumi.output(args) as pulumi.Output<Args>;
  const settings = signed(name, caller, async () => {
    checkGivenNames(args, takes);
    return provider && !mocksInForce() ? configurationOf(provider) : undefined;
  });
  return pulumi.all([given, settings, existing(given, options.dependsOn)]).apply(([known, ofProvider]) =>
    signed(name, caller, async () => {
      checkGivenValues(known as Args, takes, `${name}Output`);
      return answer(query, known as Args, provider, ofProvider);
    }),
  ) as pulumi.Output<WithoutNull<Found>>;
}

/** Asks the service or, in a unit test, the mocks. `ofProvider`: what a selected one was given. */
async function answer<Args extends object, Found>(
  query: Query<Args, Found>,
  args: Args,
  provider: pulumi.ProviderResource | undefined,
  ofProvider: ProviderConfiguration | undefined,
): Promise<WithoutNull<Found>> {
  const { name, scope } = query;
  const mocks = mocksInForce();
  if (mocks !== undefined) {
    return askMocks(mocks, name, args, provider) as Promise<WithoutNull<Found>>;
  }
  const settings = settingsOf(ofProvider);
  const client = clientFor(settings).inProject(scope === "project" ? defaultProjectId(settings) : undefined);
  // Until `done` is called, Pulumi expects that the program may still declare resources.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    return await runQuery(query, client, args);
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

/**
 * Makes errors say which function they come from, because no resource's row does, with the stack
 * trace of the program's call. `readable` makes Pulumi print exactly that.
 */
async function signed<T>(name: string, caller: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isBrowserInfraError(error) || error.message.startsWith(`${name}: `)) {
      throw error;
    }
    const named = error.withMessage(`${name}: ${error.message}`);
    named.stack = `${named.message}${caller}`;
    throw readable(named);
  }
}

/**
 * Pulumi prints the `stack` of an error that nobody handled once the program has run to its end.
 * Before that, it prints its own text and all fields of the error, or the message alone for a
 * `pulumi.RunError`, or what Node shows of a `pulumi.ResourceError`. With that mark and a custom
 * `inspect`, the error reads the same in both cases. Source: @pulumi/pulumi, cmd/run.
 */
function readable(error: Error): Error {
  return Object.defineProperties(error, {
    __pulumResourceError: { value: true },
    [inspect.custom]: { value: () => error.stack },
  });
}

/** The folder above this one, with the separator at its end: the package's own code. */
const packageFolder = __dirname.replace(/[^/\\]+$/, "");

/** Where the program is right now, as lines of a stack trace, each after a line break. */
function callingLines(): string {
  const [, ...lines] = new Error().stack?.split("\n") ?? [];
  return lines
    .filter((line) => !line.includes(packageFolder) && !/[/\\]node_modules[/\\]|\(node:|at node:/.test(line))
    .map((line) => `\n${line}`)
    .join("");
}
