import { sha256Of } from "../../archive/index.js";
import type { Extension, UploadProgress } from "../../client/index.js";
import { ignoreNotFound } from "../../client/refusals.js";
import { RecoveryError } from "../../errors.js";
import { messageOf } from "../../text/words.js";
import type { Call } from "../call.js";
import type { OwnedObject } from "../core/owned/declaration.js";
import type { OwnedObjects } from "../core/owned/objects.js";
import type { ArchiveCache } from "./archives.js";
import { loadersIfKnown } from "./pools.js";
import { type ExtensionState, extensionState, liveProperties } from "./properties.js";

/** What to upload, and under which name. */
export interface Upload {
  readonly name: string;
  readonly projectId: string | undefined;
  readonly checksum: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Finds, uploads and deletes extensions. */
export type ExtensionObjects = OwnedObjects<Extension>;

/** What one process knows of all its extensions. */
export interface ExtensionProcess {
  readonly archives: ArchiveCache;
  readonly objects: ExtensionObjects;
  /** Extensions that were deleted to make room for their replacement, by URN. */
  readonly saved: Map<string | undefined, SavedExtension>;
}

/** An extension that can be restored. */
export interface SavedExtension {
  readonly state: ExtensionState;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A pool loads it. */
export const inUse = "resource_in_use";

/** A browser extension of a project. The service cannot change it, so everything is its identity. */
export const extensionObject: OwnedObject<Upload, ExtensionState, Extension> = {
  noun: "extension",
  isInProject: true,
  notFoundCode: "extension_not_found",
  deleteCommand: "browser-infra extensions delete",
  adoptAdvice: (id) =>
    `To take it over, add adopt: "${id}" to this Extension, unless another stack uses it: if its bytes differ, it is replaced.`,
  state: extensionState,
  essential: "checksum",
  identity: ({ checksum }) => (checksum == null ? {} : { checksum }),
  find: (id, projectId, call) => ignoreNotFound(call.clientFor(projectId).extensions.get(id, call.options)),
  holderOf: (name, projectId, call) => call.clientFor(projectId).extensions.holderOf(name, call.options),
  create: (upload, _name, call) => send(upload, call),
  change: () => undefined,
  remove: (id, { projectId }, call) => call.clientFor(projectId).extensions.delete(id, call.options),
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

/** Milliseconds between two messages of an upload. Outside a terminal each is a line in the log. */
const progressEveryMs = 3_000;

function send({ name, projectId, bytes }: Upload, call: Call): Promise<Extension> {
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
  return extensions.upload({ archive: bytes, name }, { signal, onProgress });
}

/**
 * The archive of an extension that must be deleted before its replacement can exist, compared with
 * its record; undefined when it is gone, or has no name to make it again under. Throws
 * `backup_failed` when it cannot be had completely; the extension must then not be deleted.
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
    const why = messageOf(error);
    throw new RecoveryError(
      "backup_failed",
      `Extension "${name}" (${id}) was not deleted to make room for its replacement, because its archive could not be downloaded first: ${why} Nothing was changed. Run "pulumi up" again.`,
      { cause: error },
    );
  }
}
