import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { ApiKeyNameLifecycle } from "../../src/providers/api-key-name/lifecycle.js";
import { journalFolder } from "../../src/providers/journal/files.js";
import type { CheckResult, LifecycleContext } from "../../src/providers/lifecycle.js";
import { type PropertyMap, unknownValue } from "../../src/providers/properties.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const type = "pulumi-nodejs:dynamic/browser-infra:ApiKeyName";
const urn = `urn:pulumi:dev::shop::${type}::ci`;
const otherUrn = `urn:pulumi:dev::shop::${type}::other`;
const secret = "sk_1234567890abcdefghij";

/** A resource as the engine keeps it between two calls. */
interface State {
  readonly id: string;
  readonly outputs: PropertyMap;
}

describe("the life cycle of the name of an API key", () => {
  let emulator: Emulator;
  let programFolder: string;
  let messages: string[];
  let lifecycle: ApiKeyNameLifecycle;
  let keyId: string;
  let run: number;

  beforeEach(async () => {
    run = 1;
    emulator = await startEmulator();
    programFolder = temporaryFolder();
    messages = [];
    lifecycle = new ApiKeyNameLifecycle();
    keyId = emulator.createApiKey({ name: "before" }).id;
  });

  afterEach(() => emulator.close());

  function contextOf(changes: Partial<LifecycleContext> = {}): LifecycleContext {
    const say = (message: string) => messages.push(message);
    return {
      urn,
      programFolder,
      deployment: `127.0.0.1:${run}`,
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: say, row: say, info: say, warning: say, debug: say },
      ...changes,
    };
  }

  /** Starts the process of a new run. What the one before knew is gone, except for its files. */
  function nextRun(): void {
    run += 1;
    lifecycle = new ApiKeyNameLifecycle();
    messages = [];
  }

  function hasNotes(): boolean {
    return existsSync(join(programFolder, journalFolder));
  }

  /** What the engine does at the end of an update. */
  async function end(context = contextOf()): Promise<void> {
    await lifecycle.end(true, context);
  }

  /** Lets the next run find the resource in the state, unchanged. Whether a note is left then. */
  async function leavesNotesAfterNextRun(state: State, news: PropertyMap = {}): Promise<boolean> {
    await end();
    nextRun();
    expect(await deploy(state, news)).toBe(state);
    return hasNotes();
  }

  /** Lets the next run, whose program has another resource, come to its end. */
  async function leavesNotesWhenGone(): Promise<boolean> {
    await end();
    nextRun();
    await end(contextOf({ urn: otherUrn }));
    return hasNotes();
  }

  function check(news: PropertyMap, olds?: PropertyMap, context = contextOf()): Promise<CheckResult> {
    return lifecycle.check({ news, olds, memo: undefined }, context);
  }

  /** The checked inputs, which have no failures. */
  async function checked(news: PropertyMap = {}, olds?: PropertyMap, context = contextOf()) {
    const { inputs, failures } = await check({ keyId, name: "ci", ...news }, olds, context);
    expect(failures).toEqual([]);
    return inputs;
  }

  /** What the engine does with a resource that is not in the state. */
  async function create(news: PropertyMap = {}, context = contextOf()): Promise<State> {
    return lifecycle.create(await checked(news, undefined, context), context);
  }

  /** What the engine does with one that is: nothing, or an update in place. */
  async function deploy(state: State, news: PropertyMap, context = contextOf()): Promise<State> {
    const inputs = await checked(news, state.outputs, context);
    const request = { id: state.id, olds: state.outputs, news: inputs };
    const { changes, replaces = [] } = lifecycle.diff(request, context);
    expect(replaces).toEqual([]);
    return changes === false ? state : { id: state.id, outputs: await lifecycle.update(request, context) };
  }

  /** What the engine does with one that goes, in a run that does other things as well. */
  function removeInThisRun({ id, outputs }: State, context = contextOf()): Promise<void> {
    return lifecycle.delete({ id, state: outputs }, context);
  }

  /** What "pulumi destroy" does. */
  function remove(state: State): Promise<void> {
    nextRun();
    return removeInThisRun(state);
  }

  function nameOf(id = keyId): string | undefined {
    return emulator.apiKeyRecords.list().find((key) => key.id === id)?.name;
  }

  function renames(): number {
    return emulator.requests.filter(({ method }) => method === "PATCH").length;
  }

  /** Lets renames arrive and loses the responses, until the client gives up. */
  function loseAnswers() {
    return emulator.faults.add({
      method: "PATCH",
      at: "after-commit",
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 500, headers: { "x-should-retry": "false" } } },
    });
  }

  test("names the key, remembers the name it had, and gives the rest of its record", async () => {
    const { id, outputs } = await create();
    expect(id).toBe(keyId);
    expect(nameOf()).toBe("ci");
    expect(outputs).toEqual({
      keyId,
      name: "ci",
      onDelete: "restore",
      previousName: "before",
      maskedKey: expect.stringMatching(/^sk_.+\.\.\./),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      createdBy: expect.objectContaining({ email: "emulator@example.com" }),
    });
    expect(await leavesNotesAfterNextRun({ id: keyId, outputs })).toBe(false);
  });

  test("gives the project and the expiry of a key that has them", async () => {
    const project = emulator.createProject({ name: "Shop" });
    const key = emulator.createApiKey({
      projectId: project.id,
      expiresAt: "2999-01-01T00:00:00Z",
      createdBy: { name: null },
    });
    const { outputs } = await create({ keyId: key.id });
    expect(outputs).toMatchObject({ projectId: project.id, projectName: "Shop" });
    expect(outputs.expiresAt).toBe("2999-01-01T00:00:00.000Z");
    expect(outputs.createdBy).not.toHaveProperty("name");
  });

  test("sends nothing when the key has the name already, and says so", async () => {
    const { outputs } = await create({ name: "before" });
    expect(outputs).toMatchObject({ name: "before", previousName: "before" });
    expect(renames()).toBe(0);
    expect(messages).toEqual([expect.stringContaining("nothing was sent")]);
  });

  test("names the key that the deployment itself uses", async () => {
    const own = emulator.apiKeyRecords.list().find(({ name }) => name === "Given at start");
    await create({ keyId: own?.id ?? "" });
    expect(nameOf(own?.id)).toBe("ci");
  });

  test("changes the name in place and keeps the previous one", async () => {
    const created = await create();
    const updated = await deploy(created, { name: "ci 2" });
    expect(updated.outputs).toMatchObject({ name: "ci 2", previousName: "before" });
    expect(nameOf()).toBe("ci 2");
    await remove(updated);
    expect(nameOf()).toBe("before");
  });

  test("does nothing when nothing has changed", async () => {
    const state = await create();
    const requests = emulator.requests.length;
    expect(await deploy(state, {})).toBe(state);
    expect(emulator.requests).toHaveLength(requests);
  });

  test("changes what a deletion does to the name without a request", async () => {
    const created = await create();
    const requests = emulator.requests.length;
    const updated = await deploy(created, { onDelete: "keep" });
    expect(updated.outputs).toEqual({ ...created.outputs, onDelete: "keep" });
    await remove(updated);
    expect(emulator.requests).toHaveLength(requests);
    expect(nameOf()).toBe("ci");
  });

  test("replaces when another key is named", async () => {
    const state = await create();
    const other = emulator.createApiKey({ name: "other" }).id;
    const news = await checked({ keyId: other }, state.outputs);
    const diff = lifecycle.diff({ id: state.id, olds: state.outputs, news }, contextOf());
    expect(diff).toEqual({ replaces: ["keyId"] });
  });

  test.each(["deleted first", "created first"])(
    "moves to another key, with the old one %s",
    async (order) => {
      const state = await create();
      const other = emulator.createApiKey({ name: "other" }).id;
      nextRun();
      const news = await checked({ keyId: other }, state.outputs);
      lifecycle.diff({ id: state.id, olds: state.outputs, news }, contextOf());
      if (order === "deleted first") {
        await removeInThisRun(state);
      }
      const moved = await create({ keyId: other });
      if (order === "created first") {
        await removeInThisRun(state);
      }
      expect([nameOf(), nameOf(other), moved.outputs.previousName]).toEqual(["before", "ci", "other"]);
    },
  );

  test("lets two resources exchange their keys, even under one name, and each key keeps its previous name", async () => {
    const otherKey = emulator.createApiKey({ name: "before too" }).id;
    const [context, otherContext] = [contextOf(), contextOf({ urn: otherUrn })];
    const one = await create({}, context);
    const other = await create({ keyId: otherKey }, otherContext);
    nextRun();
    for (const [state, to, its] of [
      [one, otherKey, context],
      [other, keyId, otherContext],
    ] as const) {
      const news = await checked({ keyId: to }, state.outputs, its);
      lifecycle.diff({ id: state.id, olds: state.outputs, news }, its);
    }
    await removeInThisRun(one, context);
    const oneMoved = await create({ keyId: otherKey }, context);
    await removeInThisRun(other, otherContext);
    const otherMoved = await create({ keyId }, otherContext);
    expect([nameOf(), nameOf(otherKey)]).toEqual(["ci", "ci"]);
    expect([oneMoved.outputs.previousName, otherMoved.outputs.previousName]).toEqual([
      "before too",
      "before",
    ]);
  });

  test.each(["restore", "keep"])(
    "keeps the previous name when it is replaced by itself, with %s",
    async (onDelete) => {
      const state = await create({ onDelete });
      nextRun();
      // A forced replacement: no old inputs, no diff; the class has the old one deleted first.
      const inputs = await checked({ onDelete });
      await removeInThisRun(state);
      const replaced = await lifecycle.create(inputs, contextOf());
      expect(replaced.outputs).toEqual(state.outputs);
      expect(nameOf()).toBe("ci");
    },
  );

  test("leaves the key to a resource of another logical name, and says what it was called", async () => {
    const state = await create();
    nextRun();
    await create({}, contextOf({ urn: otherUrn }));
    await removeInThisRun(state);
    expect(nameOf()).toBe("ci");
    expect(messages).toContainEqual(expect.stringContaining('Its previous name was "before"'));
  });

  test.each(["ci", "ci 2"])(
    "hands its previous name on to a resource of another logical name that calls the key %j",
    async (name) => {
      const state = await create();
      await leavesNotesAfterNextRun(state);
      nextRun();
      // The engine creates the new one before it deletes the old one, and never compares that.
      const next = await create({ name }, contextOf({ urn: otherUrn }));
      await removeInThisRun(state);
      await end(contextOf({ urn: otherUrn }));
      // A run that has neither changes nothing about that.
      nextRun();
      await end(contextOf({ urn: `${urn}3` }));
      nextRun();
      const taken = await deploy(next, { name }, contextOf({ urn: otherUrn }));
      expect(taken.outputs).toMatchObject({ name, previousName: "before" });
      await end(contextOf({ urn: otherUrn }));
      nextRun();
      expect(await deploy(taken, { name }, contextOf({ urn: otherUrn }))).toBe(taken);
      expect(hasNotes()).toBe(false);
      nextRun();
      await removeInThisRun(taken, contextOf({ urn: otherUrn }));
      expect(nameOf()).toBe("before");
    },
  );

  test("hands its previous name on to a resource that goes, too, in the next run", async () => {
    const state = await create();
    await leavesNotesAfterNextRun(state);
    nextRun();
    const next = await create({}, contextOf({ urn: otherUrn }));
    await removeInThisRun(state);
    await end(contextOf({ urn: otherUrn }));
    nextRun();
    await removeInThisRun(next, contextOf({ urn: otherUrn }));
    expect(nameOf()).toBe("before");
    expect(await leavesNotesWhenGone()).toBe(false);
  });

  test("hands its previous name on to a resource that then replaces itself in the wrong order", async () => {
    const state = await create();
    await leavesNotesAfterNextRun(state);
    nextRun();
    const next = await create({}, contextOf({ urn: otherUrn }));
    await removeInThisRun(state);
    await end(contextOf({ urn: otherUrn }));
    nextRun();
    const taken = await deploy(next, {}, contextOf({ urn: otherUrn }));
    await end(contextOf({ urn: otherUrn }));
    nextRun();
    // Forced with the new one first, the engine compares nothing.
    const replacement = await create({}, contextOf({ urn: otherUrn }));
    await removeInThisRun(taken, contextOf({ urn: otherUrn }));
    await end(contextOf({ urn: otherUrn }));
    nextRun();
    const last = await deploy(replacement, {}, contextOf({ urn: otherUrn }));
    expect(last.outputs).toMatchObject({ name: "ci", previousName: "before" });
  });

  test("hands nothing on any more when a refresh finds the key gone", async () => {
    const state = await create();
    await end();
    nextRun();
    const other = contextOf({ urn: otherUrn });
    const next = await create({ name: "ci 2" }, other);
    await removeInThisRun(state);
    await end();
    nextRun();
    emulator.apiKeyRecords.remove(keyId);
    const later = contextOf({ urn: otherUrn });
    expect(await lifecycle.read({ id: keyId, state: next.outputs }, later)).toBeUndefined();
    expect(hasNotes()).toBe(false);
  });

  test("hands nothing on to a resource that found the name of somebody else", async () => {
    const state = await create();
    await leavesNotesAfterNextRun(state);
    nextRun();
    emulator.apiKeyRecords.rename(keyId, "theirs");
    const next = await create({ name: "ci 2" }, contextOf({ urn: otherUrn }));
    await removeInThisRun(state);
    await end(contextOf({ urn: otherUrn }));
    nextRun();
    expect(await deploy(next, { name: "ci 2" }, contextOf({ urn: otherUrn }))).toBe(next);
    expect(next.outputs).toMatchObject({ previousName: "theirs" });
    expect(hasNotes()).toBe(false);
  });

  test("leaves the key to a resource that has it and is not touched", async () => {
    const state = await create();
    nextRun();
    await deploy(state, {}, contextOf({ urn: otherUrn }));
    await removeInThisRun(state);
    expect(nameOf()).toBe("ci");
  });

  test("refuses, in a preview, a second resource for the same key", async () => {
    await checked();
    const { failures } = await check({ keyId, name: "other" }, undefined, contextOf({ urn: otherUrn }));
    expect(failures).toEqual([{ property: "keyId", reason: expect.stringContaining(urn) }]);
    expect(emulator.requests).toEqual([]);
  });

  test("restores the previous name, and says so", async () => {
    await remove(await create());
    expect(nameOf()).toBe("before");
    expect(messages).toEqual([expect.stringContaining('its previous name again: "before"')]);
    expect(await leavesNotesWhenGone()).toBe(false);
  });

  test("leaves a name that somebody else gave it, and says so", async () => {
    const state = await create();
    emulator.apiKeyRecords.rename(keyId, "theirs");
    await remove(state);
    expect(nameOf()).toBe("theirs");
    expect(messages).toEqual([expect.stringMatching(/from "ci" to "theirs".*"before".*not restored/)]);
  });

  test("is deleted without complaint when the key is gone", async () => {
    const state = await create();
    emulator.apiKeyRecords.remove(keyId);
    await remove(state);
    expect(messages).toEqual([expect.stringContaining("is gone, so its previous name was not restored")]);
  });

  test("is deleted without complaint when the key goes at that moment", async () => {
    const state = await create();
    emulator.faults.add({
      method: "PATCH",
      at: "before-commit",
      action: { call: () => emulator.apiKeyRecords.remove(keyId) },
    });
    await remove(state);
    expect(hasNotes()).toBe(false);
  });

  test("says how to get rid of it when the service no longer accepts the previous name", async () => {
    const state = await create();
    const body = { code: "invalid_input", message: "too many bytes" };
    emulator.faults.add({ method: "PATCH", at: "before-commit", action: { answer: { status: 400, body } } });
    await expect(remove(state)).rejects.toThrow(/too many bytes.*"onDelete" to "keep"/);
  });

  test("finds a key that was renamed outside, and names both names", async () => {
    const { id, outputs } = await create();
    emulator.apiKeyRecords.rename(keyId, "theirs");
    const found = await lifecycle.read({ id, state: outputs }, contextOf());
    expect(found?.outputs).toEqual({ ...outputs, name: "theirs" });
    expect(found?.inputs).toEqual({ keyId, name: "theirs", onDelete: "restore" });
    expect(messages).toEqual([expect.stringContaining('from "ci" to "theirs"')]);
    const repaired = await deploy({ id, outputs: found?.outputs ?? {} }, {});
    expect(nameOf()).toBe("ci");
    expect(repaired.outputs).toEqual(outputs);
  });

  test("reports a deleted key as gone, and cannot name it again", async () => {
    const { id, outputs } = await create();
    emulator.apiKeyRecords.remove(keyId);
    expect(await lifecycle.read({ id, state: outputs }, contextOf())).toBeUndefined();
    expect(messages).toEqual([expect.stringMatching(/is gone: it was deleted on \d{4}/)]);
    const gone = {
      code: "api_key_not_found",
      message: expect.stringMatching(/was deleted on .*never creates one/),
    };
    await expect(create()).rejects.toMatchObject(gone);
    await expect(deploy({ id, outputs }, { name: "ci 2" })).rejects.toMatchObject(gone);
    expect(hasNotes()).toBe(false);
  });

  test("gives the id of the key when its name was given instead", async () => {
    await expect(create({ keyId: "before" })).rejects.toThrow(`It is the name of API key ${keyId}`);
    await expect(create({ keyId: "nobody" })).rejects.toThrow(
      'There is no API key "nobody": the service has no key',
    );
  });

  test("says that a key has expired, and sees no difference in it", async () => {
    const { id, outputs } = await create();
    emulator.apiKeyRecords.setExpiry(keyId, "2001-02-03T00:00:00Z");
    const found = await lifecycle.read({ id, state: outputs }, contextOf());
    expect(messages).toEqual([expect.stringContaining("expired on 2001-02-03")]);
    expect(found?.inputs).toEqual({ keyId, name: "ci", onDelete: "restore" });
    expect(await deploy({ id, outputs: found?.outputs ?? {} }, {})).toMatchObject({
      outputs: { expiresAt: "2001-02-03T00:00:00.000Z" },
    });
  });

  test("drops from its outputs what the key no longer has", async () => {
    emulator.apiKeyRecords.setExpiry(keyId, "2999-01-01T00:00:00Z");
    const { id, outputs } = await create();
    expect(outputs).toHaveProperty("expiresAt");
    emulator.apiKeyRecords.setExpiry(keyId, null);
    const found = await lifecycle.read({ id, state: outputs }, contextOf());
    expect(found?.outputs).not.toHaveProperty("expiresAt");
  });

  test("is looked up by id alone", async () => {
    const found = await lifecycle.read({ id: keyId, state: {} }, contextOf());
    expect(found?.outputs).toMatchObject({ keyId, name: "before" });
    expect(found?.outputs).not.toHaveProperty("previousName");
    expect(messages).toEqual([]);
  });

  test("is not found by a lookup of a key that is not there, which fails", async () => {
    await expect(lifecycle.read({ id: "before", state: {} }, contextOf())).rejects.toThrow(
      `There is no API key "before": the service has no key with this id, or this program's API key has no access to it. It is the name of API key ${keyId}`,
    );
  });

  test("does not mistake an unreadable response for a deletion", async () => {
    const { id, outputs } = await create();
    emulator.faults.add({ method: "GET", at: "before-commit", action: { answer: { status: 403 } } });
    await expect(lifecycle.read({ id, state: outputs }, contextOf())).rejects.toThrow("403");
  });

  test("repeats a rename whose response was lost", async () => {
    const lost = emulator.faults.add({ method: "PATCH", at: "after-commit", action: "reset" });
    const { outputs } = await create();
    expect(lost.hits).toBe(1);
    expect(outputs).toMatchObject({ name: "ci", previousName: "before" });
    expect(await leavesNotesAfterNextRun({ id: keyId, outputs })).toBe(false);
  });

  test("remembers the name from before a create that did not see its end", async () => {
    const lost = loseAnswers();
    await expect(create()).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(nameOf()).toBe("ci");
    lost.remove();
    nextRun();
    const { outputs } = await create();
    expect(outputs).toMatchObject({ name: "ci", previousName: "before" });
    expect(messages).toEqual([expect.stringContaining('it was "before"')]);
    expect(await leavesNotesAfterNextRun({ id: keyId, outputs })).toBe(false);
  });

  test("remembers it also when the program has another name by then, and that one is refused at first", async () => {
    const lost = loseAnswers();
    await expect(create()).rejects.toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    nextRun();
    emulator.faults.add({ method: "PATCH", at: "before-commit", action: { answer: { status: 400 } } });
    await expect(create({ name: "ci 2" })).rejects.toThrow("400");
    nextRun();
    const { outputs } = await create({ name: "ci 3" });
    expect(outputs).toMatchObject({ name: "ci 3", previousName: "before" });
  });

  test("treats a name that somebody gave after it was destroyed as the previous one, also if it is its own", async () => {
    const first = await create();
    await end();
    await remove(first);
    expect(nameOf()).toBe("before");
    await end();
    nextRun();
    emulator.apiKeyRecords.rename(keyId, "ci");
    const again = await create();
    expect(again.outputs.previousName).toBe("ci");
    expect(messages).toEqual([expect.stringContaining("will leave it as it is")]);
  });

  test("treats a name that somebody gave after an interrupted create as the previous one", async () => {
    const lost = loseAnswers();
    await expect(create()).rejects.toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    emulator.apiKeyRecords.rename(keyId, "theirs");
    nextRun();
    expect((await create()).outputs.previousName).toBe("theirs");
  });

  test("restores the name of a key that an interrupted create renamed and the program no longer names", async () => {
    const lost = loseAnswers();
    await expect(create()).rejects.toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    const other = emulator.createApiKey({ name: "other" }).id;
    nextRun();
    const state = await create({ keyId: other });
    await end();
    expect([nameOf(), nameOf(other)]).toEqual(["before", "ci"]);
    expect(await leavesNotesAfterNextRun(state, { keyId: other })).toBe(false);
  });

  test("leaves it to another resource that names the key now", async () => {
    const lost = loseAnswers();
    await expect(create()).rejects.toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    const other = emulator.createApiKey({ name: "other" }).id;
    nextRun();
    await checked({ name: "mine" }, undefined, contextOf({ urn: otherUrn }));
    await create({ keyId: other });
    const { outputs } = await create({ name: "mine" }, contextOf({ urn: otherUrn }));
    expect([nameOf(), outputs.previousName]).toEqual(["mine", "before"]);
  });

  test("corrects, in the next run, an update that did not see its end and is no longer declared", async () => {
    const state = await create();
    const lost = loseAnswers();
    await expect(deploy(state, { name: "ci 2" })).rejects.toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    expect(nameOf()).toBe("ci 2");
    nextRun();
    expect((await deploy(state, {})).outputs).toEqual(state.outputs);
    expect(nameOf()).toBe("ci");
    expect(await leavesNotesAfterNextRun(state)).toBe(false);
  });

  test("knows its own name when it is deleted after an update that did not see its end", async () => {
    const state = await create();
    const lost = loseAnswers();
    await expect(deploy(state, { name: "ci 2" })).rejects.toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    await remove(state);
    expect(nameOf()).toBe("before");
  });

  test("knows its own name after a rename that did not arrive, also when the state has lost the resource", async () => {
    const state = await create();
    expect(await leavesNotesAfterNextRun(state)).toBe(false);
    const lost = emulator.faults.add({
      method: "PATCH",
      at: "before-commit",
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 500, headers: { "x-should-retry": "false" } } },
    });
    await expect(deploy(state, { name: "ci 2" })).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(nameOf()).toBe("ci");
    lost.remove();
    nextRun();
    expect((await create({ name: "ci 3" })).outputs).toMatchObject({ name: "ci 3", previousName: "before" });
  });

  test('keeps its name with onDelete "keep", also when it goes after an update that did not see its end', async () => {
    const state = await create({ onDelete: "keep" });
    expect(await leavesNotesAfterNextRun(state, { onDelete: "keep" })).toBe(false);
    await deploy(state, { name: "release", onDelete: "keep" });
    await remove(state);
    expect(await leavesNotesWhenGone()).toBe(false);
    expect(nameOf()).toBe("release");
  });

  test('knows the previous name when a kill has cut its own replacement in two, also with onDelete "keep"', async () => {
    const state = await create({ onDelete: "keep" });
    await end();
    nextRun();
    await checked({ onDelete: "keep" });
    await removeInThisRun(state);
    nextRun();
    expect((await create({ onDelete: "keep" })).outputs.previousName).toBe("before");
  });

  test("names the key again when its deletion did not see its end and it is declared again", async () => {
    const state = await create();
    const lost = loseAnswers();
    await expect(remove(state)).rejects.toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    expect(nameOf()).toBe("before");
    nextRun();
    const named = await deploy(state, {});
    expect([nameOf(), named.outputs.previousName]).toEqual(["ci", "before"]);
  });

  test("restores, at the end of a run, the name of a key whose create was interrupted and left the program", async () => {
    await create();
    expect(nameOf()).toBe("ci");
    nextRun();
    await end(contextOf({ urn: otherUrn }));
    expect(nameOf()).toBe("before");
    expect(messages).toEqual([expect.stringContaining('its previous name again: "before"')]);
    // Should the state have the resource after all, the next run names the key again.
    nextRun();
    await end(contextOf({ urn: otherUrn }));
    expect(hasNotes()).toBe(false);
  });

  test("restores the name also if the create got no answer in a run that ended by itself", async () => {
    const lost = loseAnswers();
    await expect(create()).rejects.toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    await end();
    nextRun();
    expect(lifecycle.hasLeftovers(contextOf({ urn: otherUrn }))).toBe(true);
    await end(contextOf({ urn: otherUrn }));
    expect(nameOf()).toBe("before");
    nextRun();
    expect(lifecycle.hasLeftovers(contextOf({ urn: otherUrn }))).toBe(false);
  });

  test("leaves the name alone at the end of a run that is no update, or of another account or stack", async () => {
    await create();
    nextRun();
    await lifecycle.end(false, contextOf({ urn: otherUrn }));
    await end(contextOf({ urn: otherUrn.replace("dev", "prod") }));
    expect(nameOf()).toBe("ci");
    expect(messages).toEqual([]);
  });

  test("is not undone at the end of a later run, but told, when the one that gave the name ended by itself", async () => {
    await create();
    await end();
    nextRun();
    await end(contextOf({ urn: otherUrn }));
    expect(nameOf()).toBe("ci");
    expect(messages).toEqual([expect.stringMatching(`API key ${keyId}.*"before"`)]);
    // The state may have the resource all the same, as in a run with other targets.
    nextRun();
    await end(contextOf({ urn: otherUrn }));
    expect(messages).toEqual([]);
    expect(hasNotes()).toBe(false);
  });

  test("forgets a rename that was refused", async () => {
    emulator.faults.add({ method: "PATCH", at: "before-commit", action: { answer: { status: 403 } } });
    await expect(create()).rejects.toThrow("403");
    expect(hasNotes()).toBe(false);
    expect((await create()).outputs.previousName).toBe("before");
  });

  test("ends when it is canceled", async () => {
    const canceling = new AbortController();
    emulator.faults.add({ method: "PATCH", at: "after-commit", action: { call: () => canceling.abort() } });
    const context = contextOf({ signal: canceling.signal });
    await expect(create({}, context)).rejects.toMatchObject({ code: "outcome_unknown" });
    nextRun();
    expect((await create()).outputs.previousName).toBe("before");
  });

  test.each([
    ["keyId is missing", { name: "ci" }, ""],
    ["keyId is a number", { keyId: 1, name: "ci" }, ""],
    ["keyId is empty", { keyId: "", name: "ci" }, ""],
    ["keyId is a name with spaces", { keyId: "Our CI", name: "ci" }, ""],
    ["keyId is a masked key", { keyId: "sk_1234...abcd", name: "ci" }, ""],
    ["keyId leads elsewhere", { keyId: "../projects", name: "ci" }, ""],
    ["keyId has a percent sign", { keyId: "a%2fb", name: "ci" }, ""],
    ["the name is missing", { keyId: "k" }, "name"],
    ["the name is a number", { keyId: "k", name: 1 }, "name"],
    ["the name is empty", { keyId: "k", name: "" }, "name"],
    ["the name is one character too long", { keyId: "k", name: "𝛼".repeat(256) }, "name"],
    ["the name starts with a space", { keyId: "k", name: " ci" }, "name"],
    ["the name ends with a line break", { keyId: "k", name: "ci\n" }, "name"],
    ["the name ends with a no-break space", { keyId: "k", name: "ci\u00a0" }, "name"],
    ["the name has half of a surrogate pair", { keyId: "k", name: "ci\ud800" }, "name"],
    ["onDelete is anything else", { keyId: "k", name: "ci", onDelete: "delete" }, "onDelete"],
    ["an input is misspelt", { keyId: "k", name: "ci", keyID: "k" }, ""],
  ] as [string, PropertyMap, string][])(
    "refuses, at the input at fault unless the engine would print a secret there, when %s",
    async (_what, news, property) => {
      const { failures } = await check(news);
      expect(failures.map((failure) => failure.property)).toEqual([property]);
      expect(emulator.requests).toEqual([]);
    },
  );

  test.each([
    ["keyId", { keyId: secret, name: "ci" }],
    ["name", { keyId: "k", name: secret }],
  ])("refuses a secret key in %s and repeats it nowhere", async (property, news) => {
    const result = await check(news);
    // The engine prints the value of a property that a failure names.
    expect(result.failures).toEqual([
      { property: "", reason: expect.stringMatching(`"${property}" is a secret key`) },
    ]);
    expect(JSON.stringify([result, messages])).not.toContain(secret);
  });

  test("refuses the key in use in the place of an id, whatever it looks like", async () => {
    const ownKey = "an-unusual-key-of-length";
    const environment = { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: ownKey };
    const result = await check({ keyId: ownKey, name: "ci" }, undefined, contextOf({ environment }));
    expect(result.failures).toHaveLength(1);
    expect(JSON.stringify(result)).not.toContain(ownKey);
  });

  test("refuses a missing setting in one sentence, which names no input", async () => {
    const { failures } = await check({ keyId, name: "ci" }, undefined, contextOf({ environment: {} }));
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining("browser-infra:apiKey") }]);
  });

  test("leaves unknown what a preview does not know yet, and takes an unknown key for another one", async () => {
    const state = await create();
    for (const input of ["keyId", "name", "onDelete"]) {
      const inputs = await checked({ [input]: unknownValue }, state.outputs);
      expect(inputs[input]).toBe(unknownValue);
      const diff = lifecycle.diff({ id: keyId, olds: state.outputs, news: inputs }, contextOf());
      expect(diff).toEqual(input === "keyId" ? { replaces: ["keyId"] } : {});
    }
  });

  test.each([
    ["255 characters outside the basic plane", "😀".repeat(255)],
    ["a slash and a percent sign", "team/ci %2F 100%"],
    ["the form of an id", "abcdefghijklmnopqrstuvwx"],
    ["spaces inside", "our  ci\u00a0key"],
    ["text that looks like a URN", "urn:pulumi:dev::shop"],
  ])("accepts a name with %s as it is, and nothing is left to do", async (_what, name) => {
    const { id, outputs } = await create({ name });
    expect([nameOf(), outputs.name]).toEqual([name, name]);
    const found = await lifecycle.read({ id, state: outputs }, contextOf());
    expect(found?.outputs).toEqual(outputs);
    await remove({ id, outputs });
    expect(nameOf()).toBe("before");
  });

  test.each([
    ["case", "CI", "ci"],
    ["an accent", "cafe", "café"],
    ["Unicode normalization", "caf\u00e9", "cafe\u0301"],
  ])("tells names apart that differ only by %s", async (_what, one, other) => {
    const state = await create({ name: one });
    const updated = await deploy(state, { name: other });
    expect([nameOf(), updated.outputs.name]).toEqual([other, other]);
    emulator.apiKeyRecords.rename(keyId, one);
    const found = await lifecycle.read({ id: keyId, state: updated.outputs }, contextOf());
    expect(found?.inputs.name).toBe(one);
    // Names that look alike are told apart by escapes.
    const [, from, to] = /from (".*") to (".*")\./.exec(messages.at(-1) ?? "") ?? [];
    expect(from).not.toBe(to);
  });

  test("restores a previous name with spaces around it as the service trims it, and says so", async () => {
    emulator.apiKeyRecords.rename(keyId, " before ");
    await remove(await create());
    expect(nameOf()).toBe("before");
    expect(messages[0]).toMatch(/stored the name .* as "before", although "\\u0020before\\u0020" was sent/);
  });
});
