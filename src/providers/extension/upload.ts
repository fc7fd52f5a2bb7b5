import { setTimeout as sleep } from "node:timers/promises";
import type { ExtensionArchive } from "../../archive/index.js";
import type { BrowserInfraClient, Extension, UploadProgress } from "../../client/index.js";
import {
  ApiError,
  BrowserInfraError,
  CanceledError,
  ConflictError,
  OutcomeUnknownError,
} from "../../errors.js";
import { type Call, ignoreNotFound } from "../call.js";
import type { LifecycleContext } from "../lifecycle.js";

/** Milliseconds to wait before each look at what an unknown write became: about 15 s in all. */
const lookDelaysMs: readonly number[] = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** Milliseconds between two messages of an upload. Outside a terminal each is a line in the log. */
const progressEveryMs = 3_000;

/** What to upload, and under which name. */
interface UploadTarget {
  readonly name: string;
  readonly projectId?: string | undefined;
  readonly archive: Pick<ExtensionArchive, "bytes" | "checksum">;
}

/** An extension that exists in the service now. */
interface UploadedExtension {
  readonly extension: Extension;
  /** It existed already, and nothing was sent. */
  readonly isReused: boolean;
}

/** One upload, with what it needs on its way through the steps below. */
interface Upload extends UploadTarget {
  readonly client: BrowserInfraClient;
  readonly context: LifecycleContext;
}

/**
 * Makes sure that exactly one extension with this name and checksum exists in the service. Looks
 * before it sends: an earlier run may have uploaded it and lost the response, or been killed before
 * the state was written. The upload is sent once. If its outcome is unknown, looking decides.
 */
export async function ensureUploaded(target: UploadTarget, call: Call): Promise<UploadedExtension> {
  const { name, projectId, archive } = target;
  const upload: Upload = { ...target, client: call.clientFor(projectId), context: call.context };
  const present = await findUploaded(upload);
  if (present === undefined) {
    call.journal.uploadStarts({ name, checksum: archive.checksum, projectId });
  }
  try {
    const uploaded =
      present === undefined ? await uploadOrFind(upload) : { extension: present, isReused: true };
    call.journal.uploadSettled();
    return uploaded;
  } catch (error) {
    // With an unknown outcome, the extension may exist all the same, now or later.
    if (!(error instanceof OutcomeUnknownError)) {
      call.journal.uploadSettled();
    }
    throw error;
  }
}

async function uploadOrFind(upload: Upload): Promise<UploadedExtension> {
  try {
    return { extension: await send(upload), isReused: false };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) {
      const rival = await findUploaded(upload);
      if (rival !== undefined) {
        return { extension: rival, isReused: true };
      }
    }
    if (error instanceof OutcomeUnknownError) {
      return { extension: await resolveUnknown(upload, error), isReused: false };
    }
    throw error;
  }
}

/**
 * The extension with our name and our bytes; undefined when the name is free. Throws `name_taken`
 * when the name belongs to other bytes: they are somebody's, and are not overwritten.
 */
async function findUploaded({ client, name, archive, context }: Upload): Promise<Extension | undefined> {
  const [present] = await client.extensions.list({ name, signal: context.signal });
  if (present === undefined || present.checksum === archive.checksum) {
    return present;
  }
  const theirs = present.checksum === null ? "no checksum on record" : `checksum ${present.checksum}`;
  throw new ConflictError(
    "name_taken",
    `The name "${name}" is taken by extension ${present.id} (${theirs}), which is not this archive ` +
      `(checksum ${archive.checksum}). Give another "name", leave "name" out to get a free one, or delete that extension first.`,
  );
}

function send({ client, name, archive, context }: Upload): Promise<Extension> {
  let reportedAt = performance.now();
  const { signal, report } = context;
  const onProgress = ({ sentBytes, totalBytes }: UploadProgress) => {
    if (performance.now() - reportedAt >= progressEveryMs) {
      reportedAt = performance.now();
      const percent = Math.floor((sentBytes / totalBytes) * 100);
      report.progress(`uploading, ${percent} % of ${totalBytes} bytes`);
    }
  };
  return client.extensions.upload({ archive: archive.bytes, name }, { signal, onProgress });
}

async function resolveUnknown(upload: Upload, outcome: OutcomeUnknownError): Promise<Extension> {
  const { context, name } = upload;
  context.report.progress("no response to the upload; checking whether it succeeded");
  try {
    const present = await lookUntilKnown(() => findUploaded(upload), context);
    if (present !== undefined) {
      context.report.info(
        `The response to the upload was lost, but the upload succeeded: "${name}" is extension ${present.id}.`,
      );
      return present;
    }
  } catch (error) {
    const canceled = context.signal.aborted || error instanceof CanceledError;
    if (!canceled && !(error instanceof BrowserInfraError && error.code !== "name_taken")) {
      throw error;
    }
  }
  throw new OutcomeUnknownError(
    `${outcome.message} An extension "${name}" with checksum ${upload.archive.checksum} may exist now or appear later. ` +
      `Run "pulumi up" again: it looks for exactly that extension first and uploads nothing twice.`,
    outcome.request,
    { cause: outcome },
  );
}

/**
 * Deletes an extension that an earlier run uploaded and never saw, if it arrived. It stays if it
 * has the id `keep.id`, or if `keep.next` is about to upload exactly the same and will reuse it.
 */
export async function clearPendingUpload(
  keep: { readonly id?: string; readonly next?: UploadTarget },
  call: Call,
): Promise<void> {
  const { context, journal } = call;
  const pending = journal.pendingUpload();
  if (pending === undefined || (keep.next !== undefined && isSame(pending, keep.next))) {
    return;
  }
  const { name, checksum, projectId } = pending;
  const client = call.clientFor(projectId);
  const [holder] = await client.extensions.list({ name, signal: context.signal });
  if (holder?.checksum === checksum && holder.id !== keep.id) {
    await deleteExtension(holder.id, client, context);
    context.report.info(
      `Deleted extension "${name}" (${holder.id}): an interrupted deployment of this resource had uploaded it, and the program now declares something else.`,
    );
  }
  journal.uploadSettled();
}

function isSame(
  pending: { readonly name: string; readonly checksum: string; readonly projectId?: string | undefined },
  { name, archive, projectId }: UploadTarget,
): boolean {
  return pending.name === name && pending.checksum === archive.checksum && pending.projectId === projectId;
}

/**
 * Deletes an extension; the request is sent once. If its outcome is unknown, looking decides. One
 * that is gone already counts as deleted.
 */
export async function deleteExtension(
  id: string,
  { extensions }: BrowserInfraClient,
  context: LifecycleContext,
): Promise<void> {
  const { signal } = context;
  try {
    await ignoreNotFound(extensions.delete(id, { signal }));
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError) || signal.aborted) {
      throw error;
    }
    const look = async () => {
      const present = await ignoreNotFound(extensions.get(id, { signal }));
      return present === undefined ? "gone" : undefined;
    };
    if ((await lookUntilKnown(look, context)) === undefined) {
      throw error.withAdvice('Run "pulumi up" again.');
    }
  }
}

/** Looks until there is an answer, about 15 s long; undefined when there is none. */
async function lookUntilKnown<T>(
  look: () => Promise<T | undefined>,
  { signal }: LifecycleContext,
): Promise<T | undefined> {
  for (const delayMs of lookDelaysMs) {
    await sleep(delayMs, undefined, { signal });
    const found = await look();
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
