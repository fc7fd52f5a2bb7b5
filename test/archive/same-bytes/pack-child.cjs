/**
 * Packs extensions with the compiled package in a new process, so that its runtime, time
 * zone, locale or thread pool can be another one. Arguments: folder of the compiled package, then
 * extension folders. Prints JSON: the runtime and a checksum for each.
 */
const { join, resolve } = require("node:path");

const [compiled, ...extensions] = process.argv.slice(2);
const { packExtension } = require(join(resolve(compiled), "archive", "index.js"));

async function main() {
  const checksums = [];
  for (const extension of extensions) {
    checksums.push((await packExtension(extension)).checksum);
  }
  const runtime =
    process.versions.bun === undefined ? `node ${process.versions.node}` : `bun ${process.versions.bun}`;
  console.log(JSON.stringify({ runtime, checksums, checksum: checksums[0] }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
