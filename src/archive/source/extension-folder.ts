import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { quotePath } from "../../text/escape.js";
import type { Exclusion } from "../manifest/json.js";
import { checkManifest, manifestMissingError } from "../manifest/manifest.js";
import { entryPathBytesMax, foldersAbove } from "../rules/entry-name.js";
import { compileExclude, type ExcludeMatcher, excludeAdvice } from "../rules/exclude.js";
import { neverShipReason } from "../rules/never-ship.js";
import { runInTurns } from "../steps.js";
import { checkApp, listApp } from "./app-folder.js";
import { type FolderFile, listFolder, type OpenFolder } from "./folder.js";
import type { FolderSource } from "./location.js";
import { readWhole } from "./read-file.js";

const adviceWhenMissing = 'Point "path" at the unpacked extension itself';

/** Maximum folders searched for the nearest manifest. A wrong `path` may be a whole disk. */
const searchedFoldersMax = 500;

/** Maximum number of paths in `excludedPaths`; the rest is only counted. */
const excludedListedMax = 100;

/** Lists a folder and checks the manifest, or the manifest and the entrypoint of an app. */
export async function openFolder(source: FolderSource, signal?: AbortSignal): Promise<OpenFolder> {
  const { absolutePath, label, app } = source;
  const isExcluded = compileExclude(source.exclude, app?.entrypoint);
  if (app === undefined) {
    requireManifest(source);
  }
  const listing = app
    ? listApp(source, app, isExcluded)
    : listFolder(source, isExcluded, () => adviceAbout(absolutePath, isExcluded));
  const { files, excludedPaths: paths } = await runInTurns(listing, label, signal);
  // Read before the check of the manifest, which also matches missing files against the patterns.
  const unusedPatterns = isExcluded.unused();
  const reading = { label, read: async (file: FolderFile) => readWhole(file, label) };
  const checked = app
    ? await checkApp(files, app, reading)
    : await checkManifest(files, {
        ...reading,
        exclusionOf: (path) => exclusionOf(path, isExcluded),
        adviceWhenMissing,
        isKnown: source.knownDigest !== undefined,
      });
  const excludedPaths = paths.slice(0, excludedListedMax);
  return { files, ...checked, excludedPaths, excludedCount: paths.length, unusedPatterns };
}

/** Advice for a folder that cannot be packed, with a leading space. */
function adviceAbout(root: string, isExcluded: ExcludeMatcher): string {
  const isProject =
    !isExcluded("node_modules", true) &&
    lstatSync(join(root, "node_modules", ".bin"), { throwIfNoEntry: false })?.isDirectory();
  if (!isProject) {
    return ` ${excludeAdvice}`;
  }
  const build = nearestManifest(root);
  const hint = build === undefined ? "" : `; another manifest is in ${quotePath(build)}`;
  return ` This looks like a project. Point "path" at its build${hint}.`;
}

/** Refuses a folder without a manifest before the listing: a wrong path may be a whole disk. */
function requireManifest({ absolutePath, label }: FolderSource): void {
  const stats = lstatSync(join(absolutePath, "manifest.json"), { throwIfNoEntry: false });
  // A link is refused later, like any other link.
  if (stats === undefined || stats.isDirectory()) {
    throw manifestMissingError(label, adviceWhenMissing, nearestManifest(absolutePath));
  }
}

/** Nearest subfolder of `root` with a manifest, by level and name, with a `/` at the end. */
function nearestManifest(root: string): string | undefined {
  // Grows during the loop.
  const folders = [""];
  for (const folder of folders) {
    const children = childrenOf(join(root, folder));
    if (folder !== "" && children.some((child) => child.name === "manifest.json" && child.isFile())) {
      return folder;
    }
    const below = children
      .filter((child) => child.isDirectory() && child.name !== "node_modules")
      .map((child) => `${folder}${child.name}`)
      .filter((path) => neverShipReason(path, true) === undefined);
    folders.push(
      ...below
        .map((path) => `${path}/`)
        .sort()
        .slice(0, searchedFoldersMax - folders.length),
    );
  }
  return undefined;
}

/** Empty for an unreadable folder, because the result is only a hint in a message. */
function childrenOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Finds the rule that excludes a path, or a folder above the path, from the archive. */
function exclusionOf(path: string, isExcluded: ExcludeMatcher): Exclusion | undefined {
  if (path.length > entryPathBytesMax) {
    // No file has such a path. Checking every part of a path of 1 MiB would take hours.
    return undefined;
  }
  for (const part of [...foldersAbove(path), path]) {
    const isFolder = part !== path;
    if (isExcluded(part, isFolder)) {
      return { reason: 'is excluded by "exclude"', byProgram: true };
    }
    const reason = neverShipReason(part, isFolder);
    if (reason !== undefined) {
      return { reason: `never ships (${reason})`, byProgram: false };
    }
  }
  return undefined;
}
