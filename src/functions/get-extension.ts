import type * as pulumi from "@pulumi/pulumi";
import type { Extension } from "../client/types.js";
import type { ExactlyOne, InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./invoke.js";
import { nameAsId } from "./name-as-id.js";
import type { WithoutNull } from "./results.js";

/** Which extension: exactly one of id and name. */
export type GetExtensionArgs = ExactlyOne<{
  /** Id of the extension, 24 characters of a-z and 0-9 at the service. */
  id: string;
  /** Exact name, byte for byte. */
  name: string;
}>;

/** Arguments of {@link getExtensionOutput}. */
export type GetExtensionOutputArgs = InputsOf<GetExtensionArgs>;

/** An extension of the project that the settings name. */
export type GetExtensionResult = WithoutNull<Extension>;

const definition: FunctionDefinition<GetExtensionArgs, Extension> = {
  name: "getExtension",
  takes: { exactlyOneOf: ["id", "name"] },
  scope: "project",
  ask: async (client, { id, name }) => {
    if (id === undefined) {
      return client.extensions.getByName(name);
    }
    const extension = await client.extensions.get(id);
    // The service takes an id or a name here.
    if (extension.id !== id) {
      throw nameAsId("an extension", extension.id, "id", "name");
    }
    return extension;
  },
};

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
  return plainForm(definition, args, options);
}

/** As {@link getExtension}, for arguments that may be Outputs; unknown while one is. */
export function getExtensionOutput(
  args: GetExtensionOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetExtensionResult> {
  return outputForm(definition, args, options);
}
