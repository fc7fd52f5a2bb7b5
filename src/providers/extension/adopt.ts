import { sha256Of } from "../../archive/index.js";
import type { BrowserInfraClient } from "../../client/index.js";
import { ignoreNotFound } from "../call.js";
import type { LifecycleContext } from "../lifecycle.js";
import { compareContents } from "./contents.js";
import { type ExtensionInputs, type ExtensionState, liveProperties } from "./properties.js";

/**
 * Adopts an extension that exists, without sending anything. Undefined, with a warning, when there
 * is none. If its bytes are not what the folder packs to, or its name is not the declared one, the
 * state says so, and the next deployment replaces it.
 */
export async function adoptExtension(
  idOrName: string,
  inputs: ExtensionInputs,
  client: BrowserInfraClient,
  context: LifecycleContext,
): Promise<{ readonly id: string; readonly state: ExtensionState } | undefined> {
  const found = await ignoreNotFound(client.extensions.get(idOrName, { signal: context.signal }));
  if (found === undefined) {
    // It may have been replaced or deleted since it was adopted, and the program still names it.
    context.report.warning(
      `There is no extension "${idOrName}" to adopt, so the folder is uploaded. Correct or remove "adopt".`,
    );
    return undefined;
  }
  // The service did not always keep checksums, so an old extension has none.
  const checksum =
    found.checksum ?? sha256Of(await client.extensions.download(found.id, { signal: context.signal }));
  const extension = { ...found, checksum };
  const differences: string[] = [];
  const { name } = inputs;
  if (name !== undefined && extension.name !== name) {
    differences.push(`its name is ${JSON.stringify(extension.name)}, but "${name}" is declared`);
  }
  if (checksum !== inputs.checksum) {
    const comparison = await compareContents(extension.id, inputs, client, context);
    differences.push(
      `its archive has checksum ${checksum}, but the folder packs to ${inputs.checksum} (${comparison})`,
    );
  }
  const state = { ...inputs, ...liveProperties(extension, inputs) };
  if (differences.length === 0) {
    context.report.info(`Adopted extension ${extension.id} as it is; nothing was uploaded.`);
    return { id: extension.id, state };
  }
  const reason = `Adopted extension ${extension.id}, but it differs: ${differences.join("; ")}. The next "pulumi up" replaces it.`;
  context.report.warning(reason);
  return { id: extension.id, state: { ...state, unfinished: reason } };
}
