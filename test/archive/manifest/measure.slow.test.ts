import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { testInBrowser } from "../../support/chromium.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import {
  type Answer,
  type ChromiumData,
  compareAnswers,
  questionsOf,
  readData,
  reportOf,
  writeData,
} from "./chromium-data.mjs";

/** One row of each kind of data, in which Chromium 156 agrees with every answer. */
const data: ChromiumData = {
  cases: [
    { id: "plain", rule: "manifest/manifest.ts", chromium: "loads" },
    {
      id: "state",
      rule: "manifest/shapes.ts",
      chromium: "Invalid value for 'default_state'.",
      members: { action: { default_state: "off" } },
    },
  ],
  values: [
    {
      what: "incognito",
      rule: "manifest/shapes.ts",
      members: { incognito: "$" },
      loads: ["split"],
      refused: ["sometimes", 5],
    },
  ],
  warnings: [
    {
      id: "misspelled",
      rule: "manifest/permissions.ts",
      chromium: ["Permission 'storge' is unknown."],
      members: { permissions: ["storge"] },
    },
    {
      id: "worker",
      rule: "manifest/ignored.ts",
      chromium: ["Service worker registration failed. Status code: 11"],
      members: { background: { service_worker: "w.ts" } },
      files: { "w.ts": "1" },
    },
  ],
};

/** Answers that agree with the data. */
const same: readonly Answer[] = [
  [],
  "Invalid value for 'default_state'.",
  [],
  "Invalid value for 'incognito'.",
  "Invalid value for 'incognito'.",
  ["Permission 'storge' is unknown."],
  ["Service worker registration failed. Status code: 11"],
];

const withAnswer = (index: number, answer: Answer) => same.map((each, at) => (at === index ? answer : each));

describe("measuring Chromium", () => {
  test("answers as in the data are no difference, and leave the data as they are", () => {
    expect(questionsOf(data)).toHaveLength(same.length);
    expect(compareAnswers(data, same)).toEqual({ differences: [], data });
  });

  test.each<[what: string, index: number, answer: Answer, lines: readonly string[], changed: object]>([
    [
      "a folder that no longer loads",
      0,
      "No.",
      ["src/archive/manifest/manifest.ts", "  plain\n    data:    loads\n    browser: No."],
      { cases: [{ ...data.cases[0], chromium: "No." }, data.cases[1]] },
    ],
    [
      "a refused value that loads",
      3,
      [],
      [
        "src/archive/manifest/shapes.ts",
        '  incognito: "sometimes"\n    data:    refused\n    browser: loads',
      ],
      { values: [{ ...data.values[0], loads: ["split", "sometimes"], refused: [5] }] },
    ],
    [
      "a warning that is gone",
      5,
      [],
      [
        "src/archive/manifest/permissions.ts",
        "  misspelled\n    data:    Permission 'storge' is unknown.\n    browser: no warning",
      ],
      { warnings: [{ ...data.warnings[0], chromium: [] }, data.warnings[1]] },
    ],
    [
      "a folder with a warning that no longer loads",
      5,
      "Not allowed.",
      [
        "src/archive/manifest/permissions.ts",
        "  misspelled\n    data:    Permission 'storge' is unknown.\n    browser: Not allowed.",
      ],
      {
        cases: [...data.cases, { ...data.warnings[0], chromium: "Not allowed." }],
        warnings: [data.warnings[1]],
      },
    ],
  ])(
    "%s is reported below the file with the rule, and is in the new data",
    (_what, index, answer, lines, changed) => {
      const measured = compareAnswers(data, withAnswer(index, answer));
      expect(reportOf(measured.differences)).toEqual(lines);
      expect(measured.data).toEqual({ ...data, ...changed });
    },
  );

  test("the data are written in the form in which they are committed", () => {
    const folder = temporaryFolder();
    cpSync(__dirname, folder, { recursive: true, filter: (path) => !path.endsWith(".ts") });
    writeData(folder, readData(folder));
    for (const name of ["cases", "values", "warnings"]) {
      const file = `chromium-${name}.ndjson`;
      expect(readFileSync(join(folder, file), "utf8")).toBe(readFileSync(join(__dirname, file), "utf8"));
    }
  });

  testInBrowser(
    "npm run measure:chromium reports a row that this machine's browser contradicts, writes the answer, and then agrees",
    async () => {
      const folder = temporaryFolder();
      const wrong = { id: "wrong", rule: "manifest/browser.ts", chromium: "No." };
      writeData(folder, { ...data, cases: [...data.cases, wrong] });
      const first = await measure(folder, "--write");
      expect([first.code, first.out]).toEqual([
        1,
        expect.stringContaining(
          "src/archive/manifest/browser.ts\n  wrong\n    data:    No.\n    browser: loads\n",
        ),
      ]);
      const second = await measure(folder);
      expect([second.code, second.out]).toEqual([
        0,
        expect.stringContaining(": 8 folders and 0 permissions, 0 differences."),
      ]);
    },
  );
});

/** Runs the script for the data of a folder. */
function measure(folder: string, ...args: readonly string[]): Promise<{ code: number; out: string }> {
  const script = resolve(__dirname, "../../../scripts/chromium/measure.mjs");
  return new Promise((done) => {
    execFile(process.execPath, [script, "--data", folder, ...args], (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), out: stdout + stderr }),
    );
  });
}
