import { resolveSettings } from "../config.js";
import { ApiError } from "../errors.js";
import type { LifecycleContext } from "../providers/lifecycle.js";

/** Origins of a key that a state file can contain. Other origins are read when Pulumi runs. */
const storedOrigin = /^(?:stack configuration browser-infra:apiKey|argument apiKey of Provider .+)$/;

const storedKeyAdvice =
  'Before the program runs, Pulumi uses the API key of the last "pulumi up", which the state keeps. ' +
  'If the key has changed since, run "pulumi up --refresh=false" once, which stores the new key. ' +
  'Or run "pulumi refresh --run-program", or "pulumi destroy --run-program --refresh=false".';

/**
 * Explains a refused API key (401) in a call before or without a check of the program's resources:
 * Pulumi then configures a provider from the state, not from the stack. Returns all other errors.
 */
export function explainStoredKey(error: unknown, context: LifecycleContext): unknown {
  return error instanceof ApiError &&
    error.status === 401 &&
    storedOrigin.test(resolveSettings(context).origins.apiKey)
    ? error.withAdvice(storedKeyAdvice)
    : error;
}
