import { bridges } from "../provider-process.js";
import { Session } from "./session.js";

describe.each(bridges)("the limits of a project through the %s bridge", (bridge) => {
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

  test("a limit of null removes the cap, and an undeclared limit stays unchanged", async () => {
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
    await again.update(created, other);
    expect(limitsOf(projectId)).toEqual([3, 9]);
  });
});
