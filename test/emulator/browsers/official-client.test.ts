import Kernel, { BadRequestError, ConflictError, NotFoundError, PermissionDeniedError } from "@onkernel/sdk";
import { useEmulator } from "../../support/emulator.js";
import { upload } from "../calls.js";

describe("emulator: the service's official client, on browser pools", () => {
  const emulator = useEmulator();
  let kernel: Kernel;
  const client = (more = {}) =>
    new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url, maxRetries: 0, ...more });
  beforeEach(() => {
    kernel = client();
    emulator.proxies.create({ id: "prx_1", type: "isp" });
  });

  const extension = async (name: string) =>
    (await (await upload(emulator, { name })).json()) as { id: string };

  test("the official client creates a browser pool with every setting and reads the pool back", async () => {
    const [first, second] = [await extension("first"), await extension("second")];
    const profile = emulator.profiles.ensure("shopper");
    const pool = await kernel.browserPools.create({
      name: "agents",
      size: 4,
      extensions: [{ name: "SECOND" }, { id: first.id }],
      profile: { name: "shopper" },
      proxy_id: "prx_1",
      chrome_policy: { BookmarkBarEnabled: false, ManagedBookmarks: [{ name: "x", url: null }] },
      viewport: { width: 1280, height: 800 },
      headless: true,
      stealth: true,
      kiosk_mode: true,
      start_url: "https://example.com/",
      timeout_seconds: 60,
      fill_rate_per_minute: 50,
      telemetry: { enabled: true, browser: { page: { enabled: true }, system: { enabled: false } } },
    });
    expect(pool).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{24}$/),
      name: "agents",
      created_at: expect.any(String),
      available_count: 1,
      acquired_count: 0,
      region: "us-east",
      extension_ids: [second.id, first.id],
      profile_id: profile.id,
      browser_pool_config: {
        name: "agents",
        size: 4,
        region: "us-east",
        memory: "1GiB",
        extensions: [{ name: "SECOND" }, { id: first.id }],
        profile: { name: "shopper" },
        refresh_on_profile_update: true,
        proxy_id: "prx_1",
        chrome_policy: { BookmarkBarEnabled: false, ManagedBookmarks: [{ name: "x", url: null }] },
        viewport: { width: 1280, height: 800, refresh_rate: 60 },
        headless: true,
        stealth: true,
        kiosk_mode: true,
        start_url: "https://example.com/",
        timeout_seconds: 60,
        fill_rate_per_minute: 50,
        telemetry: {
          browser: {
            control: { enabled: true },
            connection: { enabled: true },
            system: { enabled: false },
            captcha: { enabled: true },
            console: { enabled: false },
            network: { enabled: false },
            page: { enabled: true },
            interaction: { enabled: false },
            screenshot: { enabled: false },
            platform: { enabled: false },
          },
          storage: { enabled: true },
        },
      },
    });
    expect(await kernel.browserPools.retrieve(pool.id)).toEqual(pool);
    expect(await kernel.browserPools.retrieve("Agents")).toEqual(pool);
  });

  test("a browser pool created with only a size has the service's defaults, and no name", async () => {
    expect(await kernel.browserPools.create({ size: 1 })).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      available_count: 1,
      acquired_count: 0,
      region: "us-east",
      extension_ids: [],
      browser_pool_config: {
        size: 1,
        region: "us-east",
        memory: "8GiB",
        extensions: [],
        headless: false,
        stealth: false,
        kiosk_mode: false,
        timeout_seconds: 600,
        fill_rate_per_minute: 25,
        refresh_on_profile_update: false,
      },
    });
  });

  test("the official client walks all pages of browser pools, and finds pools by name, part of a name and id", async () => {
    for (let index = 0; index < 25; index += 1) {
      emulator.browserPools.create({ name: `n${index}`, size: 1 });
    }
    const ids = [];
    for await (const { id } of kernel.browserPools.list({ limit: 10 })) {
      ids.push(id);
    }
    expect([ids.length, new Set(ids).size]).toEqual([25, 25]);
    const names = async (query: object) =>
      (await kernel.browserPools.list(query)).items.map(({ name }) => name);
    expect(await names({ name: "N7" })).toEqual(["n7"]);
    expect(await names({ query: "N2", limit: 3 })).toEqual(["n24", "n23", "n22"]);
    expect(await names({ query: ids[24] })).toEqual(["n0"]);
  });

  test("an update of a browser pool changes only the sent settings, and empty values clear settings", async () => {
    const { id } = await extension("ad-blocker");
    const pool = await kernel.browserPools.create({
      name: "agents",
      size: 2,
      extensions: [{ id }],
      profile: { id: emulator.profiles.ensure("shopper").id },
      proxy_id: "prx_1",
      chrome_policy: { BookmarkBarEnabled: false },
      start_url: "https://example.com/",
      telemetry: { enabled: true },
      viewport: { width: 800, height: 600, refresh_rate: 30 },
    });
    expect(await kernel.browserPools.update("agents", { size: 3, name: "crew", stealth: true })).toEqual({
      ...pool,
      name: "crew",
      browser_pool_config: { ...pool.browser_pool_config, name: "crew", size: 3, stealth: true },
    });
    expect(await kernel.browserPools.update(pool.id, { name: "", telemetry: {} })).toMatchObject({
      name: "crew",
      browser_pool_config: { telemetry: { browser: { control: { enabled: true } } } },
    });
    const cleared = await kernel.browserPools.update(pool.id, {
      extensions: [],
      profile: { id: "" },
      proxy_id: "",
      chrome_policy: {},
      start_url: "",
      telemetry: { enabled: false },
    });
    expect(cleared).toEqual({
      id: pool.id,
      name: "crew",
      created_at: pool.created_at,
      available_count: 1,
      acquired_count: 0,
      region: "us-east",
      extension_ids: [],
      browser_pool_config: {
        name: "crew",
        region: "us-east",
        memory: "8GiB",
        size: 3,
        extensions: [],
        viewport: { width: 800, height: 600, refresh_rate: 30 },
        headless: false,
        stealth: true,
        kiosk_mode: false,
        timeout_seconds: 600,
        fill_rate_per_minute: 25,
        refresh_on_profile_update: false,
      },
    });
  });

  test("the official client acquires and releases a browser, and flushes and deletes the browser pool", async () => {
    const pool = await kernel.browserPools.create({
      name: "agents",
      size: 1,
      start_url: "https://a.example/",
    });
    emulator.browserPools.fill(pool.id);
    const browser = await kernel.browserPools.acquire("agents", { name: "job-1", tags: { run: "7" } });
    expect(browser).toMatchObject({
      session_id: expect.stringMatching(/^[a-z0-9]{24}$/),
      cdp_ws_url: expect.stringMatching(/^wss:/),
      webdriver_ws_url: expect.stringMatching(/^wss:/),
      browser_live_view_url: expect.stringMatching(/^https:/),
      headless: false,
      stealth: false,
      timeout_seconds: 600,
      pool: { id: pool.id, name: "agents" },
      name: "job-1",
      start_url: "https://a.example/",
      tags: { run: "7" },
    });
    expect(await kernel.browserPools.retrieve("agents")).toMatchObject({
      available_count: 0,
      acquired_count: 1,
    });
    expect(await kernel.browserPools.acquire("agents", { acquire_timeout_seconds: 0 })).toBeNull();
    await kernel.browserPools.release("agents", { session_id: browser.session_id });
    expect(await kernel.browserPools.retrieve("agents")).toMatchObject({
      available_count: 1,
      acquired_count: 0,
    });
    await kernel.browserPools.flush("agents");
    expect(await kernel.browserPools.retrieve("agents")).toMatchObject({ available_count: 0 });
    expect(await kernel.browserPools.delete(pool.id)).toBeNull();
    await expect(kernel.browserPools.retrieve(pool.id)).rejects.toThrow(NotFoundError);
  });

  test("the official client throws typed errors for refused requests on browser pools", async () => {
    const pool = await kernel.browserPools.create({ name: "agents", size: 1 });
    await expect(kernel.browserPools.create({ name: "AGENTS", size: 1 })).rejects.toThrow(ConflictError);
    await expect(kernel.browserPools.create({ size: 100 })).rejects.toThrow(PermissionDeniedError);
    await expect(kernel.browserPools.create({ size: 0 })).rejects.toThrow(BadRequestError);
    for (const request of [
      kernel.browserPools.retrieve("none"),
      kernel.browserPools.update("none", { size: 1 }),
      kernel.browserPools.delete("none"),
      kernel.browserPools.acquire("none", {}),
      kernel.browserPools.flush("none"),
      kernel.browserPools.release("none", { session_id: "x" }),
      kernel.browserPools.release("agents", { session_id: "x" }),
      client({ projectID: emulator.createProject({ name: "other" }).id }).browserPools.retrieve(pool.id),
    ]) {
      await expect(request).rejects.toMatchObject({ status: 404, error: { code: "not_found" } });
    }
    emulator.browserPools.fill(pool.id);
    const { sessionId } = emulator.browserPools.acquire(pool.id);
    await expect(kernel.browserPools.delete("agents")).rejects.toMatchObject({
      status: 400,
      error: { code: "pool_in_use", message: expect.stringContaining(sessionId) },
    });
    expect(await kernel.browserPools.delete("agents", { force: true })).toBeNull();
  });
});
