import { sha256Of } from "../../archive/index.js";
import type { Extension } from "../../client/index.js";
import { quote } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import { type Call, ignoreNotFound } from "../call.js";
import { compareContents } from "./contents.js";
import type { ExtensionInputs } from "./properties.js";

/** An extension to adopt, and how it differs from what is declared. */
export interface Adoption {
  /** Without a checksum only in a preview: the service did not always keep one. */
  readonly extension: Extension;
  /** Each the end of a sentence. */
  readonly differences: readonly string[];
}

/**
 * Finds the extension that an Extension names in `adopt`. Undefined when there is none. A preview
 * downloads nothing.
 */
export async function findAdoption(
  idOrName: string,
  inputs: ExtensionInputs,
  call: Call,
  isPreview = false,
): Promise<Adoption | undefined> {
  const { extensions } = call.clientFor(inputs.projectId);
  const { signal } = call.context;
  const found = await ignoreNotFound(extensions.get(idOrName, { signal }));
  if (found === undefined) {
    return undefined;
  }
  const isKnown = isPreview || found.checksum !== null;
  const checksum = isKnown ? found.checksum : sha256Of(await extensions.download(found.id, { signal }));
  const differences: string[] = [];
  const { name } = inputs;
  if (name !== undefined && found.name !== name) {
    differences.push(`its name is ${JSON.stringify(found.name)}, but "${name}" is declared`);
  }
  if (checksum !== null && inputs.checksum !== undefined && checksum !== inputs.checksum) {
    const comparison = isPreview ? "" : ` (${await compareContents(found.id, inputs, call)})`;
    differences.push(
      `its archive has checksum ${checksum}, but the folder packs to ${inputs.checksum}${comparison}`,
    );
  }
  return { extension: { ...found, checksum }, differences };
}

/** An extension for a message: `extension abc ("reader", 3.5 KiB, created 2026-01-01T00:00:00Z)`. */
export function extensionText({ id, name, sizeBytes, createdAt }: Extension): string {
  const named = name === null ? "without a name" : quote(name);
  const created = createdAt === null ? "" : `, created ${createdAt}`;
  return `extension ${id} (${named}, ${sizeText(sizeBytes)}${created})`;
}
