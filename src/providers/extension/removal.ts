import { BrowserInfraError, OutcomeUnknownError } from "../../errors.js";
import { type Call, ignoreNotFound } from "../call.js";
import { untilGone } from "../core/requests.js";
import { isSameUpload, type UploadIdentity } from "../journal/extension-notes.js";
import type { PendingUpload } from "../journal/schemas.js";
import { isInUse, loadersIfTold } from "./pools.js";
import type { Run } from "./run.js";

/**
 * Deletes what earlier runs of a resource uploaded and no state has, if it arrived. What has the id
 * `id` or is in use stays, and so does what `next` is about to upload: it will be reused.
 */
export async function clearUploads(
  uploads: readonly PendingUpload[],
  call: Call,
  run: Run,
  next?: UploadIdentity,
): Promise<void> {
  const { context, journal } = call;
  for (const upload of uploads) {
    const { name, projectId } = upload;
    if (next !== undefined && isSameUpload(next, upload)) {
      continue;
    }
    const found = await findPending(upload, call);
    if (found === undefined) {
      journal.extension.uploadNotFound(upload);
      continue;
    }
    if (!run.isInUse(found.id)) {
      try {
        // Should the state have it after all, the next comparison finds this note.
        await deleteWithNote(found.id, projectId, call, () => journal.extension.deletionStarts(found.id));
      } catch (error) {
        if (!isInUse(error)) {
          throw error;
        }
        // The interrupted deployment may have changed a pool to it, which this one changes back.
        const loaders = await loadersIfTold({ id: found.id, projectId }, call);
        const next = run.declared.has(context.urn)
          ? 'Every "pulumi up" tries again.'
          : "Delete it when nothing uses it any more.";
        context.report.warning(
          `Extension "${name}" (${found.id}) was left in place: an interrupted deployment of this resource had uploaded it, but the program now declares something else. It was not deleted, because ${loaders ?? "something uses it"}. ${next}`,
        );
        continue;
      }
      context.report.info(
        `Deleted extension "${name}" (${found.id}): an interrupted deployment of this resource had uploaded it, but the program now declares something else.`,
      );
    }
    journal.extension.uploadCleared(upload);
  }
}

/** The extension that an upload became. Without an answer, only its name and its bytes tell. */
async function findPending({ id, name, checksum, projectId }: PendingUpload, call: Call) {
  const { extensions } = call.clientFor(projectId);
  const { signal } = call.context;
  if (id !== undefined) {
    return ignoreNotFound(extensions.get(id, { signal }));
  }
  const holder = await extensions.holderOf(name, { signal });
  return holder?.name === name && holder.checksum === checksum ? holder : undefined;
}

/**
 * Deletes an extension, and notes that before, by `noteStart`, and after. Throws as
 * {@link deleteExtension} does.
 */
export async function deleteWithNote(
  id: string,
  projectId: string | undefined,
  call: Call,
  noteStart: () => void,
): Promise<void> {
  const notes = call.journal.extension;
  const isRepeated = notes.mayHaveDeleted(id);
  noteStart();
  try {
    await deleteExtension(id, projectId, call);
  } catch (error) {
    // A refusal says nothing about a deletion that an earlier run sent, unless the extension exists.
    const isRefused = error instanceof BrowserInfraError && !(error instanceof OutcomeUnknownError);
    if (isRefused && (!isRepeated || isInUse(error))) {
      notes.deletionRefused(id);
    }
    throw error;
  }
  notes.deletionAnswered(id);
}

/**
 * Deletes an extension; the request is sent once. If its outcome is unknown, looking decides. One
 * that is gone already counts as deleted. Throws `OutcomeUnknownError` unless it knows.
 */
async function deleteExtension(id: string, projectId: string | undefined, call: Call): Promise<void> {
  const { extensions } = call.clientFor(projectId);
  const { signal } = call.context;
  try {
    await ignoreNotFound(extensions.delete(id, { signal }));
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      throw error;
    }
    const find = () => ignoreNotFound(extensions.get(id, { signal }));
    await untilGone(error, { noun: "extension", id, find }, call);
  }
}
