import type * as pulumi from "@pulumi/pulumi";
import { InputError } from "../errors.js";
import type { ExactlyOne, InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./two-forms.js";

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
export interface GetExtensionResult {
  /** Id, with which a browser is started. */
  readonly id: string;
  /** Name, unique within the project; null when it was uploaded without one. */
  readonly name: string | null;
  /** SHA-256 of the archive's exact bytes, 64 lower-case hexadecimal digits; null for legacy records and extensions the service packed itself. */
  readonly checksum: string | null;
  /** Size of the archive. Bytes. */
  readonly sizeBytes: number;
  /** When it was uploaded, as an ISO 8601 date-time. */
  readonly createdAt: string;
  /** When a browser last loaded it, as an ISO 8601 date-time; null when the service does not say. */
  readonly lastUsedAt: string | null;
}

const definition: FunctionDefinition<GetExtensionArgs, GetExtensionResult> = {
  name: "getExtension",
  takes: { exactlyOneOf: ["id", "name"] },
  scope: "project",
  ask: async (client, { id, name }) => {
    if (id === undefined) {
      return client.extensions.getByName(name);
    }
    const extension = await client.extensions.get(id);
    // The service takes either in this place.
    if (extension.id === id) {
      return extension;
    }
    throw new InputError(
      "id_invalid",
      "id",
      `"id" is an extension's name and not its id, which is ${extension.id}. Give that, or the name as "name".`,
    );
  },
};

/**
 * Reads one extension by id or by exact name, in the project that the setting `browser-infra:projectId` or the provider names, else in that of
 * the API key. It need not be one that this program declares.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `LookupError` `name_not_found`, which lists with their ids the names that differ
 * only by case or accent; `ApiError`, such as `not_found` for an id.
 */
export function getExtension(
  args: GetExtensionArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetExtensionResult> {
  return plainForm(definition, args, options);
}

/** As {@link getExtension}, for arguments that may be Outputs; not known, and nothing is asked, while one of them is not. */
export function getExtensionOutput(
  args: GetExtensionOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetExtensionResult> {
  return outputForm(definition, args, options);
}
