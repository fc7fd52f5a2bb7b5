import { packExtension, readArchive } from "../../../src/archive/index.js";
import { ArchiveError } from "../../../src/errors.js";
import { archiveErrorOf, zipFileOf } from "../folders.js";
import { hostileZips, soundZip } from "./zips.js";

/**
 * Number of zips with one flipped bit that are refused. In the rest, no reader of the list of files
 * uses the bit: a date, a version, a mode, or a field of a local header that the list repeats.
 */
const refusedFlips = 1_808;

describe("archive: hostile zips", () => {
  test.each(hostileZips.map((each) => [each.what, each] as const))(
    "X10: packing refuses a zip %s",
    async (_what, { zip, code, text }) => {
      const bytes = zip();
      const error = await archiveErrorOf(packExtension(zipFileOf(bytes)));
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(text)]);
      // Outside the escaped quotation.
      expect(error.message).not.toMatch(/\p{Cc}/u);
      // The service may have replaced the uploaded archive with the zip. Such a manifest is
      // reported.
      const reading = readArchive(bytes, "The archive");
      if (code.startsWith("archive_manifest")) {
        expect((await reading).refusals).not.toEqual([]);
      } else {
        expect((await archiveErrorOf(reading)).code).toBe(code);
      }
    },
  );

  test("X10: a zip that is cut short at any byte is refused", async () => {
    for (let length = 0; length < soundZip.length; length += 1) {
      const error = await archiveErrorOf(readArchive(soundZip.subarray(0, length), "The archive"));
      expect([length, error.code]).toEqual([length, "archive_zip_invalid"]);
    }
  });

  test("X10: a zip with any single bit flipped is refused or yields unchanged files", async () => {
    const { contentDigest } = await readArchive(soundZip, "The archive");
    let refused = 0;
    for (let bit = 0; bit < soundZip.length * 8; bit += 1) {
      const damaged = Buffer.from(soundZip);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        const contents = await readArchive(damaged, "The archive");
        expect([bit, contents.contentDigest]).toEqual([bit, contentDigest]);
      } catch (error) {
        expect([bit, error]).toEqual([bit, expect.any(ArchiveError)]);
        refused += 1;
      }
    }
    expect(refused).toBe(refusedFlips);
  });
});
