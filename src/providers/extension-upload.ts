import { setTimeout as sleep } from "node:timers/promises";
import type { ExtensionArchive } from "../archive/index.js";
import type { BrowserInfraClient, Extension, UploadProgress } from "../client/index.js";
import { ApiError, BrowserInfraError, CanceledError, ConflictError, OutcomeUnknownError } from "../errors.js";
import type { LifecycleContext } from "./lifecycle.js";
import { pendingUploads } from "./pending-uploads.js";
import type { RecoveryOwner } from "./recovery-folder.js";

/** Waits before each look for an upload whose outcome is unknown: about 15 s in all. Milliseconds. */
export const lookDelaysMs: readonly number[] = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** Time between two messages of an upload: outside a terminal each is a line of its own. Milliseconds. */
const progressEveryMs = 3_000;

/** An extension that stands in the service now, and how it came to be there. */
export interface PlacedExtension {
  readonly extension: Extension;
  /** True when it was there already and nothing was sent. */
  readonly found: boolean;
}

/** Where and as what an archive is to stand. */
export interface Placement {
  readonly owner: RecoveryOwner;
  /** A client for `projectId`. */
  readonly client: BrowserInfraClient;
  readonly name: string;
  readonly projectId: string | undefined;
  readonly archive: Pick<ExtensionArchive, "bytes" | "checksum">;
  readonly context: LifecycleContext;
}

/**
 * Makes sure that exactly one extension of this name and checksum stands in the service. Looks before it sends: an
 * earlier run may have uploaded it and lost the answer, or been killed before the state was written. The upload is sent
 * once; when its outcome is unknown, looking decides.
 */
export async function placeExtension(placement: Placement): Promise<PlacedExtension> {
  const { owner, name, archive, projectId } = placement;
  const present = await lookFor(placement);
  if (present === undefined) {
    pendingUploads.note(owner, { name, checksum: archive.checksum, projectId });
  }
  try {
    const placed =
      present === undefined ? await uploadOrFind(placement) : { extension: present, found: true };
    pendingUploads.discard(owner);
    return placed;
  } catch (error) {
    // One whose fate is unknown may stand in the service all the same, now or later.
    if (!(error instanceof OutcomeUnknownError)) {
      pendingUploads.discard(owner);
    }
    throw error;
  }
}

async function uploadOrFind(placement: Placement): Promise<PlacedExtension> {
  try {
    return { extension: await upload(placement), found: false };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) {
      const rival = await lookFor(placement);
      if (rival !== undefined) {
        return { extension: rival, found: true };
      }
    }
    if (error instanceof OutcomeUnknownError) {
      return { extension: await resolveUnknown(placement, error), found: false };
    }
    throw error;
  }
}

/**
 * The extension with our name and our bytes; undefined when the name is free.
 * Throws when the name belongs to other bytes: they are somebody's, and are not overwritten.
 */
async function lookFor({ client, name, archive, context }: Placement): Promise<Extension | undefined> {
  const [present] = await client.extensions.list({ name, signal: context.signal });
  if (present === undefined || present.checksum === archive.checksum) {
    return present;
  }
  throw new ConflictError(
    "name_taken",
    `The name "${name}" is taken by extension ${present.id} (${checksumText(present)}), which is not this archive ` +
      `(checksum ${archive.checksum}). Give another "name", leave "name" out to get a free one, or delete that extension first.`,
  );
}

function checksumText(extension: Extension): string {
  return extension.checksum === null ? "no checksum on record" : `checksum ${extension.checksum}`;
}

function upload({ client, name, archive, context }: Placement): Promise<Extension> {
  let saidAt = performance.now();
  const { signal, report } = context;
  const onProgress = ({ sentBytes, totalBytes }: UploadProgress) => {
    if (performance.now() - saidAt >= progressEveryMs) {
      saidAt = performance.now();
      const percent = Math.floor((sentBytes / totalBytes) * 100);
      report.progress(`uploading, ${percent} % of ${totalBytes} bytes`);
    }
  };
  return client.extensions.upload({ archive: archive.bytes, name }, { signal, onProgress });
}

async function resolveUnknown(placement: Placement, outcome: OutcomeUnknownError): Promise<Extension> {
  const { context, name } = placement;
  context.report.progress("the answer to the upload was lost; looking whether it arrived");
  try {
    for (const delayMs of lookDelaysMs) {
      await sleep(delayMs, undefined, { signal: context.signal });
      const present = await lookFor(placement);
      if (present !== undefined) {
        context.report.info(
          `The answer to the upload was lost, but it arrived: "${name}" is extension ${present.id}.`,
        );
        return present;
      }
    }
  } catch (error) {
    const canceled = context.signal.aborted || error instanceof CanceledError;
    if (!canceled && !(error instanceof BrowserInfraError && error.code !== "name_taken")) {
      throw error;
    }
    throw mayExist(placement, outcome);
  }
  throw mayExist(placement, outcome);
}

function mayExist({ name, archive }: Placement, outcome: OutcomeUnknownError): OutcomeUnknownError {
  return new OutcomeUnknownError(
    `${outcome.message} An extension "${name}" with checksum ${archive.checksum} may exist now or appear later. ` +
      `Run "pulumi up" again: it looks for exactly that extension first and sends nothing twice.`,
    outcome.request,
    { cause: outcome },
  );
}
