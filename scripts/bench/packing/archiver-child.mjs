/**
 * Packs a folder with archiver at level 6 and hashes the archive. Prints JSON: the peak of its
 * memory and the size.
 */
import { createHash } from "node:crypto";
import { ZipArchive } from "archiver";
import { peakMb } from "../peak-memory.cjs";

const archive = new ZipArchive({ zlib: { level: 6 } });
const hash = createHash("sha256");
let sizeBytes = 0;
archive.on("data", (/** @type {Buffer} */ chunk) => {
  hash.update(chunk);
  sizeBytes += chunk.length;
});
archive.directory(process.argv[2] ?? "", false);
await archive.finalize();
hash.digest("hex");
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const cpuMs = (userCPUTime + systemCPUTime) / 1000;
console.log(JSON.stringify({ sizeBytes, peakMb: peakMb(), cpuMs }));
