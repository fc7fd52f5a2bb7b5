import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserInfraClient } from "../client/index.js";
import { OutcomeUnknownError } from "../errors.js";
import { lookDelaysMs } from "./extension/upload.js";
import { orUndefinedWhenGone } from "./gone.js";
import type { LifecycleContext } from "./lifecycle.js";

/** Deletes an extension, sent once. When the outcome is unknown, looking decides; what is gone already counts as deleted. */
export async function deleteExtension(
  id: string,
  { extensions }: BrowserInfraClient,
  { signal }: LifecycleContext,
): Promise<void> {
  try {
    await orUndefinedWhenGone(extensions.delete(id, { signal }));
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError) || signal.aborted) {
      throw error;
    }
    for (const delayMs of lookDelaysMs) {
      await sleep(delayMs, undefined, { signal });
      if ((await orUndefinedWhenGone(extensions.get(id, { signal }))) === undefined) {
        return;
      }
    }
    error.message += ' Run "pulumi up" again.';
    throw error;
  }
}
