import { detailedDiff } from "../../../src/bridges/plugin/detailed-diff.js";
import { type PropertyMap, unknownValue } from "../../../src/providers/properties.js";

/**
 * Changes by path: "<kind>", "<kind> !" for a replacement, "(what exists)" if not of the inputs.
 */
function changes(olds: PropertyMap, news: PropertyMap, replaces: string[] = []): Record<string, string> {
  return Object.fromEntries(
    [...detailedDiff(olds, news, replaces)].map(([path, change]) => [
      path,
      change.kind + (change.replaces ? " !" : "") + (change.isOfInputs ? "" : " (what exists)"),
    ]),
  );
}

describe("the detailed comparison of inputs", () => {
  test("the detailed comparison names each added, changed and removed file, and no unchanged file", () => {
    const olds = { path: "a", files: { "same.js": "1", "changed.js": "1", "gone.js": "1" } };
    const news = { path: "a", files: { "same.js": "1", "changed.js": "2", "new.js": "1" } };
    expect(changes(olds, news)).toEqual({
      'files["changed.js"]': "update",
      'files["gone.js"]': "delete",
      'files["new.js"]': "add",
    });
  });

  test.each([
    ["popup", "files.popup"],
    ["$inner_1", "files.$inner_1"],
    ["1st", 'files["1st"]'],
    ["icons/a b.png", 'files["icons/a b.png"]'],
    ['quo"te.js', 'files["quo\\"te.js"]'],
    ["a[0].js", 'files["a[0].js"]'],
    ["ünï.js", 'files["ünï.js"]'],
    ["", 'files[""]'],
    ["*", 'files["*"]'],
  ])("the detailed comparison writes the path of %j as Pulumi reads paths", (name, path) => {
    expect(changes({ files: {} }, { files: { [name]: "1" } })).toEqual({ [path]: "add" });
  });

  test("lists are compared by position, and values of different types as a whole", () => {
    expect(changes({ exclude: ["a", "b"] }, { exclude: ["a", "c", "d"] })).toEqual({
      "exclude[1]": "update",
      "exclude[2]": "add",
    });
    expect(changes({ triggers: { a: 1 } }, { triggers: [1] })).toEqual({ triggers: "update" });
    expect(changes({ triggers: "a" }, {})).toEqual({ triggers: "delete" });
  });

  test("a difference inside of an input that replaces is marked as a replacement, and an unknown value as a change", () => {
    expect(
      changes({ manifest: { v: 1 }, name: "a" }, { manifest: { v: unknownValue }, name: "b" }, ["manifest"]),
    ).toEqual({ "manifest.v": "update !", name: "update" });
  });

  test("an input that replaces without a new value is marked as a difference of the existing object", () => {
    const inputs = { checksum: "1" };
    expect(changes(inputs, inputs, ["checksum"])).toEqual({ checksum: "update ! (what exists)" });
    expect(changes({ checksum: "1" }, { checksum: "2" }, ["checksum"])).toEqual({ checksum: "update !" });
  });

  test("equal inputs in a different order are no change", () => {
    expect(changes({ a: { x: 1, y: [null] }, b: 2 }, { b: 2, a: { y: [null], x: 1 } })).toEqual({});
  });
});
