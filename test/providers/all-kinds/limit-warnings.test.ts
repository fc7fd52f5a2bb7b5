import { PlayedProgram } from "../played-program.js";

describe("a preview that knows the limits of the program", () => {
  let program: PlayedProgram;
  let projectId: string;

  beforeEach(async () => {
    program = await PlayedProgram.start("BrowserPool");
    projectId = program.emulator.createProject({ name: "shop" }).id;
  });

  const pool = (name: string, size: number) => ({ name, size, projectId });
  const limits = (maxConcurrentSessions: number) =>
    ({ type: "ProjectLimits", properties: { projectId, maxConcurrentSessions } }) as const;

  test("a preview warns of a pool that is larger than the limit of the program, and names both", async () => {
    const { warnings, failures } = await program.preview(pool("crew", 7), { others: { caps: limits(5) } });
    expect(warnings).toEqual([
      'The browser pool "agents" (7) reserves 7 browsers, and the limit maxConcurrentSessions of "caps" is 5. The service may refuse this deployment.',
    ]);
    expect(failures).toEqual([]);
  });

  test("a preview warns once of pools that are too large together, in the same project only", async () => {
    const others = {
      caps: limits(5),
      two: pool("two", 3),
      three: pool("three", 9),
      far: { name: "far", size: 9 },
    };
    const { warnings } = await program.preview(pool("one", 4), { others });
    expect(warnings).toEqual([
      'The browser pools "agents" (4), "two" (3) reserve 7 browsers, and the limit maxConcurrentSessions of "caps" is 5. The service may refuse this deployment.',
    ]);
  });

  test("a preview warns of a limit below the pools that the project has, with their names", async () => {
    program.emulator.browserPools.create({ name: "old", size: 6, projectId });
    const { warnings } = await program.preview(undefined, { others: { caps: limits(5) } });
    expect(warnings).toEqual([
      `The limit maxConcurrentSessions of "caps" is 5, and the browser pools of project ${projectId} reserve 6 browsers now: "old" (6).`,
    ]);
  });

  test("a preview does not warn of pools that fit, nor of what was deployed before", async () => {
    const others = { caps: limits(5) };
    expect((await program.preview(pool("crew", 5), { others })).warnings).toEqual([]);
    await program.up(pool("crew", 7));
    await program.up(pool("crew", 7), { others }).catch(() => undefined);
    expect((await program.preview(pool("crew", 7), { others })).warnings).toEqual([]);
    expect((await program.preview(pool("crew", 8), { others })).warnings).toHaveLength(1);
  });

  test("the error of a pool above the limit names the limit, and neither the key nor the plan", async () => {
    program.emulator.projects.setLimits(projectId, { maxConcurrentSessions: 2 });
    const error = await program.up(pool("crew", 7)).catch((thrown: Error) => thrown.message);
    expect(error).toContain("allows 2 concurrent sessions");
    expect(error).toContain("raise the limit");
    expect(error).not.toMatch(/API key|plan/);
  });

  test.each([400, 403, 409, 413, 422])(
    "general advice for status %d is not appended to a specific code",
    async (status) => {
      const say = async (code: string) => {
        const answer = { status, body: { code, message: "No" } };
        const played = await PlayedProgram.start("Profile");
        played.emulator.faults.add({ method: "POST", at: "before-commit", action: { answer } });
        return String(await played.up({ name: "a" }).catch((error: Error) => error.message));
      };
      const specific = await say("pool_is_blue");
      expect(specific).toMatch(/failed: \d+ pool_is_blue, No\./);
      expect(specific).not.toMatch(/Fix what|organization's plan|Make the archive/);
    },
  );
});
