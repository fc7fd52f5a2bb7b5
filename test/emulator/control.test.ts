import { type IncomingHttpHeaders, request } from "node:http";
import type { Emulator } from "../../src/emulator/index.js";
import { newEmulator, useEmulator } from "../support/emulator.js";
import { call, json, refusal, send, signed, stored } from "./calls.js";

describe("emulator: control over HTTP", () => {
  const emulator = useEmulator();
  const addFault = (rule: object) =>
    json<{ id: string; hits: number }>(send(emulator, "POST", "/_emulator/faults", rule), 201);

  test("a fault with any response is added, counted, listed and removed over HTTP", async () => {
    const body = { code: "rate_limited", message: "slow down", details: [{ code: "a", message: "b" }] };
    const answer = { status: 429, body, headers: { "retry-after": "7" } };
    const rule = { method: "GET", path: "/extensions", nth: 2, at: "before-commit", action: { answer } };
    const { id } = await addFault(rule);
    const other = await addFault({ pathPattern: "/limits$", at: "before-reading", action: { delayMs: 1 } });
    expect((await call(emulator, "GET", "/extensions")).status).toBe(200);
    const struck = await call(emulator, "GET", "/extensions");
    expect([struck.status, struck.headers.get("retry-after"), await struck.json()]).toEqual([429, "7", body]);
    expect(await json(call(emulator, "GET", "/_emulator/faults"))).toEqual([
      { id, hits: 1, ...rule },
      { id: other.id, hits: 0, pathPattern: "\\/limits$", at: "before-reading", action: { delayMs: 1 } },
    ]);
    expect((await call(emulator, "DELETE", `/_emulator/faults/${id}`)).status).toBe(204);
    expect((await call(emulator, "DELETE", `/_emulator/faults/${id}`)).status).toBe(404);
    expect((await call(emulator, "DELETE", "/_emulator/faults")).status).toBe(204);
    expect(await json(call(emulator, "GET", "/_emulator/faults"))).toEqual([]);
  });

  test.each<[object, string]>([
    [{ action: "reset" }, "at must be one of before-reading"],
    [{ at: "after-commit", action: { answer: { status: 99 } } }, "a status from 200 to 599"],
    [{ at: "before-commit", action: "reset", nth: 0 }, "a whole number of at least 1"],
    [{ at: "before-commit", action: "reset", path: "x" }, 'start with "/"'],
    [{ at: "before-commit", action: "reset", pathPattern: "(" }, "must be a regular expression"],
    [{ at: "before-commit", action: "reset", when: 1 }, 'unknown member "when"'],
  ])("a malformed fault is refused with 400: %j", async (rule, message) => {
    expect(await refusal(await send(emulator, "POST", "/_emulator/faults", rule))).toMatchObject({
      status: 400,
      code: "bad_request",
      message: expect.stringContaining(message),
    });
  });

  test("the request log is listed and cleared over HTTP", async () => {
    await stored(emulator, { name: "a" });
    await call(emulator, "GET", "/extensions?name=secret");
    expect(await json(call(emulator, "GET", "/_emulator/requests"))).toMatchObject([
      { method: "POST", path: "/extensions", status: 201 },
      { method: "GET", path: "/extensions", status: 200 },
    ]);
    expect((await call(emulator, "DELETE", "/_emulator/requests")).status).toBe(204);
    expect(emulator.requests).toEqual([]);
  });

  test("the emulator's clock is shown and moved over HTTP, and an API key expires by the moved clock", async () => {
    const { key } = emulator.createApiKey({ expiresAt: new Date(Date.now() + 86_400_000) });
    const withKey = { authorization: `Bearer ${key}` };
    expect((await call(emulator, "GET", "/org/projects", withKey)).status).toBe(200);
    const moved = await json<{ now: string }>(
      send(emulator, "PUT", "/_emulator/clock", { now: "2100-01-01T00:00:00+01:00" }),
    );
    expect(moved.now).toMatch(/^2099-12-31T23:00:0/);
    expect((await call(emulator, "GET", "/org/projects", withKey)).status).toBe(401);
    emulator.clock.set(null);
    expect((await call(emulator, "GET", "/org/projects", withKey)).status).toBe(200);
    emulator.clock.advance(2 * 86_400_000);
    expect((await call(emulator, "GET", "/org/projects", withKey)).status).toBe(401);
    const { now } = await json<{ now: string }>(call(emulator, "GET", "/_emulator/clock"));
    expect(Math.abs(Date.parse(now) - emulator.clock.now().getTime())).toBeLessThan(60_000);
    expect((await send(emulator, "PUT", "/_emulator/clock", { now: "soon" })).status).toBe(400);
    expect(() => emulator.clock.set("soon")).toThrow('The "time" of the clock must be a date');
    expect(() => emulator.clock.advance(Number.NaN)).toThrow("a number of milliseconds");
  });

  test("a followed login advances at once when the clock is moved over HTTP", async () => {
    const step = { step: "DISCOVERING", durationMs: 60_000, next: "end" } as const;
    const steps = { slow: step, end: { step: "END", status: "SUCCESS" } as const };
    const { id } = emulator.authConnections.create({
      domain: "example.com",
      profileName: "work",
      scenario: { title: "Slow", start: "slow", steps },
    });
    emulator.authConnections.startLogin(id);
    const stream = await call(emulator, "GET", `/auth/connections/${id}/events`);
    const soon = new Date(Date.now() + 60_000);
    await json(send(emulator, "PUT", "/_emulator/clock", { now: soon }));
    const start = performance.now();
    expect(await stream.text()).toContain('"flow_status":"SUCCESS"');
    expect(performance.now() - start).toBeLessThan(4_000);
  });

  test("an object of every kind is created over HTTP as in a seed", async () => {
    const create = (kind: string, entry: object) =>
      json<{ id: string }>(send(emulator, "POST", `/_emulator/${kind}`, entry), 201);
    const { id: projectId } = await create("projects", {
      name: "shop",
      limits: { maxConcurrentSessions: 5 },
    });
    await create("api_keys", { name: "ci", key: "sk_ci", project: "shop" });
    await create("profiles", { name: "buyer", project: "shop" });
    await create("proxies", { id: "exit", type: "isp" });
    await create("credentials", { name: "login", domain: "example.com", values: { username: "ann" } });
    await create("credential_providers", { id: "vault", name: "vault", token: "ops_one", enabled: false });
    await create("browser_pools", { id: "agents", name: "agents", size: 2, profile: { name: "ci" } });
    await create("auth_connections", {
      id: "bank",
      domain: "example.com",
      profileName: "ci",
      startLogin: true,
    });
    expect(emulator.projects.list()).toMatchObject([
      { name: "shop", limits: { maxConcurrentSessions: 5 } },
      {},
    ]);
    expect(emulator.apiKeyRecords.list()).toMatchObject([{ name: "ci", projectId }, {}]);
    expect(emulator.profiles.list(projectId)).toMatchObject([{ name: "buyer" }]);
    expect(emulator.proxies.list()).toMatchObject([{ id: "exit", protocol: "https" }]);
    expect(emulator.credentials.list()).toMatchObject([{ fields: { username: "ann" } }]);
    expect(emulator.credentialProviders.list()).toMatchObject([{ id: "vault", enabled: false, priority: 0 }]);
    expect(emulator.browserPools.list()).toMatchObject([{ availableCount: 2, profile: { name: "ci" } }]);
    expect(emulator.authConnections.get("bank").login).toMatchObject({ status: "IN_PROGRESS" });
    const refused = [
      await send(emulator, "POST", "/_emulator/profiles", { name: "BUYER", project: "shop" }),
      await send(emulator, "POST", "/_emulator/profiles", { title: "x" }),
      await send(emulator, "POST", "/_emulator/profiles", { name: "x", project: "none" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 404]);
  });

  test("a method of the emulator about one object is called over HTTP, with the argument as body", async () => {
    const { id } = emulator.createProject({ name: "shop" });
    const connection = emulator.authConnections.create({ domain: "example.com", profileName: "work" });
    const proxy = emulator.proxies.create({ type: "isp" });
    const changes: readonly [path: string, argument?: object][] = [
      [`projects/${id}/set_limits`, { maxConcurrentSessions: 5 }],
      [`projects/${id}/rename`, { name: "store" }],
      [`proxies/${proxy.id}/set_status`, { status: "unavailable" }],
      [`auth_connections/${connection.id}/start_login`],
      [`auth_connections/${connection.id}/end_login`, { status: "FAILED", errorCode: "captcha_blocked" }],
    ];
    for (const [path, argument] of changes) {
      expect([path, (await send(emulator, "POST", `/_emulator/${path}`, argument)).status]).toEqual([
        path,
        204,
      ]);
    }
    expect(emulator.projects.list()).toMatchObject([
      { name: "store", limits: { maxConcurrentSessions: 5 } },
      {},
    ]);
    expect(emulator.proxies.list()).toMatchObject([{ status: "unavailable" }]);
    expect(emulator.authConnections.get(connection.id).login).toMatchObject({ errorCode: "captcha_blocked" });
    await send(emulator, "POST", `/_emulator/projects/${id}/remove`, {});
    expect(emulator.projects.list()).toHaveLength(1);
    const status = async (path: string, argument?: object) =>
      (await send(emulator, "POST", `/_emulator/${path}`, argument)).status;
    expect([
      await status(`projects/${id}/remove`),
      await status(`proxies/${proxy.id}/set_status`, { status: "broken" }),
      await status(`proxies/${proxy.id}/explode`),
    ]).toEqual([404, 400, 501]);
  });

  test("control requests are exempt from faults, rate limit and log, and need an organization-wide key", async () => {
    const slow = await newEmulator({ requestsPerSecond: 0.001 });
    const seen: string[] = [];
    slow.faults.add({
      at: "before-reading",
      times: 9,
      action: { call: ({ path }) => void seen.push(path) },
    });
    for (const _ of [1, 2, 3]) {
      const answer = await call(slow, "GET", "/_emulator/routes");
      expect([answer.status, answer.headers.get("x-browser-infra-emulator")]).toEqual([200, "1"]);
    }
    expect([seen, slow.requests]).toEqual([[], []]);
    expect((await fetch(`${emulator.url}/_emulator/faults`)).status).toBe(401);
    const { key } = emulator.createApiKey({ projectId: emulator.defaultProject.id });
    const confined = { authorization: `Bearer ${key}` };
    expect((await call(emulator, "GET", "/_emulator/faults", confined)).status).toBe(403);
    expect(await refusal(await call(emulator, "GET", "/_emulator/none"))).toMatchObject({
      code: "not_emulated",
    });
  });

  /** An emulator with a rate limit, in which every request meets a fault. */
  const startHampered = async () => {
    const hampered = await newEmulator({ requestsPerSecond: 1 });
    const times = Number.POSITIVE_INFINITY;
    return { hampered, fault: hampered.faults.add({ at: "before-reading", action: "reset", times }) };
  };

  test.each(["/%5f%65mulator/state", "/x/../_emulator/state", "/%5Femulator/routes"])(
    "the path %s of a control route is exempt from log, rate limit and faults",
    async (path) => {
      const { hampered, fault } = await startHampered();
      const { status, headers } = await get(hampered, path);
      expect([status, hampered.requests.length, fault.hits]).toEqual([200, 0, 0]);
      expect(headers["x-ratelimit-limit"]).toBeUndefined();
    },
  );

  test("a path with an encoded slash is no control route: the request is logged, and meets faults", async () => {
    const { hampered, fault } = await startHampered();
    const { status } = await get(hampered, "/_emulator%2fstate");
    expect([status, hampered.requests.length, fault.hits]).toEqual([0, 1, 1]);
  });

  test("a request with a whole URL as target is routed by the path of the URL", async () => {
    const { status } = await get(emulator, `${emulator.url}/_emulator/state?a=1`);
    expect([status, emulator.requests]).toEqual([200, []]);
    await get(emulator, `${emulator.url}/extensions?a=1`);
    expect(emulator.requests).toMatchObject([{ path: "/extensions" }]);
  });

  test("GET /health is answered without a key, is not logged, and is exempt from faults", async () => {
    const fault = emulator.faults.add({
      at: "before-reading",
      action: "reset",
      times: Number.POSITIVE_INFINITY,
    });
    expect(await json(fetch(`${emulator.url}/health`))).toEqual({ status: "ok" });
    expect([emulator.requests, fault.hits]).toEqual([[], 0]);
  });
});

/** Sends a signed GET with exactly the given target. A reset connection gives status 0. */
function get(emulator: Emulator, path: string): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  return new Promise((resolve) => {
    const { port } = new URL(emulator.url);
    const sent = request({ port, path, headers: signed(emulator) }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    sent.on("error", () => resolve({ status: 0, headers: {} })).end();
  });
}
