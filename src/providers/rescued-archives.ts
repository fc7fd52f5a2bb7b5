import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BrowserInfraClient, isNotFound } from "../client/index.js";
import { BrowserInfraError } from "../errors.js";
import type { LifecycleContext, StoredResource } from "./lifecycle.js";
import { type PropertyMap, textOf } from "./property-values.js";

/** Folder in the program's folder where archives lie between the deletion of an extension and its replacement. */
export const rescueFolder = ".browser-infra-rescued";

/** The place in the service that a replacement takes over: names are unique in a project. */
export interface Slot {
  readonly name: string;
  readonly projectId: string | undefined;
}

/** A last working version that was deleted to make room for another. */
export interface RescuedArchive {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly checksum: string;
  /** Outputs it had in the state; undefined when an earlier run rescued it. */
  readonly state: PropertyMap | undefined;
  /** Where the bytes lie, relative to the program's folder. */
  readonly file: string;
}

/**
 * Keeps the last working version of an extension under a fixed name: its archive is fetched and written to a file before it is
 * deleted, and the file goes when its replacement stands. It is a file and not memory, so that it outlives a killed process;
 * an extension is somebody's work, so only its owner may read it (mode 0600).
 */
export class RescuedArchives {
  readonly #expected = new Set<string>();
  readonly #states = new Map<string, PropertyMap>();

  /** A resource that is about to be created takes this slot: a delete that frees it is part of a replacement. */
  expect(slot: Slot): void {
    this.#expected.add(keyOf(slot));
  }

  /** Fetches the archive of an extension that is about to be deleted, if its slot is taken over. Throws when it cannot. */
  async rescue(
    { id, state }: StoredResource,
    slot: Slot,
    client: BrowserInfraClient,
    context: LifecycleContext,
  ): Promise<void> {
    if (!this.#expected.has(keyOf(slot))) {
      // Nothing follows it, so neither does anything an interrupted run may have left.
      this.discard(slot);
      return;
    }
    let bytes: Uint8Array;
    try {
      bytes = await client.extensions.download(id, { signal: context.signal });
    } catch (error) {
      if (isNotFound(error)) {
        return;
      }
      throw new BrowserInfraError(
        "rescue_failed",
        `Extension "${slot.name}" (${id}) was not deleted to make room for its replacement, because its archive could not be fetched first: ${(error as Error).message}`,
        { cause: error },
      );
    }
    const checksum = textOf(state, "checksum");
    if (checksum !== undefined && sha256Of(bytes) !== checksum) {
      // What stands there is not what the state says; it is kept all the same, as what it is.
      context.report.warning(
        `Extension "${slot.name}" (${id}) holds other bytes than the state says; they are what would be put back.`,
      );
    }
    const file = fileOf(slot);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes, { mode: 0o600 });
    this.#states.set(keyOf(slot), state);
  }

  /** The last working version of a slot that has none now, also one that an earlier run left. */
  find(slot: Slot): RescuedArchive | undefined {
    const file = fileOf(slot);
    try {
      const bytes = readFileSync(file);
      return { bytes, checksum: sha256Of(bytes), state: this.#states.get(keyOf(slot)), file };
    } catch {
      return undefined;
    }
  }

  /** The slot is taken again: what was rescued is no longer needed. */
  discard(slot: Slot): void {
    const file = fileOf(slot);
    rmSync(file, { force: true });
    try {
      rmdirSync(dirname(file));
    } catch {
      // It is not there, or another archive lies in it.
    }
  }
}

function keyOf({ name, projectId }: Slot): string {
  return JSON.stringify([projectId ?? null, name]);
}

/** The working directory of the provider process is the program's folder. */
function fileOf(slot: Slot): string {
  const digest = createHash("sha256").update(keyOf(slot)).digest("hex").slice(0, 12);
  return join(rescueFolder, `${slot.name.slice(0, 100)}-${digest}.zip`);
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
