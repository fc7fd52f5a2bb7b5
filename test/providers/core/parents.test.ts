import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { resolveSettings } from "../../../src/config.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { sendRead } from "../../../src/functions/reads.js";
import type { Registered } from "../../contract/model/played-engine.js";
import { newEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";
import { ProviderRuns } from "../provider-runs.js";

const inFirst = { deleteBeforeReplace: true };

/** Resources in a project, of every kind whose objects belong to a project, and the limits. */
function contentsOf(projectId: string): Record<string, Registered> {
  return {
    reader: { type: "Extension", properties: { path: "./extension", projectId } },
    buyer: { type: "Profile", properties: { name: "buyer", projectId }, options: inFirst },
    exit: { type: "Proxy", properties: { name: "exit", type: "isp", projectId } },
    login: {
      type: "Credential",
      properties: { name: "login", domain: "shop.example", values: { password: "one" }, projectId },
      options: inFirst,
    },
    crew: { type: "BrowserPool", properties: { name: "crew", size: 1, projectId }, options: inFirst },
    shop: {
      type: "AuthConnection",
      properties: { domain: "shop.example", profileName: "buyer", projectId },
      options: inFirst,
    },
    caps: { type: "ProjectLimits", properties: { projectId, maxConcurrentSessions: 5 }, options: inFirst },
  };
}

/** A stack with a project, of this stack or of others, and with resources in the project. */
async function deployed({ onDelete = "delete", isOwn = true } = {}) {
  const program = await PlayedProgram.start("Project");
  const { emulator } = program;
  mkdirSync(join(program.folder, "extension"));
  const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';
  writeFileSync(join(program.folder, "extension", "manifest.json"), manifest);
  const project = isOwn ? { name: "web", onDelete } : undefined;
  let projectId = isOwn ? "" : emulator.createProject({ name: "theirs" }).id;
  if (isOwn) {
    await program.up(project);
    projectId = program.stored.id;
  }
  const contents = contentsOf(projectId);
  await program.up(project, { others: contents });
  // Logged in, so that a LoginFlow does not wait.
  const connectionId = program.storedAs("shop").id;
  emulator.authConnections.recordHealthCheck(connectionId, "AUTHENTICATED");
  const flow: Registered = { type: "LoginFlow", properties: { connectionId, projectId } };
  const others = { ...contents, flow };
  await program.up(project, { others });
  const statusOf = () => emulator.projects.list().find(({ id }) => id === projectId)?.status;
  const deletions = () => program.writes.filter((method) => method === "DELETE").length;
  const slots = () => program.engine.state.map(({ slot }) => slot).sort();
  return { program, emulator, project, projectId, others, statusOf, deletions, slots };
}

const all = ["agents", "buyer", "caps", "crew", "exit", "flow", "login", "reader", "shop"];

describe("resources in a project that is archived", () => {
  test("a refresh keeps the state of every resource, warns once, and asks once for the project", async () => {
    const { program, emulator, projectId, slots } = await deployed();
    const before = structuredClone(program.engine.state);
    emulator.archiveProject(projectId);
    const asked = emulator.requests.length;
    await program.refresh();
    expect(slots()).toEqual(all);
    expect(program.engine.state.slice(1)).toEqual(before.slice(1));
    expect(program.warnings).toEqual([expect.stringContaining(`Project ${projectId} is archived`)]);
    expect(program.warnings[0]).toContain(`"browser-infra projects activate ${projectId}"`);
    const requests = emulator.requests.slice(asked).map(({ path }) => path);
    expect(requests.filter((path) => path === `/org/projects/${projectId}`)).toHaveLength(2);
    // Besides the project: the limits, and the first refused read.
    expect(requests).toHaveLength(4);
  });

  test("a deployment makes the project active and goes on with existing and new resources, in any order", async () => {
    const { program, emulator, projectId, project, others, statusOf } = await deployed();
    emulator.archiveProject(projectId);
    // Literal ids have no order: the project is the last resource.
    await program.refresh();
    program.engine.write(
      new Map<string, Registered>([
        ["visitor", { type: "Profile", properties: { name: "visitor", projectId }, options: inFirst }],
        ...Object.entries({
          ...others,
          buyer: {
            type: "Profile",
            properties: { name: "guest", projectId },
            options: inFirst,
          } as Registered,
        }),
        ["agents", { type: "Project", properties: project ?? {}, options: inFirst }],
      ]),
    );
    expect(await program.engine.up({ refresh: true })).toBeUndefined();
    expect(statusOf()).toBe("active");
    expect(
      emulator.profiles
        .list(projectId)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["guest", "visitor"]);
    expect(program.messages).toContain(`Project ${projectId} was archived, and is active again.`);
    expect(await program.engine.preview()).toBeUndefined();
  });

  test("a destroy after a refresh makes the project of the stack active, and deletes it with its contents", async () => {
    const { program, emulator, projectId, statusOf, slots } = await deployed();
    emulator.archiveProject(projectId);
    await program.destroy({ refresh: true });
    expect([slots(), statusOf()]).toEqual([[], undefined]);
    expect(program.messages.filter((text) => text.includes("is active again"))).toHaveLength(1);
  });

  test("a destroy does not make a project active that nothing proves to be of the stack, and names the commands", async () => {
    for (const [isOwn, refresh] of [
      [false, true],
      [true, false],
    ] as const) {
      const { program, emulator, projectId, statusOf, deletions } = await deployed({ isOwn });
      emulator.archiveProject(projectId);
      const error = await errorOf(program.destroy({ refresh }));
      expect(error.message).toContain(`(id ${projectId}) is archived`);
      expect(error.message).toContain(`browser-infra projects activate ${projectId}`);
      expect(error.message).toContain('"--refresh"');
      expect(statusOf()).toBe("archived");
      expect(emulator.requests.filter(({ method, status }) => method === "DELETE" && status === 204)).toEqual(
        [],
      );
      expect(deletions()).toBe(1);
    }
  });

  test.each(["archive", "keep"])(
    "a destroy leaves the contents of a project with onDelete %s, and says so once",
    async (onDelete) => {
      const { program, emulator, projectId, statusOf, slots } = await deployed({ onDelete });
      emulator.archiveProject(projectId);
      await program.destroy({ refresh: true });
      expect([slots(), statusOf()]).toEqual([[], "archived"]);
      expect(program.messages.filter((text) => text.includes("stays with everything in it"))).toHaveLength(1);
      emulator.projects.activate(projectId);
      expect(emulator.profiles.list(projectId)).toHaveLength(1);
    },
  );

  test("a preview accepts existing resources, and refuses new resources unless the deployment makes the project active", async () => {
    const { program, emulator, projectId, others } = await deployed({ isOwn: false });
    emulator.archiveProject(projectId);
    const { failures, warnings } = await program.preview(undefined, { others });
    expect([failures, warnings]).toEqual([[], [expect.stringContaining("is archived")]]);
    const visitor: Registered = { type: "Profile", properties: { name: "visitor", projectId } };
    expect((await program.preview(undefined, { others: { ...others, visitor } })).failures).toEqual([
      expect.stringContaining("project_not_found"),
    ]);
    const own = await deployed();
    own.emulator.archiveProject(own.projectId);
    const added = { type: "Profile", properties: { name: "visitor", projectId: own.projectId } } as const;
    const previewed = await own.program.preview(own.project, { others: { ...own.others, added } });
    expect(previewed.failures).toEqual([]);
  });

  test("a change in a project of others is refused with the command, and the project stays archived", async () => {
    const { program, emulator, projectId, others, statusOf } = await deployed({ isOwn: false });
    emulator.archiveProject(projectId);
    const buyer: Registered = { type: "Profile", properties: { name: "guest", projectId }, options: inFirst };
    const guest = { ...others, buyer };
    const { message } = await errorOf(program.up(undefined, { others: guest }));
    expect(message).toContain(`browser-infra projects activate ${projectId}`);
    expect(statusOf()).toBe("archived");
  });

  test("an import and a function name the command that makes the project active", async () => {
    const { program, emulator, projectId } = await deployed({ isOwn: false });
    const { id } = program.storedAs("buyer");
    emulator.archiveProject(projectId);
    const imported = await program.engine.import("Profile", "again", `${projectId}/${id}`);
    expect(imported).toContain(`browser-infra projects activate ${projectId}`);
    const settings = resolveSettings({ configuration: () => undefined, environment: program.environment });
    const client = new BrowserInfraClient(settings);
    const { message } = await errorOf(sendRead("getProfile", { id, projectId }, settings, client));
    expect(message).toContain(`browser-infra projects activate ${projectId}`);
    await client.close();
  });
});

describe("resources in a project that is gone", () => {
  test("a refresh removes the resources from the state, and the next deployment makes all anew", async () => {
    const { program, emulator, projectId, project, slots } = await deployed();
    emulator.projects.remove(projectId);
    await program.refresh();
    expect(slots()).toEqual([]);
    await program.up(project);
    const { id } = program.stored;
    await program.up(project, { others: contentsOf(id) });
    expect(emulator.profiles.list(id)).toHaveLength(1);
  });

  test("a destroy succeeds without a refresh", async () => {
    const { program, emulator, projectId, slots } = await deployed();
    emulator.projects.remove(projectId);
    await program.destroy();
    expect(slots()).toEqual([]);
  });

  test("an import says that the project is gone", async () => {
    const { program, emulator, projectId } = await deployed({ isOwn: false });
    const { id } = program.storedAs("buyer");
    emulator.projects.remove(projectId);
    expect(await program.engine.import("Profile", "again", `${projectId}/${id}`)).toContain(
      `No project has the id ${projectId} now.`,
    );
  });
});

test("a refusal because the organization has no projects any more proves nothing, and nothing is gone", async () => {
  const runs = new ProviderRuns(await newEmulator());
  const { id: projectId } = runs.emulator.createProject({ name: "web" });
  const created = await runs.createAll("Profile", [{ name: "buyer", projectId }]);
  const answer = { status: 404, body: { code: "projects_disabled", message: "Projects are disabled." } };
  runs.emulator.faults.add({ at: "before-commit", times: Number.POSITIVE_INFINITY, action: { answer } });
  expect(await errorOf(runs.readAll("Profile", created))).toMatchObject({ serviceCode: "projects_disabled" });
});

describe("resources that use an object that somebody else has deleted", () => {
  /** A stack with a profile, an extension and a proxy, and with a pool and a connection that use the three. */
  async function dependents() {
    const { program, emulator, project, projectId } = await deployed();
    const idOf = (name: string) => program.storedAs(name).id;
    const contents = contentsOf(projectId);
    /** The pool has the ids in the state, as an output of a program would. */
    const deploy = () => {
      const uses = { profileName: "buyer", extensionIds: [idOf("reader")], proxyId: idOf("exit") };
      const properties = { ...contents.crew?.properties, ...uses };
      const crew: Registered = { type: "BrowserPool", properties, options: inFirst };
      return program.up(project, { others: { ...contents, crew } });
    };
    await deploy();
    return { program, emulator, projectId, idOf, deploy };
  }

  test.each([
    ["profile", "buyer", ({ profiles }: Emulator, id: string) => profiles.remove(id)],
    [
      "extension",
      "reader",
      ({ extensions }: Emulator, id: string, projectId: string) => extensions.remove(id, projectId),
    ],
    ["proxy", "exit", ({ proxies }: Emulator, id: string) => proxies.remove(id)],
  ])(
    "a deployment makes a deleted %s again, and the pool and the connection go on",
    async (_noun, name, remove) => {
      const { program, emulator, projectId, idOf, deploy } = await dependents();
      const old = idOf(name);
      remove(emulator, old, projectId);
      await program.refresh();
      expect(program.engine.find(name)).toBeUndefined();
      await program.up({ name: "web" }, { others: contentsOf(projectId) });
      await deploy();
      expect(idOf(name)).not.toBe(old);
      const [pool] = emulator.browserPools.list(projectId);
      expect(pool).toMatchObject({
        profile: { name: "buyer" },
        proxyId: idOf("exit"),
        extensions: [{ id: idOf("reader") }],
      });
      expect(emulator.authConnections.list(projectId)).toHaveLength(1);
    },
  );

  test("a destroy succeeds without a refresh, whatever was deleted before", async () => {
    const { program, emulator, projectId, idOf } = await dependents();
    emulator.profiles.remove(idOf("buyer"));
    emulator.extensions.remove(idOf("reader"), projectId);
    emulator.proxies.remove(idOf("exit"));
    await program.destroy();
    expect(emulator.projects.list().map(({ id }) => id)).not.toContain(projectId);
  });

  test("a project with a profile that a connection has made stays in a destroy, and the error names the profile", async () => {
    const program = await PlayedProgram.start("Project");
    await program.up({ name: "web" });
    const { id: projectId } = program.stored;
    const properties = { domain: "shop.example", profileName: "buyer", projectId };
    await program.up({ name: "web" }, { others: { shop: { type: "AuthConnection", properties } } });
    expect((await errorOf(program.destroy())).message).toMatch(
      /is not empty: it has 1 profile \("buyer"\).+An auth connection makes a profile that does not exist/,
    );
    program.emulator.profiles.remove(program.emulator.profiles.list(projectId)[0]?.id ?? "");
    await program.destroy();
    expect(program.engine.state).toEqual([]);
  });
});
