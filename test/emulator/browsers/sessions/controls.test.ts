import type { BrowserPicture, LeasedBrowser } from "../../../../src/emulator/index.js";
import { describeInBrowser } from "../../../support/chromium.js";
import { newEmulator, shareEmulator, useEmulator } from "../../../support/emulator.js";
import { call, json, refusal } from "../../calls.js";
import { uploadBroken } from "./broken-extensions.js";
import { clientOf, connect, playedSite } from "./played-site.js";

describe("emulator: leased browsers over HTTP, without a browser", () => {
  const emulator = useEmulator();

  test("the leases of pools and the sessions of one's own are one list, newest first, as in the program", async () => {
    const client = clientOf(emulator);
    const pool = await client.browserPools.create({ name: "crew", size: 2 });
    emulator.browserPools.fill(pool.id);
    const lease = await client.browserPools.acquire("crew", { name: "checkout" });
    const { key, id: keyId } = emulator.createApiKey({ name: "agent" });
    emulator.clock.advance(1_000);
    const own = await clientOf(emulator, key).browsers.create({});
    emulator.clock.advance(1_000);
    emulator.browserPools.acquire(pool.id);
    const listed = await json<LeasedBrowser[]>(call(emulator, "GET", "/_emulator/browsers"));
    const given = emulator.apiKeyRecords.list().find(({ name }) => name === "Given at start");
    expect(listed).toMatchObject([
      { poolId: pool.id, name: null, apiKeyId: null },
      { id: own.session_id, poolId: null, name: null, apiKeyId: keyId },
      { id: lease.session_id, poolId: pool.id, name: "checkout", apiKeyId: given?.id },
    ]);
    expect(new Set(listed.map(({ acquiredAt }) => acquiredAt)).size).toBe(3);
    expect(emulator.browsers.list()).toEqual(listed);
  });

  test("a lease without a browser has no picture, and says why", async () => {
    const path = process.env.PATH;
    process.env.PATH = "/nowhere";
    const without = await newEmulator({ browser: true }).finally(() => {
      process.env.PATH = path;
    });
    for (const [each, why] of [
      [emulator, "The option --browser starts browsers."],
      // A Mac has Chrome outside of PATH.
      [without.browser ? emulator : without, without.browser ? "--browser" : "no Chromium and no Chrome"],
    ] as const) {
      const { session_id } = await clientOf(each).browsers.create({});
      expect(each.browsers.list()[0]?.missing).toContain(why);
      const refused = await call(each, "GET", `/_emulator/browsers/${session_id}/picture`);
      expect(await refusal(refused)).toMatchObject({ status: 409, message: expect.stringContaining(why) });
      expect(await each.browsers.picture(session_id)).toBeNull();
    }
  });

  test("an end of a lease over HTTP removes the browser, and an unknown id gets 404", async () => {
    const client = clientOf(emulator);
    await client.browserPools.create({ name: "crew", size: 1 });
    const { session_id } = await client.browserPools.acquire("crew", {});
    const path = `/_emulator/browsers/${session_id}`;
    expect((await call(emulator, "DELETE", path)).status).toBe(204);
    expect(await client.browserPools.retrieve("crew")).toMatchObject({ acquired_count: 0 });
    for (const [method, end] of [
      ["DELETE", ""],
      ["GET", "/picture"],
    ] as const) {
      expect((await call(emulator, method, path + end)).status).toBe(404);
    }
    await expect(emulator.browsers.end(session_id)).rejects.toThrow(session_id);
  });
});

describeInBrowser("emulator with a browser: leased browsers over HTTP", () => {
  const emulator = shareEmulator({ browser: true });
  const list = () => json<LeasedBrowser[]>(call(emulator, "GET", "/_emulator/browsers"));
  /** Waits until the only leased browser is as wanted. */
  const until = async (isWanted: (browser: LeasedBrowser) => boolean): Promise<LeasedBrowser> => {
    for (;;) {
      const [browser] = await list();
      if (browser && isWanted(browser)) {
        return browser;
      }
    }
  };

  test("a leased browser shows the page that was opened last, the errors of pages and extensions, and its clients, and an end disconnects the clients", async () => {
    const site = await playedSite();
    const extensions = [...(await uploadBroken(emulator))];
    const settings = { headless: true, start_url: site, timeout_seconds: 600 };
    const session = await clientOf(emulator).browsers.create({ ...settings, extensions });
    const path = `/_emulator/browsers/${session.session_id}`;
    const look = () => json<BrowserPicture>(call(emulator, "GET", `${path}/picture`));
    let picture = await look();
    while (picture.title !== "Site") {
      picture = await look();
    }
    expect(picture).toMatchObject({ url: `${site}/`, title: "Site" });
    // The first bytes of every JPEG.
    expect(Buffer.from(`${picture.jpeg}`, "base64").toString("hex")).toMatch(/^ffd8ff/);

    const agent = await connect(session.cdp_ws_url);
    const [page] = agent.contexts()[0]?.pages() ?? [];
    await page?.evaluate("void setTimeout(() => { throw new Error('the cart broke') })");
    const shown = await until(
      ({ extensions, pageErrors }) => pageErrors.length > 0 && extensions[1]?.errors.length === 1,
    );
    expect(shown).toMatchObject({
      clients: 1,
      missing: null,
      pageErrors: [expect.stringContaining("the cart broke")],
      extensions: [
        { name: "content", errors: [expect.stringContaining("no cart on this page")] },
        { name: "worker", errors: ["The worker did not start."] },
        { name: "whole", errors: [] },
      ],
    });
    const later = await page?.context().newPage();
    await later?.goto(`${site}/later`);
    expect(await emulator.browsers.picture(session.session_id)).toMatchObject({ url: `${site}/later` });
    const left = new Promise((resolve) => agent.once("disconnected", resolve));
    expect((await call(emulator, "DELETE", path)).status).toBe(204);
    await left;
    expect(await list()).toEqual([]);
  });
});
