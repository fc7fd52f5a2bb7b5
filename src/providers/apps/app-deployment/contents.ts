import { type AppArchive, contentsSummary, packApp } from "../../../archive/index.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { ArchiveCache } from "../../inputs/archives.js";
import { folderOptions } from "../../inputs/folder-options.js";
import { reportExcluded } from "../../messages/shipping.js";
import { type PropertyMap, requireKnown, unknownValue } from "../../properties.js";
import { type DeploymentInputs, deploymentInputs } from "./properties.js";

/** Inputs that `check` fills in from the archive. */
const filledIn = ["checksum", "sizeBytes", "fileCount", "files"] as const;

/**
 * Packs the declared code, and adds what `check` fills in: unknown in a preview as long as the path is. A given
 * checksum (`ignoreChanges`) keeps the old code. An archive of new code stays in `archives` for the creation.
 */
export async function withContents(
  news: PropertyMap,
  olds: PropertyMap | undefined,
  archives: ArchiveCache<AppArchive>,
  call: Call,
): Promise<PropertyMap> {
  const { path, entrypoint, exclude, gitignore } = deploymentInputs.readDeclared(news);
  const filled = (valueOf: (name: (typeof filledIn)[number]) => unknown) =>
    ({ ...news, ...Object.fromEntries(filledIn.map((name) => [name, valueOf(name)])) }) as PropertyMap;
  if (news.checksum !== undefined) {
    return filled((name) => news[name] ?? olds?.[name]);
  }
  if ([path, entrypoint, exclude, gitignore].includes(unknownValue)) {
    return filled(() => unknownValue);
  }
  const archive = await pack(deploymentInputs.read(news), call);
  if (archive.checksum !== olds?.checksum) {
    archives.put(archive, String(path), call.context.urn);
  }
  reportExcluded(archive, call.context);
  if (archive.warnings.length > 0) {
    call.context.report.warning(`The code ships, but ${listed(archive.warnings, 5, "; ")}.`);
  }
  const contents = { ...archive, ...contentsSummary({ ...archive, manifest: undefined }) };
  return filled((name) => contents[name]);
}

/** Packs the code. Throws `InputError` and `ArchiveError`. */
export function pack(inputs: DeploymentInputs, call: Call): Promise<AppArchive> {
  const path = requireKnown(inputs.path, "path", "AppDeployment");
  const { entrypoint = "", gitignore = true } = inputs;
  return packApp(path, { ...folderOptions(path, inputs.exclude, call), app: { entrypoint, gitignore } });
}
