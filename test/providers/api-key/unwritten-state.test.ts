import { errorOf } from "../../support/error-of.js";
import { agentsUrn, PlayedKey, type State } from "./played-key.js";

const news = { name: "agents", triggers: ["1"] };
const newsToRotate = { name: "agents", triggers: ["2"] };

describe("an API key of a deployment that ended in order, and whose state was not written", () => {
  let played: PlayedKey;

  beforeEach(async () => {
    played = await PlayedKey.start();
  });

  afterEach(() => played.emulator.close());

  /** What the program says is so, and the next deployment finds nothing left to do or to say. */
  async function expectSettled(state: State, program: Record<string, string | string[]>): Promise<void> {
    await played.end();
    expect(await played.compared(state, program)).toEqual({ changes: false });
    expect(played.messages).toEqual([]);
    await played.end();
    expect(played.hasNotes()).toBe(false);
  }

  describe("after its creation", () => {
    let lost: State;

    beforeEach(async () => {
      lost = await played.create(news);
      await played.end();
      played.nextRun();
    });

    test.each([
      ["the same program", news],
      ["another one", { ...news, name: "people" }],
      ["one that rotates it", newsToRotate],
    ])("is told with the command that deletes it, and never deleted, under %s", async (_what, program) => {
      const state = await played.create(program);
      expect(state.id).not.toBe(lost.id);
      expect(played.told(lost.id)).toEqual([expect.stringContaining("check that it is not in use")]);
      expect(await played.statusWith(lost.outputs.key)).toBe(200);
      await expectSettled(state, program);
    });

    test("is told once when the program no longer declares it", async () => {
      for (const told of [1, 0]) {
        await played.runWithoutIt();
        expect(played.told(lost.id)).toHaveLength(told);
      }
      expect(played.live("agents")).toEqual([lost.id]);
      expect(played.hasNotes()).toBe(false);
    });

    test("is deleted when a forced replacement does, which is not told as gone wrong afterwards", async () => {
      const state = await played.create(news);
      await played.lifecycle.delete({ id: lost.id, state: lost.outputs }, played.context());
      expect(played.live("agents")).toEqual([state.id]);
      await expectSettled(state, news);
    });
  });

  describe("after its rotation", () => {
    let first: State;
    let lost: State;

    beforeEach(async () => {
      first = await played.create(news);
      await played.end();
      lost = await played.deploy(first, newsToRotate);
      await played.end();
    });

    test.each([
      ["the same program", newsToRotate],
      ["the one before", news],
      ["another one", { ...newsToRotate, name: "people" }],
    ])("is told, and another one has its place, under %s", async (_what, program) => {
      const state = await played.deploy(first, program);
      expect(state.outputs.keyId).not.toBe(lost.outputs.keyId);
      expect(await played.statusWith(state.outputs.key)).toBe(200);
      expect(await played.statusWith(lost.outputs.key)).toBe(200);
      expect(played.told(lost.outputs.keyId)).toHaveLength(1);
      expect(state.outputs.previousKeys).toMatchObject([{ id: first.id, expiresAt: expect.any(String) }]);
      await expectSettled(state, program);
    });

    test("is told when the resource is destroyed", async () => {
      await played.remove(first);
      expect(played.told(lost.outputs.keyId)).toHaveLength(1);
      expect(played.live("agents")).toEqual([lost.outputs.keyId]);
    });
  });

  test.each([
    ["the same program", { name: "people" }],
    ["the one before", { name: "agents" }],
    ["another one", { name: "crew" }],
  ])("after its rename, has the name that the next deployment declares with %s", async (_what, program) => {
    const state = await played.create({ name: "agents" });
    await played.end();
    await played.deploy(state, { name: "people" });
    await played.end();
    const named = await played.deploy(state, program);
    expect(played.live(program.name)).toEqual([state.id]);
    await expectSettled(named, program);
  });

  test("after its deletion, is made again when the program still has it", async () => {
    const state = await played.create(news);
    await played.end();
    await played.remove(state);
    await played.end();
    const again = await played.deploy(state, news);
    expect(await played.statusWith(again.outputs.key)).toBe(200);
    await expectSettled(again, news);
  });
});

describe("an API key that a killed deployment made, without the journal", () => {
  let played: PlayedKey;

  beforeEach(async () => {
    played = await PlayedKey.start();
  });

  afterEach(() => played.emulator.close());

  test("is told by its automatic name when the resource is created again, and stays", async () => {
    const { id: lost } = await played.create();
    played.loseNotes();
    played.nextRun();
    const state = await played.create();
    expect(played.told(lost)).toEqual([expect.stringContaining("a stack with the same name")]);
    expect(played.live(String(state.inputs.name)).sort()).toEqual([lost, state.id].sort());
  });

  test("is told also under the one-time name that it still has", async () => {
    const ctrlC = new AbortController();
    const rule = { method: "POST", at: "after-commit" } as const;
    played.emulator.faults.add({ ...rule, action: { call: () => ctrlC.abort() } });
    played.emulator.faults.add({ ...rule, action: "reset" });
    await errorOf(played.create({}, played.context({ signal: ctrlC.signal })));
    const lost = played.records().find(({ name }) => name.startsWith("agents-"))?.id;
    played.loseNotes();
    played.nextRun();
    await played.create();
    expect(played.told(lost)).toHaveLength(1);
  });

  test("is not told of a name that the program gives, or of what the state has", async () => {
    await played.create({ name: "agents" });
    played.loseNotes();
    played.nextRun();
    await played.create({ name: "agents" });
    expect(played.messages).toEqual([]);

    const state = await played.create({}, played.context({ urn: `${agentsUrn}-2` }));
    played.nextRun();
    const context = played.context({ urn: `${agentsUrn}-2` });
    const { id: projectId } = played.emulator.createProject({ name: "shop" });
    const { inputs } = await played.checked({ projectId }, state, context);
    played.lifecycle.diff({ id: state.id, olds: state.outputs, news: inputs }, context);
    await played.lifecycle.create(inputs, context);
    expect(played.messages).toEqual([]);
  });
});
