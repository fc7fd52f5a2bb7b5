import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type Kernel from "@onkernel/sdk";
import { WebSocket } from "ws";
import { describeInBrowser } from "../../../support/chromium.js";
import { newEmulator, shareEmulator } from "../../../support/emulator.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { clientOf, connect, firstPage, markOf, playedSite, uploadMarker, visitorAt } from "./played-site.js";

describeInBrowser("emulator with a browser: leases of a pool", () => {
  const emulator = shareEmulator({ browser: true, speed: 1000 });
  let client: Kernel;
  let site = "";
  let count = 0;

  beforeAll(async () => {
    client = clientOf(emulator);
    site = await playedSite();
  });

  const newPool = (settings: object = {}) => {
    count += 1;
    return client.browserPools.create({ size: 1, headless: true, name: `pool-${count}`, ...settings });
  };
  const acquire = (poolId: string, more: object = {}) => client.browserPools.acquire(poolId, more);
  const release = (poolId: string, sessionId: string, reuse = false) =>
    client.browserPools.release(poolId, { session_id: sessionId, reuse });

  test("a lease opens a browser with the extension, the viewport and the start page of the pool", async () => {
    const { id: extension } = await uploadMarker(client, "marker", "first");
    const pool = await newPool({
      extensions: [{ id: extension }],
      viewport: { width: 800, height: 600 },
      start_url: `${site}/start`,
    });
    const lease = await acquire(pool.id);
    const page = await firstPage(lease.cdp_ws_url);
    await page.waitForURL(`${site}/start`);
    expect(await page.evaluate("[innerWidth, innerHeight]")).toEqual([800, 600]);
    expect(await markOf(page)).toBe("first");
    const another = await page.context().newPage();
    await another.goto(site);
    expect(await another.evaluate("[innerWidth, innerHeight]")).toEqual([800, 600]);
    expect(await markOf(another)).toBe("first");
    await release(pool.id, lease.session_id);
  });

  test("an extension that does not load fails the lease in Chromium's words, and is not tried again", async () => {
    const { id } = await uploadMarker(client, "broken", "", {
      content_scripts: [{ matches: ["no pattern"], js: ["mark.js"] }],
    });
    const pool = await newPool({ extensions: [{ id }] });
    const response = await fetch(`${emulator.url}/browser_pools/${pool.id}/acquire`, {
      method: "POST",
      headers: { authorization: "Bearer sk_emulator" },
    });
    expect(response.status).toBe(500);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await response.json()).toEqual({
      code: "browser_failed",
      message: expect.stringMatching(
        /^The browser did not start: the extension "broken" does not load: .*matches/,
      ),
    });
    // Nothing is leased, and nothing runs.
    expect(emulator.browserPools.get(pool.id).acquiredCount).toBe(0);
  });

  test("a lease loads the profile of the pool and saves nothing; a session of one's own saves", async () => {
    const { id: profile } = await client.profiles.create({ name: "signed-in" });
    const pool = await newPool({ profile: { id: profile, save_changes: true } });
    const lease = await acquire(pool.id);
    expect(await visitorAt(await firstPage(lease.cdp_ws_url), `${site}/login`)).toBe("nobody");
    await release(pool.id, lease.session_id);
    const next = await acquire(pool.id);
    expect(await visitorAt(await firstPage(next.cdp_ws_url), site)).toBe("nobody");
    await release(pool.id, next.session_id);

    const session = await client.browsers.create({
      headless: true,
      profile: { name: "signed-in", save_changes: true },
    });
    await visitorAt(await firstPage(session.cdp_ws_url), `${site}/login`);
    await client.browsers.deleteByID(session.session_id);
    const last = await acquire(pool.id);
    expect(await visitorAt(await firstPage(last.cdp_ws_url), site)).toBe("user=ada");
    await release(pool.id, last.session_id);
  });

  test("a lease with a profile of its own saves if asked, and no next lease gets its browser", async () => {
    const { id } = await client.profiles.create({ name: "of-a-lease" });
    const pool = await newPool();
    const own = await acquire(pool.id, { profile: { id, save_changes: true } });
    expect(own.profile?.id).toBe(id);
    await visitorAt(await firstPage(own.cdp_ws_url), `${site}/login`);
    await release(pool.id, own.session_id, true);
    emulator.browserPools.fill(pool.id);
    const plain = await acquire(pool.id);
    expect(plain.session_id).not.toBe(own.session_id);
    expect(await visitorAt(await firstPage(plain.cdp_ws_url), site)).toBe("nobody");
    await release(pool.id, plain.session_id, true);
    // The idle browser runs, and belongs to nobody: the lease with a profile gets a fresh one.
    const again = await acquire(pool.id, { profile: { id } });
    expect(await visitorAt(await firstPage(again.cdp_ws_url), site)).toBe("user=ada");
    await release(pool.id, again.session_id);
  });

  test("a session saves nothing of a profile that was deleted meanwhile", async () => {
    const dataDir = temporaryFolder();
    const keeping = await newEmulator({ browser: true, dataDir });
    const own = clientOf(keeping);
    const { id } = await own.profiles.create({ name: "deleted" });
    const session = await own.browsers.create({ headless: true, profile: { id, save_changes: true } });
    await visitorAt(await firstPage(session.cdp_ws_url), `${site}/login`);
    await own.profiles.delete(id);
    await own.browsers.deleteByID(session.session_id);
    expect(readdirSync(join(dataDir, "profiles"))).toEqual([]);
  });

  test("of two sessions that save one profile, the last to end wins", async () => {
    const profile = { name: "shared", save_changes: true };
    await client.profiles.create({ name: "shared" });
    const [first, second] = await Promise.all([
      client.browsers.create({ headless: true, profile, timeout_seconds: 600 }),
      client.browsers.create({ headless: true, profile, timeout_seconds: 600 }),
    ]);
    await visitorAt(await firstPage(first.cdp_ws_url), `${site}/login`);
    await client.browsers.deleteByID(first.session_id);
    await visitorAt(await firstPage(second.cdp_ws_url), site);
    await client.browsers.deleteByID(second.session_id);
    const third = await client.browsers.create({ headless: true, profile: { name: "shared" } });
    expect(await visitorAt(await firstPage(third.cdp_ws_url), site)).toBe("nobody");
    await client.browsers.deleteByID(third.session_id);
  });

  test("a released browser is reused where it was left, at a new address; the old address is refused", async () => {
    const pool = await newPool({ start_url: `${site}/start` });
    const lease = await acquire(pool.id);
    const browser = await connect(lease.cdp_ws_url);
    const disconnected = new Promise((resolve) => browser.once("disconnected", resolve));
    await browser.contexts()[0]?.pages()[0]?.goto(`${site}/login`);
    await release(pool.id, lease.session_id, true);
    await disconnected;
    await expect(connect(lease.cdp_ws_url)).rejects.toThrow("404");
    const next = await acquire(pool.id);
    expect(next.session_id).toBe(lease.session_id);
    expect(next.cdp_ws_url).not.toBe(lease.cdp_ws_url);
    await expect(connect(lease.cdp_ws_url)).rejects.toThrow("404");
    const page = await firstPage(next.cdp_ws_url);
    expect(page.url()).toBe(`${site}/login`);
    expect(await visitorAt(page, site)).toBe("user=ada");
    await release(pool.id, next.session_id, true);
    const elsewhere = await acquire(pool.id, { start_url: `${site}/elsewhere` });
    expect((await firstPage(elsewhere.cdp_ws_url)).url()).toBe(`${site}/elsewhere`);
    await release(pool.id, elsewhere.session_id);
  });

  test("an idle browser keeps the extension with which it was built, even deleted, until it is discarded", async () => {
    const old = await uploadMarker(client, "old", "old");
    const pool = await newPool({ extensions: [{ id: old.id }] });
    const present = await uploadMarker(client, "present", "present");
    await client.browserPools.update(pool.id, { extensions: [{ id: present.id }] });
    await client.extensions.delete(old.id);
    const stale = await acquire(pool.id);
    const page = await firstPage(stale.cdp_ws_url);
    await page.goto(site);
    expect(await markOf(page)).toBe("old");
    await release(pool.id, stale.session_id, true);
    await client.browserPools.update(pool.id, { discard_all_idle: true });
    const fresh = await acquire(pool.id);
    const next = await firstPage(fresh.cdp_ws_url);
    await next.goto(site);
    expect(await markOf(next)).toBe("present");
    await release(pool.id, fresh.session_id);
  });

  const ends = {
    "the pool is deleted": ({ pool }) => client.browserPools.delete(pool, { force: true }),
    "the project is reset": async () => emulator.reset(),
    "its time is over": async ({ browser }) => {
      await browser.close();
      emulator.clock.advance(700_000);
    },
    // Without Playwright, which may read the end of its connection before it hands over the answer.
    "a client closes the browser": async ({ address }) => {
      const socket = new WebSocket(address);
      await once(socket, "open");
      const answer = once(socket, "message");
      socket.send('{"id":1,"method":"Browser.close"}');
      expect(String((await answer)[0])).toBe('{"id":1,"result":{}}');
    },
  } satisfies Record<
    string,
    (given: {
      pool: string;
      address: string;
      browser: Awaited<ReturnType<typeof connect>>;
    }) => Promise<unknown>
  >;
  test.each(Object.entries(ends))("a leased browser ends when %s", async (_, end) => {
    const pool = await newPool();
    const lease = await acquire(pool.id);
    const browser = await connect(lease.cdp_ws_url);
    const disconnected = new Promise((resolve) => browser.once("disconnected", resolve));
    await end({ pool: pool.id, address: lease.cdp_ws_url, browser });
    await disconnected;
    await expect(client.browsers.retrieve(lease.session_id)).rejects.toThrow("404");
    await expect(connect(lease.cdp_ws_url)).rejects.toThrow("404");
  });
});
