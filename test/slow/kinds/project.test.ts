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

  test("are declared from nothing with an extension in it, renamed, corrected and destroyed", async () => {
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

  test("name the previous limits when these are replaced in the wrong order", async () => {
    const { id } = emulator.createProject({ name: "theirs" });
    emulator.projects.setLimits(id, { maxConcurrentSessions: 3 });
    const { id: keyId } = emulator.createApiKey({ name: "before" });
    const nameOfKey = () => emulator.apiKeyRecords.list().find((key) => key.id === keyId)?.name;
    stack.declare({
      caps: { type: "ProjectLimits", properties: { projectId: id, maxConcurrentSessions: 9 } },
      ci: { type: "ApiKeyName", properties: { keyId, name: "ci" } },
    });
    await stack.up();
    const ours = stack.resources().filter(({ type }) => /:(ProjectLimits|ApiKeyName)$/.test(type));
    expect(ours).toHaveLength(2);
    const output = await stack.up(...ours.flatMap(({ urn }) => ["--replace", urn]));
    expect(output).toContain("Its previous limits: maxConcurrentSessions 3");
    expect(output).toContain('Its previous name: "before"');
    await stack.up();
    await stack.expectNoChanges();
    expect([limitsOf(emulator, id)[0], nameOfKey()]).toEqual([9, "ci"]);
  });
});

describe("a project and its limits in a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.create, (started) => ({ emulator, stack } = started));

  test("have null for no cap and an automatic name, and are archived in the end", async () => {
    stack.write(
      "index.js",
      `const { Project, ProjectLimits } = require("pulumi-browser-infra");
      const shop = new Project("shop", { onDelete: "archive" });
      new ProjectLimits("caps", { projectId: shop.id, maxConcurrentSessions: null, maxConcurrentInvocations: 4 });
      exports.name = shop.name;`,
    );
    await stack.up();
    const [{ id, name } = { id: "", name: "" }] = emulator.projects.list();
    expect(name).toMatch(/^shop-[0-9a-f]{7}$/);
    expect(limitsOf(emulator, id)).toEqual([null, 4]);
    emulator.projects.setLimits(id, { maxConcurrentSessions: 3 });
    const drift = await stack.preview("--refresh", "--expect-no-changes");
    expect(drift.output).toContain("from maxConcurrentSessions no cap to maxConcurrentSessions 3");
    expect(drift.exitCode).toBe(7);
    await stack.up("--refresh");
    await stack.destroy();
    expect(emulator.projects.list().find((each) => each.id === id)?.status).toBe("archived");
    expect(limitsOf(emulator, id)).toEqual([null, null]);
  });
});
