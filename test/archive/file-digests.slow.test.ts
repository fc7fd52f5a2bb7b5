import { allFilesKey, fileDigests, fileDigestsBytesMax } from "../../src/archive/file-digests.js";

function entries(paths: readonly string[], contentOf: (path: string) => string = () => "0") {
  return paths.map((path) => ({ path, sizeBytes: 1, sha256: contentOf(path).repeat(64).slice(0, 64) }));
}

function numbered(count: number, name: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => name(index));
}

describe("file digests", () => {
  test("file digests of an ordinary extension contain every file", () => {
    expect(fileDigests(entries(["content.js", "icons/16.png", "manifest.json"]))).toEqual({
      "content.js": "000000000000",
      "icons/16.png": "000000000000",
      "manifest.json": "000000000000",
    });
  });

  test("with too many files, each of the deepest folders gets one digest, and shallower files keep separate digests", () => {
    const paths = ["manifest.json", ...numbered(2_000, (index) => `assets/images/${index}.png`)];
    expect(Object.keys(fileDigests(entries(paths)))).toEqual(["manifest.json", "assets/images/"]);
  });

  test("with too many folders, the folder above gets one digest for its folders and its files alike", () => {
    const folders = numbered(2_000, (index) => `assets/${index}/icon.png`);
    const paths = ["manifest.json", ...numbered(10, (index) => `assets/${index}.js`), ...folders];
    expect(Object.keys(fileDigests(entries(paths)))).toEqual(["manifest.json", "assets/"]);
  });

  test("a changed file changes only the digest of the containing folder", () => {
    const paths = numbered(2_000, (index) => `${index % 2 === 0 ? "even" : "odd"}/${index}.png`);
    const before = fileDigests(entries(paths));
    const after = fileDigests(entries(paths, (path) => (path === "odd/77.png" ? "1" : "0")));
    expect(after["even/"]).toBe(before["even/"]);
    expect(after["odd/"]).not.toBe(before["odd/"]);
  });

  test("an extension with too many files at the top level gets a single file digest", () => {
    const digests = fileDigests(entries(numbered(5_000, (index) => `${index}.js`)));
    expect(Object.keys(digests)).toEqual([allFilesKey]);
  });

  test.each([1, 100, 1_000, 30_000])(
    "file digests take at most 24 KiB for %d files with long names",
    (count) => {
      const paths = numbered(count, (index) => `${"folder/".repeat(index % 20)}${"n".repeat(100)}${index}`);
      expect(Buffer.byteLength(JSON.stringify(fileDigests(entries(paths))))).toBeLessThanOrEqual(
        fileDigestsBytesMax,
      );
    },
  );
});
