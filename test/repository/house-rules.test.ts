import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Limits of docs/maintainers/rules.md. */
const [linesMax, entriesMax, columnsMax] = [450, 14, 120];

const root = resolve(__dirname, "../..");
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "" && existsSync(join(root, file)));
const sources = tracked
  .filter((file) => /^(src|test|scripts)\/.*\.[cm]?[jt]s$/.test(file))
  .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").trimEnd().split("\n") }));

describe("the house rules", () => {
  test(`no file of src has more than ${linesMax} lines`, () => {
    const long = sources.filter(({ file, lines }) => file.startsWith("src/") && lines.length > linesMax);
    expect(long.map(({ file, lines }) => `${file}: ${lines.length}`)).toEqual([]);
  });

  test(`no line with a comment alone has more than ${columnsMax} columns`, () => {
    const wide = sources.flatMap(({ file, lines }) =>
      lines.flatMap((line, at) =>
        // A type in a comment is code.
        /^\s*(\/\/|\/?\*)(?!.* @(param|type|returns) )/.test(line) && line.length > columnsMax
          ? [`${file}:${at + 1}`]
          : [],
      ),
    );
    expect(wide).toEqual([]);
  });

  test(`no folder of src, test and docs has more than ${entriesMax} entries`, () => {
    const entries = new Map<string, Set<string>>();
    for (const file of tracked.filter((each) => /^(src|test|docs)\//.test(each))) {
      for (let path = file; dirname(path) !== "."; path = dirname(path)) {
        if (basename(path) === "README.md") {
          // The door of a folder is no room.
          continue;
        }
        const names = entries.get(dirname(path)) ?? new Set();
        entries.set(dirname(path), names.add(basename(path)));
      }
    }
    expect([...entries].filter(([, names]) => names.size > entriesMax).map(([folder]) => folder)).toEqual([]);
  });

  test("no file or folder is named after nothing: utils, helpers, common or misc", () => {
    const named = tracked.filter((file) => /(^|\/)(utils?|helpers?|common|misc)(\.|\/|$)/.test(file));
    expect(named).toEqual([]);
  });
});
