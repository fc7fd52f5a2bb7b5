import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference, type YamlResource } from "../../support/stacks/yaml-program.js";

const options = { deleteBeforeReplace: true };

function project(properties: YamlResource["properties"] = {}): YamlResource {
  return { type: "Project", properties, options };
}

function limits(properties: YamlResource["properties"]): YamlResource {
  return {
    type: "ProjectLimits",
    properties: { projectId: reference("shop.id"), ...properties },
    options,
  };
}

const limitsOf = ({ projects }: Emulator, id: string) => {
  const { maxConcurrentSessions, maxConcurrentInvocations } =
    projects.list().find((each) => each.id === id)?.limits ?? {};
  return [maxConcurrentSessions, maxConcurrentInvocations];
};

describe("a project and its limits, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started));

  test("a project with limits and an extension is created, renamed, corrected and destroyed", async () => {
    const reader: YamlResource = {
      type: "Extension",
      properties: { path: "./extension", projectId: reference("shop.id") },
    };
    stack.declare({
      shop: project({ name: "shop" }),
      caps: limits({ maxConcurrentSessions: 5, uncapped: ["maxConcurrentInvocations"] }),
      reader,
    });
    const first = await stack.preview();
    expect(`${first.exitCode} ${first.output}`).toMatch(/^0 /);
    expect(writesIn(emulator)).toEqual([]);
    await stack.up();
    const [{ id, name } = { id: "", name: "" }] = emulator.projects.list();
    expect([name, ...limitsOf(emulator, id)]).toEqual(["shop", 5, null]);
    expect(emulator.extensions.list(id)).toHaveLength(1);

    // A rename in place, a cap that is no longer managed, and a cap that was null before.
    stack.declare({
      shop: project({ name: "store" }),
      caps: limits({ maxConcurrentInvocations: 7 }),
      reader,
    });
    const renaming = await stack.preview();
    expect(renaming.output).toMatch(/~ name *: "shop" => "store"/);
    await stack.up();
    expect(emulator.projects.list()[0]).toMatchObject({ id, name: "store" });
    expect(limitsOf(emulator, id)).toEqual([null, 7]);

    // Drift of both resources, shown by property and corrected. The unmanaged cap is unchanged.
    emulator.projects.rename(id, "drifted");
    emulator.projects.setLimits(id, { maxConcurrentSessions: 2, maxConcurrentInvocations: 1 });
    const drift = await stack.preview("--refresh", "--expect-no-changes");
    expect(drift.exitCode).toBe(7);
    expect(drift.output).toContain('from "store" to "drifted"');
    expect(drift.output).toMatch(/maxConcurrentInvocations *: 1 => 7/);
    // A preview stores nothing, so the state contains no drift.
    await stack.up("--expect-no-changes");
    await stack.up("--refresh");
    expect(limitsOf(emulator, id)).toEqual([2, 7]);
    await stack.expectNoChanges();

    // An undeclared object prevents the deletion of the project.
    const connection = emulator.authConnections.create({
      domain: "example.com",
      profileName: "work",
      projectId: id,
    });
    const refused = await stack.run("destroy", "--yes", "--skip-preview");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.output).toContain('it has 1 profile ("work") and 1 auth connection ("example.com")');
    emulator.authConnections.remove(connection.id);
    // The service creates a profile with a connection, and keeps the profile.
    const [profile] = emulator.profiles.list(connection.projectId);
    emulator.profiles.remove(profile?.id ?? "");
    await stack.destroy();
    expect(emulator.projects.list()).toMatchObject([{ id: emulator.defaultProject.id }]);
  });
});
