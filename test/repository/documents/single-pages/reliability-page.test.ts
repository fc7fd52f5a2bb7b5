import { hostileFolders } from "../../../archive/hostile/folders.js";
import { hostileZips, soundZip } from "../../../archive/hostile/zips.js";
import { page } from "../pages.js";

test("docs/maintainers/reliability.md states the current numbers of hostile folders and zips", () => {
  const { text: counts } = page("docs/maintainers/reliability.md");
  const triedIn = (heading: string) => {
    const [table = ""] = counts.slice(counts.indexOf(`| ${heading} `)).split("\n\n");
    const rows = table.matchAll(/ \| ([\d,]+) +\| [\d,]+ +\|$/gm);
    return Array.from(rows, ([, tried = ""]) => Number(tried.replace(",", "")));
  };
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
  const zips = triedIn("Ready zip");
  expect(sum(triedIn("Folder"))).toBe(hostileFolders.length);
  expect(sum(zips.slice(0, -2))).toBe(hostileZips.length);
  expect(zips.slice(-2)).toEqual([soundZip.length, soundZip.length * 8]);
});
