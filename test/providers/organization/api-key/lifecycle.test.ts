import { unknownMarker } from "../../../../src/bridges/wire-values.js";
import { errorOf } from "../../../support/error-of.js";
import { dayMs, KeyProgram } from "./keys.js";

describe("an API key", () => {
  let program: KeyProgram;

  beforeEach(async () => {
    program = await KeyProgram.start();
  });

  const up = (news: object, options = {}) => program.up({ name: "agents", ...news }, options);
  const newProject = (name = "shop") => program.emulator.createProject({ name }).id;
  const newKey = (name: string, expiresAt?: Date) => program.emulator.createApiKey({ name, expiresAt }).id;
  const removeOutside = (id: string) => program.emulator.apiKeyRecords.remove(id);
  const keyOfSettings = () => String(program.records()[0]?.id);

  test("an API key is created under its name, with a working secret and a complete record in the outputs", async () => {
    await up({ daysToExpire: 30 });
    const { id, outputs } = program.stored;
    expect(outputs).toMatchObject({
      name: "agents",
      keyId: id,
      key: expect.stringMatching(/^sk_/),
      maskedKey: expect.stringMatching(/\.\.\./),
      createdBy: { email: "emulator@example.com" },
      previousKeys: [],
    });
    expect(outputs).not.toHaveProperty("projectId");
    expect(await program.statusWith()).toBe(200);
    expect(program.live()).toEqual([id]);
    const days = (Date.parse(String(outputs.expiresAt)) - Date.now()) / dayMs;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    const projectId = newProject();
    await up({ projectId });
    expect(program.stored.outputs).toMatchObject({ projectId, projectName: "shop" });
  });

  test.each(["sk_production", "sk-eu", "ci sk_live"])(
    "an API key may have a name that begins like a secret key: %j",
    async (name) => {
      await up({ name });
      expect(program.live(name)).toHaveLength(1);
    },
  );

  test("an unchanged API key is created once, and is unchanged after a refresh", async () => {
    const news = { daysToExpire: 30, rotateBeforeDays: 10, triggers: ["1"] };
    await up(news);
    await up(news);
    const { inputs, outputs } = program.stored;
    await program.refresh();
    expect(program.stored).toMatchObject({ inputs, outputs });
    expect(program.messages).toEqual([]);
    expect(await up(news)).toBe("same");
    expect(program.posts()).toHaveLength(1);
  });

  test("a renamed API key keeps its secret, and a refresh reports a name changed outside", async () => {
    await up({});
    await up({});
    const { id, outputs } = program.stored;
    program.emulator.apiKeyRecords.rename(id, "mine");
    await program.refresh();
    expect(program.stored.inputs).toMatchObject({ name: "mine" });
    expect(program.messages).toEqual([
      `API key ${id} was renamed outside of this program: from "agents" to "mine".`,
    ]);
    await up({ name: "people" });
    expect(program.stored.outputs).toEqual({ ...outputs, name: "people" });
    expect(program.live("people")).toEqual([id]);
  });

  test("after an outside deletion, a refresh names the old keys of earlier rotations, and old keys stay", async () => {
    await up({ triggers: ["1"], keepOldKeyDays: 365 });
    const { keyId: first } = program;
    const news = { triggers: ["2"], keepOldKeyDays: 365 };
    await up(news);
    const { keyId: second } = program;
    removeOutside(second);
    await program.refresh();
    expect(program.messages).toEqual([
      expect.stringContaining(`API key ${second} is gone`),
      `API key ${first} was left by earlier requests, and nothing manages it any more: check that it is not in use, and delete it with "browser-infra api-keys delete ${first}".`,
    ]);
    await up(news);
    expect(program.stored.outputs.previousKeys).toEqual([]);
    expect(program.live()).toEqual([first, program.keyId].sort());
  });

  test("a key deleted outside cannot be renamed, and a refresh announces the creation of a new key", async () => {
    await up({});
    removeOutside(program.keyId);
    const error = await errorOf(up({ name: "people" }));
    expect(error).toMatchObject({ code: "api_key_not_found" });
    expect(error.message).toContain('Run "pulumi up --refresh" to create it again.');
    await program.refresh();
    expect(program.messages).toEqual([
      expect.stringMatching(/is gone.*The next "pulumi up" creates it again/),
    ]);
  });

  test("an API key is replaced if daysToExpire leaves the program, or in a preview if the project is unknown", async () => {
    await up({ daysToExpire: 30 });
    const news = { name: "agents", daysToExpire: 30, projectId: unknownMarker };
    expect(await program.preview(news)).toMatchObject({ steps: ["replace agents"], failures: [] });
    expect(await up({})).toBe("replace");
  });

  test("an API key is imported by its id, without its secret and with its lifetime", async () => {
    const id = newKey("old", new Date(Date.now() + 30 * dayMs));
    await program.import(id);
    expect(program.stored.outputs).toMatchObject({ keyId: id, name: "old", daysToExpire: 30 });
    expect(program.stored.outputs).not.toHaveProperty("key");
    expect(program.stored.inputs).toMatchObject({ name: "old", daysToExpire: 30 });
    expect(program.messages).toEqual([expect.stringContaining("secret of a key only once")]);
    expect(await program.up({ daysToExpire: 30 })).toBe("same");
    expect(await errorOf(program.import("none", "other"))).toMatchObject({ code: "api_key_not_found" });
  });

  test("the key that the deployment uses is never deleted, and the error contains advice", async () => {
    const id = keyOfSettings();
    await program.import(id);
    const error = await errorOf(program.destroy());
    expect(error).toMatchObject({ code: "own_api_key" });
    expect(error.message).toBe(
      `This deployment uses API key ${id} (environment variable BROWSER_INFRA_API_KEY), so the key was not deleted: the deployment would lose access. Deploy with another API key, or remove the resource from the state with "pulumi state delete", which keeps the key.`,
    );
    expect(program.writes).toEqual([]);
  });

  test("without GET /auth/context, the key of the deployment is recognized by its mask", async () => {
    await program.import(keyOfSettings());
    const body = { code: "route_not_found", message: "No." };
    const unsaid = { path: "/auth/context", at: "before-commit", times: 9 } as const;
    program.emulator.faults.add({ ...unsaid, action: { answer: { status: 404, body } } });
    expect(await errorOf(program.destroy())).toMatchObject({ code: "own_api_key" });
    program.engine.reset();
    await up({});
    await program.destroy();
    expect(program.live()).toEqual([]);
  });

  test.each<[string, object, RegExp]>([
    ["a whitespace around the name", { name: " x" }, /^name: .*start or end with whitespace/],
    ["an input that it does not have", { key: "sk_x" }, /^: An ApiKey has no input "key"/],
    [
      "an empty project",
      { projectId: " " },
      /^projectId: .*For a key of the whole organization, remove "projectId"/,
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
  ])("an API key with %s is refused before any request", async (_what, news, expected) => {
    expect(await program.failures({ ...news })).toEqual([expect.stringMatching(expected)]);
    expect(program.emulator.requests).toEqual([]);
  });

  test("all mistakes in the inputs of an API key are reported at once, and unknown inputs are no mistake", async () => {
    expect(await program.failures({ name: "", daysToExpire: 0, keepOldKeyDays: -1 })).toHaveLength(3);
    expect(await program.failures({ daysToExpire: unknownMarker, rotateBeforeDays: 3 })).toEqual([]);
  });

  test("two API keys of the program may share a name only in different projects", async () => {
    const rival = async (projectId?: string) => {
      const other = { name: "agents", ...(projectId === undefined ? {} : { projectId }) };
      return (await program.preview({ name: "agents" }, { others: { other } })).failures;
    };
    expect(await rival()).toEqual([expect.stringMatching(/^other: .+the other one is \S+::agents\./)]);
    expect(await rival(newProject())).toEqual([]);
  });
});
