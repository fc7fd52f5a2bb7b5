import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../../setup/project.mjs";

const packages = join(projectFolder, "node_modules");
/** Files taken from packages: on average 15 KB, as in an extension that ships its dependencies. */
const taken = { name: /\.(?:[cm]?js|d\.[cm]?ts)$/, bytesMin: 3_000, bytesMax: 1_000_000 };

/**
 * Makes the folder of an extension from the scripts and the type declarations of the clone's
 * packages.
 *
 * @param {string} folder new.
 * @param {{ bytes: number, inOneFile?: boolean }} size `bytes` of all files together, if the
 *   packages have enough.
 */
export function makeSampleFolder(folder, { bytes, inOneFile = false }) {
  mkdirSync(folder, { recursive: true });
  const manifest = { manifest_version: 3, name: "Bench", version: "1.0.0" };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  let left = bytes;
  copyBelow("");

  /** @param {string} path */
  function copyBelow(path) {
    const entries = readdirSync(join(packages, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = join(path, entry.name);
      if (left <= 0) {
        return;
      }
      if (entry.isDirectory()) {
        copyBelow(below);
      } else if (entry.isFile() && taken.name.test(entry.name)) {
        const { size } = statSync(join(packages, below));
        if (size >= taken.bytesMin && size <= taken.bytesMax) {
          mkdirSync(join(folder, inOneFile ? "" : path), { recursive: true });
          appendFileSync(join(folder, inOneFile ? "bundle.js" : below), readFileSync(join(packages, below)));
          left -= size;
        }
      }
    }
  }
}
