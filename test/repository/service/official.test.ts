import { join, relative } from "node:path";
import { filesBelow } from "../../support/files-below.js";
import { ours } from "./known-words.js";
import { type LeftOut, leftOut, onlyOurs, otherFiles } from "./left-out.js";
import { namesKnown, nouns, root, type Side, sides, valuesKnown } from "./nouns.js";
import { officialTypes } from "./official-types.js";

/** Folder of the official client. `npm run test:newer` names the newest one. */
const sdk = process.env.OFFICIAL_CLIENT ?? join(root, "node_modules/@onkernel/sdk");

/** Member or value that either the official client or a side of ours knows, and not the other. */
interface Difference {
  readonly noun: string;
  readonly side: Side;
  /** Name of a member, or `member=value`. */
  readonly what: string;
  /** Exported types with the member. */
  readonly types: readonly string[];
}

const readFile = officialTypes(
  sdk,
  Object.values(nouns).flatMap(({ official }) => official),
);
const everyNoun = Object.entries(nouns).map(([name, noun]) => {
  const members = noun.official.flatMap((file) => readFile(file));
  return { name, noun, members };
});
const everySide = everyNoun.flatMap((each) => sides.map((side) => ({ ...each, side })));

/** Members and values of the official client that a side does not know. */
const unknown = everySide.flatMap(({ name, noun, members, side }): Difference[] => {
  const known = namesKnown(noun, side);
  const offered = valuesKnown(noun, side);
  const found = members.flatMap((member) => {
    // A value counts if a side offers values of the member at all: many members are any string.
    const isOffered = member.values.some((value) => offered.has(value));
    const values = isOffered
      ? member.values.filter((value) => !known.has(ours(value)) && !offered.has(value))
      : [];
    const missing = known.has(ours(member.name)) ? [] : [member.name];
    const [type = ""] = member.path.split(".");
    return [...missing, ...values.map((value) => `${member.name}=${value}`)].map((what) => ({ what, type }));
  });
  const typesWith = (what: string) => found.filter((each) => each.what === what).map(({ type }) => type);
  return [...new Set(found.map(({ what }) => what))].map((what) => ({
    ...{ noun: name, side, what },
    types: [...new Set(typesWith(what))],
  }));
});

/** Values that a side offers, and no type of the noun has in the official client. */
const invented = everySide.flatMap(({ name, noun, members, side }): Difference[] => {
  // A choice between members is no value.
  const official = new Set(members.flatMap((member) => [ours(member.name), ...member.values.map(ours)]));
  const values = [...valuesKnown(noun, side)].filter((value) => !official.has(ours(value)));
  return values.map((what) => ({ noun: name, side, what, types: [] }));
});

const covers = ({ of, by, what }: LeftOut, difference: Difference) =>
  (of === "every noun" || of === difference.noun) &&
  by.includes(difference.side) &&
  (typeof what === "string"
    ? what.split(" ").includes(difference.what)
    : difference.types.every((type) => what.test(type)));

/** Entries, by name and side, that explain nothing. */
const idle = (entries: readonly LeftOut[], differences: readonly Difference[]) =>
  entries.flatMap(({ of, by, what, because }) => {
    const parts = typeof what === "string" ? what.split(" ") : [what];
    return by.flatMap((side) =>
      parts
        .map((part) => ({ of, by: [side], what: part, because }))
        .filter((each) => !differences.some((difference) => covers(each, difference)))
        .map((each) => `${of}, ${side}: ${each.what}`),
    );
  });

const unexplained = (entries: readonly LeftOut[], differences: readonly Difference[]) =>
  differences
    .filter((difference) => !entries.some((entry) => covers(entry, difference)))
    .map(({ noun, side, what, types }) => `${noun}, ${side}: ${[what, ...types.slice(0, 2)].join(" ")}`);

describe("the official client", () => {
  test("has no file about a noun that we do not have, but those listed as others", () => {
    const folder = join(sdk, "resources");
    const known = Object.values(nouns).flatMap(({ official }) => official);
    const files = filesBelow(folder)
      .filter((file) => /(?<!index)\.d\.ts$/.test(file))
      .map((file) => relative(folder, file).replace(/\.d\.ts$/, ""))
      .filter((file) => !known.includes(file));
    expect(files.filter((file) => !otherFiles.some((each) => each.files.test(file)))).toEqual([]);
    expect(otherFiles.filter((each) => !files.some((file) => each.files.test(file)))).toEqual([]);
  });

  test("has no member and no value that client, resources or emulator do not know, but those left out", () => {
    expect(everyNoun.filter(({ members }) => members.length === 0)).toEqual([]);
    expect(unexplained(leftOut, unknown)).toEqual([]);
  });

  test("knows every value that client, resources and emulator offer, but those that are ours or newer", () => {
    expect(unexplained(onlyOurs, invented)).toEqual([]);
  });

  test("still differs from us in everything that is listed as left out, as ours or as newer", () => {
    expect([...idle(leftOut, unknown), ...idle(onlyOurs, invented)]).toEqual([]);
  });
});
