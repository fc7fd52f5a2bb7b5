import { BrowserInfraClient } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";
import { reference, type YamlResource } from "./yaml-program.js";

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

describe("a project and its limits, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack | undefined;

  beforeEach(async () => {
    ({ emulator, environment } = await startService());
  });

  afterEach(async () => {
    stack?.remove();
    await emulator.close();
  });

  const find = (name: string) => emulator.projects.list().find((each) => each.name === name);
  const limitsOf = (name: string) => {
    const { maxConcurrentSessions, maxConcurrentInvocations } = find(name)?.limits ?? {};
    return [maxConcurrentSessions, maxConcurrentInvocations];
  };

  async function expectNothingToDo(yaml: Stack): Promise<void> {
    const { exitCode, output } = await yaml.preview("--expect-no-changes");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  }

  test("are declared from nothing with an extension in it, renamed, corrected, imported and destroyed", async () => {
    const yaml = await Stack.createYaml(environment);
    stack = yaml;
    yaml.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    const reader: YamlResource = {
      type: "Extension",
      properties: { path: "./extension", projectId: reference("shop.id") },
    };
    yaml.declare({
      shop: project({ name: "shop" }),
      caps: limits({ maxConcurrentSessions: 5, uncapped: ["maxConcurrentInvocations"] }),
      reader,
    });
    const first = await yaml.preview();
    expect(`${first.exitCode} ${first.output}`).toMatch(/^0 /);
    expect(writesIn(emulator)).toEqual([]);
    await yaml.up();
    const { id = "" } = find("shop") ?? {};
    expect(limitsOf("shop")).toEqual([5, null]);
    expect(emulator.extensions.list(id)).toHaveLength(1);
    await expectNothingToDo(yaml);

    // A rename in place, a cap that is no longer managed, and one that was null before.
    yaml.declare({ shop: project({ name: "store" }), caps: limits({ maxConcurrentInvocations: 7 }), reader });
    const renaming = await yaml.preview();
    expect(renaming.output).toMatch(/~ name *: "shop" => "store"/);
    await yaml.up();
    expect(find("store")?.id).toBe(id);
    expect(limitsOf("store")).toEqual([null, 7]);
    await expectNothingToDo(yaml);

    // Drift of each, shown by property and corrected. The cap that is not managed stays.
    emulator.projects.rename(id, "drifted");
    emulator.projects.setLimits(id, { maxConcurrentSessions: 2, maxConcurrentInvocations: 1 });
    const drift = await yaml.preview("--refresh", "--expect-no-changes");
    expect(drift.exitCode).toBe(7);
    expect(drift.output).toContain('from "store" to "drifted"');
    expect(drift.output).toMatch(/maxConcurrentInvocations *: 1 => 7/);
    // A preview stores nothing, so the state knows of no drift.
    await yaml.up("--expect-no-changes");
    await yaml.up("--refresh");
    expect(limitsOf("store")).toEqual([2, 7]);
    await expectNothingToDo(yaml);

    // A project that somebody else made comes under management, and goes at the end.
    const theirs = emulator.createProject({ name: "theirs" });
    const quietly = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
    await yaml.succeed("import", "browser-infra:index:Project", "theirs", theirs.id, ...quietly);
    yaml.declare({
      shop: project({ name: "store" }),
      caps: limits({ maxConcurrentInvocations: 7 }),
      reader,
      theirs: project({ name: "theirs" }),
    });
    await expectNothingToDo(yaml);

    // Something that the program does not know keeps the project from being deleted.
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    emulator.authConnections.create({ domain: "example.com", profileName: "work", projectId: id });
    const refused = await yaml.run("destroy", "--yes", "--skip-preview");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.output).toContain('it has 1 auth connection ("example.com")');
    expect((await client.projects.get(id)).status).toBe("active");
    await client.close();
    const [connection] = emulator.authConnections.list(id);
    emulator.authConnections.remove(connection?.id ?? "");
    await yaml.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.projects.list()).toMatchObject([{ id: emulator.defaultProject.id }]);
  });

  test("restore the previous limits in the end, although these were replaced in the wrong order", async () => {
    const yaml = await Stack.createYaml(environment);
    stack = yaml;
    const { id, name } = emulator.createProject({ name: "theirs" });
    emulator.projects.setLimits(id, { maxConcurrentSessions: 3 });
    const caps: YamlResource = {
      type: "ProjectLimits",
      properties: { projectId: id, maxConcurrentSessions: 9 },
    };
    yaml.declare({ caps });
    await yaml.up();
    const urn = yaml.resources().find(({ type }) => type.endsWith(":ProjectLimits"))?.urn ?? "";
    await yaml.up("--replace", urn);
    await yaml.up();
    await expectNothingToDo(yaml);
    expect(limitsOf(name)[0]).toBe(9);
    await yaml.succeed("destroy", "--yes", "--skip-preview");
    expect(limitsOf(name)[0]).toBe(3);
  });

  test("go through dynamic resources, with null for no cap and an automatic name", async () => {
    stack = await Stack.create(environment);
    stack.write(
      "index.js",
      `const { Project, ProjectLimits } = require("pulumi-browser-infra");
      const shop = new Project("shop", { onDelete: "archive" });
      new ProjectLimits("caps", { projectId: shop.id, maxConcurrentSessions: null, maxConcurrentInvocations: 4 });
      exports.name = shop.name;`,
    );
    await stack.up();
    const [created] = emulator.projects.list();
    expect(created?.name).toMatch(/^shop-[0-9a-f]{7}$/);
    expect(limitsOf(created?.name ?? "")).toEqual([null, 4]);
    emulator.projects.setLimits(created?.id ?? "", { maxConcurrentSessions: 3 });
    const drift = await stack.preview("--refresh", "--expect-no-changes");
    expect(drift.output).toContain("from maxConcurrentSessions no cap to maxConcurrentSessions 3");
    expect(drift.exitCode).toBe(7);
    await stack.up("--refresh");
    const { exitCode, output } = await stack.preview("--expect-no-changes");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(find(created?.name ?? "")?.status).toBe("archived");
    expect(limitsOf(created?.name ?? "")).toEqual([null, null]);
  });
});
