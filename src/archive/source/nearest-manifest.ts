import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { neverShipReason } from "../rules/never-ship.js";

/** Most folders looked into. A wrong `path` may be somebody's whole disk. */
const foldersMax = 500;

/**
 * The folder nearest below `root` that has a `manifest.json`, as a path with a `/` at the end;
 * undefined when none is near. Folders of a higher level come first, and then those that sort
 * first.
 */
export function nearestManifestFolder(root: string): string | undefined {
  let level = [""];
  let looked = 0;
  while (level.length > 0) {
    const nextLevel: string[] = [];
    for (const folder of level.sort()) {
      if (looked++ === foldersMax) {
        return undefined;
      }
      const children = childrenOf(join(root, folder));
      if (folder !== "" && children.some((child) => child.name === "manifest.json" && child.isFile())) {
        return folder;
      }
      nextLevel.push(
        ...children
          .filter((child) => child.isDirectory() && child.name !== "node_modules")
          .map((child) => `${folder}${child.name}/`)
          .filter((path) => neverShipReason(path.slice(0, -1), true) === undefined),
      );
    }
    level = nextLevel;
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
