import { isAbsolute } from "node:path";
import { sha256Of } from "../../archive/index.js";
import type { Extension } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { OutcomeUnknownError, RecoveryError } from "../../errors.js";
import type { Call } from "../call.js";
import type { Backup } from "../journal/extension-notes.js";
import { PartiallyCreatedError } from "../lifecycle.js";
import { type ExtensionInputs, type ExtensionState, extensionState, liveProperties } from "./properties.js";
import type { Run } from "./run.js";
import { ensureUploaded } from "./upload.js";

/**
 * Fetches the archive of an extension that must be deleted before its replacement can exist.
 * Undefined when there is none. Throws `backup_failed` when it cannot be fetched completely; the
 * extension must then not be deleted.
 */
export async function backUpExtension(id: string, state: ExtensionState, call: Call, run: Run) {
  const { name, projectId } = state;
  if (name === undefined) {
    return undefined;
  }
  const bytes = await fetchArchive(id, name, projectId, call);
  if (bytes === undefined) {
    return undefined;
  }
  run.backedUp.set(call.context.urn, state);
  return { of: { name, projectId }, bytes };
}

/** The bytes of a live extension, compared with its record; undefined when it is gone. */
async function fetchArchive(id: string, name: string, projectId: string | undefined, call: Call) {
  const { extensions } = call.clientFor(projectId);
  const { signal } = call.context;
  try {
    const { checksum } = await extensions.get(id, { signal });
    const bytes = await extensions.download(id, { signal });
    if (checksum !== null && sha256Of(bytes) !== checksum) {
      throw new Error("The downloaded bytes do not match the checksum that the service has on record.");
    }
    return bytes;
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw new RecoveryError(
      "backup_failed",
      `Extension "${name}" (${id}) was not deleted to make room for its replacement, because its archive could not be downloaded first: ${messageOf(error)} Nothing was changed. Run "pulumi up" again.`,
      { cause: error },
    );
  }
}

/**
 * What a failed create ends in. If the previous version was deleted to make room, it is uploaded
 * again, and a `PartiallyCreatedError` keeps it in the state with the reason. If that fails too,
 * `restore_failed` says where the saved bytes are and how to restore them by hand.
 */
export async function restorePreviousVersion(
  failure: unknown,
  inputs: ExtensionInputs,
  call: Call,
  run: Run,
): Promise<unknown> {
  const { context, journal } = call;
  const backup = journal.extension.backup();
  if (backup === undefined) {
    return failure;
  }
  if (context.signal.aborted) {
    return interrupted(backup, failure);
  }
  if (failure instanceof OutcomeUnknownError) {
    return notRestored(backup, failure, "the upload of the new version may have succeeded.");
  }
  const { name, projectId, checksum } = backup;
  let extension: Extension;
  try {
    context.report.progress(`the upload failed; restoring the previous version under "${name}"`);
    ({ extension } = await ensureUploaded({ name, projectId, archive: backup }, call, run));
  } catch (error) {
    return context.signal.aborted
      ? interrupted(backup, failure)
      : notRestored(backup, failure, messageOf(error));
  }
  const reason =
    `${messageOf(failure)} The previous version was restored under "${name}" ` +
    `(extension ${extension.id}, checksum ${checksum}). Fix the cause and run "pulumi up" again.`;
  const known = { ...(run.backedUp.get(context.urn) ?? inputs), checksum };
  const state = { ...known, ...liveProperties(extension, known), unfinished: reason };
  return new PartiallyCreatedError(extension.id, extensionState.write(state), [reason]);
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
