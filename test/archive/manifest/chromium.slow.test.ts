import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readExtension } from "../../../src/archive/index.js";
import { ArchiveError } from "../../../src/errors.js";
import { type FixtureFiles, manifestText } from "../fixtures.js";
import { folderOf } from "../folders.js";
import { filesOfCase, filesOfValue, readData } from "./chromium-data.mjs";

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

const { cases, values, warnings: warned } = readData(__dirname);

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

/** Files of the manifest check that have no rule of Chromium. */
const withoutRule = ["findings.ts", "places.ts"];

describe("archive: the verdict of Chromium", () => {
  test.each(cases.map((each) => [each.id, each] as const))(
    "the verdict on the folder %s equals Chromium's verdict, or differs for a stated reason",
    async (id, row) => {
      const { loads, warnings } = await verdict(filesOfCase(row));
      const { chromium } = row;
      const agreed = chromium === "loads";
      expect([chromium, loads]).toEqual([chromium, id in stricter ? false : id in laxer ? true : agreed]);
      expect(warnings.length > 0).toBe(laxer[id]?.startsWith("a warning") ?? (loads && warnings.length > 0));
    },
  );

  test.each(values.map((group) => [group.what, group] as const))(
    "the verdict on every listed value for %s equals Chromium's verdict, or is a warning where a newer Chromium may know more",
    async (_what, group) => {
      for (const [isLoaded, listed] of [
        [true, group.loads],
        [false, group.refused],
      ] as const) {
        for (const value of listed) {
          const { loads, warnings } = await verdict(filesOfValue(group, value));
          const isOpen = warnings.some((warning) => warning.endsWith("a newer Chromium may"));
          expect([value, loads]).toEqual([value, isLoaded || isOpen]);
        }
      }
    },
  );

  test.each(warned.map((each) => [each.id, each] as const))(
    "the folder %s gets a warning if and only if Chromium ignores a part of the folder",
    async (_id, row) => {
      const { loads, warnings } = await verdict(filesOfCase(row));
      expect([loads, warnings]).toEqual([true, row.chromium.map(() => expect.any(String))]);
    },
  );

  test("every row of the data names the file with its rule, and every file with a rule has a row", () => {
    const archive = resolve(__dirname, "../../../src/archive");
    const named = new Set([...cases, ...values, ...warned].map(({ rule }) => rule));
    expect([...named].filter((rule) => !existsSync(join(archive, rule)))).toEqual([]);
    const files = readdirSync(join(archive, "manifest"), { recursive: true }).map(String);
    const unproved = files.filter((file) => file.endsWith(".ts") && !named.has(`manifest/${file}`));
    expect(unproved.sort()).toEqual(withoutRule);
  });

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
