import { readFileSync } from "node:fs";
import { sha256Of } from "../archive/index.js";
import { type BrowserInfraClient, isNotFound } from "../client/index.js";
import { RecoveryError } from "../errors.js";
import type { LifecycleContext, StoredResource } from "./lifecycle.js";
import { isPropertyMap, type PropertyMap, type PropertyValue, textOf } from "./property-values.js";
import {
  type RecoveryOwner,
  readRecoveryJson,
  recoveryFile,
  removeRecoveryFiles,
  writeRecoveryFile,
} from "./recovery-folder.js";

/** A last working version that was deleted to make room for another. */
export interface RescuedArchive {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly checksum: string;
  /** Name and project it had, and goes back to. */
  readonly name: string;
  readonly projectId: string | undefined;
  /** Outputs it had in the state; undefined when an earlier run rescued it. */
  readonly state: PropertyMap | undefined;
  /** Where the bytes lie, relative to the program's folder. */
  readonly file: string;
}

/**
 * Keeps the last working version of an extension that has to go before its replacement comes: its archive is fetched and written
 * to a file first, and the file goes when the replacement stands. It is a file and not memory, so that it outlives a killed process.
 */
export class RescuedArchives {
  readonly #states = new Map<string, PropertyMap>();

  /** Fetches the archive of an extension that is about to be deleted for its replacement. Throws when it cannot be had whole. */
  async rescue(
    { id, state }: StoredResource,
    owner: RecoveryOwner,
    client: BrowserInfraClient,
    context: LifecycleContext,
  ): Promise<void> {
    const name = textOf(state, "name");
    if (name === undefined) {
      return;
    }
    const bytes = await fetchWhole(id, name, client, context);
    if (bytes === undefined) {
      return;
    }
    const { archive, record } = filesOf(owner);
    const projectId = textOf(state, "projectId");
    writeRecoveryFile(archive, bytes);
    writeRecoveryFile(record, JSON.stringify({ name, projectId, checksum: sha256Of(bytes) }));
    this.#states.set(archive, state);
  }

  /** The last working version of a resource that has none now, also one that an earlier run left. */
  find(owner: RecoveryOwner): RescuedArchive | undefined {
    const { archive, record } = filesOf(owner);
    const saved = readRecoveryJson(record) as PropertyValue | undefined;
    const name = isPropertyMap(saved) ? textOf(saved, "name") : undefined;
    if (!isPropertyMap(saved) || name === undefined) {
      return undefined;
    }
    try {
      const bytes = readFileSync(archive);
      const checksum = sha256Of(bytes);
      const projectId = textOf(saved, "projectId");
      return checksum === saved.checksum
        ? { bytes, checksum, name, projectId, state: this.#states.get(archive), file: archive }
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** The resource stands again: what was rescued is no longer needed. */
  discard(owner: RecoveryOwner): void {
    const { archive, record } = filesOf(owner);
    removeRecoveryFiles(archive, record);
  }
}

function filesOf(owner: RecoveryOwner): { archive: string; record: string } {
  return { archive: recoveryFile(owner, "zip"), record: recoveryFile(owner, "json") };
}

/** The bytes of a live extension, compared with its record; undefined when it is gone. */
async function fetchWhole(
  id: string,
  name: string,
  client: BrowserInfraClient,
  { signal }: LifecycleContext,
): Promise<Uint8Array | undefined> {
  try {
    const { checksum } = await client.extensions.get(id, { signal });
    const bytes = await client.extensions.download(id, { signal });
    if (checksum !== null && sha256Of(bytes) !== checksum) {
      throw new Error("What arrived is not what the service has on record.");
    }
    return bytes;
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw new RecoveryError(
      "backup_failed",
      `Extension "${name}" (${id}) was not deleted to make room for its replacement, because its archive could not be fetched first: ${(error as Error).message} Nothing was changed; run "pulumi up" again.`,
      { cause: error },
    );
  }
}
