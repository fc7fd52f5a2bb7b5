import { KeyProgram } from "./keys.js";

describe("the name of a new API key", () => {
  let program: KeyProgram;

  beforeEach(async () => {
    program = await KeyProgram.start();
  });

  test("a key that kept its one-time name is renamed by the next deployment, and keeps its secret", async () => {
    program.refuse("PATCH", 400);
    await program.up({ name: "agents" });
    const { id, outputs } = program.stored;
    expect(outputs.name).toMatch(/^agents-[0-9a-f]{16}$/);
    expect(program.messages).toEqual([
      expect.stringMatching(/was created, but is still called "agents-.*refused by a fault/),
    ]);
    // The inputs are the same, so the engine itself would find no difference.
    expect(await program.up({ name: "agents" })).toBe("update");
    expect(program.stored.outputs).toMatchObject({ name: "agents", keyId: id, key: outputs.key });
    expect(program.stored.outputs).not.toHaveProperty("unfinished");
    await program.expectSettled({ name: "agents" });
  });

  test.each([
    ["255 letters", "a".repeat(255)],
    ["127 letters of two bytes", "ü".repeat(127)],
  ])("an API key may have the longest name, of %s", async (_what, name) => {
    await program.up({ name });
    expect(program.stored.outputs.name).toBe(name);
    expect(program.records().find(({ id }) => id === program.keyId)?.name).toBe(name);
  });
});
