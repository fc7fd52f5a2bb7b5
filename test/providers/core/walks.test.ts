import { Accounts, Call } from "../../../src/providers/call.js";
import { type List, walkOf } from "../../../src/providers/reads/walks.js";
import { newEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { ProviderRuns } from "../provider-runs.js";

const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `id-${at}`);
const nothing = new AbortController().signal;

/** A walk over pages of two rows, which counts the pages. `before`: called before each page. */
async function walkOver(ids: readonly string[], before = async (_page: number, _signal: AbortSignal) => {}) {
  const runs = new ProviderRuns(await newEmulator());
  const read = { pages: 0 };
  const list: List<{ id: string; name: string }> = () => ({
    async *scan({ signal }) {
      for (let at = 0; at < ids.length; at += 2) {
        read.pages += 1;
        await before(read.pages, signal);
        yield { rows: ids.slice(at, at + 2).map((id) => ({ id, name: `Name of ${id}` })), isComplete: true };
      }
    },
  });
  const accounts = new Accounts();
  const callWith = (signal = nothing) => new Call(runs.context("Profile", 0, signal), accounts);
  return { walk: walkOf(list, undefined, callWith()), list, read, callWith, call: callWith() };
}

describe("a walk through a list", () => {
  test("the first read is told to read alone at once, and no page is read", async () => {
    const { walk, read, call } = await walkOver(idsOf(4));
    expect(await walk.take("id-0", call)).toBeUndefined();
    expect(read.pages).toBe(0);
  });

  test("a walk reads no more pages than there were reads, at once or one after the other", async () => {
    const inTurn = await walkOver(idsOf(40));
    for (let asked = 1; asked <= 8; asked += 1) {
      expect(await inTurn.walk.take("elsewhere", inTurn.call)).toBeUndefined();
      expect(inTurn.read.pages).toBeLessThanOrEqual(asked);
    }
    const atOnce = await walkOver(idsOf(40));
    await Promise.all(idsOf(8).map(() => atOnce.walk.take("elsewhere", atOnce.call)));
    expect(atOnce.read.pages).toBeLessThanOrEqual(8);
  });

  test("a row is returned once, so that a second read shows later changes", async () => {
    const { walk, call } = await walkOver(idsOf(2));
    await walk.take("id-1", call);
    expect(await walk.take("id-1", call)).toEqual({ id: "id-1", name: "Name of id-1" });
    expect(await walk.take("id-1", call)).toBeUndefined();
    expect(await walk.has("id-1", call)).toBe(true);
  });

  test("a name is free only after the whole list, and is compared as the service compares names", async () => {
    const { walk, call } = await walkOver(idsOf(6));
    expect(await walk.lacks("free", call)).toBe(false);
    expect(await walk.lacks("free", call)).toBe(false);
    expect(await walk.lacks("free", call)).toBe(false);
    expect(await walk.lacks("free", call)).toBe(true);
    expect(await walk.lacks("NAME of ID-5", call)).toBe(false);
    expect(await walk.lacks((name) => name.endsWith("-3"), call)).toBe(false);
  });

  test("all users of a list share a walk, except in another project or for another account", async () => {
    const { walk, list, call, callWith } = await walkOver([]);
    expect(walkOf(list, undefined, callWith())).toBe(walk);
    expect(walkOf(list, "other", call)).not.toBe(walk);
    expect(walkOf(list, undefined, new Call(call.context, new Accounts()))).not.toBe(walk);
  });

  test("the end of the first asker does not end the walk of the others", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { walk, callWith } = await walkOver(idsOf(2), () => held);
    const limit = new AbortController();
    await walk.take("id-0", callWith());
    const first = walk.take("id-0", callWith(limit.signal));
    const second = walk.take("id-1", callWith());
    limit.abort();
    expect(await first).toBeUndefined();
    release();
    expect(await second).toMatchObject({ id: "id-1" });
  });

  test("the request for a page ends when everyone who waits for the page is canceled", async () => {
    let signalOfWalk: AbortSignal = nothing;
    const { walk, callWith } = await walkOver(idsOf(2), (_page, signal) => {
      signalOfWalk = signal;
      return new Promise(() => {});
    });
    const run = new AbortController();
    await walk.take("id-0", callWith());
    const waiting = [walk.take("id-0", callWith(run.signal)), walk.take("id-1", callWith(run.signal))];
    run.abort();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(signalOfWalk.aborted).toBe(true);
  });

  test("a read that has no patience left goes alone, and the page is still read for the others", async () => {
    let signalOfWalk: AbortSignal = nothing;
    const { walk, call } = await walkOver(idsOf(2), (_page, signal) => {
      signalOfWalk = signal;
      return new Promise(() => {});
    });
    const patience = new AbortController();
    await walk.take("id-0", call);
    const waiting = walk.take("id-0", call.withSignal(nothing, patience.signal));
    patience.abort();
    expect(await waiting).toBeUndefined();
    expect(signalOfWalk.aborted).toBe(false);
  });
});

