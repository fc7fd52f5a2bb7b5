/**
 * Saves what an address serves. In a separate process: there it ends with the set-up and has a time
 * limit like every other command, and a newer Node goes through the proxy of HTTPS_PROXY.
 *
 * Usage: node fetch-archive.mjs <address> <file>
 */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../set-up-error.mjs";

/** Largest archive, in bytes. Releases have some 120 MB. */
const bytesMax = 500_000_000;
/** How often progress is printed, in milliseconds. */
const progressMilliseconds = 500;

const [address = "", file = ""] = process.argv.slice(2);
try {
  const response = await fetch(address);
  if (!response.ok || response.body === null) {
    throw new Error(`${new URL(address).host} answered ${response.status}`);
  }
  await pipeline(response.body, counted, createWriteStream(file, { flags: "wx" }));
} catch (error) {
  console.error(whyOf(error));
  process.exitCode = 1;
}

/** @param {AsyncIterable<Uint8Array>} chunks */
async function* counted(chunks) {
  let bytes = 0;
  let printed = Date.now();
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      throw new Error(`the archive is larger than ${bytesMax} bytes`);
    }
    if (Date.now() - printed > progressMilliseconds) {
      printed = Date.now();
      console.log(`${Math.round(bytes / 1e6)} MB`);
    }
    yield chunk;
  }
}

/**
 * `fetch` says only "fetch failed". The cause says why.
 *
 * @param {unknown} error
 */
function whyOf(error) {
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause ?? error) || "the connection failed";
}
