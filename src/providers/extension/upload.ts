import { setTimeout as sleep } from "node:timers/promises";
import { type ExtensionArchive, sha256Of } from "../../archive/index.js";
import type { Extension, UploadProgress } from "../../client/index.js";
import {
  ApiError,
  BrowserInfraError,
  CanceledError,
  ConflictError,
  OutcomeUnknownError,
} from "../../errors.js";
import { quote } from "../../text/escape.js";
import { type Call, ignoreNotFound } from "../call.js";
import { compareContents } from "./contents.js";
import { type ExtensionInputs, type ExtensionState, liveProperties } from "./properties.js";
import { lookUntilKnown } from "./removal.js";
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

/** An extension in the service, and what the state is to keep of it. */
export interface ExistingExtension {
  readonly id: string;
  readonly state: ExtensionState;
}

/**
 * Adopts an extension without sending anything. Undefined, with a warning, when there is none. If
 * its bytes or its name differ from what is declared, the state says so, and the next deployment
 * replaces it.
 */
export async function adoptExtension(
  idOrName: string,
  inputs: ExtensionInputs,
  call: Call,
): Promise<ExistingExtension | undefined> {
  const { extensions } = call.clientFor(inputs.projectId);
  const { signal, report } = call.context;
  const found = await ignoreNotFound(extensions.get(idOrName, { signal }));
  if (found === undefined) {
    // It may have been replaced or deleted since it was adopted, and the program still names it.
    report.warning(
      `There is no extension "${idOrName}" to adopt, so the folder is uploaded. Fix or remove "adopt".`,
    );
    return undefined;
  }
  // The service did not always keep checksums, so an old extension has none.
  const checksum = found.checksum ?? sha256Of(await extensions.download(found.id, { signal }));
  const extension = { ...found, checksum };
  const differences: string[] = [];
  const { name } = inputs;
  if (name !== undefined && extension.name !== name) {
    differences.push(`its name is ${JSON.stringify(extension.name)}, but "${name}" is declared`);
  }
  if (checksum !== inputs.checksum) {
    const comparison = await compareContents(found.id, inputs, call);
    differences.push(
      `its archive has checksum ${checksum}, but the folder packs to ${inputs.checksum} (${comparison})`,
    );
  }
  const state = { ...inputs, ...liveProperties(extension, inputs) };
  if (differences.length === 0) {
    report.info(`Adopted extension ${extension.id} as it is; nothing was uploaded.`);
    return { id: extension.id, state };
  }
  const reason = `Adopted extension ${extension.id}, but it differs: ${differences.join("; ")}. The next "pulumi up" replaces it.`;
  report.warning(reason);
  return { id: extension.id, state: { ...state, unfinished: reason } };
}

/**
 * Makes sure that exactly one extension with this name and checksum exists in the service. Looks
 * before it sends: an earlier run may have uploaded it and lost the response, or been killed before
 * the state was written. The upload is sent once. If its outcome is unknown, looking decides.
 */
export async function ensureUploaded(target: UploadTarget, call: Call, run: Run): Promise<UploadedExtension> {
  const { name, projectId, archive } = target;
  const notes = call.journal.extension;
  const upload = { name, checksum: archive.checksum, projectId };
  const present = await findUploaded(target, call, run);
  if (present !== undefined) {
    notes.uploadFound(upload, present.id);
    return { extension: present, isReused: true };
  }
  const earlier = notes.uploadStarts(upload);
  try {
    const uploaded = await uploadOrFind(target, call, run);
    if (uploaded.isReused && earlier === undefined) {
      // Somebody else uploaded the same in this moment.
      notes.uploadCleared(upload);
    } else {
      notes.uploadAnswered(upload, uploaded.extension.id);
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

async function uploadOrFind(target: UploadTarget, call: Call, run: Run): Promise<UploadedExtension> {
  try {
    return { extension: await send(target, call), isReused: false };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) {
      const rival = await findUploaded(target, call, run);
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

/** After this time without a comparison, the engine has compared every resource. Milliseconds. */
const comparingMs = 2_000;

/** Looks at a name that this run has freed, and milliseconds between them: a list may be behind. */
const freedNameLooksMax = 20;
const freedNameLookEveryMs = 500;

/**
 * The extension with our name and our bytes; undefined when the name is free. Throws `name_taken`
 * when the name belongs to other bytes, or in another case to any: they are somebody's, and are not
 * overwritten. If they belong to an extension that this run is about to delete, as when two
 * resources swap their names, that one is deleted now.
 */
async function findUploaded({ name, projectId, archive }: UploadTarget, call: Call, run: Run) {
  const { extensions } = call.clientFor(projectId);
  const { signal } = call.context;
  for (let looks = 1; ; looks += 1) {
    const present = await extensions.holderOf(name, { signal });
    if (present === undefined || (present.name === name && present.checksum === archive.checksum)) {
      return present;
    }
    if (looks < freedNameLooksMax && (await becomesFree(present.id, call, run))) {
      await sleep(looks === 1 ? 0 : freedNameLookEveryMs, undefined, { signal });
      continue;
    }
    const theirs = present.checksum === null ? "no checksum on record" : `checksum ${present.checksum}`;
    if (present.name !== name) {
      throw new ConflictError(
        "name_taken",
        `The name "${name}" is taken by extension ${present.id}, whose name is ${quote(present.name ?? "")}: ` +
          `case and accents do not count for the service. Give another "name", or delete that extension first.`,
      );
    }
    throw new ConflictError(
      "name_taken",
      `The name "${name}" is taken by extension ${present.id} (${theirs}), which is not this archive ` +
        `(checksum ${archive.checksum}). Give another "name", leave "name" out to get a unique one, or delete that extension first.`,
    );
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
    if (run.isInUse(id) || run.quietMs > comparingMs) {
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
    const present = await lookUntilKnown(() => findUploaded(target, call, run), context);
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
