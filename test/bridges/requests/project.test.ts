import { own } from "../played-resource.js";
import { bridges } from "../provider-process.js";
import { failureOf, Session } from "./session.js";

describe.each(bridges)("a project and its limits, through the %s bridge,", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(async () => {
    await session.reset();
    for (const { id } of session.emulator.projects.list()) {
      if (id !== session.emulator.defaultProject.id) {
        session.emulator.projects.remove(id);
      }
    }
  });

  const find = (id: string) => session.emulator.projects.list().find((project) => project.id === id);
  const limitsOf = (id: string) => {
    const { maxConcurrentSessions, maxConcurrentInvocations } = find(id)?.limits ?? {};
    return [maxConcurrentSessions, maxConcurrentInvocations];
  };

  test("is created, found unchanged, renamed, found to have drifted, and deleted", async () => {
    const created = await session.resource("Project").deploy({ name: "web" });
    expect(created.outputs).toMatchObject({ name: "web", status: "active", onDelete: "delete" });
    expect(find(created.id)?.name).toBe("web");

    await session.nextRun();
    const again = session.resource("Project");
    const same = await again.accepted({ name: "web" }, created.inputs);
    expect(await again.diff(created, same)).toMatchObject({ changes: "none" });

    await session.nextRun();
    const renaming = session.resource("Project");
    const inputs = await renaming.accepted({ name: "shop" }, created.inputs);
    expect(await renaming.diff(created, inputs)).toMatchObject({ replaces: [] });
    const renamed = await renaming.update(created, inputs);
    expect(renamed.outputs).toMatchObject({ name: "shop" });

    await session.nextRun();
    session.emulator.projects.rename(created.id, "drifted");
    session.emulator.archiveProject(created.id);
    const drifted = await session.resource("Project").read(renamed);
    expect(own(drifted?.inputs ?? {})).toEqual({ name: "drifted", status: "archived", onDelete: "delete" });

    await session.nextRun();
    await session.resource("Project").delete(renamed);
    expect(find(created.id)).toBeUndefined();
    expect(await session.resource("Project").read(renamed)).toBeUndefined();
  });

  test("gets an automatic name, and keeps it", async () => {
    const created = await session.resource("Project").deploy({});
    expect(created.outputs.name).toMatch(/^reader-[0-9a-f]{7}$/);
    await session.nextRun();
    const again = session.resource("Project");
    expect(await again.diff(created, await again.accepted({}, created.inputs))).toMatchObject({
      changes: "none",
    });
  });

  test("says what is in it when it cannot be deleted", async () => {
    const created = await session.resource("Project").deploy({ name: "web" });
    await session.nextRun();
    session.emulator.authConnections.create({
      domain: "example.com",
      profileName: "work",
      projectId: created.id,
    });
    const { message } = await failureOf(session.resource("Project").delete(created));
    expect(message).toContain('it is not empty: it has 1 auth connection ("example.com")');
  });

  test("tells a limit that is null from one that is left out", async () => {
    const { id: projectId } = session.emulator.createProject({
      name: "web",
      limits: { maxConcurrentSessions: 3, maxConcurrentInvocations: 4 },
    });
    const created = await session
      .resource("ProjectLimits")
      .deploy({ projectId, maxConcurrentSessions: null });
    expect(created.id).toBe(projectId);
    expect(limitsOf(projectId)).toEqual([null, 4]);

    await session.nextRun();
    const again = session.resource("ProjectLimits");
    const same = await again.accepted({ projectId, maxConcurrentSessions: null }, created.inputs);
    expect(await again.diff(created, same)).toMatchObject({ changes: "none" });
    const other = await again.accepted({ projectId, maxConcurrentInvocations: 9 }, created.inputs);
    expect(await again.diff(created, other)).toMatchObject({ replaces: [] });
    const updated = await again.update(created, other);
    expect(limitsOf(projectId)).toEqual([3, 9]);

    await session.nextRun();
    session.emulator.projects.setLimits(projectId, { maxConcurrentInvocations: 1 });
    const drifted = await session.resource("ProjectLimits").read(updated);
    expect(own(drifted?.inputs ?? {})).toMatchObject({ maxConcurrentInvocations: 1 });
    session.emulator.projects.setLimits(projectId, { maxConcurrentInvocations: 9 });

    await session.nextRun();
    await session.resource("ProjectLimits").delete(updated);
    expect(limitsOf(projectId)).toEqual([3, 4]);
  });

  test("refuses a limit of 0 with the reason, and in a preview a project that does not exist", async () => {
    const limits = session.resource("ProjectLimits");
    const { failures } = await limits.check({ projectId: "proj_1", maxConcurrentSessions: 0 });
    expect(failures).toMatchObject([{ property: "maxConcurrentSessions" }]);
    const refusals = await limits.previewRefusals({ projectId: "nowhere", maxConcurrentSessions: 5 });
    expect(refusals).toEqual([expect.stringContaining('There is no project "nowhere"')]);
  });
});
