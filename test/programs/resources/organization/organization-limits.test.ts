import * as pulumi from "@pulumi/pulumi";
import { OrganizationLimits } from "../../../../src/index.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("organization");
});

describe.each(entries)("OrganizationLimits of $entry", ({ classes, typeOf }) => {
  test("is registered under the type of its entry, and deleted before it is replaced", async () => {
    const caps = new classes.OrganizationLimits("caps", { defaultProjectMaxConcurrentSessions: 5 });
    expect(await awaited(caps.defaultProjectMaxConcurrentSessions)).toBe(5);
    expect(engine.requests).toMatchObject([
      { type: typeOf("OrganizationLimits"), deletebeforereplace: true },
    ]);
    expect(classes.OrganizationLimits.__pulumiType).toBe(typeOf("OrganizationLimits"));
    expect(classes.OrganizationLimits.isInstance(caps)).toBe(true);
  });

  test("is looked up by the id of the one organization", async () => {
    const found = classes.OrganizationLimits.get("theirs", "organization");
    const onDelete: pulumi.Output<string | undefined> = found.onDelete;
    expect(await awaited(pulumi.all([found.id, onDelete]))).toEqual(["organization", undefined]);
  });
});

test("as a dynamic resource, it says why it has no option import", () => {
  expect(() => new OrganizationLimits("caps", {}, { import: "organization" })).toThrow(
    "Leave the option out",
  );
});
