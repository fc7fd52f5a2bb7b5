import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files of an extension in order of creation: path with `/`, contents. */
export type FixtureFiles = readonly (readonly [path: string, contents: string | Uint8Array])[];

/** An extension whose archive is known to the byte. */
export interface Fixture {
  readonly name: string;
  readonly files: FixtureFiles;
}

/** Numbers from 0 to 2^32 - 1, the same for the same seed on every machine: xorshift32. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

/** Incompressible bytes. */
export function noise(seed: number, length: number): Uint8Array {
  const next = numbersFrom(seed);
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let index = 0; index < words.length; index += 1) {
    words[index] = next();
  }
  const bytes = Buffer.alloc(words.length * 4);
  words.forEach((word, index) => {
    bytes.writeUInt32LE(word, index * 4);
  });
  return bytes.subarray(0, length);
}

/** Smallest manifest that loads, plus `members`. */
export function manifestText(members: object = {}): string {
  return JSON.stringify({ manifest_version: 3, name: "Example", version: "1.0.0", ...members });
}

/** About a megabyte of text like a bundler's output. */
function bundle(seed: number, length: number): string {
  const next = numbersFrom(seed);
  const words = Array.from({ length: 400 }, () => next().toString(36));
  const word = () => words[Math.min(next() % 400, next() % 400)];
  const parts: string[] = [];
  for (let size = 0; size < length; size += parts.at(-1)?.length ?? 0) {
    parts.push(
      `function ${word()}(${word()},${word()}){return ${word()}.${word()}("${word()}",${next() % 1000})}\n`,
    );
  }
  return parts.join("");
}

/** Mostly zeros: streaming deflate implementations have corrupted such data. */
function sparse(seed: number, length: number): Uint8Array {
  const next = numbersFrom(seed);
  const bytes = new Uint8Array(length);
  for (let at = next() % 500; at < length; at += 1 + (next() % 3_000)) {
    bytes[at] = next() % 256;
  }
  return bytes;
}

const pngHeader = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

export const fixtures: readonly Fixture[] = [
  {
    name: "tiny",
    files: [
      ["manifest.json", manifestText()],
      ["content.js", "console.log(1);\n"],
    ],
  },
  {
    name: "names",
    files: [
      ["manifest.json", manifestText({ background: { service_worker: "Zebra.js" } })],
      ["Zebra.js", "z"],
      ["apple.js", "a".repeat(100)],
      ["_underscore/a.js", "u"],
      ["10", "ten"],
      ["9", "nine"],
      ["__proto__", "not a prototype"],
      ["constructor/toString", "not a function"],
      ["empty.txt", ""],
      // UTF-16 order has the second of the two first.
      ["\u{fb01}.js", "ligature"],
      ["\u{1f600}.js", "face"],
      ["ä.js", "a with diaeresis"],
      ["z.js", "after ä in some locales"],
      ["i.js", "i"],
      ["I/ı.js", "dotless"],
      ["a/b/c/d/e/f.txt", "deep"],
      ["a.b", "sorts between a and a/b"],
      ["a-b", "sorts before a.b"],
    ],
  },
  {
    name: "bundle",
    files: [
      ["manifest.json", manifestText()],
      ["dist/bundle.js", bundle(11, 1_000_000)],
      ["dist/bundle.css", bundle(12, 40_000)],
    ],
  },
  {
    name: "images",
    files: [
      ["manifest.json", manifestText({ icons: { 128: "icons/128.png" } })],
      ["icons/128.png", Buffer.concat([pngHeader, noise(21, 150_000)])],
      ["icons/16.png", Buffer.concat([pngHeader, noise(22, 900)])],
      ["one-byte", "1"],
    ],
  },
  {
    name: "sparse",
    files: [
      ["manifest.json", manifestText()],
      ["model.bin", sparse(31, 400_000)],
      ["zeros.bin", new Uint8Array(70_000)],
    ],
  },
  {
    name: "repeats",
    files: [
      ["manifest.json", manifestText()],
      // Farther apart than the window of deflate, and longer than a stored block.
      ["far.bin", Buffer.concat(Array.from({ length: 3 }, () => noise(41, 70_000)))],
      ["near.txt", "the same line again and again\n".repeat(6_000)],
    ],
  },
];

/** Writes files below a folder, in the order given. */
export function writeFiles(folder: string, files: FixtureFiles): void {
  for (const [path, contents] of files) {
    const location = join(folder, ...path.split("/"));
    mkdirSync(dirname(location), { recursive: true });
    writeFileSync(location, contents);
  }
}
