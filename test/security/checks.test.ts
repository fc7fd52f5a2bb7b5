import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = resolve(__dirname, "../..");
const page = readFileSync(join(root, "SECURITY.md"), "utf8");

/** The table of SECURITY.md: number of a check, and the files and folders with its tests. */
const listed = Array.from(page.matchAll(/^\| X(\d+) +\|[^|]+\|([^|]+)\|$/gm), ([, number, tests = ""]) => ({
  number: Number(number),
  places: Array.from(tests.matchAll(/`([^`]+)`/g), ([, place = ""]) => place),
}));

/** Numbers of the checks that the names of tests begin with, by file. */
const named = new Map(
  readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => {
      const text = readFileSync(join(root, "test", file), "utf8");
      const numbers = Array.from(text.matchAll(/["'`]X(\d+): /g), ([, number]) => Number(number));
      return [relative(root, join(root, "test", file)), new Set(numbers)];
    }),
);

/** The files below a place that have tests of a check. */
function filesWith(number: number, place: string): string[] {
  return [...named]
    .filter(([file, numbers]) => numbers.has(number) && `${file}/`.startsWith(`${place}/`))
    .map(([file]) => file);
}

describe("SECURITY.md", () => {
  test("X18: exists, says how to report and what is supported, and the README links to it", () => {
    expect(page).toMatch(/## Reporting a vulnerability\n\nWrite to \*\*\S+@\S+\*\*/);
    expect(page).toContain("gets security fixes");
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain("](SECURITY.md)");
  });

  test("lists the checks 1 to 18, each once", () => {
    expect(listed.map(({ number }) => number)).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
  });

  test.each(listed.map(({ number, places }) => [`X${number}`, number, places] as const))(
    "names exactly the files whose tests begin with %s",
    (_name, number, places) => {
      expect(places.filter((place) => filesWith(number, place).length === 0)).toEqual([]);
      const found = new Set(places.flatMap((place) => filesWith(number, place)));
      expect(filesWith(number, "test").filter((file) => !found.has(file))).toEqual([]);
    },
  );
});
