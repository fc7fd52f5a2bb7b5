import { isAbsolute } from "node:path";
import { sha256Of } from "../../archive/index.js";
import type { Extension } from "../../client/index.js";
import { OutcomeUnknownError, RecoveryError } from "../../errors.js";
import { messageOf } from "../../text/words.js";
import type { Call } from "../call.js";
import { PartiallyCreatedError } from "../lifecycle.js";
import type { ExtensionObjects, Upload } from "./object.js";
import { type ExtensionState, extensionState, liveProperties } from "./properties.js";

/** The version that was deleted to make room, and where its archive is. */
interface Backup extends Upload {
  readonly state: ExtensionState;
  readonly file: string;
}

/**
 * What a failed create ends in. If the previous version was deleted to make room, it is uploaded
 * again, and a `PartiallyCreatedError` keeps it in the state with the reason. If that fails too,
 * `restore_failed` says where the saved bytes are and how to restore them by hand.
 */
export async function restorePreviousVersion(
  failure: unknown,
  objects: ExtensionObjects,
  call: Call,
): Promise<unknown> {
  const { context } = call;
  const backup = savedVersion(objects, call);
  if (backup === undefined) {
    return failure;
  }
  if (context.signal.aborted) {
    return interrupted(backup, failure);
  }
  if (failure instanceof OutcomeUnknownError) {
    return notRestored(backup, failure, "the upload of the new version may have succeeded.");
  }
  const { name, checksum } = backup;
  let extension: Extension;
  try {
    context.report.progress(`the upload failed; restoring the previous version under "${name}"`);
    ({ live: extension } = await objects.findOrCreate(backup, name, call));
  } catch (error) {
    return context.signal.aborted
      ? interrupted(backup, failure)
      : notRestored(backup, failure, messageOf(error));
  }
  const reason =
    `${messageOf(failure)} The previous version was restored under "${name}" ` +
    `(extension ${extension.id}, checksum ${checksum}). Fix the cause and run "pulumi up" again.`;
  const state = { ...backup.state, ...liveProperties(extension, backup.state), unfinished: reason };
  return new PartiallyCreatedError(extension.id, extensionState.write(state), [reason]);
}

/** The previous version of a resource that has none now. An earlier run may have saved it. */
function savedVersion(objects: ExtensionObjects, call: Call): Backup | undefined {
  const saved = objects.entries(call).saved();
  if (saved === undefined) {
    return undefined;
  }
  const { entry, bytes, path: file } = saved;
  const state = extensionState.read(entry.key ?? {});
  const { name, projectId, checksum } = state;
  // A file that has changed since is not what was deleted.
  return name === undefined || checksum === undefined || sha256Of(bytes) !== checksum
    ? undefined
    : { name, projectId, checksum, bytes, state, file };
}

/** A replacement that Ctrl-C or a time limit ended: the previous version waits for the next run. */
function interrupted({ name, file }: Backup, failure: unknown): RecoveryError {
  return new RecoveryError(
    "restore_failed",
    `The replacement of extension "${name}" was interrupted. The previous version was not restored: its archive is saved in "${file}"${folderOf(file)}. ` +
      'Run "pulumi up" again: it uploads the new version, unless that has already arrived.',
    { cause: failure },
  );
}

/** A failure of which only the saved bytes are left. */
function notRestored({ name, projectId, file }: Backup, failure: unknown, why: string): RecoveryError {
  const project = projectId === undefined ? "" : ` --project ${projectId}`;
  return new RecoveryError(
    "restore_failed",
    `${messageOf(failure)} The previous version was not restored under "${name}": ${why} ` +
      `Its archive is saved in "${file}"${folderOf(file)}. Run "pulumi up" again, or restore it by hand: ` +
      `npx browser-infra extensions upload "${file}" --name "${name}"${project}`,
    { cause: failure },
  );
}

/** Where to look for a file, after its path. */
function folderOf(file: string): string {
  return isAbsolute(file) ? "" : " in the program's folder";
}
