import { setTimeout as sleep } from "node:timers/promises";
import type { ExtensionArchive } from "../../archive/index.js";
import type { Extension, UploadProgress } from "../../client/index.js";
import {
  ApiError,
  BrowserInfraError,
  CanceledError,
  ConflictError,
  OutcomeUnknownError,
} from "../../errors.js";
import { quote } from "../../text/escape.js";
import { autoName } from "../auto-name.js";
import type { Call } from "../call.js";
import { lookUntilKnown } from "../core/requests.js";
import { isUploadWithId } from "../journal/extension-notes.js";
import type { Run } from "./run.js";

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

/**
 * Makes sure that exactly one extension with this name and checksum exists in the service. Looks
 * before it sends: an earlier run may have uploaded it and lost the response, or been killed before
 * the state was written. The upload is sent once. If its outcome is unknown, looking decides.
 *
 * An extension with an automatic name is ours: nobody else makes that name. One with a fixed name
 * is ours if the journal says so. Throws `extension_exists` if it does not: whoever uploaded it
 * would lose it to a destroy of this stack.
 */
export async function ensureUploaded(target: UploadTarget, call: Call, run: Run): Promise<UploadedExtension> {
  const { name, projectId, archive } = target;
  const notes = call.journal.extension;
  const upload = { name, checksum: archive.checksum, projectId };
  const { urn } = call.context;
  const isAutomatic = name === autoName(urn ?? "", archive.checksum, projectId);
  const present = await findUploaded(target, call, run, (id) => isAutomatic || notes.isOurs(upload, id));
  if (present !== undefined) {
    notes.uploadFound(upload, present.id);
    return { extension: present, isReused: true };
  }
  const earlier = notes.uploadStarts(upload);
  try {
    const wasOurs = (id: string) => isUploadWithId(earlier, id);
    const uploaded = await uploadOrFind(target, call, run, (id) => isAutomatic || wasOurs(id));
    const { id } = uploaded.extension;
    if (uploaded.isReused && !wasOurs(id)) {
      // Somebody else uploaded the same in this moment.
      notes.uploadCleared(upload);
    } else {
      notes.uploadAnswered(upload, id);
    }
    return uploaded;
  } catch (error) {
    // With an unknown outcome, the extension may exist all the same, now or later.
    if (!(error instanceof OutcomeUnknownError)) {
      notes.uploadRefused(upload, earlier);
    }
    throw error;
  }
}

/** Why the extension that has our fixed name is in the way. */
function nameTaken(
  { name, archive }: UploadTarget,
  { id, name: heldName, checksum }: Extension,
  { context }: Call,
  run: Run,
): ConflictError {
  if (heldName !== name) {
    return new ConflictError(
      "name_taken",
      `The name "${name}" is taken by extension ${id}, whose name is ${quote(heldName ?? "")}: ` +
        `case and accents do not count for the service. ${waysOut(id)}`,
    );
  }
  if (checksum !== archive.checksum) {
    const theirs = checksum === null ? "no checksum on record" : `checksum ${checksum}`;
    return new ConflictError(
      "name_taken",
      `The name "${name}" is taken by extension ${id} (${theirs}), which is not this archive ` +
        `(checksum ${archive.checksum}). ${waysOut(id)}`,
    );
  }
  return run.isUsedByAnother(id, context.urn)
    ? declaredTwice(id)
    : new ConflictError(
        "extension_exists",
        `Extension ${id} already has the name "${name}" and exactly these bytes, but this resource did not upload it. ` +
          `If it is in use elsewhere, such as in another stack, destroying this one would delete it there. ${waysOut(id)} ` +
          "If only the resource's logical name has changed, give it an alias instead. Nothing was uploaded.",
      );
}

/** What to do about an extension that has a fixed name already. */
export function waysOut(id: string): string {
  return (
    `To take it over, add adopt: "${id}" to this Extension; if its bytes differ, it is replaced. ` +
    'To leave it alone, choose another "name", or leave "name" out to get a unique one.'
  );
}

/** The error for an extension that two resources of a program would manage. */
export function declaredTwice(id: string): ConflictError {
  return new ConflictError(
    "extension_declared_twice",
    `Two resources of this program declare extension ${id}: they have the same name, or one adopts what the other manages. Remove one of them, or give it another "name".`,
  );
}

