import { InputError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import type { Call } from "../call.js";
import { notMayRead } from "../lifecycle.js";

/** Options with which a call reads a folder. Throws `InputError` if the caller may not have the folder read. */
export function optionsFor(
  path: string,
  exclude: readonly string[] | undefined,
  { context, settings: { apiKey } }: Call,
) {
  if (context.mayRead?.(`path ${path}`) === false) {
    throw new InputError("caller_unknown", "path", `The folder ${quote(path)} is not read. ${notMayRead}`);
  }
  const { programFolder: baseFolder, signal } = context;
  return { baseFolder, signal, apiKey, ...(exclude === undefined ? {} : { exclude }) };
}
