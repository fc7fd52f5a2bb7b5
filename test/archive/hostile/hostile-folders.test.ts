import { linkSync, statSync } from "node:fs";
import { join } from "node:path";
import { packExtension, readExtension } from "../../../src/archive/index.js";
import { archiveErrorOf } from "../folders.js";
import { hostileFolders, namesListed, newPlace } from "./folders.js";

/** Signal with a side effect at the given read of `aborted`, which happens between two files. */
function signalThat(does: () => void, time: number): AbortSignal {
  const { signal } = new AbortController();
  let asked = 0;
  Object.defineProperty(signal, "aborted", {
    get() {
      asked += 1;
      if (asked === time) {
        does();
      }
      return false;
    },
  });
  return signal;
}

const possible = hostileFolders.filter(({ linuxOnly }) => !linuxOnly || process.platform === "linux");

describe("archive: hostile folders", () => {
  test.each(possible.map((each) => [each.what, each] as const))(
    "X9: a folder with %s is refused, the error names the offender, and nothing outside the folder is read",
    async (_what, { make, when, code, text }) => {
      const place = newPlace();
      const accessedAt = () => statSync(place.secret).atimeMs;
      const before = accessedAt();
      // The first file has been packed by then.
      const options = when === undefined ? {} : { signal: signalThat(() => make(place), namesListed + 1) };
      if (when === undefined) {
        make(place);
      }
      const error = await archiveErrorOf(packExtension(place.folder, options));
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(text)]);
      expect(error.message).not.toMatch(/\p{Cc}|do not read me/u);
      if (when === undefined) {
        const read = await archiveErrorOf(readExtension(place.folder));
        expect([read.code, read.message]).toEqual([error.code, error.message]);
      }
      expect(accessedAt()).toBe(before);
    },
  );

  test("X9: a hard link is packed, because a hard link looks like an ordinary file", async () => {
    const { folder, secret } = newPlace();
    linkSync(secret, join(folder, "hard.txt"));
    const { entries } = await readExtension(folder);
    expect(entries.map(({ path }) => path)).toContain("hard.txt");
  });
});