describe("reads that share a walk", () => {
  let runs: ProviderRuns;

  beforeEach(async () => {
    runs = new ProviderRuns(await newEmulator());
  });

  const profiles = (count: number) => idsOf(count).map((id) => ({ name: `profile-${id}` }));
  const answerList = (path: RegExp, body: unknown, status = 200) =>
    runs.emulator.faults.add({
      path,
      times: Number.POSITIVE_INFINITY,
      at: "before-commit",
      action: { answer: { status, body, headers: { "x-should-retry": "false" } } },
    });

  test("an object without a row is gone only after a read of the object", async () => {
    const created = await runs.createAll("Profile", profiles(5));
    runs.emulator.profiles.remove(String(created[3]?.id));
    const read = await runs.readAll("Profile", created);
    expect(read.map((each) => each?.id)).toEqual(created.map(({ id }, at) => (at === 3 ? undefined : id)));
    // The first read, the list, and the read of the deleted object.
    expect(runs.requests).toBe(3);
    answerList(/^\/profiles$/, []);
    expect((await runs.readAll("Profile", created)).filter((each) => each !== undefined)).toHaveLength(4);
  });

  test.each([
    ["is refused", { code: "forbidden" }, 403],
    ["is not a list", "<h1>Sign in</h1>", 200],
    ["is larger than a response may be", "x".repeat(17 * 1_048_576), 200],
  ])("all objects are read alone if the list %s", async (_what, body, status) => {
    const created = await runs.createAll(
      "BrowserPool",
      idsOf(3).map((name) => ({ name, size: 1 })),
    );
    answerList(/^\/browser_pools$/, body, status);
    const read = await runs.readAll("BrowserPool", created);
    expect(read.map((each) => each?.id)).toEqual(created.map(({ id }) => id));
    expect(runs.requests).toBe(4);
    expect(runs.warnings).toEqual([]);
  });

  test("an unreadable row of others causes no warning, and proves no name to be free", async () => {
    const emitted = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const created = await runs.createAll("Profile", profiles(3));
    answerList(/^\/profiles$/, [{ id: "theirs", name: 7, created_at: "now" }]);
    await runs.readAll("Profile", created);
    expect(runs.requests).toBe(4);
    runs.begin();
    const looked = await Promise.all(idsOf(3).map((name, at) => runs.previewed("Profile", { name }, at)));
    expect([looked.flat(), runs.warnings, emitted.mock.calls]).toEqual([[], [], []]);
    emitted.mockRestore();
    // The key, and each name: the first alone, the list, and each further name alone.
    expect(runs.requests).toBe(5);
  });

  test("a name that is taken after the list was read is an error, and the holder stays", async () => {
    runs.begin();
    await Promise.all(profiles(2).map((news, at) => runs.create("Profile", news, at)));
    const { id } = runs.emulator.profiles.ensure("late");
    expect(await errorOf(runs.create("Profile", { name: "late" }, 2))).toMatchObject({
      code: "name_taken",
      message: expect.stringContaining(id),
    });
  });

  test("a retry after a lost response looks anew, and finds the object that the list does not have", async () => {
    runs.begin();
    await Promise.all(profiles(2).map((news, at) => runs.create("Profile", news, at)));
    const cancel = new AbortController();
    const at = "after-commit";
    runs.emulator.faults.add({ method: "POST", at, action: { call: () => cancel.abort() } });
    runs.emulator.faults.add({ method: "POST", at, action: "hang" });
    await errorOf(runs.create("Profile", { name: "late" }, 2, cancel.signal));
    const { id } = await runs.create("Profile", { name: "late" }, 2);
    expect(runs.emulator.profiles.list().filter(({ name }) => name === "late")).toMatchObject([{ id }]);
  });

  test("objects of the organization are one list, whatever the project of the resource", async () => {
    const ids = idsOf(6).map((name) => runs.emulator.createProject({ name }).id);
    const created = await runs.createAll(
      "ApiKey",
      ids.map((projectId, at) => ({ name: `key-${at}`, projectId })),
    );
    await runs.readAll("ApiKey", created);
    expect(runs.requests).toBe(2);
  });

  test("names of keys and keys are one list", async () => {
    const keys = await runs.createAll(
      "ApiKey",
      idsOf(5).map((name) => ({ name })),
    );
    const others = idsOf(5).map((name) => ({ keyId: runs.emulator.createApiKey({ name }).id, name }));
    const names = await runs.createAll("ApiKeyName", others);
    runs.begin();
    const read = await Promise.all([
      ...keys.map((each, at) => runs.read("ApiKey", each, at)),
      ...names.map((each, at) => runs.read("ApiKeyName", each, at)),
    ]);
    expect(read.map((each) => each?.id)).toEqual([...keys, ...names].map(({ id }) => id));
    expect(runs.requests).toBe(2);
    runs.emulator.apiKeyRecords.remove(String(names[2]?.id));
    await runs.readAll("ApiKeyName", names);
    expect(runs.warnings).toContainEqual(expect.stringContaining("it was deleted on"));
  });

  test("connections and logins of the connections are one list", async () => {
    const { authConnections } = runs.emulator;
    const connections = await runs.createAll(
      "AuthConnection",
      idsOf(4).map((id) => ({ domain: `${id}.example`, profileName: "buyer" })),
    );
    runs.begin();
    // A login reads first, and its rows must have the names that the connections need.
    const flows = connections.map(({ id }) => ({ id, outputs: { connectionId: id } }));
    await Promise.all([
      ...flows.map((each, at) => runs.read("LoginFlow", each, at)),
      ...connections.map((each, at) => runs.read("AuthConnection", each, at)),
    ]);
    expect(runs.requests).toBe(2);
    authConnections.remove(String(connections[0]?.id));
    expect((await runs.readAll("LoginFlow", flows)).map((each) => each?.id)).toEqual([
      undefined,
      ...connections.slice(1).map(({ id }) => id),
    ]);
  });

  test("the objects that many pools refer to are read by their lists", async () => {
    const { emulator } = runs;
    const known = idsOf(10).map((name) => emulator.profiles.ensure(name).id);
    runs.begin();
    const failures = await Promise.all(
      [...known, "unknown"].map((profileId, at) =>
        runs.previewed("BrowserPool", { name: `pool-${at}`, size: 1, profileId }, at),
      ),
    );
    expect(failures.flat()).toEqual([
      { property: "profileId", reason: expect.stringContaining('no profile with the id "unknown"') },
    ]);
    // The key, the plan, two requests each for pools and profiles, and two about the unknown profile.
    expect(runs.requests).toBeLessThanOrEqual(8);
    runs.begin();
    await Promise.all(
      idsOf(10).map((profileName, at) =>
        runs.previewed("BrowserPool", { name: `pool-${at}`, size: 1, profileName: `${profileName}-new` }, at),
      ),
    );
    expect(runs.requests).toBeLessThanOrEqual(6);
    expect(runs.messages.filter((text) => text.includes("There is no profile with the name"))).toHaveLength(
      10,
    );
  });

  test("previews of extensions that many resources adopt read the list", async () => {
    const { emulator } = runs;
    const created = await runs.createAll(
      "Extension",
      idsOf(8).map((name) => ({ path: "./extension", name })),
    );
    runs.begin();
    const failures = await Promise.all(
      created.map(({ id }, at) => runs.previewed("Extension", { path: "./extension", adopt: id }, at)),
    );
    expect(failures.flat()).toEqual([]);
    expect(runs.messages.filter((text) => text.startsWith("Adopts extension"))).toHaveLength(8);
    expect(runs.requests).toBeLessThanOrEqual(4);
    expect(emulator.extensions.list()).toHaveLength(8);
  });
});
