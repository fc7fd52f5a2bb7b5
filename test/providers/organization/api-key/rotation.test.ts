import { apiKeyKind } from "../../../../src/providers/organization/api-key/api-key.js";
import { errorOf } from "../../../support/error-of.js";
import { dayMs, KeyProgram } from "./keys.js";

const refusedOnce = {
  at: "before-commit",
  action: { answer: { status: 403, body: { code: "refused", message: "refused by a fault" } } },
} as const;

describe("the rotation of an API key", () => {
  let program: KeyProgram;

  beforeEach(async () => {
    program = await KeyProgram.start();
  });

  const up = (news: object) => program.up({ name: "agents", ...news });
  const previousKeys = () => program.stored.outputs.previousKeys;

  test("with rotateBeforeDays 10, a deployment nine days before expiry rotates the key, and the next changes nothing", async () => {
    const { clock } = program.emulator;
    const news = { name: "agents", daysToExpire: 30, rotateBeforeDays: 10 };
    clock.advance(-21 * dayMs);
    await up(news);
    const { id, outputs } = program.stored;
    clock.set(null);

    expect((await program.preview(news)).steps).toEqual(["update agents"]);
    expect(program.messages).toEqual([
      expect.stringMatching(
        /^This deployment rotates API key \w+: it expires in 8 days, on \S+, and "rotateBeforeDays" is 10\.$/,
      ),
    ]);
    await up(news);
    const rotated = program.stored.outputs;
    expect(program.stored.id).toBe(id);
    expect(rotated.keyId).not.toBe(id);
    expect(rotated.key).not.toBe(outputs.key);
    expect(rotated.previousKeys).toEqual([{ id, expiresAt: expect.any(String) }]);
    expect(Date.parse(String(rotated.expiresAt)) - Date.now()).toBeGreaterThan(29 * dayMs);

    for (const [days, status] of [
      [0, 200],
      [6.9, 200],
      [0.2, 401],
    ] as const) {
      clock.advance(days * dayMs);
      expect(await program.statusWith(outputs.key)).toBe(status);
      expect(await program.statusWith(rotated.key)).toBe(200);
    }
    expect(await up(news)).toBe("same");
  });

  test("with rotateBeforeDays 10, a deployment eleven days before expiry rotates nothing", async () => {
    const news = { daysToExpire: 30, rotateBeforeDays: 10 };
    program.emulator.clock.advance(-19 * dayMs);
    await up(news);
    expect(await up(news)).toBe("same");
  });

  test("a key past its daysToExpire is rotated", async () => {
    const news = { daysToExpire: 30, rotateBeforeDays: 10 };
    program.emulator.clock.advance(-40 * dayMs);
    await up(news);
    program.emulator.clock.set(null);
    expect(await program.statusWith()).toBe(401);
    await up(news);
    expect(await program.statusWith()).toBe(200);
    // The grace period would outlast the old key, and an expired key would only fill the list.
    expect(previousKeys()).toEqual([]);
    expect(program.live()).toEqual([program.keyId]);
  });

  test("a change of the triggers rotates the key, together with a rename", async () => {
    await up({ triggers: ["2026-01"] });
    const { id } = program.stored;
    expect(await up({ name: "people", triggers: ["2026-02"] })).toBe("update");
    expect(program.stored.outputs).toMatchObject({ name: "people", triggers: ["2026-02"] });
    expect(program.live("people")).toEqual([id, program.keyId].sort());
  });

  test("an imported key has its secret after its first rotation", async () => {
    const { id } = program.emulator.createApiKey({ name: "agents" });
    await program.import(id);
    expect(await up({ triggers: ["2026-01"] })).toBe("update");
    expect(program.stored.id).toBe(id);
    expect(await program.statusWith()).toBe(200);
    expect(previousKeys()).toEqual([{ id, expiresAt: expect.any(String) }]);
    expect(program.live()).toEqual([id, program.keyId].sort());
    expect(await up({ triggers: ["2026-01"] })).toBe("same");
  });

  test.each([
    [undefined, 7],
    [0, 0],
    [30, 30],
  ])("with keepOldKeyDays %p, the old key works for %d days", async (keepOldKeyDays, days) => {
    const grace = keepOldKeyDays === undefined ? {} : { keepOldKeyDays };
    await up({ triggers: ["1"], ...grace });
    const { key } = program.stored.outputs;
    await up({ triggers: ["2"], ...grace });
    program.emulator.clock.advance(days * dayMs - 60_000);
    expect(await program.statusWith(key)).toBe(days === 0 ? 401 : 200);
    program.emulator.clock.advance(120_000);
    expect(await program.statusWith(key)).toBe(401);
    expect(await program.statusWith()).toBe(200);
  });

  test("without keepOldKeyDays, an old key works as long as a new key that lives shorter than a week", async () => {
    await up({ daysToExpire: 30 });
    const { key } = program.stored.outputs;
    await up({ daysToExpire: 3 });
    program.emulator.clock.advance(3 * dayMs - 60_000);
    expect([await program.statusWith(key), await program.statusWith()]).toEqual([200, 200]);
    program.emulator.clock.advance(120_000);
    expect([await program.statusWith(key), await program.statusWith()]).toEqual([401, 401]);
  });

  test("a key that lives shorter than a week gets a working successor when the triggers change", async () => {
    await up({ daysToExpire: 3, triggers: ["1"] });
    await up({ daysToExpire: 3, triggers: ["2"] });
    expect(await program.statusWith()).toBe(200);
  });

  test("triggers that leave the program rotate the key once", async () => {
    await up({ triggers: ["1"] });
    await up({});
    expect(program.keyId).not.toBe(program.stored.id);
    expect(await up({})).toBe("same");
  });

  test("a different lifetime rotates the key, and a different grace period sends nothing", async () => {
    await up({ daysToExpire: 30 });
    await up({ daysToExpire: 60 });
    const { outputs } = program.stored;
    expect(Date.parse(String(outputs.expiresAt)) - Date.now()).toBeGreaterThan(59 * dayMs);
    const { writes } = program;
    await up({ daysToExpire: 60, keepOldKeyDays: 1 });
    expect(program.writes).toEqual(writes);
    expect(program.stored.outputs).toEqual({ ...outputs, keepOldKeyDays: 1 });
  });

  test("the old keys of two rotations are remembered, and deleted with the resource", async () => {
    await up({ triggers: ["1"] });
    const { keyId: first } = program;
    await up({ triggers: ["2"] });
    const { keyId: second } = program;
    await up({ triggers: ["3"] });
    expect(previousKeys()).toMatchObject([{ id: first }, { id: second }]);
    expect(program.live()).toHaveLength(3);
    await program.destroy();
    expect(program.live()).toEqual([]);
  });

  test("a destroy that ends halfway, a refresh and a second destroy leave no old key", async () => {
    await up({ triggers: ["1"] });
    const { keyId: first } = program;
    await up({ triggers: ["2"] });
    for (const id of [first, program.keyId]) {
      program.emulator.faults.add({ method: "DELETE", path: `/org/api_keys/${id}`, ...refusedOnce });
      expect(await errorOf(program.destroy())).toMatchObject({ code: "refused" });
      await program.refresh();
    }
    await program.destroy();
    expect(program.live()).toEqual([]);
    expect(program.warnings).toEqual([]);
  });

  test("an old key past its grace period stays in the state until a rotation can delete the key", async () => {
    program.emulator.clock.advance(-10 * dayMs);
    await up({ keepOldKeyDays: 1, triggers: ["1"] });
    const { keyId: first } = program;
    program.refuse("DELETE");
    await up({ keepOldKeyDays: 1, triggers: ["2"] });
    expect(previousKeys()).toMatchObject([{ id: first }]);
    expect(program.live()).toContain(first);
    await up({ keepOldKeyDays: 1, triggers: ["3"] });
    expect(previousKeys()).toEqual([]);
    expect(program.live()).toEqual([program.keyId]);
  });

  test("a preview knows that a rotation changes the outputs of the key, and that a rename does not", () => {
    const olds = { name: "agents", triggers: ["1"], keyId: "key", previousKeys: [] };
    const unknown = (news: { name: string; triggers: string[] }) =>
      apiKeyKind.lifecycle().unknownAfterUpdate?.({ id: "key", olds, news });
    expect(unknown({ name: "people", triggers: ["1"] })).toEqual([]);
    expect(unknown({ name: "agents", triggers: ["2"] })).toContain("key");
  });

  test("a deleted key is replaced by a new key instead of rotated", async () => {
    await up({ triggers: ["1"] });
    const { id } = program.stored;
    program.emulator.apiKeyRecords.remove(id);
    await up({ triggers: ["2"] });
    expect(program.live()).toEqual([program.keyId]);
    expect(previousKeys()).toEqual([]);
    expect(program.messages).toContain(`API key ${id} is gone, so a new key is created.`);
  });

  test("the key that the deployment uses is never rotated", async () => {
    const [own] = program.records();
    await program.import(String(own?.id));
    const error = await errorOf(up({ name: own?.name, triggers: ["2"] }));
    expect(error).toMatchObject({ code: "own_api_key" });
    expect(error.message).toContain('remove the inputs that cause the rotation ("triggers"');
    expect(program.writes).toEqual([]);
  });
});
