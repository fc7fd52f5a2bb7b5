/** Arguments of a `Provider` of either bridge, with the checks before the registration. */
import * as pulumi from "@pulumi/pulumi";
import { InputError } from "../errors.js";
import { secretPlaceProblem } from "../text/secret-place.js";

/**
 * Source of the API key of a `Provider`: an environment variable, or a setting of the stack. Only
 * the name is registered with Pulumi.
 */
export type ApiKeySource =
  | {
      /** Name of an environment variable of the shell or the pipeline that runs Pulumi. */
      readonly env: string;
      readonly config?: undefined;
    }
  | {
      /**
       * Name of a secret setting of the stack, with the namespace: `pulumi-nodejs:`, or for the
       * `Provider` of `pulumi-browser-infra/plugin` `browser-infra:`. Pulumi passes settings of no
       * other namespace to the process of a provider.
       */
      readonly config: string;
      readonly env?: undefined;
    };

/** Settings of one account. Undeclared settings come from the environment, not from the stack. */
export interface ProviderArgs {
  /**
   * API key, always a secret: encrypted in the state. But Pulumi's SDK logs the inputs of a
   * program, secrets in plain text: `pulumi up --json` and `--debug` show the key. If anybody else
   * can read those logs, use `apiKeyFrom`. Default: `BROWSER_INFRA_API_KEY`, else `KERNEL_API_KEY`.
   */
  readonly apiKey?: pulumi.Input<string | undefined>;
  /**
   * URL of the service: https, or http to the local machine. Default: `BROWSER_INFRA_BASE_URL`,
   * else `KERNEL_BASE_URL`.
   */
  readonly baseUrl?: pulumi.Input<string | undefined>;
  /**
   * Project id of resources that declare no `projectId`. Default: `BROWSER_INFRA_PROJECT_ID`, else
   * `KERNEL_PROJECT_ID`, else `KERNEL_PROJECT` if the value is an id.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Source of the API key. The key itself then reaches no state file and no JSON output. If the
   * source has no value, the preview fails; no default key is used. Not together with `apiKey`.
   */
  readonly apiKeyFrom?: ApiKeySource | undefined;
}

/** Arguments by name, so that the compiler reports a name missing here. */
const argumentNames: Readonly<Record<keyof ProviderArgs, true>> = {
  apiKey: true,
  apiKeyFrom: true,
  baseUrl: true,
  projectId: true,
};

/**
 * Checks the arguments of programs in JavaScript, where no compiler finds a misspelt name.
 * `namespace`: that of the settings passed to the provider's process. Throws `InputError`.
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
    const message = 'Both "apiKey" and "apiKeyFrom" of a Provider are given. Give only one.';
    throw new InputError("arguments_conflicting", "apiKeyFrom", message);
  }
  checkSource(args.apiKeyFrom, namespace);
}

/** Checks that the source names one place. Messages omit the name: it may be a key by mistake. */
function checkSource(source: unknown, namespace: string): void {
  const sourceError = (why: string) => new InputError("argument_invalid", "apiKeyFrom", why);
  const places = isPlainObject(source) ? Object.entries(source).filter(([, name]) => name !== undefined) : [];
  const [[place, name] = []] = places;
  if (places.length !== 1 || (place !== "env" && place !== "config")) {
    throw sourceError(
      `"apiKeyFrom" of a Provider must be { env: "NAME" } or { config: "${namespace}:name" }.`,
    );
  }
  const problem = secretPlaceProblem(place, name, namespace);
  if (problem !== undefined) {
    throw sourceError(`"${place}" in "apiKeyFrom" of a Provider ${problem}`);
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
