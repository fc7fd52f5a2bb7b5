import { unknownMarker } from "../../../src/bridges/wire-values.js";
import { own } from "../played-resource.js";
import { bridges } from "../provider-process.js";
import { failureOf, Session } from "./session.js";

describe.each(bridges)("a browser pool, through the %s bridge,", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(() => session.reset());

  const pools = () => session.emulator.browserPools.list();

  test("keeps nested settings as they are, finds other words for them unchanged, and clears them", async () => {
    const news = { size: 2, chromePolicy: { b: [1, { c: true }], a: "x" }, telemetry: { console: true } };
    const created = await session.resource("BrowserPool").deploy(news);
    expect(own(created.outputs)).toMatchObject(news);
    expect(pools()).toMatchObject([{ id: created.id, size: 2, chromePolicy: news.chromePolicy }]);

    await session.nextRun();
    const again = session.resource("BrowserPool");
    const same = {
      ...news,
      chromePolicy: '{"a":"x","b":[1,{"c":true}]}',
      telemetry: { console: true, page: false },
    };
    const unchanged = await again.accepted(same, created.inputs);
    expect(await again.diff(created, unchanged)).toMatchObject({ changes: "none", replaces: [] });

    await session.nextRun();
    const changing = session.resource("BrowserPool");
    const inputs = await changing.accepted({ size: 3 }, created.inputs);
    expect(await changing.diff(created, inputs)).toMatchObject({ replaces: [] });
    const updated = await changing.update(created, inputs);
    expect(pools()).toMatchObject([{ id: created.id, size: 3, chromePolicy: null, telemetry: null }]);
    expect(own(updated.outputs).telemetry ?? undefined).toBeUndefined();
  });

  test("is replaced when its viewport is removed, and the old one goes first", async () => {
    const created = await session
      .resource("BrowserPool")
      .deploy({ size: 1, viewport: { width: 800, height: 600 } });
    await session.nextRun();
    const agents = session.resource("BrowserPool");
    const inputs = await agents.accepted({ size: 1 }, created.inputs);
    expect(await agents.diff(created, inputs)).toMatchObject({
      replaces: ["viewport"],
      deleteBeforeReplace: true,
    });
  });

  test("changes in a preview whose extension is still to be uploaded, and shows no guess", async () => {
    const created = await session.resource("BrowserPool").deploy({ size: 1 });
    await session.nextRun();
    const agents = session.resource("BrowserPool");
    const news = { size: 1, extensionIds: [unknownMarker] };
    const { inputs, failures } = await agents.check(news, created.inputs, { isPreview: true });
    expect(failures).toEqual([]);
    expect(inputs.extensionIds).toEqual(unknownMarker);
    expect((await agents.diff(created, inputs)).changes).not.toBe("none");
  });

  test("is replaced in a preview whose project is still to be created, and so is an extension", async () => {
    const pool = await session.resource("BrowserPool", { name: "agents" }).deploy({ size: 1 });
    const news = { path: "./extension" };
    const old = await session.resource("Extension").deploy(news);
    await session.nextRun();
    const projectId = unknownMarker;
    const agents = session.resource("BrowserPool", { name: "agents" });
    const moved = await agents.check({ size: 1, projectId }, pool.inputs, { isPreview: true });
    expect(await agents.diff(pool, moved.inputs)).toMatchObject({
      replaces: ["projectId"],
      deleteBeforeReplace: true,
    });
    const reader = session.resource("Extension");
    const { inputs } = await reader.check({ ...news, projectId }, old.inputs, { isPreview: true });
    expect(await reader.diff(old, inputs)).toMatchObject({
      replaces: ["projectId"],
      deleteBeforeReplace: false,
    });
  });

  test("stays in the state when its browsers are not ready in time", async () => {
    const agents = session.resource("BrowserPool", { timeouts: { create: 1 } });
    const inputs = await agents.accepted({ size: 2, fillRatePerMinute: 1, waitForAvailable: 2 });
    const failure = await failureOf(agents.create(inputs));
    expect(failure.initFailed?.reasons).toEqual([
      expect.stringMatching(
        /^The time limit of 1s in "customTimeouts" has passed\. Browser pool .+ exists, but waiting for 2 ready browsers failed/,
      ),
    ]);
    expect(pools()).toHaveLength(1);
  });

  test.each<[string, { readonly name?: string }]>([
    ["a fixed", { name: "reader" }],
    ["an automatic", {}],
  ])("that loads an extension with %s name decides how it can be replaced", async (_what, naming) => {
    const news = { path: "./extension", ...naming };
    const old = await session.resource("Extension").deploy(news);
    const pool = session.emulator.browserPools.create({
      name: "agents",
      size: 1,
      extensions: [{ id: old.id }],
    });
    await session.nextRun();
    session.write("popup.js", "// new\n");
    const reader = session.resource("Extension");
    await reader.diff(old, await reader.accepted(news, old.inputs));
    // The engine checks a replacement without the old inputs.
    const refusals = await reader.previewRefusals(news);
    if (naming.name === undefined) {
      expect(refusals).toEqual([]);
    } else {
      const waysOut = 'Remove "name": .+ Or remove the extension from the pool, deploy, and change';
      expect(refusals).toEqual([
        expect.stringMatching(`because browser pool "agents" \\(${pool.id}\\) loads it\\. .+ ${waysOut}`),
      ]);
      expect((await failureOf(reader.delete(old))).message).toMatch(
        new RegExp(`was not deleted, because browser pool "agents" .+ loads it \\(400 .+\\)\\. ${waysOut}`),
      );
      expect(session.emulator.extensions.list()).toMatchObject([{ id: old.id }]);
    }
  });
});
