import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Text against noise: what makes deflate leave about 27 %, as of a real bundled extension with its images. */
const noiseShare = 0.075;
const _kilobyte = 1000;

/**
 * Makes the folder of an extension from a seed: scripts that look bundled, and images that do not compress.
 *
 * @param {string} folder
 * @param {{ seed: number, files: number, bytes: number }} size `bytes` of all files together, about.
 * @returns {number} the bytes written.
 */
export function makeSampleFolder(folder, { seed, files, bytes }) {
  const next = numbersFrom(seed);
  const write = (path, contents) => {
    const location = join(folder, ...path.split("/"));
    mkdirSync(dirname(location), { recursive: true });
    writeFileSync(location, contents);
    return contents.length;
  };
  let written = write(
    "manifest.json",
    Buffer.from(JSON.stringify({ manifest_version: 3, name: "Bench", version: "1.0.0" })),
  );
  const weights = Array.from({ length: files - 1 }, () => 0.25 + (next() / 2 ** 32) ** 3 * 4);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    const size = Math.max(1, Math.round((weight / total) * bytes));
    const folderName = `part-${index % 20}`;
    written +=
      index % 10 === 3
        ? write(`${folderName}/image-${index}.png`, noise(next, size * noiseShare * 10))
        : write(`${folderName}/script-${index}.js`, bundle(next, size));
  }
  return written;
}

/** Numbers from 0 to 2^32 - 1, the same for the same seed on every machine: xorshift32. */
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
