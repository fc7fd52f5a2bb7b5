import type * as pulumi from "@pulumi/pulumi";
import type { GetExtensionArgs } from "../queries/arguments.js";
import { extensionQuery } from "../queries/project.js";
import type { GetExtensionResult } from "../queries/results.js";
import type { InputsOf } from "./arguments.js";
import { outputForm, plainForm } from "./invoke.js";

export type { GetExtensionArgs, GetExtensionResult };

/** Arguments of {@link getExtensionOutput}. */
export type GetExtensionOutputArgs = InputsOf<GetExtensionArgs>;

/**
 * Reads one extension by id or by exact name, also one that this program does not declare. Looks in
 * the project that the setting `browser-infra:projectId` or the provider names, or else in that of
 * the API key.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`,
 * which lists names that differ only by case or accent, with their ids; `ApiError`, such as
 * `not_found` for an id.
 */
export function getExtension(
  args: GetExtensionArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetExtensionResult> {
  return plainForm(extensionQuery, args, options);
}

/** As {@link getExtension}, for arguments that may be Outputs; unknown while one is. */
export function getExtensionOutput(
  args: GetExtensionOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetExtensionResult> {
  return outputForm(extensionQuery, args, options);
}
