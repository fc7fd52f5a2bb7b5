import Kernel, { BadRequestError, NotFoundError } from "@onkernel/sdk";
import { authorityCertificate, serverCertificate } from "../../support/certificates.js";
import { useEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";

const password = "pr0xy-password";

describe("emulator: the service's official client, on proxies", () => {
  const emulator = useEmulator();
  let kernel: Kernel;
  beforeEach(() => {
    kernel = new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url, maxRetries: 0 });
  });
  const custom = { type: "custom", config: { host: "proxy.example", port: 3128, password } } as const;

  test("the official client creates, reads, renames and deletes a proxy, and no record contains the password", async () => {
    const config = { ...custom.config, username: "web", ca_bundle: authorityCertificate.repeat(2) };
    const body: Kernel.ProxyCreateParams = {
      type: "custom",
      name: " exit ",
      protocol: "http",
      bypass_hosts: ["*.A.example", "localhost"],
      config,
    };
    const proxy = await kernel.proxies.create(body);
    const id = proxy.id ?? "";
    expect(proxy).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{24}$/),
      name: "exit",
      type: "custom",
      protocol: "http",
      bypass_hosts: ["*.a.example", "localhost"],
      config: { host: "proxy.example", port: 3128, username: "web", has_password: true, has_ca_bundle: true },
      status: "available",
    });
    expect(await kernel.proxies.retrieve("EXIT")).toEqual(proxy);
    expect(await kernel.proxies.update(id, { name: "way out" })).toEqual({ ...proxy, name: "way out" });
    expect(JSON.stringify([emulator.proxies.list(), emulator.requests])).not.toContain(password);
    await kernel.proxies.delete(id);
    expect(await errorOf(kernel.proxies.retrieve(id))).toBeInstanceOf(NotFoundError);
  });

  test("two proxies may share a name, and a path with a shared name gets 400 ambiguous_proxy_name", async () => {
    const [one, two] = [
      await kernel.proxies.create({ type: "isp", name: "exit" }),
      await kernel.proxies.create({ type: "mobile", name: "Exit" }),
    ];
    const found = (await kernel.proxies.list({ name: "exit" } as object)).items.map(({ id }) => id);
    expect(found).toEqual([two.id, one.id]);
    for (const ask of [
      kernel.proxies.retrieve("exit"),
      kernel.proxies.delete("exit"),
      kernel.proxies.update("exit", { name: "a" }),
    ]) {
      expect(await errorOf(ask)).toMatchObject({ status: 400, error: { code: "ambiguous_proxy_name" } });
    }
    expect(one).toMatchObject({ config: { country: "US" }, protocol: "https" });
    expect([one.ip_address, two.ip_address]).toEqual([
      expect.stringMatching(/^203\.0\.113\.\d+$/),
      undefined,
    ]);
    const named = await kernel.proxies.create({ ...custom, name: "own" });
    const search = async (query: string) =>
      (await kernel.proxies.list({ query } as object)).items.map(({ id }) => id);
    expect([await search("PROXY.ex"), await search(String(one.id))]).toEqual([[named.id], [one.id]]);
  });

  const us = { country: "US" };
  const residential = (config: object) => ({ type: "residential", config });
  const own = (config: object) => ({ ...custom, config: { ...custom.config, ...config } });

  test.each<[string, object]>([
    ["a state, a city and a system", residential({ ...us, state: "CA", city: "san_francisco", os: "macos" })],
    ["a ZIP code", residential({ country: "us", zip: "94103" })],
    ["an autonomous system elsewhere", residential({ country: "DE", asn: "AS7922" })],
    ["a city of a mobile network", { type: "mobile", config: { country: "FR", city: "Paris" } }],
    ["100 hosts without it", { type: "isp", bypass_hosts: Array(100).fill("a.example") }],
  ])("a new proxy with %s is accepted", async (_what, body) => {
    expect((await kernel.proxies.create(body as never)).id).toBeDefined();
  });

  test("a check of a proxy updates the record, and a check with a URL leaves the record unchanged", async () => {
    emulator.clock.set("2026-11-26T10:00:00Z");
    const { id = "", ...proxy } = await kernel.proxies.create({ type: "isp", name: "exit" });
    const url = "https://93.184.215.14/";
    expect(await kernel.proxies.check(id, { url })).toEqual({ id, ...proxy });
    const checked = await kernel.proxies.check("exit");
    expect(checked).toMatchObject({
      status: "available",
      last_checked: expect.stringMatching(/^2026-11-26T10/),
    });
    expect(await kernel.proxies.retrieve(id)).toEqual(checked);
    emulator.proxies.setStatus(id, "unavailable");
    expect(await kernel.proxies.check(id)).toMatchObject({ status: "unavailable" });
    for (const bad of ["ftp://a.example", "http://10.0.0.1/", "http://[::1]/", "http://localhost/", "a"]) {
      expect(await errorOf(kernel.proxies.check(id, { url: bad }))).toBeInstanceOf(BadRequestError);
    }
    expect(await errorOf(kernel.proxies.check("none"))).toBeInstanceOf(NotFoundError);
  });

  test.each<[string, object]>([
    ["a place without a country", { type: "mobile", config: { city: "paris" } }],
    ["a system of a number without a country", residential({ asn: "AS7922" })],
    ["a state of another country", residential({ country: "DE", state: "BY" })],
    ["a state that is spelled out", residential({ ...us, state: "California" })],
    ["a city in capitals", residential({ ...us, city: "Paris" })],
    ["a ZIP code of another country", residential({ country: "DE", zip: "10115" })],
    ["a ZIP code with four digits", residential({ ...us, zip: "9410" })],
    ["a ZIP code with a city", residential({ ...us, zip: "94103", city: "sanfrancisco" })],
    ["an autonomous system with a state", residential({ ...us, asn: "AS7922", state: "CA" })],
    ["a number without its prefix", residential({ ...us, asn: "7922" })],
    ["a password of four characters", own({ password: "four" })],
    ["certificates that are none", own({ ca_bundle: "-----BEGIN CERTIFICATE-----" })],
    ["the certificate of a server", own({ ca_bundle: authorityCertificate + serverCertificate })],
    ["more than 64 KiB of certificates", own({ ca_bundle: authorityCertificate.repeat(120) })],
    ["101 hosts without it", { type: "isp", bypass_hosts: Array(101).fill("a.example") }],
    ["an address without it", { type: "isp", bypass_hosts: ["10.0.0.1"] }],
    ["a host and port without it", { type: "isp", bypass_hosts: ["a.example:80"] }],
    ["a pattern within a host", { type: "isp", bypass_hosts: ["a.*.example"] }],
    ["a type that is gone", { type: "datacenter" }],
    ["no type", {}],
    ["a custom one without a host", { type: "custom", config: { port: 1 } }],
    ["a custom one without a configuration", { type: "custom" }],
    ["a member of another type", { type: "isp", config: { city: "paris" } }],
    ["a country that has no such addresses", { type: "isp", config: { country: "JP" } }],
    ["a city without a country", { type: "residential", config: { city: "paris" } }],
    ["an unknown member", { type: "isp", colour: "red" }],
    ["a host with a scheme", { type: "custom", config: { host: "http://a.example", port: 1 } }],
    ["a name of whitespace", { type: "isp", name: "  " }],
  ])("a new proxy is refused for %s", async (_what, body) => {
    expect(await errorOf(kernel.proxies.create(body as never))).toBeInstanceOf(BadRequestError);
    expect(emulator.proxies.list()).toEqual([]);
  });

  test("auth connections and browser pools cannot use a proxy of another project", async () => {
    const { id = "" } = await kernel.proxies.create({ ...custom, name: "exit" });
    emulator.createProject({ id: "other", name: "Other" });
    const foreign = emulator.proxies.create({ type: "isp", projectId: "other" });
    const connect = (more: object) =>
      kernel.auth.connections.create({ domain: "shop.example", profile_name: "shopper", ...more });
    for (const proxy of [
      { proxy: { id: "none" } },
      { proxy: { id: foreign.id } },
      { browser: { proxy: { name: "none" } } },
    ]) {
      expect(await errorOf(connect(proxy))).toBeInstanceOf(BadRequestError);
    }
    expect(await errorOf(kernel.browserPools.create({ size: 1, proxy_id: foreign.id }))).toBeInstanceOf(
      BadRequestError,
    );
    const pool = await kernel.browserPools.create({ size: 1, proxy_id: id });
    expect(await errorOf(kernel.browserPools.update(pool.id, { proxy_id: "none" }))).toBeInstanceOf(
      BadRequestError,
    );
    const connection = await connect({ browser: { proxy: { name: "exit" } } });
    expect(await kernel.auth.connections.retrieve(connection.id)).toMatchObject({
      browser: { proxy: { id, name: "exit" } },
    });
    const refused = await errorOf(kernel.proxies.delete(id));
    expect(refused).toMatchObject({ status: 400, error: { code: "resource_in_use" } });
    expect(refused.message).toContain(connection.id);
    await kernel.auth.connections.update(connection.id, {
      browser: { proxy: { mode: "default" } },
    } as object);
    await kernel.proxies.delete(id);
    // Published neither for connections nor for pools: a pool does not block the deletion.
    expect(await kernel.browserPools.update(pool.id, { size: 2 })).toMatchObject({
      browser_pool_config: { proxy_id: id, size: 2 },
    });
    expect(await errorOf(kernel.browserPools.update(pool.id, { proxy_id: id }))).toBeInstanceOf(
      BadRequestError,
    );
    const unset = await kernel.browserPools.update(pool.id, { proxy_id: "" });
    expect(unset.browser_pool_config.proxy_id).toBeUndefined();
  });
});

describe("emulator: proxies in a seed", () => {
  const emulator = useEmulator({
    seed: {
      proxies: [
        { id: "exit", type: "custom", name: "exit", config: { host: "proxy.example", port: 1, password } },
      ],
      browserPools: [{ id: "pool", name: "agents", size: 1, proxyId: "exit" }],
    },
  });

  test("the proxies of a seed exist before the browser pools that use the proxies", () => {
    expect(emulator.proxies.list()).toMatchObject([{ id: "exit", config: { has_password: true } }]);
    expect(emulator.browserPools.get("pool").proxyId).toBe("exit");
  });
});
