import type { Extension } from "../../../client/index.js";
import { RecoveryError } from "../../../errors.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { PartiallyCreatedError } from "../../lifecycle.js";
import type { ExtensionProcess, Upload } from "./object.js";
import { extensionState, liveProperties } from "./properties.js";

/**
 * Returns the error of a failed create. If this run deleted the previous version to make room, the
 * version is uploaded again, and a `PartiallyCreatedError` keeps the version in the state with the
 * reason. If the upload fails, too, the error is `restore_failed`. The bytes are the archive
 * downloaded before the deletion (`fetchArchive`).
 */
export async function restorePreviousVersion(
  failure: unknown,
  { objects, saved: all }: ExtensionProcess,
  call: Call,
): Promise<unknown> {
  const { urn, signal, report } = call.context;
  const saved = all.get(urn);
  const { name, projectId, checksum } = saved?.state ?? {};
  if (saved === undefined || name === undefined || checksum === undefined) {
    return failure;
  }
  const notRestored = (why: string) =>
    new RecoveryError(
      "restore_failed",
      `${messageOf(failure)} The previous version was not restored under "${name}": ${why} ` +
        'Run "pulumi up" again to upload the declared extension.',
      { cause: failure },
    );
  if (failure instanceof PartiallyCreatedError) {
    // The upload may have succeeded. The error keeps the upload in the state.
    return failure;
  }
  if (signal.aborted) {
    return notRestored("the deployment was interrupted.");
  }
  let extension: Extension;
  try {
    report.progress(`the upload failed; restoring the previous version under "${name}"`);
    const backup: Upload = { name, projectId, checksum, bytes: saved.bytes };
    extension = (await objects.findOrCreate(backup, name, call)).live as Extension;
  } catch (error) {
    const reason = notRestored(messageOf(error));
    // The restored version may have arrived: the state keeps the mark.
    return error instanceof PartiallyCreatedError
      ? new PartiallyCreatedError(error.id, error.outputs, [reason.message])
      : reason;
  }
  const reason =
    `${messageOf(failure)} The previous version was restored under "${name}" ` +
    `(extension ${extension.id}, checksum ${checksum}). Fix the cause and run "pulumi up" again.`;
  const outputs = extensionState.write({
    ...saved.state,
    ...liveProperties(extension, saved.state),
    unfinished: { reason },
  });
  return new PartiallyCreatedError(extension.id, outputs, [reason]);
}
