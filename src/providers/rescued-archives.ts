import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Of } from "../archive/index.js";
import { type BrowserInfraClient, isNotFound } from "../client/index.js";
import { BrowserInfraError } from "../errors.js";
import type { LifecycleContext, StoredResource } from "./lifecycle.js";
import { type PropertyMap, textOf } from "./property-values.js";

/** Folder in the program's folder where archives lie between the deletion of an extension and its replacement. */
export const rescueFolder = ".browser-infra-rescued";

/** Whose last working version it is: the resource, which names its stack, and the service it is deployed to. */
export interface RescueOwner {
  readonly urn: string | undefined;
  readonly baseUrl: string;
}

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
 * to a file first, and the file goes when the replacement stands. It is a file and not memory, so that it outlives a killed
 * process; an extension is somebody's work, so only its owner may read it (mode 0600).
 */
export class RescuedArchives {
  readonly #states = new Map<string, PropertyMap>();

  /** Fetches the archive of an extension that is about to be deleted for its replacement. Throws when it cannot be had whole. */
  async rescue(
    { id, state }: StoredResource,
    owner: RescueOwner,
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
    const paths = pathsOf(owner);
    const projectId = textOf(state, "projectId");
    mkdirSync(rescueFolder, { recursive: true, mode: 0o700 });
    // Renamed into place, so that a killed process leaves a whole archive or none.
    writeFileSync(`${paths.archive}.part`, bytes, { mode: 0o600 });
    renameSync(`${paths.archive}.part`, paths.archive);
    writeFileSync(paths.record, JSON.stringify({ name, projectId, checksum: sha256Of(bytes) }), {
      mode: 0o600,
    });
    this.#states.set(paths.archive, state);
  }

  /** The last working version of a resource that has none now, also one that an earlier run left. */
  find(owner: RescueOwner): RescuedArchive | undefined {
    const paths = pathsOf(owner);
    try {
      const { name, projectId, checksum } = JSON.parse(readFileSync(paths.record, "utf8"));
      const bytes = readFileSync(paths.archive);
      return sha256Of(bytes) === checksum
        ? { bytes, checksum, name, projectId, state: this.#states.get(paths.archive), file: paths.archive }
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** The resource stands again: what was rescued is no longer needed. */
  discard(owner: RescueOwner): void {
    const paths = pathsOf(owner);
    rmSync(paths.archive, { force: true });
    rmSync(paths.record, { force: true });
    try {
      rmdirSync(rescueFolder);
    } catch {
      // It is not there, or another archive lies in it.
    }
  }
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
    throw new BrowserInfraError(
      "rescue_failed",
      `Extension "${name}" (${id}) was not deleted to make room for its replacement, because its archive could not be fetched first: ${(error as Error).message} Nothing was changed; run "pulumi up" again.`,
      { cause: error },
    );
  }
}

/** The working directory of the provider process is the program's folder. */
function pathsOf({ urn, baseUrl }: RescueOwner): { archive: string; record: string } {
  const digest = createHash("sha256")
    .update(JSON.stringify([urn ?? null, baseUrl]))
    .digest("hex")
    .slice(0, 16);
  const logicalName = (urn?.split("::").at(-1) ?? "extension").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
  const base = join(rescueFolder, `${logicalName}-${digest}`);
  return { archive: `${base}.zip`, record: `${base}.json` };
}
