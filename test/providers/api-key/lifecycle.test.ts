import { unknownValue } from "../../../src/providers/properties.js";
import { errorOf } from "../../support/error-of.js";
import { agentsUrn, PlayedKey } from "./played-key.js";

describe("the life cycle of an API key", () => {
  let played: PlayedKey;

  beforeEach(async () => {
    played = await PlayedKey.start();
  });

  afterEach(() => played.emulator.close());

  test("creates a key, whose secret works, under its own name", async () => {
    const { id, outputs } = await played.create({ name: "agents", daysToExpire: 30 });
    expect(outputs).toMatchObject({
      name: "agents",
      keyId: id,
      key: expect.stringMatching(/^sk_/),
      maskedKey: expect.stringMatching(/\.\.\./),
      createdBy: { email: "emulator@example.com" },
      projectId: null,
      previousKeys: [],
    });
    expect(await played.statusWith(outputs.key)).toBe(200);
    expect(played.live("agents")).toEqual([id]);
    const days = (Date.parse(String(outputs.expiresAt)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
  });

  test.each(["sk_production", "sk-eu", "ci sk_live"])(
    "creates a key whose name %j begins like a secret key",
    async (name) => {
      expect(await played.failures({ name })).toEqual([]);
      await played.create({ name });
      expect(played.live(name)).toHaveLength(1);
    },
  );

  test("gives a key without a name an automatic one, which stays", async () => {
    const state = await played.create();
    expect(state.inputs.name).toMatch(/^agents-[0-9a-f]{7}$/);
    await played.end();
    const renamedByAlias = `${agentsUrn}-2`;
    played.nextRun();
    const { inputs } = await played.checked({}, state, played.context({ urn: renamedByAlias }));
    expect(inputs.name).toBe(state.inputs.name);
  });

  test("creates a key of a project", async () => {
    const { id: projectId } = played.emulator.createProject({ name: "shop" });
    const { outputs } = await played.create({ projectId });
    expect(outputs).toMatchObject({ projectId, projectName: "shop" });
  });

  test("changes nothing when nothing has changed, also after a refresh", async () => {
    const news = { name: "agents", daysToExpire: 30, rotateBeforeDays: 10, triggers: ["1"] };
    const state = await played.create(news);
    await played.end();
    expect(await played.compared(state, news)).toEqual({ changes: false });
    const refreshed = await played.refresh(state);
    expect(refreshed?.outputs).toEqual(state.outputs);
    expect(refreshed?.inputs).toEqual(state.inputs);
    expect(played.messages).toEqual([]);
    await played.compared(state, news);
    await played.end();
    expect(played.hasNotes()).toBe(false);
    expect(played.sent("POST")).toHaveLength(1);
  });

  test("renames in place, and keeps key and secret", async () => {
    const state = await played.create({ name: "agents" });
    const renamed = await played.deploy(state, { name: "people" });
    expect(renamed.outputs).toEqual({ ...state.outputs, name: "people" });
    expect(played.live("people")).toEqual([state.id]);
  });

  test("finds a name that was changed outside, says so, and corrects it", async () => {
    const state = await played.create({ name: "agents" });
    played.emulator.apiKeyRecords.rename(state.id, "mine");
    const refreshed = await played.refresh(state);
    expect(refreshed?.inputs).toMatchObject({ name: "mine" });
    expect(played.messages).toEqual([
      `API key ${state.id} was renamed outside of this program: from "agents" to "mine".`,
    ]);
    await played.deploy(refreshed ?? state, { name: "agents" });
    expect(played.live("agents")).toEqual([state.id]);
  });

  test("tells the keys of earlier rotations when the present one was deleted outside, and leaves them", async () => {
    const first = await played.create({ name: "agents", triggers: ["1"], keepOldKeyDays: 365 });
    const news = { name: "agents", triggers: ["2"], keepOldKeyDays: 365 };
    const second = await played.deploy(first, news);
    await played.end();
    played.emulator.apiKeyRecords.remove(String(second.outputs.keyId));
    expect(await played.refresh(second)).toBeUndefined();
    expect(played.messages).toEqual([
      expect.stringContaining(`API key ${String(second.outputs.keyId)} is gone`),
      `API key ${first.id} was left by earlier rotations, and nothing manages it any more: check that it is not in use, and delete it with "browser-infra api-keys delete ${first.id}".`,
    ]);
    await played.end();
    played.nextRun();
    const third = await played.create(news);
    expect(third.outputs.previousKeys).toEqual([]);
    expect(played.live("agents").sort()).toEqual([first.id, third.id].sort());
  });

  test("finds a key that was deleted outside, and says what the next deployment does", async () => {
    const state = await played.create({ name: "agents" });
    played.emulator.apiKeyRecords.remove(state.id);
    expect(await played.refresh(state)).toBeUndefined();
    expect(played.messages).toEqual([
      expect.stringMatching(/is gone.*"pulumi up --refresh" creates it again/),
    ]);
  });

  test("explains a rename of a key that is gone", async () => {
    const state = await played.create({ name: "agents" });
    played.emulator.apiKeyRecords.remove(state.id);
    const error = await errorOf(played.deploy(state, { name: "people" }));
    expect(error).toMatchObject({ code: "api_key_not_found" });
    expect(error.message).toContain('Run "pulumi up --refresh" to create it again.');
  });

  test("deletes the key with the resource, and also when it is gone already", async () => {
    const state = await played.create({ name: "agents" });
    await played.remove(state);
    expect(played.live("agents")).toEqual([]);
    await played.remove(state);
    expect(played.records().filter(({ deletedAt }) => deletedAt !== null)).toHaveLength(1);
  });

  test("replaces the key for another project, and when it shall never expire", async () => {
    const { id: projectId } = played.emulator.createProject({ name: "shop" });
    const state = await played.create({ name: "agents", daysToExpire: 30 });
    expect(await played.compared(state, { name: "agents", daysToExpire: 30, projectId })).toEqual({
      replaces: ["projectId"],
    });
    expect(await played.compared(state, { name: "agents" })).toEqual({ replaces: ["daysToExpire"] });
    expect(
      await played.compared(state, { name: "agents", daysToExpire: 30, projectId: unknownValue }),
    ).toEqual({ replaces: ["projectId"] });
  });

  test("a forced replacement creates another key before it deletes the old one", async () => {
    const state = await played.create({ name: "agents" });
    await played.end();
    played.nextRun();
    const replacement = await played.create({ name: "agents" });
    expect(replacement.id).not.toBe(state.id);
    expect(played.live("agents").sort()).toEqual([state.id, replacement.id].sort());
    await played.lifecycle.delete({ id: state.id, state: state.outputs }, played.context());
    expect(played.live("agents")).toEqual([replacement.id]);
    await played.end();
    expect(await played.compared(replacement, { name: "agents" })).toEqual({ changes: false });
  });

  test("a move to another provider keeps the new key, which another process has created", async () => {
    const state = await played.create({ name: "agents" });
    await played.end();
    played.nextRun();
    const process = played.lifecycle;
    const moved = await played.create({ name: "agents" });
    played.otherProcess();
    await played.lifecycle.delete({ id: state.id, state: state.outputs }, played.context());
    expect(played.lifecycle).not.toBe(process);
    expect(played.live("agents")).toEqual([moved.id]);
  });

  test("imports a key by its id, without its secret and with its lifetime", async () => {
    const { id } = played.emulator.createApiKey({
      name: "old",
      expiresAt: new Date(Date.now() + 30 * 86_400_000),
    });
    const read = await played.lifecycle.read({ id, state: {}, isImport: true }, played.context());
    expect(read?.outputs).toMatchObject({ keyId: id, name: "old", key: null, daysToExpire: 30 });
    expect(read?.inputs).toEqual({ name: "old", daysToExpire: 30 });
    expect(played.messages).toEqual([expect.stringContaining("secret of a key only once")]);
    const imported = { id, inputs: read?.inputs ?? {}, outputs: read?.outputs ?? {}, memo: read?.memo };
    expect(await played.compared(imported, { daysToExpire: 30 })).toEqual({ changes: false });
  });

  test("refuses to import or to look up what does not exist", async () => {
    for (const isImport of [true, false]) {
      const reading = played.lifecycle.read({ id: "none", state: {}, isImport }, played.context());
      expect(await errorOf(reading)).toMatchObject({ code: "api_key_not_found" });
    }
  });

  test("never deletes the key that the deployment uses, and says how to go on", async () => {
    const [own] = played.records();
    const state = { id: own?.id ?? "", inputs: {}, outputs: { name: "own" }, memo: undefined };
    const error = await errorOf(played.remove(state));
    expect(error).toMatchObject({ code: "own_api_key" });
    expect(error.message).toBe(
      `API key ${own?.id} is the one that this deployment uses (environment variable BROWSER_INFRA_API_KEY), so it was not deleted: the deployment would lose its access. Deploy with another API key, or remove the resource from the state with "pulumi state delete", which keeps the key.`,
    );
    expect(played.sent("DELETE")).toEqual([]);
  });

  test("asks again who asks when the service did not say at first, in the same run", async () => {
    const { id, outputs } = await played.create({ name: "agents" });
    played.nextRun();
    const unsaid = { path: "/auth/context", at: "before-commit" } as const;
    played.emulator.faults.add({ ...unsaid, action: { answer: { status: 403 } } });
    const remove = () => played.lifecycle.delete({ id, state: outputs }, played.context());
    expect(await errorOf(remove())).toMatchObject({ status: 403 });
    expect(played.live("agents")).toEqual([id]);
    await remove();
    expect(played.live("agents")).toEqual([]);
  });

  test("knows its own key by its mask where the service does not say who asks", async () => {
    const [own] = played.records();
    played.emulator.faults.add({
      path: "/auth/context",
      at: "before-commit",
      times: 9,
      action: { answer: { status: 404, body: { code: "route_not_found", message: "No." } } },
    });
    const state = {
      id: own?.id ?? "",
      inputs: {},
      outputs: { maskedKey: own?.maskedKey ?? "" },
      memo: undefined,
    };
    expect(await errorOf(played.remove(state))).toMatchObject({ code: "own_api_key" });
    await played.remove(await played.create({ name: "agents" }));
    expect(played.live("agents")).toEqual([]);
  });

  test.each<[string, object, RegExp]>([
    ["a whitespace around the name", { name: " x" }, /^name: .*start or end with whitespace/],
    [
      "a name that is a secret",
      { name: "sk_live_1234567890abcdef" },
      /^: .*is a secret key \(not shown here\)/,
    ],
    ["an input that it does not have", { key: "sk_x" }, /^: An ApiKey has no input "key"/],
    [
      "an empty project",
      { projectId: " " },
      /^projectId: .*For a key of the whole organization, leave it out/,
    ],
    [
      "a lifetime of no days",
      { daysToExpire: 0 },
      /^daysToExpire: .*1 to 3650\. For a key that never expires/,
    ],
    ["a lifetime in words", { daysToExpire: "30d" }, /^daysToExpire: /],
    ["a renewal of what never expires", { rotateBeforeDays: 3 }, /^rotateBeforeDays: .*needs "daysToExpire"/],
    [
      "a renewal on every deployment",
      { rotateBeforeDays: 30, daysToExpire: 30 },
      /^rotateBeforeDays: .*every deployment rotates the key/,
    ],
    [
      "a grace longer than the life",
      { keepOldKeyDays: 4, daysToExpire: 3 },
      /^keepOldKeyDays: .*must not exceed/,
    ],
    ["half a day of grace", { keepOldKeyDays: 0.5 }, /^keepOldKeyDays: .*whole number of days from 0/],
  ])("refuses %s before any request", async (_what, news, expected) => {
    expect(await played.failures({ ...news })).toEqual([expect.stringMatching(expected)]);
    expect(played.emulator.requests).toEqual([]);
  });

  test("reports everything that is wrong at once", async () => {
    expect(await played.failures({ name: "", daysToExpire: 0, keepOldKeyDays: -1 })).toHaveLength(3);
  });

  test("refuses a name that another key of the program has in the same project", async () => {
    await played.checked({ name: "agents" });
    const context = played.context({ urn: `${agentsUrn}-2` });
    const news = { name: "agents" };
    const check = (inputs: object) =>
      played.lifecycle.check({ news: { ...inputs }, olds: undefined, memo: undefined }, context);
    expect((await check(news)).failures).toEqual([
      { property: "name", reason: expect.stringContaining(`the other one is ${agentsUrn}.`) },
    ]);
    expect((await check({ ...news, projectId: "p1" })).failures).toEqual([]);
    expect((await check({})).failures).toEqual([]);
  });

  test("accepts what a preview does not know", async () => {
    expect(
      await played.failures({ projectId: unknownValue, daysToExpire: unknownValue, rotateBeforeDays: 3 }),
    ).toEqual([]);
  });

  test("a preview refuses a project that does not exist, and sends only reads", async () => {
    expect(await played.failures({ projectId: "none" }, true)).toEqual([
      expect.stringMatching(/^projectId: .*not found or inactive/i),
    ]);
    expect(played.sent("POST")).toEqual([]);
  });
});
