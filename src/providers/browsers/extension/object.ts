import { sha256Of } from "../../../archive/index.js";
import type { Extension } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { isProjectRefusal } from "../../../client/organization/project-refusal.js";
import { RecoveryError } from "../../../errors.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { OwnedObject } from "../../core/owned/declaration.js";
import type { OwnedObjects } from "../../core/owned/objects.js";
import type { ArchiveCache } from "../../inputs/archives.js";
import { uploadOptions } from "../../messages/shipping.js";
import { extensionsOf } from "../../reads/lists.js";
import { loadersIfKnown } from "./pools.js";
import { type ExtensionState, extensionState, liveProperties } from "./properties.js";

/** Archive to upload, with the name and the project of the new extension. */
export interface Upload {
  readonly name: string;
  readonly projectId: string | undefined;
  readonly checksum: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Data shared by all extensions of a process. */
export interface ExtensionProcess {
  readonly archives: ArchiveCache;
  readonly objects: OwnedObjects;
  /** Extensions deleted to make room for the replacement, by URN. */
  readonly saved: Map<string | undefined, SavedExtension>;
}

/** Extension with the archive for a restore. */
export interface SavedExtension {
  readonly state: ExtensionState;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Code of the refusal to delete an extension that a pool loads. */
export const inUse = "resource_in_use";

/** A browser extension of a project. Immutable in the service, so every property is identity. */
export const extensionObject: OwnedObject<Upload, ExtensionState, Extension> = {
  noun: "extension",
  isInProject: true,
  notFoundCode: "extension_not_found",
  deleteCommand: "browser-infra extensions delete",
  adoptAdvice: (id) =>
    `To adopt this extension, add adopt: "${id}" to this resource, unless another stack uses the extension: if the bytes differ, the extension is replaced.`,
  state: extensionState,
  managedMarker: "checksum",
  identity: ({ checksum }) => (checksum == null ? {} : { checksum }),
  list: extensionsOf,
  find: (id, projectId, call) => ignoreNotFound(extensionsOf(projectId, call).get(id, call.options)),
  holderOf: (name, projectId, call) => extensionsOf(projectId, call).holderOf(name, call.options),
  create: ({ name, projectId, bytes }, _name, call) =>
    extensionsOf(projectId, call).upload({ archive: bytes, name }, uploadOptions(call.context)),
  change: () => undefined,
  remove: (id, { projectId }, call) => extensionsOf(projectId, call).delete(id, call.options),
  explainRefusal: async ({ id }, { projectId }, refusal, call) => {
    if (refusal.serviceCode !== inUse) {
      return refusal;
    }
    const loaders = await loadersIfKnown({ id, projectId }, call);
    if (loaders === undefined) {
      return refusal.withAdvice("Nothing was deleted.");
    }
    const { requestId } = refusal.request;
    const request = requestId === undefined ? "" : `, request id ${requestId}`;
    return refusal.withMessage(
      `Extension ${id} was not deleted, because ${loaders} (${refusal.status} ${inUse}${request}).`,
    );
  },
  stateOf: (live, _upload, known = {}) => ({ ...known, ...liveProperties(live, known) }),
};

/**
 * Downloads the archive of an extension that must be deleted before the replacement can exist, and
 * compares the checksum. Undefined if the extension is gone, or has no name for a restore. Throws
 * `backup_failed` without a complete archive; the extension must then not be deleted.
 */
export async function fetchArchive(
  id: string,
  state: ExtensionState,
  call: Call,
): Promise<SavedExtension | undefined> {
  const { name, projectId } = state;
  if (name === undefined) {
    return undefined;
  }
  const { extensions } = call.clientFor(projectId);
  try {
    const live = await ignoreNotFound(extensions.get(id, call.options));
    if (live === undefined) {
      return undefined;
    }
    const bytes = await extensions.download(id, call.options);
    const checksum = sha256Of(bytes);
    if (live.checksum !== null && checksum !== live.checksum) {
      throw new Error("The downloaded bytes do not match the checksum that the service has on record.");
    }
    return { bytes: new Uint8Array(bytes), state: { ...state, checksum } };
  } catch (error) {
    if (isProjectRefusal(error)) {
      throw error;
    }
    const why = messageOf(error);
    throw new RecoveryError(
      "backup_failed",
      `Extension "${name}" (${id}) was not deleted to make room for its replacement, because its archive could not be downloaded first: ${why} Nothing was changed. Run "pulumi up" again.`,
      { cause: error },
    );
  }
}
