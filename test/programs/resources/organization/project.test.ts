import * as pulumi from "@pulumi/pulumi";
import { Project, ProjectLimits } from "../../../../src/index.js";
import { errorOf } from "../../../support/error-of.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("proj_1", { name: "web-1a2b3c4", status: "active" });
});

describe.each(entries)("Project and ProjectLimits of $entry", ({ classes, typeOf }) => {
  test("are registered under the types of their entry, and deleted before they are replaced", async () => {
    const project = new classes.Project("web");
    await awaited(new classes.ProjectLimits("web", { projectId: project.id, maxConcurrentSessions: 5 }).urn);
    expect(engine.requests).toMatchObject([
      { type: typeOf("Project"), deletebeforereplace: true },
      { type: typeOf("ProjectLimits"), deletebeforereplace: true },
    ]);
  });

  test("give their outputs to the program", async () => {
    const { id, name, status } = new classes.Project("web");
    expect(await awaited(pulumi.all([id, name, status]))).toEqual(["proj_1", "web-1a2b3c4", "active"]);
    const limits = new classes.ProjectLimits("web", { projectId: id, maxConcurrentInvocations: 7 });
    expect(await awaited(limits.maxConcurrentInvocations)).toBe(7);
  });

  test("are looked up by id alone", async () => {
    const project = classes.Project.get("theirs", "proj_9");
    const limits = classes.ProjectLimits.get("theirs", "proj_9");
    expect(await awaited(pulumi.all([project.id, limits.id]))).toEqual(["proj_9", "proj_9"]);
    // Only the program that declares the resources has the value, as the types show.
    const onDelete: pulumi.Output<string | undefined>[] = [project.onDelete, limits.onDelete];
    expect(await awaited(pulumi.all(onDelete))).toEqual([undefined, undefined]);
    for (const { inputs } of engine.registered) {
      expect(Object.keys(inputs).filter((name) => !name.startsWith("__"))).toEqual([]);
    }
  });

  test("have their type tokens on the classes, and are told apart", async () => {
    expect(classes.Project.__pulumiType).toBe(typeOf("Project"));
    expect(classes.ProjectLimits.__pulumiType).toBe(typeOf("ProjectLimits"));
    const project = new classes.Project("web");
    const limits = new classes.ProjectLimits("web", { projectId: "proj_1", maxConcurrentSessions: 5 });
    expect([project, limits].map(classes.Project.isInstance)).toEqual([true, false]);
    expect([project, limits].map(classes.ProjectLimits.isInstance)).toEqual([false, true]);
    await awaited(pulumi.all([project.urn, limits.urn]));
  });
});

describe("as dynamic resources", () => {
  test("a project and its limits say why they have no option import", () => {
    expect(() => new Project("web", {}, { import: "proj_1" })).toThrow("browser-infra import projects");
    const args = { projectId: "proj_1", maxConcurrentSessions: 5 };
    expect(() => new ProjectLimits("web", args, { import: "proj_1" })).toThrow("Leave the option out");
  });

  test("Pulumi prints why without a stack, so the message names the resource", async () => {
    const refused = errorOf((async () => new Project("web", {}, { import: "proj_1" }))());
    expect(pulumi.RunError.isInstance(await refused)).toBe(true);
    expect((await refused).message).toMatch(/^Project "web": Pulumi cannot import/);
  });
});
