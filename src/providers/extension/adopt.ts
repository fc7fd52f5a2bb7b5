import { readArchive, readExtension, sha256Of } from "../../archive/index.js";
import type { BrowserInfraClient } from "../../client/index.js";
import { ArchiveError, InputError } from "../../errors.js";
import { liveOutputs, unfinishedOutput } from "../extension-outputs.js";
import { orUndefinedWhenGone } from "../gone.js";
import type { Created, LifecycleContext } from "../lifecycle.js";
import { type PropertyMap, textOf } from "../properties.js";

/**
 * Takes over an extension that exists, without sending anything; undefined, with a warning, when there is none. When its bytes are
 * not what the folder packs to, or its name is not the declared one, the state says so, and the next deployment replaces it.
 */
export async function adoptExtension(
  idOrName: string,
  inputs: PropertyMap,
  client: BrowserInfraClient,
  context: LifecycleContext,
): Promise<Created | undefined> {
  const found = await orUndefinedWhenGone(client.extensions.get(idOrName, { signal: context.signal }));
  if (found === undefined) {
    // It may have been replaced or deleted since it was taken over, and the program still says so.
    context.report.warning(
      `There is no extension "${idOrName}" to take over, so the folder is uploaded. Correct or remove "adopt".`,
    );
    return undefined;
  }
  // The service has no checksum of what was uploaded before it kept them.
  const checksum =
    found.checksum ?? sha256Of(await client.extensions.download(found.id, { signal: context.signal }));
  const extension = { ...found, checksum };
  const differences: string[] = [];
  const name = textOf(inputs, "name");
  if (name !== undefined && extension.name !== name) {
    differences.push(`its name is ${JSON.stringify(extension.name)}, and "${name}" is declared`);
  }
  if (checksum !== inputs.checksum) {
    const comparison = await compareContents(extension.id, inputs, client, context);
    differences.push(
      `its archive has checksum ${checksum}, the folder's ${textOf(inputs, "checksum")} (${comparison})`,
    );
  }
  const outputs = { ...inputs, ...liveOutputs(extension, inputs) };
  if (differences.length === 0) {
    context.report.info(`Extension ${extension.id} is taken over as it is; nothing was uploaded.`);
    return { id: extension.id, outputs };
  }
  const reason = `Extension ${extension.id} is taken over, but it differs: ${differences.join("; ")}. The next "pulumi up" replaces it.`;
  context.report.warning(reason);
  return { id: extension.id, outputs: { ...outputs, [unfinishedOutput]: reason } };
}

/** Tells what other tools pack differently from what is really different: a zip holds dates, modes and an order as well. */
export async function compareContents(
  id: string,
  inputs: PropertyMap,
  client: BrowserInfraClient,
  context: LifecycleContext,
): Promise<string> {
  const path = textOf(inputs, "path");
  if (path === undefined) {
    return "the folder is not known to compare it with";
  }
  const { signal } = context;
  const bytes = await client.extensions.download(id, { signal });
  const exclude = inputs.exclude as readonly string[] | undefined;
  try {
    const [theirs, ours] = [
      await readArchive(bytes, `The archive of extension ${id}`, signal),
      await readExtension(path, { signal, ...(exclude === undefined ? {} : { exclude }) }),
    ];
    return theirs.contentDigest === ours.contentDigest ? "same content, packed differently" : "other content";
  } catch (error) {
    if (error instanceof ArchiveError) {
      return "other content";
    }
    if (error instanceof InputError) {
      return "the folder is not there to compare it with";
    }
    throw error;
  }
}
