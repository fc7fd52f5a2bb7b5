import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { fromBufferPromise } from "yauzl";
import { packExtension } from "../../../src/archive/index.js";
import { noise } from "../fixtures.js";
import { extensionOf } from "../folders.js";

/** Files read back in all, at least. */
const filesMin = 5_000;

type Contents = { readonly kind: string; readonly bytes: Buffer };

const line = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme" });

/** Contents of a file, of every kind that compressors treat differently. */
const contents: fc.Arbitrary<Contents> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: "empty", bytes: Buffer.alloc(0) }) },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 255 }).map((byte) => ({ kind: "one byte", bytes: Buffer.from([byte]) })),
  },
  {
    weight: 3,
    arbitrary: fc.uint8Array({ minLength: 2, maxLength: 200 }).map((bytes) => ({
      kind: "short",
      bytes: Buffer.from(bytes),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(), fc.integer({ min: 200, max: 3_000 })).map(([seed, length]) => ({
      kind: "incompressible",
      bytes: Buffer.from(noise(seed, length)),
    })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 60 }))
      .map(([lines, times]) => ({ kind: "repetitive", bytes: Buffer.from(lines.join("\n").repeat(times)) })),
  },
);

/**
 * Sizes around a new window or block of deflate, and a file for which the memory must grow a lot.
 */
const largeFiles = [32 * 1024, 64 * 1024, 16 * 1024 * 1024].flatMap((size) =>
  (size > 1024 * 1024 ? [1] : [-1, 0, 1, 300]).flatMap((more): Contents[] => [
    { kind: "repetitive", bytes: Buffer.alloc(size + more, "the same words again, ") },
    {
      kind: "incompressible",
      bytes: Buffer.from(noise(size + more, size > 1024 * 1024 ? 70_000 : size + more)),
    },
    {
      kind: "mixed",
      bytes: Buffer.concat([noise(more + 9, 20_000), Buffer.alloc(size + more - 20_000, "ab")]),
    },
  ]),
);

/** Files of a zip with the SHA-256 of the contents, as read by an independent implementation. */
async function readBack(zip: Uint8Array): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const archive = await fromBufferPromise(Buffer.from(zip), { lazyEntries: true });
  for await (const entry of archive.eachEntry()) {
    const hash = createHash("sha256");
    for await (const chunk of await archive.openReadStreamPromise(entry)) {
      hash.update(chunk as Buffer);
    }
    files.set(entry.fileName, hash.digest("hex"));
  }
  return files;
}

describe("archive: random folders", () => {
  let read = 0;

  async function expectReadBack(files: readonly (readonly [string, Buffer])[]): Promise<void> {
    const folder = extensionOf(files);
    const { bytes, entries } = await packExtension(folder);
    const found = await readBack(bytes);
    expect(found.size).toBe(files.length + 1);
    for (const [path, expected] of files) {
      expect([path, found.get(path)]).toEqual([path, createHash("sha256").update(expected).digest("hex")]);
    }
    expect(new Map(entries.map(({ path, sha256 }) => [path, sha256]))).toEqual(found);
    read += files.length;
    rmSync(folder, { recursive: true, force: true });
  }

  test("five thousand random files are packed and unpacked unchanged", async () => {
    const folders = fc.array(contents, { minLength: 60, maxLength: 160 });
    await fc.assert(
      fc.asyncProperty(folders, async (files) => {
        await expectReadBack(
          files.map(({ kind, bytes }, index) => [`${index % 7}/${kind}-${index}.bin`, bytes]),
        );
      }),
      { seed: 20_261_121, numRuns: 55, endOnFailure: true },
    );
    expect(read).toBeGreaterThanOrEqual(filesMin);
  });

  test("files around 32 KiB and 64 KiB, and above 16 MiB, are packed and unpacked unchanged", async () => {
    await expectReadBack(largeFiles.map(({ kind, bytes }, index) => [`${kind}-${index}.bin`, bytes]));
  });
});
