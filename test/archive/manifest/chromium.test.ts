import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readExtension } from "../../../src/archive/index.js";
import { ArchiveError } from "../../../src/errors.js";
import { type FixtureFiles, manifestText } from "../fixtures.js";
import { folderOf } from "../folders.js";

/** Folder, and the message of Chromium 156 after loading: "loads", or an error. */
interface Case {
  readonly id: string;
  readonly chromium: string;
  /** Members of the manifest besides the necessary ones, or the text of the whole manifest. */
  readonly members?: object;
  readonly manifest?: string | Bytes;
  readonly files?: Readonly<Record<string, string | Bytes>>;
}

/** Folder that Chromium 156 loads, and Chromium's warnings about the folder. */
interface WarnedCase {
  readonly id: string;
  readonly chromium: readonly string[];
  readonly members: object;
  readonly files?: Readonly<Record<string, string>>;
}

/** Bytes in base64; "png" stands for a picture of a single pixel. */
interface Bytes {
  readonly base64: string;
}

/** Values that Chromium 156 accepts or refuses in place of "$" in members or a file. */
interface ValueGroup {
  readonly what: string;
  readonly members?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly loads: readonly unknown[];
  readonly refused: readonly unknown[];
}

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Folders that Chromium loads and this package refuses, with the reason. */
const stricter: Readonly<Record<string, string>> = {
  "n-aux": "a file name that Windows reserves",
  "n-com0": "a file name that Windows reserves",
  "n-trailing-dot": "a file name that Windows cannot store",
  "n-space-end": "a file name that Windows cannot store",
  "n-icon-cr": "a file name with a control character, which Chromium replaces when it unpacks a zip",
  "n-long": "a path that Chromium cuts when it unpacks a zip",
};

/** Folders that Chromium refuses and this package accepts, with the reason. */
const laxer: Readonly<Record<string, string>> = {
  "u-config-yml": "a warning: --load-extension, which the service uses, loads such names",
  "u-next-folder": "a warning: --load-extension, which the service uses, loads such names",
  "s-min-chrome": "a warning: the version of the service's browsers is not published",
  "s-dictionary": "a warning: whether a browser loads version 2 depends on its version",
  "q-incognito-bad": "a warning: a newer Chromium may know more values",
  "q-type-bad": "a warning: a newer Chromium may know more values",
  "q-requirements": "depends on the graphics of the machine",
};

const read = <T>(file: string) =>
  readFileSync(join(__dirname, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): T => JSON.parse(line));

async function verdict(files: FixtureFiles): Promise<{ loads: boolean; warnings: readonly string[] }> {
  try {
    const { warnings } = await readExtension(folderOf(files));
    return { loads: true, warnings };
  } catch (error) {
    if (!(error instanceof ArchiveError)) {
      throw error;
    }
    return { loads: false, warnings: [] };
  }
}

function bytesOf(contents: string | Bytes): string | Uint8Array {
  return typeof contents === "string"
    ? contents
    : Buffer.from(contents.base64 === "png" ? pixel : contents.base64, "base64");
}

describe("archive: the verdict of Chromium", () => {
  test.each(read<Case>("chromium-cases.ndjson").map((each) => [each.id, each] as const))(
    "the verdict on the folder %s equals Chromium's verdict, or differs for a stated reason",
    async (id, { chromium, members, manifest, files = {} }) => {
      const { loads, warnings } = await verdict([
        ["manifest.json", bytesOf(manifest ?? manifestText({ name: "Case", version: "1.0", ...members }))],
        ...Object.entries(files).map(([path, contents]) => [path, bytesOf(contents)] as const),
      ]);
      const agreed = chromium === "loads";
      expect([chromium, loads]).toEqual([chromium, id in stricter ? false : id in laxer ? true : agreed]);
      expect(warnings.length > 0).toBe(laxer[id]?.startsWith("a warning") ?? (loads && warnings.length > 0));
    },
  );

  test.each(read<ValueGroup>("chromium-values.ndjson").map((group) => [group.what, group] as const))(
    "the verdict on every listed value for %s equals Chromium's verdict, or is a warning where a newer Chromium may know more",
    async (_what, { members = {}, files = {}, loads, refused }) => {
      for (const [isLoaded, values] of [
        [true, loads],
        [false, refused],
      ] as const) {
        for (const value of values) {
          // A function keeps "$&" in a value unchanged.
          const filled = JSON.stringify(members).replaceAll('"$"', () => JSON.stringify(value));
          const all = {
            "manifest.json": manifestText(JSON.parse(filled)),
            ...Object.fromEntries(
              Object.entries(files).map(([path, text]) => [path, text === "$" ? String(value) : text]),
            ),
          };
          const { loads, warnings } = await verdict(Object.entries(all));
          const isOpen = warnings.some((warning) => warning.endsWith("a newer Chromium may"));
          expect([value, loads]).toEqual([value, isLoaded || isOpen]);
        }
      }
    },
  );

  test.each(read<WarnedCase>("chromium-warnings.ndjson").map((each) => [each.id, each] as const))(
    "the folder %s gets a warning if and only if Chromium ignores a part of the folder",
    async (_id, { chromium, members, files = {} }) => {
      const { loads, warnings } = await verdict([
        ["manifest.json", manifestText(members)],
        ...Object.entries(files),
      ]);
      expect([loads, warnings]).toEqual([true, chromium.map(() => expect.any(String))]);
    },
  );

  test.each([
    { browser_specific_settings: { gecko: { id: "a@b" } }, sidebar_action: {} },
    { permissions: ["contextualIdentities", "menus", "theme", "languageModel", "notYetKnown"] },
    { options_ui: { open_in_tab: true }, options_page: "o.html" },
    { unknown: 1, key_of_tomorrow: { a: [] } },
  ])(
    "what harms nobody gets no warning, such as keys and permissions of other browsers: %j",
    async (members) => {
      expect(
        await verdict([
          ["manifest.json", manifestText(members)],
          ["o.html", "x"],
        ]),
      ).toEqual({
        loads: true,
        warnings: [],
      });
    },
  );
});
