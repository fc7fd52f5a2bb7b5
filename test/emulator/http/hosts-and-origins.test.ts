import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { hostname } from "node:os";
import type { Emulator } from "../../../src/emulator/index.js";
import { launchBrowser, openPage, testInBrowser } from "../../support/chromium.js";
import { newEmulator, shareEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { call, refusal, stored } from "../calls.js";

/** Sends a request unchanged, and returns the status and the body of the response. */
async function ask(
  { url, apiKeys: [key] }: Emulator,
  headers: Readonly<Record<string, string>>,
  line = "GET /extensions",
): Promise<{ status: number; code: string | undefined; message: string; isEmulators: boolean }> {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  const own = { host: `127.0.0.1:${port}`, authorization: `Bearer ${key}`, connection: "close" };
  const lines = Object.entries({ ...own, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${line} HTTP/1.1\r\n${lines.join("")}\r\n`);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(socket, "close");
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  const json = /^content-type: application\/json/im.test(text) ? JSON.parse(body) : {};
  return {
    status: Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1]),
    code: json.code,
    message: json.message ?? "",
    isEmulators: /^x-browser-infra-emulator: 1\r$/m.test(text),
  };
}

describe("emulator: as a neighbour of web pages", () => {
  const emulator = shareEmulator();
  test.each([
    "127.0.0.1",
    "127.0.0.1:4010",
    "127.8.9.1:80",
    "[::1]",
    "[::1]:4010",
    "localhost",
    "LocalHost:1",
    "localhost.",
    "emulator.localhost",
    "a.b.localhost:4010",
  ])("a request with the loopback Host %s is answered", async (host) => {
    expect((await ask(emulator, { host })).status).toBe(200);
  });

  test.each([
    "evil.example",
    "evil.example:4010",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evillocalhost",
    "192.168.0.7:4010",
    "0.0.0.0:4010",
    "128.0.0.1",
    "[::2]:4010",
    "host.docker.internal",
  ])(
    "a request with the Host %s is refused, because the name of any website can lead to this machine",
    async (host) => {
      const answer = await ask(emulator, { host });
      expect(answer).toMatchObject({ status: 403, code: "host_not_allowed", isEmulators: true });
      expect(answer.message).toContain(JSON.stringify(host));
      const option = /^[\d[]/.test(host.replace(/\.evil.*/, "")) ? /--allow-(remote|host)/ : /--allow-host/;
      expect(answer.message).toMatch(option);
    },
  );

  test.each([
    ["user@127.0.0.1", 400, "bad_request"],
    ["127.0.0.1/evil", 400, "bad_request"],
    ["evil.example#.localhost", 400, "bad_request"],
    ["[::ffff:7.7.7.7]", 403, "host_not_allowed"],
    ["a b", 400, "bad_request"],
    ["", 400, "bad_request"],
  ])("a request with the Host %j, which no browser sends, is refused", async (host, status, code) => {
    expect(await ask(emulator, { host })).toMatchObject({ status, code, isEmulators: true });
  });

  test("the host of a whole URL as request target counts instead of the Host header", async () => {
    const target = (url: string) => ask(emulator, {}, `GET ${url}`);
    expect(await target("http://evil.example/extensions")).toMatchObject({ code: "host_not_allowed" });
    expect(await target(`${emulator.url}/extensions`)).toMatchObject({ status: 200 });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a page of a website", { origin: "https://evil.example" }],
    ["a page with a loopback name inside", { origin: "http://127.0.0.1.evil.example" }],
    ["a page in the local network", { origin: "http://192.168.0.7:3000" }],
    ["a browser extension", { origin: "chrome-extension://abcdefghijklmnop" }],
    ["an app", { origin: "capacitor://localhost" }],
    ["a page that hides its origin", { origin: "null" }],
    ["a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["a malformed origin", { origin: "http://" }],
    ["two origins", { origin: "http://localhost, https://evil.example" }],
    [
      "a page on another port of this machine",
      { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
    ],
    [
      "a page on another port of the same host",
      { origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-site" },
    ],
    ["an image on such a page", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }],
    ["a page on this machine with TLS", { origin: "https://app.localhost" }],
    ["an image of a website", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    [
      "a frame of a website",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    ],
  ])("a request from %s is refused and changes nothing", async (_from, headers) => {
    for (const line of ["GET /extensions", "DELETE /extensions/kept", "POST /__emulator/reset"]) {
      const answer = await ask(emulator, headers, line);
      expect(answer).toMatchObject({ status: 403, code: "origin_not_allowed", isEmulators: true });
      expect(answer.message).toMatch(/^The emulator does not answer web pages of other sites, /);
    }
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a program", {}],
    ["Node's own fetch", { "sec-fetch-mode": "cors" }],
    ["a page of the emulator", { origin: "http://127.0.0.1:4010", "sec-fetch-site": "same-origin" }],
    ["a page of the emulator without referrer", { origin: "null", "sec-fetch-site": "same-origin" }],
    ["the address bar", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
    [
      "a link that was clicked",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
    ],
  ])("a request from %s is answered", async (_from, headers) => {
    expect((await ask(emulator, headers)).status).toBe(200);
  });

  test("a request with a refused Host is in the request log, and uses up no fault", async () => {
    const fault = emulator.faults.add({ at: "before-reading", action: "reset" });
    expect((await ask(emulator, { host: "evil.example" })).status).toBe(403);
    expect(fault.hits).toBe(0);
    expect(emulator.requests.at(-1)).toMatchObject({ path: "/extensions", status: 403 });
    emulator.faults.clear();
  });

  const preflight = {
    origin: "http://localhost:3000",
    "access-control-request-method": "DELETE",
    "access-control-request-headers": "authorization",
  };

  test("a preflight of another origin gets 403 without CORS headers, and a request of another origin gets 403", async () => {
    const response = await call(emulator, "OPTIONS", "/extensions", preflight);
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    await stored(emulator, { name: "kept" });
    const foreign = await call(emulator, "GET", "/extensions", { origin: "https://evil.example" });
    expect(await refusal(foreign)).toMatchObject({ status: 403, code: "origin_not_allowed" });
  });

  describe("with an allowed origin", () => {
    const open = shareEmulator({ allowedOrigins: ["http://localhost:3000"] });

    test("pages of an allowed origin may send requests with a key and read the responses", async () => {
      const allowed = await call(open, "OPTIONS", "/extensions/kept", preflight);
      expect(allowed.status).toBe(204);
      expect(Object.fromEntries(allowed.headers)).toMatchObject({
        "access-control-allow-origin": "http://localhost:3000",
        "access-control-allow-methods": "DELETE",
        "access-control-allow-headers": "authorization",
      });
      const { status, headers } = await call(open, "GET", "/extensions", { origin: "http://localhost:3000" });
      expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "http://localhost:3000"]);
    });

    test.each(["http://localhost:3001", "http://127.0.0.1:3000", "https://localhost:3000", "null"])(
      "with one allowed origin, pages of the origin %s are still refused",
      async (origin) => {
        const refused = await call(open, "OPTIONS", "/extensions", { ...preflight, origin });
        expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, null]);
        expect((await ask(open, { origin })).code).toBe("origin_not_allowed");
      },
    );

    test.each(["localhost:3000", "http://localhost:3000/", "*", "null"])(
      "the option allowedOrigins refuses %j",
      async (origin) => {
        await expect(newEmulator({ allowedOrigins: [origin] })).rejects.toThrow(/allowedOrigins has/);
      },
    );
  });

  describe("with allowRemote", () => {
    const remote = shareEmulator({ allowRemote: true, allowedHosts: ["emulator.example", "build-agent"] });
    const page = (host: string, more = {}) => ask(remote, { host, origin: `http://${host}`, ...more });

    test.each([
      "127.0.0.1",
      "localhost:4010",
      "192.168.0.7",
      "192.168.0.7:4010",
      "0.0.0.0:4010",
      "[fe80::1]:4010",
      "[::ffff:7.7.7.7]",
      hostname(),
      `${hostname().toUpperCase()}:4010`,
      "emulator.example:4010",
      "Emulator.Example.",
      "build-agent",
    ])("with allowRemote, the Host %s is answered, and pages of the host may send requests", async (host) => {
      expect((await ask(remote, { host })).status).toBe(200);
      expect((await page(host, { "sec-fetch-site": "same-origin" })).status).toBe(200);
      expect((await page(host)).status).toBe(200);
    });

    test.each([
      "evil.example",
      "evil.example:4010",
      "192.168.0.7.evil.example",
      `${hostname()}.evil.example`,
      "sub.emulator.example",
      "build-agent.evil.example",
      "emulator",
      "1.2.3.4.5",
    ])(
      "even with allowRemote, the Host %s is refused, because the name of any website can lead to this machine",
      async (host) => {
        const refused = { status: 403, code: "host_not_allowed", isEmulators: true };
        expect(await ask(remote, { host })).toMatchObject(refused);
        expect(await page(host, { "sec-fetch-site": "same-origin" })).toMatchObject(refused);
        expect((await ask(remote, { host })).message).toContain("--allow-host");
      },
    );

    test("without allowRemote, a name in allowedHosts is answered, and an IP address is not", async () => {
      const named = await newEmulator({ allowedHosts: ["emulator.example"] });
      expect((await ask(named, { host: "emulator.example:4010" })).status).toBe(200);
      const answer = await ask(named, { host: "192.168.0.7" });
      expect(answer).toMatchObject({ status: 403, code: "host_not_allowed" });
      expect(answer.message).toContain("--allow-remote");
    });

    test.each(["emulator.example:4010", "http://emulator.example", "*", "a b", "", "Emulator", "fe80::1"])(
      "the option allowedHosts refuses %j",
      async (host) => {
        await expect(newEmulator({ allowedHosts: [host] })).rejects.toThrow(/allowedHosts has/);
      },
    );

    test("with allowRemote, the emulator's pages may send requests through a proxy with TLS or a changed Host", async () => {
      const origin = "https://emulator.example";
      expect((await ask(remote, { host: "emulator.example", origin })).status).toBe(200);
      expect((await ask(remote, { host: "emulator.example:443", origin })).status).toBe(200);
      const changed = { host: "build-agent:4010", origin, "sec-fetch-site": "same-origin" };
      expect((await ask(remote, changed)).status).toBe(200);
    });

    test.each<Readonly<Record<string, string>>>([
      { origin: "https://evil.example" },
      { origin: "http://emulator.example:3000" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ])("with allowRemote, pages of other sites are still refused: %j", async (headers) => {
      expect(await ask(remote, { host: "emulator.example", ...headers })).toMatchObject({
        status: 403,
        code: "origin_not_allowed",
      });
    });
  });

  describe("the key of an emulator that other machines can reach", () => {
    test("an emulator with allowRemote makes up a key at every start, and refuses the key that everybody knows", async () => {
      const [one, two] = [await newEmulator({ allowRemote: true }), await newEmulator({ allowRemote: true })];
      expect(one.apiKeys).toEqual([expect.stringMatching(/^sk_[a-z0-9]{32}$/)]);
      expect(two.apiKeys).not.toEqual(one.apiKeys);
      expect((await call(one, "GET", "/extensions")).status).toBe(200);
      const known = await call(one, "GET", "/extensions", { authorization: "Bearer sk_emulator" });
      expect(known.status).toBe(401);
    });

    test("an emulator with allowRemote accepts a chosen key", async () => {
      const chosen = await newEmulator({ allowRemote: true, apiKeys: ["sk_chosen"] });
      expect(chosen.apiKeys).toEqual(["sk_chosen"]);
      expect((await call(chosen, "GET", "/extensions")).status).toBe(200);
    });

    test("an emulator with allowRemote does not start with the known key, whether given, from a seed or from earlier data", async () => {
      const dataDir = temporaryFolder();
      const earlier = await newEmulator({ dataDir, apiKeys: ["sk_first"] });
      earlier.createApiKey({ key: "sk_emulator" });
      await earlier.close();
      for (const options of [
        { apiKeys: ["sk_chosen", "sk_emulator"] },
        { seed: { apiKeys: [{ name: "known", key: "sk_emulator" }] } },
        { dataDir },
      ]) {
        await expect(newEmulator({ allowRemote: true, ...options })).rejects.toMatchObject({
          code: "config_invalid",
          message: expect.stringMatching(/allowRemote is refused with the key sk_emulator.*--api-key/),
        });
      }
    });
  });

  testInBrowser(
    "a website in a browser cannot reach the emulator, even by DNS rebinding, but can link to a login page",
    async () => {
      const { id } = emulator.authConnections.create({ domain: "example.com", profileName: "neighbour" });
      const { hostedUrl } = emulator.authConnections.startLogin(id);
      const website = createServer((_, response) => {
        response.setHeader("content-type", "text/html");
        response.end(`<!doctype html><title>A website</title><a href="${hostedUrl}">Log in</a>`);
      }).listen(0, "127.0.0.1");
      await once(website, "listening");
      const { port } = website.address() as AddressInfo;
      // The name of the website resolves to this machine, as the website's owner can arrange.
      const browser = await launchBrowser(["--host-resolver-rules=MAP evil.example 127.0.0.1"]);
      const statuses = () => emulator.requests.slice(-1).map(({ method, status }) => [method, status]);
      try {
        const page = await openPage(browser, `http://evil.example:${port}/`);
        await page.evaluate(`fetch("${emulator.url}/extensions", { method: "POST", mode: "no-cors" })`);
        expect(statuses()).toEqual([["POST", 403]]);
        await page.evaluate(`fetch("${emulator.url}/extensions", { mode: "no-cors" })`);
        expect(statuses()).toEqual([["GET", 403]]);

        const rebound = await browser.newPage();
        const reply = await rebound.goto(hostedUrl.replace("127.0.0.1", "evil.example"));
        expect(await reply?.json()).toMatchObject({ code: "host_not_allowed" });
        const remote = await newEmulator({ host: "0.0.0.0", allowRemote: true });
        const reboundRemote = await rebound.goto(remote.url.replace("127.0.0.1", "evil.example"));
        expect(await reboundRemote?.json()).toMatchObject({ code: "host_not_allowed" });

        await page.getByRole("link", { name: "Log in" }).click();
        await page.getByRole("textbox").first().waitFor();
      } finally {
        await browser.close();
        website.close();
      }
    },
  );
});
