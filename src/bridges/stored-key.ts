import { resolveSettings } from "../config.js";
import { ApiError } from "../errors.js";
import type { LifecycleContext } from "../providers/lifecycle.js";

/** Origins of a key that a state file can contain. Other origins are read when Pulumi runs. */
const storedOrigin = /^(?:stack configuration browser-infra:apiKey|argument apiKey of Provider .+)$/;

const storedKeyAdvice =
  'Without "--run-program", "refresh", "destroy" and "up --refresh" use the API key of the last "pulumi up", ' +
  'which the state keeps. If the key has changed since, add "--run-program", or run "pulumi up" once without "--refresh".';

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
