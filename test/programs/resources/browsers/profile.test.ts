import * as pulumi from "@pulumi/pulumi";
import { Profile } from "../../../../src/index.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("prf_1", { name: "shopper-1a2b3c4" });
});

describe.each(entries)("Profile of $entry", ({ classes, typeOf }) => {
  test("is registered under the type of its entry, and deleted before it is replaced", async () => {
    const { id, name } = new classes.Profile("shopper");
    expect(await awaited(pulumi.all([id, name]))).toEqual(["prf_1", "shopper-1a2b3c4"]);
    expect(engine.requests).toMatchObject([{ type: typeOf("Profile"), deletebeforereplace: true }]);
  });

  test("is looked up by its id, and told apart from other resources", async () => {
    const profile = classes.Profile.get("theirs", "ckp0000000000000000000a1");
    expect(await awaited(profile.id)).toBe("ckp0000000000000000000a1");
    expect(classes.Profile.isInstance(profile)).toBe(true);
    expect(classes.Project.isInstance(profile)).toBe(false);
  });
});

test("a Profile as a dynamic resource says why it has no option import", () => {
  expect(() => new Profile("shopper", {}, { import: "prf_1" })).toThrow("browser-infra import profiles");
});
