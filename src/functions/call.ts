import * as pulumi from "@pulumi/pulumi";
import { resolveSettings } from "../config.js";
import { BrowserInfraError, InputError } from "../errors.js";
import { clientFor, type ExplicitSettings, explicitSettings, selectedProvider } from "./account.js";
import { checkNames, checkValues } from "./arguments.js";
import { callingLines } from "./calling-lines.js";
import { existing } from "./existing-resources.js";
import { askMocks, mocksInForce } from "./mocks.js";
import type { FunctionDefinition } from "./two-forms.js";

/** See `plainForm` of two-forms.ts. */
export function plainForm<Args extends object, Result>(
  definition: FunctionDefinition<Args, Result>,
  args: Args,
  options: pulumi.InvokeOptions = {},
): Promise<Result> {
  const caller = callingLines();
  return signed(definition, caller, async () => {
    checkNames(args, definition.takes);
    checkValues(args, definition.takes, `${definition.name}Output`);
    const provider = selectedProvider(options);
    return answer(definition, args, provider, provider && (await knownSettings(definition, provider)));
  });
}

/** See `outputForm` of two-forms.ts. */
export function outputForm<Args extends object, Result>(
  definition: FunctionDefinition<Args, Result>,
  args: pulumi.Inputs,
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Result> {
  const { takes, name } = definition;
  const caller = callingLines();
  const provider = selectedProvider(options);
  const given = pulumi.output(args) as pulumi.Output<Args>;
  const settings = signed(definition, caller, async () => {
    checkNames(args, takes);
    return provider && !mocksInForce() ? explicitSettings(provider) : undefined;
  });
  return pulumi.all([given, settings, existing(given, options.dependsOn)]).apply(([known, explicit]) =>
    signed(definition, caller, async () => {
      checkValues(known as Args, takes, `${name}Output`);
      return answer(definition, known as Args, provider, explicit);
    }),
  ) as pulumi.Output<Result>;
}

/** Asks the service or, in a unit test, the mocks. `explicit` are the settings of the provider, if one is selected. */
async function answer<Args extends object, Result>(
  definition: FunctionDefinition<Args, Result>,
  args: Args,
  provider: pulumi.ProviderResource | undefined,
  explicit: ExplicitSettings | undefined,
): Promise<Result> {
  const { name, scope, ask } = definition;
  const mocks = mocksInForce();
  if (mocks !== undefined) {
    return askMocks(mocks, name, args, provider) as Promise<Result>;
  }
  const settings = resolveSettings({
    ...(explicit && { explicit }),
    // A resource with a provider of its own does not see the stack configuration either.
    configuration: provider === undefined ? pulumi.runtime.getConfig : () => undefined,
    environment: process.env,
  });
  const client = clientFor(settings).inProject(scope === "project" ? settings.projectId : undefined);
  // Until this is called, Pulumi takes the program for one that may still declare resources.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    return await ask(client, args);
  } finally {
    done();
  }
}

/** The settings of a provider for the plain form, which cannot say "not known yet". */
async function knownSettings(
  { name }: { readonly name: string },
  provider: pulumi.ProviderResource,
): Promise<ExplicitSettings | undefined> {
  if (mocksInForce()) {
    return undefined;
  }
  const settings = explicitSettings(provider) as unknown as {
    readonly isKnown: Promise<boolean>;
    promise(): Promise<ExplicitSettings>;
  };
  const explicit = await settings.promise();
  if (await settings.isKnown) {
    return explicit;
  }
  throw new InputError(
    "argument_unresolved",
    "provider",
    `The settings of the "provider" are not known in this preview. Use ${name}Output, whose result is then not known either.`,
  );
}

/**
 * Lets errors say which function they come from and where the program calls it, since none has a resource's row to stand on. The mark is
 * Pulumi's for errors that are meant for people (`pulumi.RunError`); what Pulumi shows with a stack all the same gets the program's own lines.
 */
async function signed<T>(
  { name }: { readonly name: string },
  caller: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BrowserInfraError && !error.message.startsWith(`${name}: `)) {
      const signedError = error.withMessage(`${name}: ${error.message}`);
      signedError.stack = `${error.name}: ${signedError.message}${caller}`;
      throw Object.defineProperty(signedError, "__pulumiRunError", { value: true });
    }
    throw error;
  }
}