async function uploadOrFind(
  target: UploadTarget,
  call: Call,
  run: Run,
  isOurs: (id: string) => boolean,
): Promise<UploadedExtension> {
  try {
    return { extension: await send(target, call), isReused: false };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) {
      const rival = await findUploaded(target, call, run, isOurs);
      if (rival !== undefined) {
        return { extension: rival, isReused: true };
      }
    }
    if (error instanceof OutcomeUnknownError) {
      return { extension: await resolveUnknown(target, call, run, error), isReused: false };
    }
    throw error;
  }
}

/** Looks at a name that this run has freed, and milliseconds between them: a list may be behind. */
const freedNameLooksMax = 20;
const freedNameLookEveryMs = 500;

/**
 * The extension with our name and our bytes, if it is ours; undefined when the name is free. Throws
 * `name_taken` when the name belongs to other bytes, or in another case to any, `extension_exists`
 * when it belongs to the same bytes of somebody else: neither is overwritten or shared. If it
 * belongs to an extension that this run is about to delete, as when two resources swap their names,
 * that one is deleted now.
 */
async function findUploaded(
  target: UploadTarget,
  call: Call,
  run: Run,
  isOurs: (id: string) => boolean,
): Promise<Extension | undefined> {
  const { name, projectId, archive } = target;
  const { extensions } = call.clientFor(projectId);
  const { signal } = call.context;
  for (let looks = 1; ; looks += 1) {
    const present = await extensions.holderOf(name, { signal });
    const isSame = present?.name === name && present.checksum === archive.checksum;
    if (present === undefined || (isSame && isOurs(present.id))) {
      return present;
    }
    if (looks < freedNameLooksMax && (await becomesFree(present.id, call, run))) {
      await sleep(looks === 1 ? 0 : freedNameLookEveryMs, undefined, { signal });
      continue;
    }
    throw nameTaken(target, present, call, run);
  }
}

/**
 * Deletes an extension that this run is about to delete anyway. Waiting for the engine to do it
 * could take forever: it may have a free worker only when this one is done. False when it stays.
 */
async function becomesFree(id: string, { context }: Call, run: Run): Promise<boolean> {
  for (;;) {
    if (run.deleted.has(id)) {
      return true;
    }
    const remove = run.removalOf(id);
    if (remove !== undefined) {
      // Why it failed is the error of that deletion.
      return remove().then(
        () => true,
        () => false,
      );
    }
    // The engine may not have compared the other resource yet.
    if (run.isInUse(id) || run.hasCompared) {
      return false;
    }
    await sleep(50, undefined, { signal: context.signal });
  }
}

function send({ name, projectId, archive }: UploadTarget, call: Call): Promise<Extension> {
  let reportedAt = performance.now();
  const { signal, report } = call.context;
  const onProgress = ({ sentBytes, totalBytes }: UploadProgress) => {
    if (performance.now() - reportedAt >= progressEveryMs) {
      reportedAt = performance.now();
      const percent = Math.floor((sentBytes / totalBytes) * 100);
      report.progress(`uploading, ${percent} % of ${totalBytes} bytes`);
    }
  };
  const { extensions } = call.clientFor(projectId);
  return extensions.upload({ archive: archive.bytes, name }, { signal, onProgress });
}

async function resolveUnknown(target: UploadTarget, call: Call, run: Run, outcome: OutcomeUnknownError) {
  const { name, archive } = target;
  const { context } = call;
  context.report.progress("no response to the upload; checking whether it succeeded");
  try {
    const present = await lookUntilKnown(() => findUploaded(target, call, run, () => true), context);
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
  if (context.signal.aborted) {
    throw outcome.withMessage(
      `The upload of extension "${name}" was interrupted, and "${name}" may exist now or appear later. ` +
        `Run "pulumi up" again: it looks for exactly that extension first and uploads nothing twice.`,
    );
  }
  throw new OutcomeUnknownError(
    `${outcome.message} An extension "${name}" with checksum ${archive.checksum} may exist now or appear later. ` +
      `Run "pulumi up" again: it looks for exactly that extension first and uploads nothing twice.`,
    outcome.request,
    { cause: outcome },
  );
}
