import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { deflate } from "../../src/archive/deflate.js";
import { compressEntry } from "../../src/archive/zip-entry.js";
import { noise, numbersFrom } from "./fixtures.js";
import { goldenCodecDigest } from "./goldens.js";

/** Inputs of many kinds, up to 20 KB: noise, zeros with rare bytes, few symbols, repeats from far and near. */
function* fuzzInputs(count: number): Generator<Uint8Array> {
  const next = numbersFrom(20_261_121);
  for (let index = 0; index < count; index += 1) {
    const length = next() % 100 < 90 ? next() % 3_000 : next() % 20_000;
    const bytes = new Uint8Array(length);
    const kind = next() % 5;
    if (kind === 0) {
      bytes.set(noise(next(), length));
    } else if (kind === 1) {
      for (let at = 0; at < length; at += 1 + (next() % 400)) {
        bytes[at] = next() % 256;
      }
    } else if (kind === 2) {
      const symbols = 1 + (next() % 6);
      for (let at = 0; at < length; at += 1) {
        bytes[at] = 97 + (next() % symbols);
      }
    } else {
      const period = 1 + (next() % (kind === 3 ? 300 : 9_000));
      for (let at = 0; at < length; at += 1) {
        bytes[at] = at < period || next() % 200 === 0 ? next() % 256 : (bytes[at - period] ?? 0);
      }
    }
    yield bytes;
  }
}

describe("archive: compression", () => {
  test("a thousand inputs unpack to what they were, and compress to the bytes they always did", () => {
    const digest = createHash("sha256");
    for (const input of fuzzInputs(1_000)) {
      const compressed = deflate(input);
      if (!inflateRawSync(compressed).equals(input)) {
        throw new Error(`an input of ${input.length} bytes does not unpack to itself`);
      }
      digest.update(`${compressed.length}:`).update(compressed);
    }
    expect(digest.digest("hex")).toBe(goldenCodecDigest);
  });

  test.each([
    ["an empty file", Buffer.alloc(0), 0],
    ["a file that deflate makes larger", Buffer.from(noise(3, 5_000)), 0],
    ["a file that deflate leaves as long as it is", sameLengthDeflated(), 0],
    ["a file that shrinks", Buffer.alloc(5_000, "ab"), 8],
  ])("%s is kept by the right method", (_what, contents, method) => {
    const entry = compressEntry("x", contents);
    expect(entry.method).toBe(method);
    expect(entry.data.length).toBeLessThanOrEqual(contents.length);
    expect(Buffer.from(method === 8 ? inflateRawSync(entry.data) : entry.data)).toEqual(contents);
  });
});

/** Found by trying: text whose compressed form is exactly as long. */
function sameLengthDeflated(): Buffer {
  const next = numbersFrom(77);
  for (let time = 0; time < 20_000; time += 1) {
    const length = 4 + (next() % 40);
    const bytes = Buffer.from(Array.from({ length }, () => 97 + (next() % 12)));
    if (deflate(bytes).length === length) {
      return bytes;
    }
  }
  throw new Error("no such text found");
}
