import { readExtension } from "../../../src/archive/index.js";
import { manifestText } from "../fixtures.js";
import { folderOf } from "../folders.js";

describe("archive: a localized name", () => {
  test.each([
    ["__MSG_a__", "Alpha"],
    ["The __MSG_a__, the __MSG_b__", "The Alpha, the Beta"],
    ["__MSG_A_1__", "First"],
    ["__MSG___", "__MSG___"],
  ])("the localized name %s reads %s", async (name, shown) => {
    const messages = { a: { message: "Alpha" }, b: { message: "Beta" }, a_1: { message: "First" } };
    const folder = folderOf([
      ["manifest.json", manifestText({ name, default_locale: "en" })],
      ["_locales/en/messages.json", JSON.stringify(messages)],
    ]);
    expect((await readExtension(folder)).manifest.name).toBe(shown);
  });
});
