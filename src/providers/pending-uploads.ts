import { isDeepStrictEqual } from "node:util";
import type { ClientFor } from "./accounts.js";
import { deleteExtension } from "./delete-extension.js";
import {
  type RecoveryOwner,
  readRecoveryJson,
  recoveryFile,
  removeRecoveryFiles,
  writeRecoveryFile,
} from "./journal.js";
import type { LifecycleContext } from "./lifecycle.js";
import { isPropertyMap, type PropertyMap, type PropertyValue, textOf } from "./properties.js";

/** What an upload is to become. */
export interface PendingUpload {
  readonly name: string;
  readonly checksum: string;
  readonly projectId: string | undefined;
}

/** What a noted upload may have left and is not to be deleted. */
export interface Spared {
  /** Id of the extension that the state has. */
  readonly id?: string;
  /** The upload that is about to be made, which finds an earlier one of the same. */
  readonly upload?: PendingUpload;
}

/**
 * A note of each upload under way, in a file. A process that is killed between the service's commit and its own answer leaves an
 * extension of which no state knows. When the program declares the same again, it is found by its name and checksum; when it
 * declares something else by then, this note is the only trace.
 */
export const pendingUploads = {
  /** Notes an upload that is about to be sent. */
  note(owner: RecoveryOwner, { name, checksum, projectId }: PendingUpload): void {
    writeRecoveryFile(fileOf(owner), JSON.stringify({ name, checksum, projectId }));
  },

  /** The upload of a resource whose end no run has seen. */
  find(owner: RecoveryOwner): PendingUpload | undefined {
    const noted = readRecoveryJson(fileOf(owner)) as PropertyValue | undefined;
    if (!isPropertyMap(noted)) {
      return undefined;
    }
    const [name, checksum] = [textOf(noted, "name"), textOf(noted, "checksum")];
    return name === undefined || checksum === undefined
      ? undefined
      : { name, checksum, projectId: textOf(noted, "projectId") };
  },

  /** Whether there is one of something else than what the state has. */
  isOutdated(owner: RecoveryOwner, state: PropertyMap): boolean {
    const pending = pendingUploads.find(owner);
    return pending !== undefined && (pending.name !== state.name || pending.checksum !== state.checksum);
  },

  /** How the upload ended is known. */
  discard(owner: RecoveryOwner): void {
    removeRecoveryFiles(fileOf(owner));
  },

  /** Deletes what a noted upload left, if it arrived and is not spared. */
  async clear(
    owner: RecoveryOwner,
    clientFor: ClientFor,
    context: LifecycleContext,
    spared: Spared,
  ): Promise<void> {
    const pending = pendingUploads.find(owner);
    if (pending === undefined || isDeepStrictEqual(pending, spared.upload)) {
      return;
    }
    const { name, checksum, projectId } = pending;
    const client = clientFor(projectId);
    const [holder] = await client.extensions.list({ name, signal: context.signal });
    if (holder?.checksum === checksum && holder.id !== spared.id) {
      await deleteExtension(holder.id, client, context);
      context.report.info(
        `Extension "${name}" (${holder.id}), which an interrupted deployment of this resource had uploaded, was deleted: the program declares something else now.`,
      );
    }
    pendingUploads.discard(owner);
  },
};

function fileOf(owner: RecoveryOwner): string {
  return recoveryFile(owner, "upload.json");
}
