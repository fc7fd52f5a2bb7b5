import { contentsSummary, readArchive, refusalText, sha256Of } from "../../../archive/index.js";
import type { Extension } from "../../../client/index.js";
import { BrowserInfraError, CanceledError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { ReadResult } from "../../lifecycle.js";
import {
  type ExtensionState,
  extensionInputs,
  extensionMemo,
  extensionState,
  liveProperties,
} from "./properties.js";

/**
 * Imports an extension with all data from the service, including the files, so that a folder with
 * the same content is no change. Without a declared name, the extension keeps its name until the
 * content changes.
 */
export async function importedExtension(
  extension: Extension,
  projectId: string | undefined,
  call: Call,
): Promise<ReadResult> {
  const contents = await contentsOf(extension, projectId, call);
  const state: ExtensionState = { ...liveProperties(extension, contents), ...contents, projectId };
  return {
    id: extension.id,
    outputs: extensionState.write(state),
    inputs: extensionInputs.write({ ...state, createdAt: undefined }),
    memo: extensionMemo.write({ adoptedChecksum: state.checksum }),
  };
}

/**
 * Contents of the archive; empty if the archive cannot be downloaded or read. The import then
 * continues: the checksum alone decides whether a folder is the same.
 */
async function contentsOf(
  { id, checksum }: Extension,
  projectId: string | undefined,
  call: Call,
): Promise<ExtensionState> {
  const { signal, report } = call.context;
  try {
    const bytes = await call.clientFor(projectId).extensions.download(id, call.options);
    // The service has no checksum of uploads from before checksums were stored.
    const known = { checksum: checksum ?? sha256Of(bytes) };
    const contents = await readArchive(bytes, `The archive of extension ${id}`, signal);
    if (contents.refusals.length > 0) {
      report.warning(`The archive of extension ${id} is imported. ${refusalText(contents)}`);
    }
    return { ...known, ...contentsSummary(contents) };
  } catch (error) {
    if (!(error instanceof BrowserInfraError) || error instanceof CanceledError) {
      throw error;
    }
    report.warning(
      `The archive of extension ${id} could not be read, so the import has no list of the files. ${error.message}`,
    );
    return {};
  }
}
