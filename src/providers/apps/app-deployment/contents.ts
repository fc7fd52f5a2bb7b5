import { type AppArchive, packApp } from "../../../archive/index.js";
import type { Call } from "../../call.js";
import { type ArchiveCache, summaryOf } from "../../inputs/archives.js";
import { folderOptions } from "../../inputs/folder-options.js";
import { reportContents } from "../../messages/shipping.js";
import { requireKnown, unknownValue } from "../../properties.js";
import type { DeclaredDeployment, DeploymentInputs } from "./properties.js";

/**
 * Packs the declared code, and returns what `check` fills in: unknown in a preview as long as the path is. A given
 * checksum (`ignoreChanges`) keeps the old code. An archive of new code stays in `archives` for the creation.
 */
export async function contentsOf(
  declared: DeclaredDeployment,
  olds: DeploymentInputs | undefined,
  archives: ArchiveCache,
  call: Call,
): Promise<DeclaredDeployment> {
  const { path, entrypoint, exclude, gitignore } = declared;
  if (declared.checksum !== undefined) {
    const { checksum, sizeBytes, fileCount, files } = { ...olds, ...declared };
    return { checksum, sizeBytes, fileCount, files };
  }
  if ([path, entrypoint, exclude, gitignore].includes(unknownValue)) {
    return summaryOf(undefined);
  }
  const archive = await pack(declared as DeploymentInputs, call);
  if (archive.checksum !== olds?.checksum) {
    archives.put(archive, String(path), call.context.urn);
  }
  if (archives.recordCheck(call.context.urn)) {
    reportContents(archive, "The code ships", call.context);
  }
  return summaryOf({ ...archive, manifest: undefined });
}

/** Packs the code. Throws `InputError` and `ArchiveError`. */
export function pack(inputs: DeploymentInputs, call: Call): Promise<AppArchive> {
  const path = requireKnown(inputs.path, "path", "AppDeployment");
  const { entrypoint = "", gitignore = true } = inputs;
  return packApp(path, { ...folderOptions(path, inputs.exclude, call), app: { entrypoint, gitignore } });
}
