import { type ApiError, type BrowserPoolSettings, ContractError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, noContent } from "../fault-server.js";
import { listOf, serveList } from "../list-server.js";
import { closeBenches, startBench } from "../test-client.js";
import { wireBrowserPool } from "../wire-records.js";

afterEach(closeBenches);

const { id } = wireBrowserPool;
const { browser_pool_config: wireConfig } = wireBrowserPool;
const bareConfig = { size: 1 };
const bare = {
  id,
  available_count: 0,
  acquired_count: 0,
  created_at: "2026-05-01T08:00:00Z",
  extension_ids: [],
  browser_pool_config: bareConfig,
};
const withConfig = (changes: object) => ({
  ...wireBrowserPool,
  browser_pool_config: { ...wireConfig, ...changes },
});
const bodyOf = (request: { readonly body: Buffer } | undefined) =>
  JSON.parse(request?.body.toString() ?? "null") as unknown;

describe("reading browser pools", () => {
  test("a browser pool is read by id, in our own names, with settings and counts side by side", async () => {
    const { client, server } = await startBench([json(200, wireBrowserPool)]);
    expect(await client.browserPools.get(id)).toEqual({
      id,
      name: "agents",
      size: 5,
      region: "eu-west",
      memory: "16GiB",
      network: {
        allowedHosts: ["*.shop.example"],
        privateHosts: [],
        proxyRoutes: [{ hosts: ["bank.example"], proxyId: "ckx0000000000000000000c2" }],
      },
      availableCount: 3,
      acquiredCount: 2,
      extensionIds: ["cke0000000000000000000a1", "cke0000000000000000000a2"],
      profileId: "ckf0000000000000000000b1",
      profileName: "shopper",
      refreshOnProfileUpdate: true,
      proxyId: "ckx0000000000000000000c1",
      chromePolicy: { BookmarkBarEnabled: false, URLBlocklist: ["example.com"] },
      viewport: { width: 1280, height: 800, refreshRate: 60 },
      headless: false,
      stealth: true,
      kioskMode: false,
      startUrl: "https://example.com/",
      timeoutSeconds: 600,
      fillRatePerMinute: 25,
      telemetry: { page: true, control: false },
      telemetryDestinationId: "ckt0000000000000000000d1",
      telemetryStorage: false,
      telemetryExcludedMethods: ["Page.navigate"],
      unknownSettings: [],
      createdAt: "2026-05-01T08:00:00Z",
    });
    expect(server.requests).toMatchObject([{ method: "GET", target: `/browser_pools/${id}` }]);
  });

  test.each<[string, object]>([
    ["left out", bare],
    [
      "empty",
      {
        ...bare,
        name: "",
        profile_id: "",
        browser_pool_config: {
          ...bareConfig,
          extensions: [],
          profile: { id: "" },
          proxy_id: "",
          start_url: "",
          chrome_policy: {},
          telemetry: null,
          network: {},
          viewport: null,
          headless: null,
        },
      },
    ],
  ])("a pool setting that is %s reads as null, or as an empty list", async (_how, wire) => {
    const { client } = await startBench([json(200, wire)]);
    expect(await client.browserPools.get(id)).toEqual({
      id,
      name: null,
      size: 1,
      region: null,
      memory: null,
      network: null,
      availableCount: 0,
      acquiredCount: 0,
      extensionIds: [],
      profileId: null,
      profileName: null,
      refreshOnProfileUpdate: null,
      proxyId: null,
      chromePolicy: null,
      viewport: null,
      headless: null,
      stealth: null,
      kioskMode: null,
      startUrl: null,
      timeoutSeconds: null,
      fillRatePerMinute: null,
      telemetry: null,
      telemetryDestinationId: null,
      telemetryStorage: null,
      telemetryExcludedMethods: [],
      unknownSettings: [],
      createdAt: "2026-05-01T08:00:00Z",
    });
  });

  test("unknown pool settings are named in unknownSettings if the settings have a value", async () => {
    const network = { allowed_hosts: ["a.example"], dns: ["9.9.9.9"] };
    const telemetry = { browser: {}, sampling: { rate: 1 } };
    const viewport = { width: 8, height: 8, depth: 24 };
    const wire = withConfig({ gpu: "large", sound: null, network, telemetry, viewport });
    const { client } = await startBench([json(200, wire)]);
    expect(await client.browserPools.get(id)).toMatchObject({
      unknownSettings: ["gpu", "viewport.depth", "network.dns", "telemetry.sampling"],
      network: { allowedHosts: ["a.example"] },
    });
  });

  test("unknown members of telemetry and proxy routes are named, and the pool is still read", async () => {
    const routes = [
      { hosts: ["a.example"], proxy: { id: "ckx0000000000000000000c2", mode: "sticky" }, weight: 3 },
    ];
    const browser = {
      page: { enabled: true, rate: 1 },
      vision: "high",
      control: { cdp: { depth: 1 } },
      sound: 7,
    };
    const telemetry = { browser, export: { kafka: {} }, storage: { days: 3 } };
    const { client } = await startBench([
      json(200, withConfig({ network: { proxy_routes: routes }, telemetry })),
    ]);
    expect(await client.browserPools.get(id)).toMatchObject({
      telemetry: { page: true },
      network: { proxyRoutes: [{ hosts: ["a.example"], proxyId: "ckx0000000000000000000c2" }] },
      unknownSettings: [
        "network.proxy_routes[0].weight",
        "network.proxy_routes[0].proxy.mode",
        "telemetry.browser.vision",
        "telemetry.browser.sound",
        "telemetry.browser.page.rate",
        "telemetry.browser.control.cdp.depth",
        "telemetry.export.kafka",
        "telemetry.storage.days",
      ],
    });
  });

  test.each<[string, object, string]>([
    ["size 12.5", { size: 12.5 }, '"browser_pool_config.size" should be a whole number, got the number 12.5'],
    ["size -1", { size: -1 }, '"browser_pool_config.size" should be at least 0, got the number -1'],
    ["size 2^63-1", { size: 2 ** 63 - 1 }, '"browser_pool_config.size" should be at most 9007199254740991'],
    [
      "width 0",
      { viewport: { width: 0, height: 8 } },
      'viewport.width" should be more than 0, got the number 0',
    ],
  ])(
    "a pool with the impossible number %s is refused, and the error names the allowed numbers",
    async (_what, config, expected) => {
      const { client } = await startBench([json(200, withConfig(config))]);
      expect((await errorOf(client.browserPools.get(id))).message).toContain(expected);
    },
  );

  test("a pool of no browsers is read", async () => {
    const { client } = await startBench([json(200, withConfig({ size: 0 }))]);
    expect(await client.browserPools.get(id)).toMatchObject({ size: 0 });
  });

  test("1GiB of memory is refused for a new pool without headless, and sent in an update", async () => {
    const { client, server } = await startBench([json(200, wireBrowserPool)]);
    const error = await errorOf(client.browserPools.create({ size: 1, memory: "1GiB" }));
    expect(error.message).toContain("for 1GiB, set headless to true");
    expect(server.requests).toEqual([]);
    await client.browserPools.update(id, { memory: "1GiB" });
    expect(server.requests).toHaveLength(1);
  });

  test("without extension_ids and profile_id, a pool's ids are read from browser_pool_config", async () => {
    const { extension_ids, profile_id, ...rest } = withConfig({
      extensions: [{ id: "cke0000000000000000000a1" }],
      profile: { id: "ckf0000000000000000000b1" },
    });
    const { client } = await startBench([json(200, rest)]);
    expect(await client.browserPools.get(id)).toMatchObject({
      extensionIds: ["cke0000000000000000000a1"],
      profileId: "ckf0000000000000000000b1",
      profileName: null,
    });
  });

  test.each<[string, object, string]>([
    ["another id", { ...wireBrowserPool, id: "other" }, "it describes another browser pool"],
    [
      "no size",
      withConfig({ size: undefined }),
      '"browser_pool_config.size" should be a number, got nothing',
    ],
    [
      "a string as a switch",
      withConfig({ stealth: "yes" }),
      '"browser_pool_config.stealth" should be a bool',
    ],
    ["no count of leases", { ...wireBrowserPool, acquired_count: null }, '"acquired_count" should be'],
    [
      "an extension id that is no id",
      { ...wireBrowserPool, extension_ids: ["a b"] },
      '"extension_ids[0]" should be visible ASCII characters',
    ],
    [
      "a policy that is a list",
      withConfig({ chrome_policy: [] }),
      '"browser_pool_config.chrome_policy" should be a record',
    ],
  ])("a pool with %s is a contract error", async (_what, wire, expected) => {
    const { client } = await startBench([json(200, wire)]);
    const error = await errorOf(client.browserPools.get(id));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(expected);
  });

  test("a pool with a policy of 5 MiB is read, alone and in a list", async () => {
    const policy = { URLBlocklist: Array.from({ length: 5 }, () => "x".repeat(1_000_000)) };
    const large = withConfig({ chrome_policy: policy });
    const { client } = await startBench([json(200, large), listOf(large, { ...large, id: "other" })]);
    expect((await client.browserPools.get(id)).chromePolicy).toEqual(policy);
    expect(await client.browserPools.list()).toHaveLength(2);
  });

  test("a list of browser pools reads every page and sends name and search text", async () => {
    const rows = Array.from({ length: 150 }, (_, index) => ({ ...wireBrowserPool, id: `p${index}` }));
    const { client, server } = await startBench([serveList({ rows: () => rows })]);
    expect(await client.browserPools.list({ name: "agents", query: "GENT" })).toHaveLength(150);
    expect(server.requests[0]?.target).toBe("/browser_pools?limit=100&offset=0&name=agents&query=GENT");
  });

  test("a list of browser pools in a region sends the region", async () => {
    const { client, server } = await startBench([json(200, [])]);
    await client.browserPools.list({ region: "eu-west" });
    expect(server.requests[0]?.target).toContain("region=eu-west");
  });
});

