import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { quotePath } from "../../text/escape.js";
import type { ExtensionContents } from "../contents.js";
import type { LeftOut } from "../manifest/json.js";
import { checkManifest, manifestMissing } from "../manifest/manifest.js";
import { entryPathBytesMax, foldersAbove } from "../rules/entry-name.js";
import { compileExclude, type ExcludeMatcher } from "../rules/exclude.js";
import { neverShipReason } from "../rules/never-ship.js";
import { runInTurns } from "../steps.js";
import { type FolderFile, listFolder } from "./folder.js";
import type { FolderSource } from "./location.js";
import { readWhole } from "./read-file.js";

/** Most paths of `leftOut`; the rest is only counted. */
const leftOutListedMax = 100;

/** What to do about a folder without a manifest. */
const adviceWhenMissing = 'Point "path" at the unpacked extension itself';

/** Most folders in which the nearest manifest is looked for. A wrong `path` may be a whole disk. */
const searchedFoldersMax = 500;

/** A folder that is an extension: listed, and its manifest checked. */
export interface OpenFolder
  extends Pick<ExtensionContents, "manifest" | "warnings" | "leftOut" | "leftOutCount" | "unusedPatterns"> {
  /** The files that ship, in the byte order of their UTF-8 paths. */
  readonly files: readonly FolderFile[];
}

/** Lists a folder and checks its manifest: a wrong folder fails before its files are read. */
export async function openFolder(source: FolderSource, signal?: AbortSignal): Promise<OpenFolder> {
  const { label } = source;
  const isExcluded = compileExclude(source.exclude);
  requireManifest(source);
  const listing = listFolder(source, isExcluded, () => adviceAbout(source.absolutePath, isExcluded));
  const { files, leftOut } = await runInTurns(listing, label, signal);
  // The manifest may name files that do not exist, and those match nothing.
  const unusedPatterns = isExcluded.unused();
  const { manifest, warnings } = await checkManifest(files, {
    label,
    read: async (file) => readWhole(file, label),
    whyLeftOut: (path) => whyLeftOut(path, isExcluded),
    adviceWhenMissing,
  });
  return {
    files,
    manifest,
    warnings,
    leftOut: leftOut.slice(0, leftOutListedMax),
    leftOutCount: leftOut.length,
    unusedPatterns,
  };
}

/** What to do about a folder that cannot be packed, with a space in front. */
function adviceAbout(root: string, isExcluded: ExcludeMatcher): string {
  const isProject =
    !isExcluded("node_modules", true) &&
    lstatSync(join(root, "node_modules", ".bin"), { throwIfNoEntry: false })?.isDirectory();
  if (!isProject) {
    return ' What the extension does not need can be left out with "exclude".';
  }
  const build = nearestManifest(root);
  const hint = build === undefined ? "" : `; another manifest is in ${quotePath(build)}`;
  return ` This looks like a project. Point "path" at its build${hint}.`;
}

/** Refuses a folder without a manifest before it is walked: a wrong path may be a whole disk. */
function requireManifest({ absolutePath, label }: FolderSource): void {
  const stats = lstatSync(join(absolutePath, "manifest.json"), { throwIfNoEntry: false });
  // A link is refused by name later, like any other.
  if (stats === undefined || stats.isDirectory()) {
    throw manifestMissing(label, adviceWhenMissing, nearestManifest(absolutePath));
  }
}

/**
 * The folder nearest below `root` that has a manifest, with a `/` at the end; undefined when none
 * is near. The root itself does not count. Folders of a higher level come first, and then those
 * that sort first.
 */
function nearestManifest(root: string): string | undefined {
  // Grows while it is walked.
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

/** Empty for a folder that cannot be read: this is only a hint in a message. */
function childrenOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Says which rule keeps a path, or a folder above it, out of the archive. */
function whyLeftOut(path: string, isExcluded: ExcludeMatcher): LeftOut | undefined {
  if (path.length > entryPathBytesMax) {
    // No file has such a path. Every part of one as long as a manifest would take hours.
    return undefined;
  }
  for (const part of [...foldersAbove(path), path]) {
    const isFolder = part !== path;
    if (isExcluded(part, isFolder)) {
      return { reason: 'is left out by "exclude"', byProgram: true };
    }
    const reason = neverShipReason(part, isFolder);
    if (reason !== undefined) {
      return { reason: `never ships (${reason})`, byProgram: false };
    }
  }
  return undefined;
}
