import { unknownMarker } from "../../../src/bridges/wire-values.js";
import { LimitsProgram } from "./limits.js";

describe("the limits of a project", () => {
  let program: LimitsProgram;
  let projectId: string;

  beforeEach(async () => {
    program = await LimitsProgram.start();
    ({ projectId } = program);
  });

  test("declared limits of a project are set and restored, and undeclared limits stay unchanged", async () => {
    await program.set({ maxConcurrentSessions: 9 });
    expect(program.limits()).toEqual([9, 4]);
    expect(program.stored).toMatchObject({
      id: projectId,
      outputs: {
        projectId,
        maxConcurrentSessions: 9,
        onDelete: "restore",
        previous: { maxConcurrentSessions: 3 },
      },
    });
    program.setOutside({ maxConcurrentInvocations: 8 });
    await program.destroy();
    expect(program.limits()).toEqual([3, 8]);
  });

  test("the previous value of a limit is the value at the first declaration", async () => {
    await program.set({ maxConcurrentSessions: 9 });
    program.setOutside({ maxConcurrentInvocations: 8 });
    await program.set({ maxConcurrentSessions: 9, maxConcurrentInvocations: 20 });
    expect(program.limits()).toEqual([9, 20]);
    await program.destroy();
    expect(program.limits()).toEqual([3, 8]);
  });

  test("a limit of null removes the cap, and an undeclared limit returns to the previous value", async () => {
    await program.set({ maxConcurrentSessions: null, maxConcurrentInvocations: 7 });
    expect(program.limits()).toEqual([null, 7]);
    expect(await program.set({ maxConcurrentSessions: null, maxConcurrentInvocations: 7 })).toBe("same");
    await program.set({ maxConcurrentInvocations: 7 });
    expect(program.limits()).toEqual([3, 7]);
    expect(await program.set({ maxConcurrentInvocations: 7 })).toBe("same");
    await program.set({ maxConcurrentInvocations: null });
    expect(program.limits()).toEqual([3, null]);
  });

  test("the input uncapped removes a cap like null, for languages without null", async () => {
    await program.set({ uncapped: ["maxConcurrentSessions"], maxConcurrentInvocations: 7 });
    expect(program.limits()).toEqual([null, 7]);
    expect(await program.set({ maxConcurrentSessions: null, maxConcurrentInvocations: 7 })).toBe("same");
    await program.set({ maxConcurrentSessions: 8, maxConcurrentInvocations: 7 });
    expect(program.limits()).toEqual([8, 7]);
    await program.destroy();
    expect(program.limits()).toEqual([3, 4]);
  });

  test("the option ignoreChanges keeps a limit of null if uncapped is ignored too", async () => {
    await program.set({ maxConcurrentSessions: null, maxConcurrentInvocations: 7 });
    expect(await program.set({ maxConcurrentInvocations: 7, uncapped: ["maxConcurrentSessions"] })).toBe(
      "same",
    );
  });

  test('limits stay with onDelete "keep", also a limit that leaves the program', async () => {
    await program.set({ maxConcurrentSessions: 9, maxConcurrentInvocations: 7, onDelete: "keep" });
    await program.set({ maxConcurrentSessions: 9, onDelete: "keep" });
    expect(program.limits()).toEqual([9, 7]);
    await program.destroy();
    expect(program.limits()).toEqual([9, 7]);
  });

  test.each([
    [{ maxConcurrentSessions: 0 }, "maxConcurrentSessions", 'the service reads 0 as "no cap"'],
    [{ maxConcurrentSessions: -1 }, "maxConcurrentSessions", "whole number of at least 1"],
    [{ maxConcurrentInvocations: 1.5 }, "maxConcurrentInvocations", "whole number of at least 1"],
    [{ maxConcurrentInvocations: "5" }, "maxConcurrentInvocations", "whole number of at least 1"],
    [{}, "", "needs at least one of"],
    [{ uncapped: [] }, "", "needs at least one of"],
    [{ uncapped: ["maxPooledSessions"] }, "uncapped", "must be a list of limits"],
    [
      { maxConcurrentSessions: 1, uncapped: ["maxConcurrentSessions"] },
      "maxConcurrentSessions",
      "Remove one of the two.",
    ],
    [{ maxConcurrentSessions: 1, maxPooledSessions: 2 }, "", 'has no input "maxPooledSessions"'],
    [{ maxConcurrentSessions: 1, onDelete: "delete" }, "onDelete", '"restore"'],
    [{ maxConcurrentSessions: 1, projectId: "" }, "projectId", "the id of the project"],
    [{ maxConcurrentSessions: 1, projectId: "no\nid" }, "projectId", "projectId"],
  ])(
    "project limits are refused before any request when the inputs are %j",
    async (news, property, reason) => {
      const failures = await program.failures({ projectId, ...news });
      expect(failures).toEqual([expect.stringContaining(reason)]);
      expect(failures[0]?.startsWith(`${property}: `)).toBe(true);
      expect(program.emulator.requests).toEqual([]);
    },
  );

  test("all mistakes in the inputs of project limits are reported at once", async () => {
    const failures = await program.failures({ projectId: 5, maxConcurrentSessions: 0, onDelete: "x" });
    expect(failures.map((failure) => failure.split(":")[0])).toEqual([
      "projectId",
      "maxConcurrentSessions",
      "onDelete",
    ]);
    expect(await program.failures({ projectId, uncapped: unknownMarker })).toEqual([]);
  });

  test.each(["nowhere", "web"])(
    "the projectId %j, which is no project's id, is refused before any write",
    async (id) => {
      const declared = { projectId: id, maxConcurrentSessions: 5 };
      const { failures } = await program.preview(declared);
      expect(failures).toEqual([expect.stringContaining(`There is no project "${id}"`)]);
      await expect(program.up(declared)).rejects.toThrow(`There is no project "${id}"`);
      expect(program.writes).toEqual([]);
      expect(program.limits()).toEqual([3, 4]);
    },
  );

  test("limits changed elsewhere are reported by property, and only declared limits are corrected", async () => {
    await program.set({ maxConcurrentSessions: 9 });
    program.setOutside({ maxConcurrentSessions: null, maxConcurrentInvocations: 1 });
    await program.refresh();
    expect(program.stored.inputs).toEqual({
      projectId,
      uncapped: ["maxConcurrentSessions"],
      onDelete: "restore",
    });
    expect(program.messages).toEqual([
      expect.stringContaining("from maxConcurrentSessions 9 to maxConcurrentSessions no cap"),
    ]);
    await program.set({ maxConcurrentSessions: 9 });
    expect(program.limits()).toEqual([9, 1]);
    await program.destroy();
    expect(program.limits()).toEqual([3, 1]);
  });

  test("project limits are imported by the project's id, with every cap, and stay after a destroy", async () => {
    program.setOutside({ maxConcurrentInvocations: null });
    await program.import(projectId);
    expect(program.stored.inputs).toEqual({
      projectId,
      maxConcurrentSessions: 3,
      uncapped: ["maxConcurrentInvocations"],
      onDelete: "restore",
    });
    expect(await program.set({ maxConcurrentSessions: 3, maxConcurrentInvocations: null })).toBe("same");
    await program.destroy();
    expect(program.limits()).toEqual([3, null]);
  });
});
