import { useEmulator } from "../../../support/emulator.js";
import { call, json, refusal, send, upload } from "../../calls.js";

interface WirePool {
  readonly id: string;
  readonly region: string;
  readonly browser_pool_config: Readonly<Record<string, unknown>> & { readonly telemetry?: unknown };
}

describe("emulator: settings of browser pools", () => {
  const emulator = useEmulator({
    seed: { telemetryDestinations: [{ id: "given", name: "given", endpoint: "https://otlp.example.com" }] },
  });
  beforeEach(() => void emulator.proxies.create({ id: "p", name: "residential", type: "isp" }));
  const create = (body: object) => send(emulator, "POST", "/browser_pools", { size: 1, ...body });
  const created = (body: object) => json<WirePool>(create(body), 201);
  const change = (id: string, body: object) => send(emulator, "PATCH", `/browser_pools/${id}`, body);
  const changed = (id: string, body: object) => json<WirePool>(change(id, body));
  const allowed = (...allowed_hosts: string[]) => ({ network: { allowed_hosts } });
  const direct = (...private_hosts: string[]) => ({ network: { private_hosts } });
  const routed = (...hosts: string[]) => ({ network: { proxy_routes: [{ hosts, proxy: { id: "p" } }] } });
  const exported = (otlp: object, enabled: boolean | undefined = true) => ({
    telemetry: { enabled, export: { otlp } },
  });

  test.each<[object, string]>([
    [{ size: undefined }, "size must be a whole number of at least 1"],
    [{ size: "3" }, "size must be a whole number of at least 1"],
    [{ name: "a b" }, "name must be 1 to 255 of the characters"],
    [{ name: "" }, "name must be 1 to 255 of the characters"],
    [{ timeout_seconds: 9 }, "timeout_seconds must be a whole number from 10 to 259200"],
    [{ fill_rate_per_minute: -1 }, "fill_rate_per_minute must be a whole number of at least 0"],
    [{ fill_rate_per_minute: 2.5 }, "fill_rate_per_minute must be a whole number of at least 0"],
    [{ headless: "yes" }, "headless must be true or false"],
    [{ viewport: { width: 100 } }, "viewport.height must be a whole number of at least 1"],
    [{ extensions: [{}] }, "extensions[0] must have either an id or a name"],
    [{ extensions: [{ id: "a", name: "b" }] }, "extensions[0] must have either an id or a name"],
    [{ extensions: [{ name: "none" }] }, 'extensions[0] names no extension of the project: "none"'],
    [{ extensions: Array(21).fill({ name: "x" }) }, "extensions must have at most 20 extensions"],
    [{ start_url: "é".repeat(1025) }, "start_url must have at most 2048 bytes"],
    [{ profile: {} }, "profile has neither id nor name"],
    [{ profile: { id: "a", name: "b" } }, "profile has both id and name"],
    [{ refresh_on_profile_update: true }, "refresh_on_profile_update needs a profile"],
    [{ chrome_policy: [] }, "chrome_policy must be an object"],
    [{ chrome_policy: { ExtensionSettings: {} } }, "chrome_policy has ExtensionSettings, which the service"],
    [{ chrome_policy: { ProxySettings: {} } }, "chrome_policy has ProxySettings, which the service"],
    [{ chrome_policy: { RemoteDebuggingAllowed: true } }, "chrome_policy has RemoteDebuggingAllowed, which"],
    [{ chrome_policy: { a: "x".repeat(5_242_880) } }, "chrome_policy is larger than 5 MiB"],
    [
      { telemetry: { enabled: false, browser: { page: { enabled: true } } } },
      "telemetry is disabled and has",
    ],
    [{ region: "mars" }, "region must be one of us-east, us-west, eu-west, ap-southeast"],
    [{ memory: "6GiB" }, "memory must be one of 1GiB, 2GiB, 4GiB, 8GiB, 16GiB"],
    [{ memory: "4GiB" }, "memory must be one of 8GiB, 16GiB for browsers with a window"],
    [{ memory: "8GiB", headless: true }, "memory must be one of 1GiB, 2GiB, 4GiB for headless browsers"],
    [{ gpu: true }, 'has an unknown member "gpu"'],
    [{ viewport: { width: 1, height: 1, depth: 8 } }, 'viewport has an unknown member "depth"'],
    [{ network: { dns: [] } }, 'network has an unknown member "dns"'],
    [allowed(), "network.allowed_hosts is empty"],
    [allowed("shop.example", "https://shop.example"), "network.allowed_hosts[1] is no hostname"],
    [allowed("shop.example:443"), "network.allowed_hosts[0] is no hostname"],
    [allowed("shop.example/path"), "network.allowed_hosts[0] is no hostname"],
    [allowed("a.*.example"), "network.allowed_hosts[0] is no hostname"],
    [allowed("*.com"), "network.allowed_hosts[0] has an asterisk for a public suffix"],
    [allowed("*.co.uk"), "network.allowed_hosts[0] has an asterisk for a public suffix"],
    [allowed("10.1.2.3"), "network.allowed_hosts[0] is in a private or reserved range"],
    [allowed("127.0.0.1"), "network.allowed_hosts[0] is in a private or reserved range"],
    [allowed("0.0.0.0/0"), "network.allowed_hosts[0] is in a private or reserved range"],
    [allowed("[fe80::1]"), "network.allowed_hosts[0] is in a private or reserved range"],
    [allowed("2606:4700::1"), "network.allowed_hosts[0] is no address or canonical range"],
    [allowed("1.1.1.1/24"), "network.allowed_hosts[0] is no address or canonical range"],
    [allowed("1.1.1.0/024"), "network.allowed_hosts[0] is no address or canonical range"],
    [allowed("2606:4700::1/32"), "network.allowed_hosts[0] is no address or canonical range"],
    [direct("1.1.1.1"), "network.private_hosts[0] is in no private range"],
    [direct("*.internal"), "network.private_hosts[0] has an asterisk for a public suffix"],
    [direct("10.0.0.0/8:80"), "network.private_hosts[0] is no hostname"],
    [direct("[fd00::]/8"), "network.private_hosts[0] is no hostname"],
    [
      { network: { allowed_hosts: ["db.corp.example"], private_hosts: ["*.corp.example"] } },
      "network.allowed_hosts[0] is also in private_hosts",
    ],
    [routed("a.example", "A.example"), "network.proxy_routes[0].hosts[1] is in two routes"],
    [routed("a.example:80"), "network.proxy_routes[0].hosts[0] is no hostname"],
    [{ network: { proxy_routes: [{ hosts: [], proxy: {} }] } }, "proxy must have either an id or a name"],
    [{ ...allowed("shop.example"), start_url: "https://other.example/" }, "start_url is on a host that"],
    [{ telemetry: { browser: { sound: { enabled: true } } } }, 'has an unknown member "sound"'],
    [
      { telemetry: { browser: { control: { cdp: { excluded_methods: ["Page.fly"] } } } } },
      "excluded_methods[0] must be a CDP method that can be excluded",
    ],
    [
      exported({ destination: { name: "none" } }),
      'names no telemetry destination of the organization: "none"',
    ],
    [exported({ enabled: false, destination: { id: "d" } }), "is disabled and has a destination"],
    [exported({ destination: { id: "given" } }, false), "telemetry is disabled and has"],
    [
      { telemetry: { export: { otlp: { destination: { id: "given" } } } } },
      "needs telemetry that is captured",
    ],
    [
      { telemetry: { enabled: true, storage: { enabled: false } } },
      "can only be false with an OTLP destination",
    ],
  ])(
    "a new browser pool with an invalid setting gets 400 with the member's name (%#)",
    async (body, problem) => {
      const refused = await refusal(await create(body));
      expect(refused).toMatchObject({ status: 400, code: "bad_request" });
      expect(refused.message).toContain(problem);
      expect(emulator.browserPools.list()).toEqual([]);
    },
  );

  test.each([
    allowed("shop.example", "*.shop.example", "1.1.1.1", "1.1.1.0/24", "[2606:4700::1]", "2606:4700::/32"),
    direct(),
    direct("db.internal:5432", "*.corp.example", "10.1.2.3:80", "10.0.0.0/8", "[fd00::1]", "fd00::/8"),
    routed("*.bank.example", "bank.example"),
    { network: { proxy_routes: [] } },
  ])("a browser pool shows valid network rules as sent (%#)", async (body) => {
    const { browser_pool_config: config } = await created(body);
    expect(config.network).toEqual(body.network);
  });

  test("a network rule that names a proxy shows the proxy's id", async () => {
    const route = { hosts: ["a.example"], proxy: { name: "residential" } };
    const { browser_pool_config: config } = await created({ network: { proxy_routes: [route] } });
    expect(config.network).toEqual({
      proxy_routes: [{ ...route, proxy: { id: "p" } }],
    });
    const { message } = await json<{ message: string }>(
      create({ network: { proxy_routes: [{ ...route, proxy: { id: "gone" } }] } }),
      400,
    );
    expect(message).toContain('network.proxy_routes[0].proxy names no proxy of the project: "gone"');
  });

  test("a browser pool shows region and memory, and cannot change the region", async () => {
    const pool = await created({ region: "eu-west", memory: "16GiB" });
    expect(pool).toMatchObject({ region: "eu-west", browser_pool_config: { memory: "16GiB" } });
    expect(await refusal(await change(pool.id, { region: "us-east" }))).toMatchObject({ status: 400 });
    expect(await changed(pool.id, { memory: "8GiB" })).toMatchObject({
      browser_pool_config: { memory: "8GiB" },
    });
    // The default follows: a guess.
    expect(await changed(pool.id, { headless: true })).toMatchObject({
      browser_pool_config: { memory: "1GiB" },
    });
  });

  test("the list of browser pools can be filtered by region", async () => {
    await created({ name: "here" });
    await created({ name: "there", region: "eu-west" });
    const names = async (query: string) =>
      (await json<{ name: string }[]>(call(emulator, "GET", `/browser_pools?${query}`))).map(
        ({ name }) => name,
      );
    expect(await names("region=eu-west")).toEqual(["there"]);
    expect(await names("")).toEqual(["there", "here"]);
    expect((await call(emulator, "GET", "/browser_pools?region=mars")).status).toBe(400);
  });

  test("network rules of a pool are replaced as a whole, kept if omitted, and removed by an empty object", async () => {
    const { id } = await created({ network: { allowed_hosts: ["a.example"], private_hosts: [] } });
    const networkAfter = async (body: object) => (await changed(id, body)).browser_pool_config.network;
    expect(await networkAfter({ size: 2 })).toEqual({ allowed_hosts: ["a.example"], private_hosts: [] });
    expect(await networkAfter(allowed("b.example"))).toEqual({ allowed_hosts: ["b.example"] });
    expect(await networkAfter({ network: {} })).toBeUndefined();
  });

  test("a change of a pool whose expected_network differs from the network rules gets 409 and changes nothing", async () => {
    const { id } = await created({ network: { allowed_hosts: ["a.example"], private_hosts: [] } });
    for (const expected_network of [{}, allowed("a.example").network, { ...allowed("b.example").network }]) {
      expect(await refusal(await change(id, { size: 2, expected_network }))).toMatchObject({
        status: 409,
        code: "stale_network",
      });
    }
    expect(emulator.browserPools.get(id).size).toBe(1);
    const network = { private_hosts: [], allowed_hosts: ["a.example"] };
    expect((await change(id, { size: 2, expected_network: network })).status).toBe(200);
    await changed(id, { network: {} });
    expect((await change(id, { size: 3, expected_network: {} })).status).toBe(200);
  });

  test("a change of allowed hosts replaces idle browsers at once, and leased browsers on release", async () => {
    const { id } = await created({ size: 2, ...allowed("a.example") });
    emulator.browserPools.fill(id);
    const { sessionId } = emulator.browserPools.acquire(id);
    await changed(id, allowed("b.example"));
    const lists = () =>
      emulator.browserPools.browsers(id).map(({ settings }) => settings.network?.allowed_hosts?.[0]);
    expect(lists()).toEqual(["a.example", "b.example"]);
    emulator.browserPools.release(id, sessionId);
    expect(lists()).toEqual(["b.example"]);
  });

  test("a change of a pool's telemetry categories keeps export and storage, and enabled: false ends telemetry", async () => {
    const endpoint = "https://otlp.example.com";
    const { id: destination } = emulator.telemetryDestinations.create({ name: "logs", endpoint });
    const excluded = { browser: { control: { cdp: { excluded_methods: ["Page.navigate"] } } } };
    const { id } = await created({
      telemetry: {
        enabled: true,
        ...excluded,
        export: { otlp: { destination: { name: "Logs" } } },
        storage: { enabled: false },
      },
    });
    const told = async (telemetry: object) =>
      (await changed(id, { telemetry })).browser_pool_config.telemetry;
    const control = { enabled: true, cdp: { excluded_methods: ["Page.navigate"] } };
    const kept = { browser: { platform: { enabled: true }, control }, storage: { enabled: false } };
    expect(await told({ browser: { platform: { enabled: true } } })).toMatchObject({
      ...kept,
      export: { otlp: { enabled: true, destination } },
    });
    expect((await change(id, { telemetry: { export: { otlp: { enabled: false } } } })).status).toBe(400);
    const ended = await told({ export: { otlp: { enabled: false } }, storage: { enabled: true } });
    expect(ended).toMatchObject({ storage: { enabled: true } });
    expect(ended).not.toHaveProperty("export");
    expect(await told({ browser: { control: { cdp: { excluded_methods: [] } } } })).toMatchObject({
      browser: { control: { enabled: true } },
    });
    expect(await told({ enabled: false })).toBeUndefined();
  });

  test("a change of a pool's telemetry merges the categories, replaces them if the request has enabled, and ends telemetry if no category is left", async () => {
    const { id } = await created({});
    const telemetry = async (wanted: object) => {
      const pool = await changed(id, { telemetry: wanted });
      return pool.browser_pool_config.telemetry as
        | { browser: Record<string, { enabled: boolean }> }
        | undefined;
    };
    const on = (value: Awaited<ReturnType<typeof telemetry>>) =>
      Object.entries(value?.browser ?? {})
        .filter(([, { enabled }]) => enabled)
        .map(([name]) => name);
    const defaults = ["control", "connection", "system", "captcha"];
    expect(on(await telemetry({ browser: { page: { enabled: true } } }))).toEqual([...defaults, "page"]);
    expect(on(await telemetry({ browser: { network: { enabled: true } } }))).toEqual([
      ...defaults,
      "network",
      "page",
    ]);
    expect(on(await telemetry({ enabled: true, browser: { control: { enabled: false } } }))).toEqual(
      defaults.slice(1),
    );
    const none = Object.fromEntries(defaults.map((name) => [name, { enabled: false }]));
    expect(await telemetry({ browser: none })).toBeUndefined();
  });

  test("a change with empty telemetry members starts no telemetry in a browser pool", async () => {
    const { id } = await created({});
    for (const telemetry of [{}, { browser: {} }, { browser: { page: {} } }]) {
      await changed(id, { telemetry });
      expect(emulator.browserPools.get(id).telemetry).toBeNull();
    }
  });

  test("a browser pool keeps the extension that the given name meant at the creation of the pool", async () => {
    const { id } = await json<{ id: string }>(upload(emulator, { name: "ad-blocker" }), 201);
    const pool = await created({ extensions: [{ name: "ad-blocker" }] });
    // Only a test can move the name of a loaded extension to a different extension.
    emulator.extensions.remove(id);
    await json(upload(emulator, { name: "ad-blocker" }), 201);
    await changed(pool.id, { stealth: true });
    expect(emulator.browserPools.get(pool.id).extensionIds).toEqual([id]);
  });

  test.each([
    [1280, 800, 60],
    [1920, 1200, 25],
    [2560, 1440, 10],
  ])(
    "a viewport of %i x %i without a refresh rate gets %i Hz, and a given refresh rate is kept",
    async (width, height, rate) => {
      const { id } = await created({ viewport: { width, height } });
      expect(emulator.browserPools.get(id).viewport).toEqual({ width, height, refreshRate: rate });
      await changed(id, { viewport: { width, height, refresh_rate: 5 } });
      expect(emulator.browserPools.get(id).viewport).toEqual({ width, height, refreshRate: 5 });
    },
  );

  test("refresh_on_profile_update of a pool follows the profile until a request sets the value", async () => {
    emulator.profiles.ensure("a");
    emulator.profiles.ensure("b");
    const { id } = await created({ profile: { name: "a" } });
    const refreshes = async (body: object) =>
      (await changed(id, body)).browser_pool_config.refresh_on_profile_update;
    expect(await refreshes({})).toBe(true);
    expect(await refreshes({ refresh_on_profile_update: false })).toBe(false);
    expect(await refreshes({ profile: { name: "a" } })).toBe(false);
    expect(await refreshes({ profile: { name: "b" } })).toBe(true);
    expect(await refreshes({ profile: { name: "" } })).toBe(false);
  });
});
