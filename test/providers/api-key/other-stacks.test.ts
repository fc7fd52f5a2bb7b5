import { errorOf } from "../../support/error-of.js";
import { dayMs, PlayedKey, type State } from "./played-key.js";

/** Two stacks give their keys the same name, and deploy at the same time. */
describe("an API key whose name another stack uses too", () => {
  let played: PlayedKey;
  /** The key that the other stack makes while this one waits for its answer. */
  let theirs: string | undefined;

  beforeEach(async () => {
    played = await PlayedKey.start();
    theirs = undefined;
  });

  afterEach(() => played.emulator.close());

  function makeTheirs(): void {
    theirs = played.emulator.createApiKey({ name: "agents" }).id;
  }

  /** The answer to the next POST is lost, `meanwhile` happens, and a person gives up. */
  function loseAnswer(
    at: "before-reading" | "after-commit",
    path: string,
    meanwhile = makeTheirs,
  ): AbortSignal {
    const { emulator } = played;
    const ctrlC = new AbortController();
    const giveUp = () => {
      meanwhile();
      ctrlC.abort();
    };
    emulator.faults.add({ method: "POST", path, at, action: { call: giveUp } });
    emulator.faults.add({ method: "POST", path, at, action: "reset" });
    return ctrlC.signal;
  }

  const live = () => played.live("agents").sort();
  const rotationsOf = (id: string) => played.sent("POST").filter((path) => path.includes(id));

  test.each(["before-reading", "after-commit"] as const)(
    "keeps theirs and exactly one of ours when the creation was lost %s",
    async (at) => {
      const signal = loseAnswer(at, "/org/api_keys");
      await errorOf(played.create({ name: "agents" }, played.context({ signal })));
      played.nextRun();
      const { id, outputs } = await played.create({ name: "agents" });
      expect(outputs.name).toBe("agents");
      expect(live()).toEqual([String(theirs), id].sort());
    },
  );

  describe("and that is rotated", () => {
    const news = { name: "agents", triggers: ["1"] };
    const newsToRotate = { name: "agents", triggers: ["2"] };
    let state: State;

    beforeEach(async () => {
      state = await played.create(news);
      await played.end();
    });

    test("keeps theirs when the rotation has not happened, and is rotated once", async () => {
      const signal = loseAnswer("before-reading", `/org/api_keys/${state.id}/rotate`);
      await errorOf(played.deploy(state, newsToRotate, played.context({ signal })));
      const rotated = await played.deploy(state, newsToRotate);
      expect(live()).toEqual([String(theirs), state.id, String(rotated.outputs.keyId)].sort());
      expect(rotationsOf(state.id)).toHaveLength(2);
      expect(rotated.outputs.previousKeys).toMatchObject([{ id: state.id, expiresAt: expect.any(String) }]);
    });

    test("deletes neither when both were made in the same moment, and says what to do", async () => {
      const signal = loseAnswer("after-commit", `/org/api_keys/${state.id}/rotate`);
      await errorOf(played.deploy(state, newsToRotate, played.context({ signal })));
      const [lost] = live().filter((id) => id !== theirs && id !== state.id);
      const rotated = await played.deploy(state, newsToRotate);
      expect(live()).toEqual([String(theirs), String(lost), state.id, String(rotated.outputs.keyId)].sort());
      const said = played.messages.join("\n");
      expect(said).toContain("cannot be told from others with the name");
      expect(said).toContain(`"browser-infra api-keys delete ${lost}"`);
      expect(said).toContain(`"browser-infra api-keys delete ${theirs}"`);
      expect(rotationsOf(state.id)).toHaveLength(1);
    });

    test("deletes only ours when theirs was made minutes later", async () => {
      const signal = loseAnswer("after-commit", `/org/api_keys/${state.id}/rotate`, () => undefined);
      await errorOf(played.deploy(state, newsToRotate, played.context({ signal })));
      played.emulator.clock.advance(5 * 60_000);
      makeTheirs();
      const rotated = await played.deploy(state, newsToRotate);
      expect(live()).toEqual([String(theirs), state.id, String(rotated.outputs.keyId)].sort());
    });
  });

  test("that expires before its grace would end is followed by another one instead of rotated, so that a lost one is known by its name", async () => {
    const news = { name: "agents", daysToExpire: 30, rotateBeforeDays: 5 };
    played.emulator.clock.advance(-27 * dayMs);
    const state = await played.create(news);
    await played.end();
    played.emulator.clock.set(null);
    const signal = loseAnswer("after-commit", "/org/api_keys");
    await errorOf(played.deploy(state, news, played.context({ signal })));
    const rotated = await played.deploy(state, news);
    expect(rotationsOf(state.id)).toEqual([]);
    expect(live()).toEqual([String(theirs), state.id, String(rotated.outputs.keyId)].sort());
    expect(rotated.outputs.previousKeys).toEqual([{ id: state.id, expiresAt: state.outputs.expiresAt }]);
    const daysLeft = (Date.parse(String(rotated.outputs.expiresAt)) - Date.now()) / dayMs;
    expect(daysLeft).toBeGreaterThan(29.9);
  });

  describe("and that is created under a name of its own first", () => {
    test("is named by the next deployment when that could not be done at once, and keeps its secret", async () => {
      const refusal = { answer: { status: 400, body: { code: "bad_request", message: "Not now." } } };
      played.emulator.faults.add({ method: "PATCH", at: "before-commit", action: refusal });
      const state = await played.create({ name: "agents" });
      expect(state.outputs.name).toMatch(/^agents-[0-9a-f]{16}$/);
      expect(played.messages).toEqual([
        expect.stringMatching(/was created, but is still called "agents-.*Not now/),
      ]);
      await played.end();
      // The inputs are the same, so the engine itself would find no difference.
      expect(await played.compared(state, { name: "agents" })).toEqual({ changes: true });
      const named = await played.deploy(state, { name: "agents" });
      expect(named.outputs).toMatchObject({ name: "agents", keyId: state.id, key: state.outputs.key });
      await played.end();
      expect(named.outputs).not.toHaveProperty("unfinished");
      expect(await played.compared(named, { name: "agents" })).toEqual({ changes: false });
      await played.end();
      expect(played.hasNotes()).toBe(false);
    });

    test.each(["a".repeat(255), "ü".repeat(127)])("may have the longest name", async (name) => {
      const { outputs, id } = await played.create({ name });
      expect(outputs.name).toBe(name);
      expect(played.records().find((key) => key.id === id)?.name).toBe(name);
    });
  });
});
