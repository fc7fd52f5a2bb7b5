import { unknownMarker } from "../../../src/bridges/wire-values.js";
import { own } from "../played-resource.js";
import { bridges } from "../provider-process.js";
import { failureOf, Session } from "./session.js";

describe.each(bridges)("a browser pool through the %s bridge", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(() => session.reset());

  const pools = () => session.emulator.browserPools.list();

  test("a pool keeps nested settings, is unchanged by the same settings as JSON, and loses removed settings", async () => {
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

  test("the preview shows a change of a pool that loads an extension with an unknown id", async () => {
    const created = await session.resource("BrowserPool").deploy({ size: 1 });
    await session.nextRun();
    const agents = session.resource("BrowserPool");
    const news = { size: 1, extensionIds: [unknownMarker] };
    const { inputs, failures } = await agents.check(news, created.inputs, { isPreview: true });
    expect(failures).toEqual([]);
    expect(inputs.extensionIds).toEqual(unknownMarker);
    expect((await agents.diff(created, inputs)).changes).not.toBe("none");
  });

  test("the preview replaces a pool and an extension whose new project is not created yet", async () => {
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

  test("a pool stays in the state if its browsers are not ready within the limit in customTimeouts", async () => {
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
});
