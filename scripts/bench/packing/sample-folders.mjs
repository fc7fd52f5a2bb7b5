import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectFolder } from "../../setup/project.mjs";

/** @typedef {() => number} Numbers */

/**
 * One file in twenty is an image, which does not compress. With the text of `bundle`, deflate
 * leaves about 27 %.
 */
const imageEvery = 20;
const words = 800;
/** Share of the statements that repeat an earlier statement of the same file, like in bundles. */
const repeatedShare = 0.45;
const repeatedWithin = 120;

const manifest = JSON.stringify({ manifest_version: 3, name: "Bench", version: "1.0.0" });

const packagesFolder = join(projectFolder, "node_modules");

/** Files taken from packages: on average 15 KB, as in an extension that ships its dependencies. */
const packageFiles = { name: /\.(?:[cm]?js|d\.[cm]?ts)$/, bytesMin: 3_000, bytesMax: 1_000_000 };

/**
 * Makes the folder of an extension from the scripts and the type declarations of the clone's
 * packages: many small files. Replaces an existing folder.
 *
 * @param {string} folder
 * @param {number} bytes Total of all files, if the packages have enough.
 */
export function makePackagesFolder(folder, bytes) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "manifest.json"), manifest);
  let left = bytes;
  copyBelow("");

  /** @param {string} path */
  function copyBelow(path) {
    const entries = readdirSync(join(packagesFolder, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = join(path, entry.name);
      if (left <= 0) {
        return;
      }
      if (entry.isDirectory()) {
        copyBelow(below);
      } else if (entry.isFile() && packageFiles.name.test(entry.name)) {
        const { size } = statSync(join(packagesFolder, below));
        if (size >= packageFiles.bytesMin && size <= packageFiles.bytesMax) {
          mkdirSync(join(folder, path), { recursive: true });
          copyFileSync(join(packagesFolder, below), join(folder, below));
          left -= size;
        }
      }
    }
  }
}

/**
 * Makes the folder of an extension from a seed: scripts that look bundled, and images. Replaces an
 * existing folder.
 *
 * @param {string} folder
 * @param {{ seed?: number, files: number, bytes: number }} size `bytes` of all files together.
 */
export function makeSampleFolder(folder, { seed = 1, files, bytes }) {
  rmSync(folder, { recursive: true, force: true });
  const next = numbersFrom(seed);
  /**
   * @param {string} path
   * @param {string | Uint8Array} contents
   */
  const write = (path, contents) => {
    const location = join(folder, ...path.split("/"));
    mkdirSync(dirname(location), { recursive: true });
    writeFileSync(location, contents);
  };
  write("manifest.json", manifest);
  // A few large files and many small ones, the largest about 17 times the smallest.
  const weights = Array.from({ length: files - 1 }, () => 0.25 + 4 * fraction(next) ** 3);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    const size = Math.max(1, Math.round((weight / total) * bytes));
    const isImage = index % imageEvery === imageEvery - 1;
    const path = `part-${index % 16}/${isImage ? `image-${index}.png` : `script-${index}.js`}`;
    write(path, isImage ? noise(next, size) : bundle(next, size));
  }
}

/**
 * Incompressible bytes.
 *
 * @param {Numbers} next
 * @param {number} length
 */
function noise(next, length) {
  const bytes = Buffer.alloc(Math.ceil(length / 4) * 4);
  for (let at = 0; at < bytes.length; at += 4) {
    bytes.writeUInt32LE(next(), at);
  }
  return bytes.subarray(0, length);
}

/**
 * Script like a bundler's output.
 *
 * @param {Numbers} next
 * @param {number} length
 */
function bundle(next, length) {
  const names = Array.from({ length: words }, () => (next() % 36 ** (2 + (next() % 6))).toString(36));
  const name = () => names[Math.floor(fraction(next) ** 2 * words)];
  const statements = [
    () => `function ${name()}(${name()},${name()}){return ${name()}.${name()}("${name()}",${next() % 1000})}`,
    () => `const ${name()}=${name()}.${name()}(${name()}=>${name()}.${name()});`,
    () =>
      `if(${name()}===${name()}.${name()}){${name()}.${name()}=${name()}}else{throw new Error("${name()}")}`,
    () => `/* ${name()} ${name()} ${name()} ${name()} */\n`,
  ];
  /** @type {string[]} */
  const written = [];
  for (let size = 0; size < length; size += written.at(-1)?.length ?? 0) {
    /** @type {boolean} */
    const isRepeated = written.length > 0 && fraction(next) < repeatedShare;
    /** @type {number} */
    const back = 1 + (next() % Math.min(written.length || 1, repeatedWithin));
    const repeated = isRepeated ? written.at(-back) : undefined;
    written.push(repeated ?? statements[next() % statements.length]?.() ?? "");
  }
  return Buffer.from(written.join("").slice(0, length));
}

/**
 * A number from 0 to just below 1.
 *
 * @param {Numbers} next
 */
function fraction(next) {
  return next() / 2 ** 32;
}

/**
 * Numbers from 0 to 2^32 - 1, the same for the same seed on every machine: xorshift32.
 *
 * @param {number} seed
 * @returns {Numbers}
 */
function numbersFrom(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}
