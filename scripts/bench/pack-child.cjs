/**
 * One candidate of the packing bench, in a process of its own. Arguments: what to do, a folder, a file for the archive. Prints JSON:
 * the peak of its memory, and what else it measured.
 */
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { peakMb } = require("./peak-memory.cjs");
const archive = () => require("../../dist/archive/index.js");

const tasks = {
  /** What "pulumi up" does with a folder that is new. */
  async pack(folder) {
    const { sizeBytes } = await archive().packExtension(folder);
    return { sizeBytes };
  },

  /** What any process of Node takes. */
  async nothing() {
    return {};
  },

  /** The floor: every file read whole and hashed. */
  async hash(folder) {
    hashFolder(folder);
    return {};
  },

  /** What "pulumi up" does with a folder it knows, beside the floor, in turns in the same process. */
  async unchanged(folder, rounds) {
    const { readExtension } = archive();
    const runs = [];
    for (let round = -2; round < Number(rounds); round += 1) {
      const startedAt = performance.now();
      await readExtension(folder);
      const readAt = performance.now();
      hashFolder(folder);
      if (round >= 0) {
        runs.push({ checkMs: readAt - startedAt, hashMs: performance.now() - readAt });
      }
    }
    return { runs };
  },
};

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

const [task, ...args] = process.argv.slice(2);
tasks[task](...args).then((figures) => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  console.log(JSON.stringify({ ...figures, peakMb: peakMb(), cpuMs }));
});
