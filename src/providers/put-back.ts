import type { Extension } from "../client/index.js";
import { OutcomeUnknownError, RecoveryError } from "../errors.js";
import type { ClientFor } from "./connections.js";
import { liveOutputs, unfinishedOutput } from "./extension-outputs.js";
import { placeExtension } from "./extension-upload.js";
import { type LifecycleContext, PartiallyCreatedError } from "./lifecycle.js";
import type { PropertyMap } from "./property-values.js";
import type { RecoveryOwner } from "./recovery-folder.js";
import type { RescuedArchive, RescuedArchives } from "./rescued-archives.js";

/** A create that failed, and what there is to make up for it. */
export interface FailedCreate {
  readonly inputs: PropertyMap;
  readonly owner: RecoveryOwner;
  readonly rescuedArchives: RescuedArchives;
  readonly clientFor: ClientFor;
  readonly context: LifecycleContext;
}

/**
 * What a failed create ends in. Where the old version was deleted to make room, it goes back, and the state points to it with
 * the reason, so that the next deployment tries again: a `PartiallyCreatedError`. Where it cannot go back either, an error
 * with the place of the saved bytes and how to put them back by hand.
 */
export async function withLastVersionBack(failure: unknown, create: FailedCreate): Promise<unknown> {
  const { inputs, owner, rescuedArchives, context } = create;
  const rescued = rescuedArchives.find(owner);
  if (rescued === undefined) {
    return failure;
  }
  const why = whyNotPutBack(failure, context);
  if (why !== undefined) {
    return notPutBack(rescued, failure, why);
  }
  let extension: Extension;
  try {
    context.report.progress(
      `the upload failed; putting the last working version back under "${rescued.name}"`,
    );
    const client = create.clientFor(rescued.projectId);
    ({ extension } = await placeExtension({ owner, client, ...rescued, archive: rescued, context }));
  } catch (error) {
    return notPutBack(rescued, failure, messageOf(error));
  }
  rescuedArchives.discard(owner);
  const reason =
    `${messageOf(failure)} The last working version was put back under "${rescued.name}" ` +
    `(extension ${extension.id}, checksum ${rescued.checksum}). Mend the cause and run "pulumi up" again.`;
  const known = { ...(rescued.state ?? inputs), checksum: rescued.checksum };
  const outputs = { ...known, ...liveOutputs(extension, known), [unfinishedOutput]: reason };
  return new PartiallyCreatedError(extension.id, outputs, [reason]);
}

/** A failure of which only the saved bytes are left. */
function notPutBack(rescued: RescuedArchive, failure: unknown, why: string): RecoveryError {
  const { name, projectId } = rescued;
  const project = projectId === undefined ? "" : ` -H "X-Kernel-Project-Id: ${projectId}"`;
  return new RecoveryError(
    "restore_failed",
    `${messageOf(failure)} The last working version was not put back under "${name}": ${why} ` +
      `Its archive is saved in "${rescued.file}" in the program's folder. Run "pulumi up" again, or put it back by hand: ` +
      `curl -H "Authorization: Bearer $BROWSER_INFRA_API_KEY"${project} -F "file=@${rescued.file}" -F "name=${name}" "$BROWSER_INFRA_BASE_URL/extensions"`,
    { cause: failure },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why the last working version has to wait for the next deployment; undefined when it can go back now. */
function whyNotPutBack(failure: unknown, { signal }: LifecycleContext): string | undefined {
  if (signal.aborted) {
    return "there was no time left for it.";
  }
  return failure instanceof OutcomeUnknownError ? "the new version may have arrived." : undefined;
}
