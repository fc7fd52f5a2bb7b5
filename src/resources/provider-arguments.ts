/** What a `Provider` of either bridge takes, and what is refused before anything is registered. */
import * as pulumi from "@pulumi/pulumi";
import { InputError } from "../errors.js";
import { secretPlaceProblem } from "../text/secret-place.js";

/**
 * Where a `Provider` finds its API key: an environment variable, or a setting of the stack. Only
 * the name is registered with Pulumi.
 */
export type ApiKeySource =
  | {
      /** Name of an environment variable of the shell or the pipeline in which Pulumi runs. */
      readonly env: string;
      readonly config?: undefined;
    }
  | {
      /**
       * Name of a secret setting of the stack, with its namespace: `pulumi-nodejs:`, or for the
       * `Provider` of `pulumi-browser-infra/plugin` `browser-infra:`. Pulumi passes settings of no
       * other namespace to the process of a provider.
       */
      readonly config: string;
      readonly env?: undefined;
    };

/** Settings of one account. What is left out comes from the environment, not from the stack. */
export interface ProviderArgs {
  /**
   * API key, always a secret: encrypted in the state. But Pulumi's SDK logs the properties that a
   * program registers, secrets in plain text: `pulumi up --json` and `--debug` show this value. If
   * anybody else can read those, use `apiKeyFrom`. Default: `BROWSER_INFRA_API_KEY`, else
   * `KERNEL_API_KEY`.
   */
  readonly apiKey?: pulumi.Input<string | undefined>;
  /**
   * Address of the service: https, or http to this machine. Default: `BROWSER_INFRA_BASE_URL`, else
   * `KERNEL_BASE_URL`.
   */
  readonly baseUrl?: pulumi.Input<string | undefined>;
  /**
   * Project id of resources that do not give one. Default: `BROWSER_INFRA_PROJECT_ID`, else
   * `KERNEL_PROJECT_ID`, else `KERNEL_PROJECT` if that is an id.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Where the provider finds the API key. The key itself then reaches no state file and no JSON
   * output. If nothing is there, the preview fails; no other key is used. Not together with `apiKey`.
   */
  readonly apiKeyFrom?: ApiKeySource | undefined;
}

/** The arguments by name, so that the compiler notices one that is missing here. */
const argumentNames: Readonly<Record<keyof ProviderArgs, true>> = {
  apiKey: true,
  apiKeyFrom: true,
  baseUrl: true,
  projectId: true,
};

/**
 * For programs in JavaScript, where no compiler sees a misspelt argument. `namespace`: that of the
 * settings which Pulumi passes to the provider's process. Throws `InputError`.
 */
export function checkProviderArguments(args: ProviderArgs, namespace: string): void {
  if (!isPlainObject(args)) {
    throw new InputError("argument_invalid", "args", `The arguments of a Provider must be an object.`);
  }
  for (const [name, value] of Object.entries(args)) {
    if (!Object.hasOwn(argumentNames, name)) {
      const names = Object.keys(argumentNames).map((each) => `"${each}"`);
      const message = `A Provider has no argument "${name}". Use ${names.join(", ")}.`;
      throw new InputError("argument_unknown", name, message);
    }
    if (value === null) {
      const message = `"${name}" of a Provider must not be null. Leave it out, or give a value.`;
      throw new InputError("argument_invalid", name, message);
    }
  }
  if (args.apiKeyFrom === undefined) {
    return;
  }
  if (args.apiKey !== undefined) {
    const message = 'Both "apiKey" and "apiKeyFrom" of a Provider are given. Give one of them.';
    throw new InputError("arguments_conflicting", "apiKeyFrom", message);
  }
  checkSource(args.apiKeyFrom, namespace);
}

/** Whether it names one place. No message repeats a name: it may be a key by mistake. */
function checkSource(source: unknown, namespace: string): void {
  const refused = (why: string) => new InputError("argument_invalid", "apiKeyFrom", why);
  const places = isPlainObject(source) ? Object.entries(source).filter(([, name]) => name !== undefined) : [];
  const [[place, name] = []] = places;
  if (places.length !== 1 || (place !== "env" && place !== "config")) {
    throw refused(`"apiKeyFrom" of a Provider must be { env: "NAME" } or { config: "${namespace}:name" }.`);
  }
  const problem = secretPlaceProblem(place, name, namespace);
  if (problem !== undefined) {
    throw refused(`"${place}" in "apiKeyFrom" of a Provider ${problem}`);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Promise) &&
    !pulumi.Output.isInstance(value)
  );
}
