import { errorOf } from "../../support/error-of.js";
import { dayMs, PlayedKey } from "./played-key.js";

describe("the rotation of an API key", () => {
  let played: PlayedKey;

  beforeEach(async () => {
    played = await PlayedKey.start();
  });

  afterEach(() => played.emulator.close());

  test("nine days before expiry, one deployment rotates, and the next one has nothing to do", async () => {
    const { clock } = played.emulator;
    const news = { name: "agents", daysToExpire: 30, rotateBeforeDays: 10 };
    clock.advance(-21 * dayMs);
    const state = await played.create(news);
    await played.end();
    clock.set(null);

    expect(await played.compared(state, news)).toEqual({ changes: true });
    expect(played.messages).toEqual([
      expect.stringMatching(
        /^This deployment rotates API key \w+: it expires in 8 days, on \S+, and "rotateBeforeDays" is 10\.$/,
      ),
    ]);
    const rotated = await played.deploy(state, news);
    expect(rotated.id).toBe(state.id);
    expect(rotated.outputs.keyId).not.toBe(state.id);
    expect(rotated.outputs.key).not.toBe(state.outputs.key);
    expect(rotated.outputs.previousKeys).toEqual([{ id: state.id, expiresAt: expect.any(String) }]);
    expect(Date.parse(String(rotated.outputs.expiresAt)) - Date.now()).toBeGreaterThan(29 * dayMs);
    await played.end();

    expect(await played.statusWith(state.outputs.key)).toBe(200);
    expect(await played.statusWith(rotated.outputs.key)).toBe(200);
    clock.advance(6.9 * dayMs);
    expect(await played.statusWith(state.outputs.key)).toBe(200);
    clock.advance(0.2 * dayMs);
    expect(await played.statusWith(state.outputs.key)).toBe(401);
    expect(await played.statusWith(rotated.outputs.key)).toBe(200);
    expect(await played.compared(rotated, news)).toEqual({ changes: false });
  });

  test("eleven days before expiry, nothing is rotated", async () => {
    const news = { name: "agents", daysToExpire: 30, rotateBeforeDays: 10 };
    played.emulator.clock.advance(-19 * dayMs);
    const state = await played.create(news);
    await played.end();
    expect(await played.compared(state, news)).toEqual({ changes: false });
  });

  test("an expired key is rotated", async () => {
    const news = { name: "agents", daysToExpire: 30, rotateBeforeDays: 10 };
    played.emulator.clock.advance(-40 * dayMs);
    const state = await played.create(news);
    played.emulator.clock.set(null);
    expect(await played.statusWith(state.outputs.key)).toBe(401);
    const rotated = await played.deploy(state, news);
    expect(await played.statusWith(rotated.outputs.key)).toBe(200);
    // Its grace would outlive its own expiry, and what has expired already only fills the list.
    expect(rotated.outputs.previousKeys).toEqual([]);
    expect(played.live("agents")).toEqual([rotated.outputs.keyId]);
  });

  test("a change of the triggers rotates, and the first rename goes with it", async () => {
    const state = await played.create({ name: "agents", triggers: ["2026-01"] });
    const news = { name: "people", triggers: ["2026-02"] };
    expect(await played.compared(state, news)).toEqual({ changes: true });
    const rotated = await played.deploy(state, news);
    expect(rotated.outputs).toMatchObject({ name: "people", triggers: ["2026-02"] });
    expect(played.live("people").sort()).toEqual([state.id, String(rotated.outputs.keyId)].sort());
  });

  test("an imported key has its secret after its first rotation", async () => {
    const { id } = played.emulator.createApiKey({ name: "agents" });
    const read = await played.lifecycle.read({ id, state: {}, isImport: true }, played.context());
    const imported = { id, inputs: read?.inputs ?? {}, outputs: read?.outputs ?? {}, memo: read?.memo };
    const news = { name: "agents", triggers: ["2026-01"] };
    expect(await played.compared(imported, news)).toEqual({ changes: true });
    const rotated = await played.deploy(imported, news);
    expect(rotated.id).toBe(id);
    expect(await played.statusWith(rotated.outputs.key)).toBe(200);
    expect(rotated.outputs.previousKeys).toEqual([{ id, expiresAt: expect.any(String) }]);
    expect(played.live("agents").sort()).toEqual([id, String(rotated.outputs.keyId)].sort());
    await played.end();
    expect(await played.compared(rotated, news)).toEqual({ changes: false });
  });

  test.each([
    [undefined, 7],
    [0, 0],
    [30, 30],
  ])("with keepOldKeyDays %p, the old key works for %d days", async (keepOldKeyDays, days) => {
    const grace = keepOldKeyDays === undefined ? {} : { keepOldKeyDays };
    const state = await played.create({ triggers: ["1"], ...grace });
    const rotated = await played.deploy(state, { triggers: ["2"], ...grace });
    played.emulator.clock.advance(days * dayMs - 60_000);
    expect(await played.statusWith(state.outputs.key)).toBe(days === 0 ? 401 : 200);
    played.emulator.clock.advance(120_000);
    expect(await played.statusWith(state.outputs.key)).toBe(401);
    expect(await played.statusWith(rotated.outputs.key)).toBe(200);
  });

  test("the default grace of a key that lives shorter than a week is its life", async () => {
    const state = await played.create({ daysToExpire: 3, triggers: ["1"] });
    const rotated = await played.deploy(state, { daysToExpire: 3, triggers: ["2"] });
    expect(await played.statusWith(rotated.outputs.key)).toBe(200);
  });

  test("triggers that the program no longer gives rotate once", async () => {
    const state = await played.create({ name: "agents", triggers: ["1"] });
    const rotated = await played.deploy(state, { name: "agents" });
    expect(rotated.outputs.keyId).not.toBe(state.id);
    await played.end();
    expect(await played.compared(rotated, { name: "agents" })).toEqual({ changes: false });
  });

  test("another lifetime rotates, and another grace sends nothing", async () => {
    const state = await played.create({ name: "agents", daysToExpire: 30 });
    const rotated = await played.deploy(state, { name: "agents", daysToExpire: 60 });
    expect(Date.parse(String(rotated.outputs.expiresAt)) - Date.now()).toBeGreaterThan(59 * dayMs);
    const writes = played.sent("POST").length;
    const changed = await played.deploy(rotated, { name: "agents", daysToExpire: 60, keepOldKeyDays: 1 });
    expect(played.sent("POST")).toHaveLength(writes);
    expect(changed.outputs).toEqual({ ...rotated.outputs, keepOldKeyDays: 1 });
  });

  test("the old keys of two rotations are remembered, and deleted with the resource", async () => {
    const first = await played.create({ name: "agents", triggers: ["1"] });
    const second = await played.deploy(first, { name: "agents", triggers: ["2"] });
    const third = await played.deploy(second, { name: "agents", triggers: ["3"] });
    expect(third.outputs.previousKeys).toMatchObject([{ id: first.id }, { id: second.outputs.keyId }]);
    expect(played.live("agents")).toHaveLength(3);
    await played.remove(third);
    expect(played.live("agents")).toEqual([]);
  });

  test("an old key whose grace is over stays remembered until a rotation can delete it", async () => {
    const { clock, faults } = played.emulator;
    clock.advance(-10 * dayMs);
    const news = { name: "agents", keepOldKeyDays: 1 };
    const first = await played.create({ ...news, triggers: ["1"] });
    faults.add({ method: "DELETE", at: "before-commit", action: { answer: { status: 403 } } });
    const second = await played.deploy(first, { ...news, triggers: ["2"] });
    expect(second.outputs.previousKeys).toMatchObject([{ id: first.id }]);
    expect(played.live("agents")).toContain(first.id);
    faults.clear();
    const third = await played.deploy(second, { ...news, triggers: ["3"] });
    expect(third.outputs.previousKeys).toEqual([]);
    expect(played.live("agents")).toEqual([third.outputs.keyId]);
  });

  test("a preview knows that a rotation changes the outputs of the key, and that a rename does not", async () => {
    const state = await played.create({ name: "agents", triggers: ["1"] });
    const request = (news: object) => ({ id: state.id, olds: state.outputs, news: { ...news } });
    expect(played.lifecycle.unknownAfterUpdate(request({ name: "people", triggers: ["1"] }))).toEqual([]);
    expect(played.lifecycle.unknownAfterUpdate(request({ name: "agents", triggers: ["2"] }))).toContain(
      "key",
    );
  });

  test("a key that is gone is replaced by another one instead of rotated", async () => {
    const state = await played.create({ name: "agents", triggers: ["1"] });
    played.emulator.apiKeyRecords.remove(state.id);
    const rotated = await played.deploy(state, { name: "agents", triggers: ["2"] });
    expect(played.live("agents")).toEqual([rotated.outputs.keyId]);
    expect(rotated.outputs.previousKeys).toEqual([]);
    expect(played.messages).toContain(`API key ${state.id} is gone, so another one is created in its place.`);
  });

  test("never rotates the key that the deployment uses", async () => {
    const [own] = played.records();
    const state = {
      id: own?.id ?? "",
      inputs: { name: "own" },
      outputs: { name: "own", keyId: own?.id ?? "", triggers: ["1"] },
      memo: undefined,
    };
    const error = await errorOf(played.deploy(state, { name: "own", triggers: ["2"] }));
    expect(error).toMatchObject({ code: "own_api_key" });
    expect(error.message).toContain('remove what asks for the rotation ("triggers"');
    expect(played.sent("POST")).toEqual([]);
  });
});