describe("changing browser pools", () => {
  const everything = {
    name: "agents",
    size: 5,
    extensionIds: ["e2", "e1"],
    profileId: "f1",
    refreshOnProfileUpdate: false,
    proxyId: "x1",
    chromePolicy: { BookmarkBarEnabled: false },
    viewport: { width: 1280, height: 800, refreshRate: 60 },
    headless: false,
    stealth: true,
    kioskMode: false,
    startUrl: "https://example.com/",
    timeoutSeconds: 600,
    fillRatePerMinute: 25,
    telemetry: { page: true, control: false },
    region: "eu-west",
    memory: "16GiB",
    network: {
      allowedHosts: ["*.shop.example"],
      privateHosts: [],
      proxyRoutes: [{ hosts: ["bank.example"], proxyId: "x2" }],
    },
    telemetryDestinationId: "d1",
    telemetryStorage: false,
    telemetryExcludedMethods: ["Page.navigate"],
  } satisfies Required<Omit<BrowserPoolSettings, "profileName">>;
  const everythingOnWire = {
    name: "agents",
    size: 5,
    extensions: [{ id: "e2" }, { id: "e1" }],
    profile: { id: "f1" },
    refresh_on_profile_update: false,
    proxy_id: "x1",
    chrome_policy: { BookmarkBarEnabled: false },
    viewport: { width: 1280, height: 800, refresh_rate: 60 },
    headless: false,
    stealth: true,
    kiosk_mode: false,
    start_url: "https://example.com/",
    timeout_seconds: 600,
    fill_rate_per_minute: 25,
    region: "eu-west",
    memory: "16GiB",
    network: {
      allowed_hosts: ["*.shop.example"],
      private_hosts: [],
      proxy_routes: [{ hosts: ["bank.example"], proxy: { id: "x2" } }],
    },
    telemetry: {
      enabled: true,
      browser: {
        page: { enabled: true },
        control: { enabled: false, cdp: { excluded_methods: ["Page.navigate"] } },
      },
      export: { otlp: { destination: { id: "d1" } } },
      storage: { enabled: false },
    },
  };
  const cleared = {
    extensionIds: [],
    profileId: null,
    proxyId: null,
    chromePolicy: null,
    startUrl: null,
    telemetry: null,
    network: null,
  };

  test("the creation of a pool sends every given setting, and extensions in the given order", async () => {
    const { client, server } = await startBench([json(201, wireBrowserPool)]);
    expect((await client.browserPools.create(everything)).id).toBe(id);
    expect(server.requests).toMatchObject([{ method: "POST", target: "/browser_pools" }]);
    expect(bodyOf(server.requests[0])).toEqual(everythingOnWire);
  });

  test("the creation of a pool omits the name if not given and settings that are null", async () => {
    const { client, server } = await startBench([json(201, bare)]);
    await client.browserPools.create({ ...cleared, size: 1 });
    expect(bodyOf(server.requests[0])).toEqual({ size: 1, extensions: [] });
  });

  test("an update of a pool sends the given settings, and null as the service's value for clearing", async () => {
    const { client, server } = await startBench([json(200, wireBrowserPool)]);
    await client.browserPools.update(id, everything);
    await client.browserPools.update(id, cleared);
    await client.browserPools.update(id, { profileName: null });
    await client.browserPools.update(id, { profileName: "shopper", profileId: null });
    await client.browserPools.update(id, { size: 3 }, { rebuildIdleBrowsers: true });
    await client.browserPools.update(id, { size: 3 }, { rebuildIdleBrowsers: false });
    expect(server.requests.map(bodyOf)).toEqual([
      everythingOnWire,
      {
        extensions: [],
        profile: { id: "" },
        proxy_id: "",
        chrome_policy: {},
        start_url: "",
        network: {},
        telemetry: { enabled: false },
      },
      { profile: { id: "" } },
      { profile: { name: "shopper" } },
      { size: 3, discard_all_idle: true },
      { size: 3 },
    ]);
    expect(server.requests[0]).toMatchObject({ method: "PATCH", target: `/browser_pools/${id}` });
  });

  test("an update of telemetry export and excluded methods sends no telemetry categories", async () => {
    const { client, server } = await startBench([json(200, wireBrowserPool)]);
    await client.browserPools.update(id, { telemetryDestinationId: null, telemetryExcludedMethods: [] });
    expect(server.requests.map(bodyOf)).toEqual([
      {
        telemetry: {
          browser: { control: { cdp: { excluded_methods: [] } } },
          export: { otlp: { enabled: false } },
        },
      },
    ]);
  });

  test("an update of a pool can send the network that the caller expects", async () => {
    const { client, server } = await startBench([json(200, wireBrowserPool)]);
    const { network: expectedNetwork } = await client.browserPools.get(id);
    await client.browserPools.update(id, { size: 3 }, { expectedNetwork });
    await client.browserPools.update(id, { size: 3 }, { expectedNetwork: null });
    expect(server.requests.slice(1).map(bodyOf)).toEqual([
      { size: 3, expected_network: wireConfig.network },
      { size: 3, expected_network: {} },
    ]);
  });

  test("the deletion of a pool sends force only if the caller forces the deletion", async () => {
    const { client, server } = await startBench([noContent]);
    await client.browserPools.delete(id);
    await client.browserPools.delete(id, { force: true });
    expect(server.requests).toMatchObject([
      { method: "DELETE", target: `/browser_pools/${id}` },
      { method: "DELETE", target: `/browser_pools/${id}` },
    ]);
    expect(server.requests.map(bodyOf)).toEqual([{}, { force: true }]);
  });

  test("the error for deleting a pool with leased browsers says what to do", async () => {
    const refusal = { code: "pool_in_use", message: "The pool has 2 leased browsers." };
    const { client } = await startBench([json(400, refusal)]);
    expect(await errorOf(client.browserPools.delete(id))).toMatchObject({
      code: "pool_in_use",
      message:
        `Deleting the browser pool "${id}" failed: 400 pool_in_use, The pool has 2 leased browsers. ` +
        "Release the leased browsers and try again, or force the deletion, which ends the browsers.",
    } satisfies Partial<ApiError>);
  });

  test.each<[BrowserPoolSettings, string, string]>([
    [{ name: "" }, "name", "is empty"],
    [{ name: "a b" }, "name", "must be 1 to 255 of the characters"],
    [{ name: "a".repeat(24) }, "name", "looks like a browser pool id"],
    [{ size: 0 }, "size", "must be a whole number of at least 1"],
    [{ size: 1.5 }, "size", "must be a whole number of at least 1"],
    [{ extensionIds: Array.from({ length: 21 }, (_, i) => `e${i}`) }, "extensionIds", "has 21 extensions"],
    [{ extensionIds: ["e1", ""] }, "extensionIds[1]", "must be the id of an extension"],
    [{ extensionIds: ["e1", "e2", "e1"] }, "extensionIds[2]", "is already in the list"],
    [{ profileId: "" }, "profileId", "must be the id of a profile"],
    [{ profileName: "" }, "profileName", "is empty"],
    [{ profileId: "f1", profileName: "shopper" }, "profileName", "together with profileId"],
    [{ profileId: null, refreshOnProfileUpdate: true }, "refreshOnProfileUpdate", "needs a profile"],
    [{ region: "mars" }, "region", "must be one of us-east, us-west, eu-west, ap-southeast"],
    [{ headless: true, memory: "8GiB" }, "memory", "must be one of 1GiB, 2GiB, 4GiB"],
    [{ network: { privateHosts: ["*.org"] } }, "network.privateHosts[0]", "public suffix org"],
    [{ size: -1 }, "size", "must be a whole number of at least 1"],
    [{ size: 2 ** 63 - 1 }, "size", "must be a whole number from 1 to 9007199254740991"],
    [{ network: { allowedHosts: [] } }, "network.allowedHosts", "leave the list out to allow every host"],
    [{ network: { privateHosts: ["http://a"] } }, "network.privateHosts[0]", "without scheme"],
    [{ telemetryDestinationId: "" }, "telemetryDestinationId", "must be the id of a telemetry destination"],
    [{ telemetryStorage: false, telemetryDestinationId: null }, "telemetryStorage", "with a destination"],
    [{ proxyId: "" }, "proxyId", "must be the id of a proxy"],
    [{ viewport: { width: 0, height: 1 } }, "viewport.width", "of at least 1"],
    [{ viewport: { width: 1, height: 1, refreshRate: 0.5 } }, "viewport.refreshRate", "of at least 1"],
    [{ startUrl: "" }, "startUrl", "is empty"],
    [{ startUrl: "ä".repeat(1_025) }, "startUrl", "has 2050 bytes; use at most 2048"],
    [{ timeoutSeconds: 9 }, "timeoutSeconds", "from 10 to 259200"],
    [{ timeoutSeconds: 259_201 }, "timeoutSeconds", "from 10 to 259200"],
    [{ fillRatePerMinute: -1 }, "fillRatePerMinute", "at least 0"],
    [{ fillRatePerMinute: 2.5 }, "fillRatePerMinute", "at least 0"],
    [{ chromePolicy: { a: "x".repeat(5_242_880) } }, "chromePolicy", "use at most 5242880 (5 MiB)"],
  ])("wrong pool settings are refused before any request (%#)", async (settings, property, why) => {
    const { client, server } = await startBench([json(200, wireBrowserPool)]);
    for (const act of [
      () => client.browserPools.create({ size: 1, ...settings } as BrowserPoolSettings & { size: number }),
      () => client.browserPools.update(id, settings),
    ]) {
      const error = await errorOf(act());
      expect(error).toMatchObject({ name: "InputError", property });
      expect(error.message).toContain(`The browser pool's "${property}" `);
      expect(error.message).toContain(why);
    }
    expect(server.connections()).toBe(0);
  });
});
