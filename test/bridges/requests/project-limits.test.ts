import { own } from "../played-resource.js";
import { bridges } from "../provider-process.js";
import { Session } from "./session.js";

describe.each(bridges)("the limits of a project, through the %s bridge,", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(() => session.reset());

  const limitsOf = (id: string) => {
    const found = session.emulator.projects.list().find((project) => project.id === id);
    return [found?.limits.maxConcurrentSessions, found?.limits.maxConcurrentInvocations];
  };

  test("tell one that is null from one that is left out", async () => {
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
});
