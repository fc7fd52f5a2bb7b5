/**
 * One candidate of the packing bench, in a separate process. Arguments: a task, a folder, and for
 * some tasks one more. Prints the peak of memory and the other figures as JSON.
 */
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { peakMb } = require("../memory.cjs");
const archive = () => require("../../../dist/archive/index.js");

/** @type {Readonly<Record<string, (...args: string[]) => Promise<object>>>} */
const tasks = {
  /** The work of "pulumi up" for a new folder. */
  async pack(folder = "") {
    const { sizeBytes } = await archive().packExtension(folder);
    return { sizeBytes };
  },

  /** The same with archiver at level 6. */
  async archiver(folder = "") {
    const { ZipArchive } = await import("archiver");
    const zip = new ZipArchive({ zlib: { level: 6 } });
    const hash = createHash("sha256");
    let sizeBytes = 0;
    zip.on("data", (/** @type {Buffer} */ chunk) => {
      hash.update(chunk);
      sizeBytes += chunk.length;
    });
    zip.directory(folder, false);
    await zip.finalize();
    hash.digest("hex");
    return { sizeBytes };
  },

  /** The floor: reads and hashes every file. */
  async hash(folder = "") {
    hashFolder(folder);
    return {};
  },

  /**
   * The work of "pulumi up" for a known folder, and the floor, in turns in the same process.
   */
  async unchanged(folder = "", rounds = "") {
    const { readExtension } = archive();
    const { contentDigest: knownDigest } = await readExtension(folder);
    const runs = [];
    for (let round = -2; round < Number(rounds); round += 1) {
      const startedAt = performance.now();
      await readExtension(folder, { knownDigest });
      const readAt = performance.now();
      hashFolder(folder);
      if (round >= 0) {
        runs.push({ checkMs: readAt - startedAt, hashMs: performance.now() - readAt });
      }
    }
    return { runs };
  },
};

/** @param {string} folder */
function hashFolder(folder) {
  const hash = createHash("sha256");
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of names) {
    if (file.isFile()) {
      hash.update(readFileSync(join(file.parentPath, file.name)));
    }
  }
  return hash.digest("hex");
}

const [task = "", ...args] = process.argv.slice(2);
const run = tasks[task];
if (run === undefined) {
  throw new Error(`There is no task "${task}".`);
}
run(...args).then((figures) => console.log(JSON.stringify({ ...figures, peakMb: peakMb() })));
