import { contentsSummary, readArchive, refusalText, sha256Of } from "../../archive/index.js";
import type { Extension } from "../../client/index.js";
import { BrowserInfraError, CanceledError } from "../../errors.js";
import type { Call } from "../call.js";
import type { ReadResult } from "../lifecycle.js";
import {
  type ExtensionState,
  extensionInputs,
  extensionMemo,
  extensionState,
  liveProperties,
} from "./properties.js";

/**
 * An extension that comes under management: everything that the service has of it, its files
 * included, so that a folder with the same content is no change. It keeps its name as long as that
 * is its content, also when the program gives none.
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
 * What the archive holds. If it cannot be downloaded or read, that stays unknown, and the import
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
    // The service has no checksum of what was uploaded before it kept them.
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
      `The archive of extension ${id} could not be read, so the import does not know its files. ${error.message}`,
    );
    return {};
  }
}
