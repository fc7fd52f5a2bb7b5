/**
 * Answers of a Chromium to small extension folders, in the `chromium-*.ndjson` files beside. The tests hold
 * the check of manifests to the answers. `npm run measure:chromium` asks again, and writes the files. Imports
 * only Node's own modules, because the script loads this file without a build.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Contents of a file: text, bytes in base64, or `{ base64: "png" }`, a picture of a single pixel. */
type Contents = string | { readonly base64: string };

interface Row {
  /** File of `src/archive` with the rule that rests on the row. */
  readonly rule: string;
  /** Members of the manifest besides the necessary ones. */
  readonly members?: object;
  readonly files?: Readonly<Record<string, Contents>>;
}

/** Folder, and whether Chromium loads the folder. */
export interface Case extends Row {
  readonly id: string;
  /** "loads", or Chromium's error. */
  readonly chromium: string;
  /** Whole manifest in place of `members`. */
  readonly manifest?: Contents;
}

/** Folder that Chromium loads, with Chromium's warnings. */
export interface WarnedCase extends Row {
  readonly id: string;
  readonly chromium: readonly string[];
}

/** Values that Chromium loads or refuses in place of `"$"` in members and files, or `$` in a path. */
export interface ValueGroup extends Row {
  readonly what: string;
  readonly loads: readonly unknown[];
  readonly refused: readonly unknown[];
}

/** All rows, by the middle part of the name of the file. */
export interface ChromiumData {
  readonly cases: readonly Case[];
  readonly values: readonly ValueGroup[];
  readonly warnings: readonly WarnedCase[];
}

export type Files = readonly (readonly [path: string, contents: string | Uint8Array])[];

/** A folder to load. Errors of the extension's worker count only where `asksForWarnings` is true. */
export interface Question {
  readonly name: string;
  readonly rule: string;
  readonly files: Files;
  readonly asksForWarnings: boolean;
}

/** Answer of a browser: why it does not load the folder, or the warnings of a loaded folder. */
export type Answer = string | readonly string[];

/** A changed answer, in words. */
export interface Difference {
  readonly rule: string;
  readonly name: string;
  readonly data: string;
  readonly browser: string;
}

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const bytesOf = (contents: Contents) =>
  typeof contents === "string"
    ? contents
    : Buffer.from(contents.base64 === "png" ? pixel : contents.base64, "base64");

const fileOf = (folder: string, name: string) => join(folder, `chromium-${name}.ndjson`);

const fileNames = ["cases", "values", "warnings"] as const;

export function readData(folder: string): ChromiumData {
  const rows = fileNames.map((name) => [
    name,
    readFileSync(fileOf(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  ]);
  return Object.fromEntries(rows);
}

export function writeData(folder: string, data: ChromiumData): void {
  for (const name of fileNames) {
    writeFileSync(fileOf(folder, name), data[name].map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}

/** Files of a case. */
export function filesOfCase({ members, manifest, files = {} }: Omit<Case, "chromium">): Files {
  const necessary = { manifest_version: 3, name: "Case", version: "1.0" };
  return [
    ["manifest.json", bytesOf(manifest ?? JSON.stringify({ ...necessary, ...members }))],
    ...Object.entries(files).map(([path, contents]) => [path, bytesOf(contents)] as const),
  ];
}

/** Files of a group of values, for one of the values. */
export function filesOfValue({ members = {}, files = {} }: ValueGroup, value: unknown): Files {
  // A function keeps "$&" in a value unchanged.
  const filled = JSON.stringify(members).replaceAll('"$"', () => JSON.stringify(value));
  const all = {
    "manifest.json": JSON.stringify({
      manifest_version: 3,
      name: "Case",
      version: "1.0",
      ...JSON.parse(filled),
    }),
    ...Object.fromEntries(
      Object.entries(files).map(([path, contents]) => [
        path.replace("$", () => String(value)),
        contents === "$" ? String(value) : bytesOf(contents),
      ]),
    ),
  };
  return Object.entries(all);
}

/** Writes the files of a question into a folder. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, contents] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}

/** All folders to load for the data, in the order in which `compareAnswers` takes the answers. */
export function questionsOf({ cases, values, warnings }: ChromiumData): readonly Question[] {
  return [
    ...cases.map((row) => ({
      name: row.id,
      rule: row.rule,
      files: filesOfCase(row),
      asksForWarnings: false,
    })),
    ...values.flatMap((group) =>
      [...group.loads, ...group.refused].map((value) => ({
        name: `${group.what}: ${JSON.stringify(value)}`,
        rule: group.rule,
        files: filesOfValue(group, value),
        asksForWarnings: false,
      })),
    ),
    ...warnings.map((row) => ({
      name: row.id,
      rule: row.rule,
      files: filesOfCase(row),
      asksForWarnings: true,
    })),
  ];
}

/**
 * Compares the answers of a browser with the data. Returns the differences, and the data with the new
 * answers: a value changes its list, and a folder that no longer loads goes from the warnings to the cases.
 */
export function compareAnswers(
  data: ChromiumData,
  answers: readonly Answer[],
): { readonly differences: readonly Difference[]; readonly data: ChromiumData } {
  const differences: Difference[] = [];
  const left = [...answers];
  const next = (): Answer => {
    const answer = left.shift();
    if (answer === undefined) {
      throw new Error(`There are ${answers.length} answers, fewer than folders.`);
    }
    return answer;
  };
  const note = ({ rule }: Row, name: string, old: Answer, browser: Answer) => {
    if (wordsOf(old) !== wordsOf(browser)) {
      differences.push({ rule, name, data: wordsOf(old), browser: wordsOf(browser) });
    }
  };
  const cases = data.cases.map((row) => {
    const answer = next();
    const chromium = typeof answer === "string" ? answer : "loads";
    note(row, row.id, row.chromium, chromium);
    return { ...row, chromium };
  });
  const values = data.values.map((group) => {
    const verdicts = new Map<unknown, "loads" | "refused">();
    for (const old of ["loads", "refused"] as const) {
      for (const value of group[old]) {
        const verdict = typeof next() === "string" ? "refused" : "loads";
        note(group, `${group.what}: ${JSON.stringify(value)}`, old, verdict);
        verdicts.set(value, verdict);
      }
    }
    const valuesWith = (wanted: string) =>
      [...verdicts].filter(([, verdict]) => verdict === wanted).map(([value]) => value);
    return { ...group, loads: valuesWith("loads"), refused: valuesWith("refused") };
  });
  const refused: Case[] = [];
  const warnings = data.warnings.flatMap((row) => {
    const answer = next();
    note(row, row.id, row.chromium, answer);
    if (typeof answer === "string") {
      refused.push({ ...row, chromium: answer });
      return [];
    }
    return [{ ...row, chromium: answer }];
  });
  return { differences, data: { cases: [...cases, ...refused], values, warnings } };
}

function wordsOf(answer: Answer): string {
  return typeof answer === "string" ? answer : answer.length === 0 ? "no warning" : answer.join(" | ");
}

/** Lines of the differences, below the file with the rule. */
export function reportOf(differences: readonly Difference[]): readonly string[] {
  const rules = [...new Set(differences.map(({ rule }) => rule))].sort();
  return rules.flatMap((rule) => [
    `src/archive/${rule}`,
    ...differences
      .filter((difference) => difference.rule === rule)
      .map(({ name, data, browser }) => `  ${name}\n    data:    ${data}\n    browser: ${browser}`),
  ]);
}
