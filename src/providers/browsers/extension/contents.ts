import {
  archiveFormat,
  type ExtensionArchive,
  packExtension,
  readArchive,
  readExtension,
} from "../../../archive/index.js";
import { ArchiveError, InputError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { ArchiveCache } from "../../inputs/archives.js";
import { folderOptions } from "../../inputs/folder-options.js";
import type { LifecycleContext } from "../../lifecycle.js";
import { reportContents } from "../../messages/shipping.js";
import { unknownValue } from "../../properties.js";
import type { DeclaredExtension, ExtensionInputs, ExtensionMemo } from "./properties.js";

/** Duration after which reading and packing are reported. Milliseconds. */
const slowAfterMs = 1_000;

/** Contents of a folder, with checksum and size of the archive. */
export type PackedContents = Omit<ExtensionArchive, "bytes">;

/**
 * Reads the folder. Packs the folder only if no earlier check of any process has packed the same
 * content. Undefined if the folder is still unknown in a preview. Reports excluded files.
 */
export async function packedContents(
  { path, exclude }: DeclaredExtension,
  memo: ExtensionMemo | undefined,
  archives: ArchiveCache,
  call: Call,
): Promise<PackedContents | undefined> {
  const { context } = call;
  if (path === undefined || path === unknownValue || exclude === unknownValue) {
    return undefined;
  }
  const packed = await archives.folders.run(path, async () => {
    const remembered = memo?.archive?.format === archiveFormat ? memo.archive : undefined;
    if (remembered !== undefined || archives.hasFrom(path)) {
      const contents = await reportIfSlow(context, `reading ${path}`, () =>
        readExtension(path, {
          ...folderOptions(path, exclude, call),
          knownDigest: remembered?.contentDigest,
        }),
      );
      const { contentDigest } = contents;
      const known =
        remembered?.contentDigest === contentDigest
          ? remembered
          : archives.find(contentDigest, path, context.urn);
      const { checksum, sizeBytes } = known ?? {};
      // A ready archive is uploaded unchanged: equal contents do not mean equal bytes.
      if (contents.kind === "folder" && checksum !== undefined && sizeBytes !== undefined) {
        return { ...contents, checksum, sizeBytes };
      }
    }
    const archive = await pack(path, exclude, call);
    archives.put(archive, path, context.urn);
    return archive;
  });
  if (archives.recordCheck(context.urn)) {
    reportContents(packed, "The extension loads in Chromium", context);
  }
  return packed;
}

/**
 * Compares the archive of an extension in the service with the folder, for a message. Other tools
 * pack the same content to different bytes: a zip also contains dates, modes and an order.
 */
export async function compareContents(id: string, inputs: ExtensionInputs, call: Call): Promise<string> {
  const { path, exclude, projectId } = inputs;
  if (path === undefined) {
    return "no folder is known for a comparison";
  }
  const { signal } = call.context;
  const bytes = await call.clientFor(projectId).extensions.download(id, call.options);
  try {
    const theirs = await readArchive(bytes, `The archive of extension ${id}`, signal);
    const ours = await readExtension(path, folderOptions(path, exclude, call));
    return theirs.contentDigest === ours.contentDigest
      ? "same content, packed differently"
      : "different content";
  } catch (error) {
    if (error instanceof ArchiveError) {
      return "different content";
    }
    if (error instanceof InputError) {
      return "the folder for a comparison does not exist";
    }
    throw error;
  }
}

export function pack(path: string, exclude: ExtensionInputs["exclude"], call: Call) {
  return reportIfSlow(call.context, `packing ${path}`, () =>
    packExtension(path, folderOptions(path, exclude, call)),
  );
}

/**
 * Does `work`, and shows `message` on the resource's row if the work takes long. An ordinary
 * extension is packed in milliseconds, and outside a terminal every message is a line in the log.
 */
async function reportIfSlow<T>({ report }: LifecycleContext, message: string, work: () => Promise<T>) {
  const timer = setTimeout(() => report.progress(message), slowAfterMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
