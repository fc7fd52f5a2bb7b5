import { useEmulator } from "../../support/emulator.js";
import { call, json, refusal, send } from "../calls.js";

const path = "/telemetry/destinations";
const endpoint = "https://otlp.example.com";

describe("emulator: telemetry destinations", () => {
  const emulator = useEmulator({
    now: () => new Date("2026-11-21T10:00:00Z"),
    seed: {
      telemetryDestinations: [{ id: "seeded", name: "seeded", endpoint, headers: { "x-key": "secret" } }],
    },
  });
  const exported = (destination: object) => ({
    telemetry: { enabled: true, export: { otlp: { destination } } },
  });
  const create = (more: object) => send(emulator, "POST", path, { name: "logs", endpoint, ...more });
  const change = (more: object) => send(emulator, "PATCH", `${path}/seeded`, more);
  const remove = () => call(emulator, "DELETE", `${path}/seeded`);
  const connect = (browser: object) =>
    send(emulator, "POST", "/auth/connections", { domain: "shop.example", profile_name: "buyer", browser });

  test("telemetry destinations are created, read, listed, changed and deleted, and show no header values", async () => {
    const made = await json<{ id: string }>(create({ headers: { "x-api-key": "secret" } }), 201);
    expect(made).toMatchObject({
      name: "logs",
      endpoint,
      headers: { "X-Api-Key": "" },
      consecutive_failures: 0,
    });
    expect(await json(call(emulator, "GET", `${path}/LOGS`))).toEqual(made);
    const listed = async (query: string) =>
      (await json<{ name: string }[]>(call(emulator, "GET", `${path}?${query}`))).map(({ name }) => name);
    expect(await listed("")).toEqual(["logs", "seeded"]);
    expect(await listed("query=OTLP.example&limit=1")).toEqual(["logs"]);
    expect(await listed("name=seeded")).toEqual(["seeded"]);
    const patch = (changes: object) => send(emulator, "PATCH", `${path}/${made.id}`, changes);
    const changed = await json(patch({ description: "All", headers: { "X-Tenant": "1" } }));
    expect(changed).toMatchObject({ description: "All", headers: { "X-Api-Key": "", "X-Tenant": "" } });
    expect(await refusal(await patch({ name: "Seeded" }))).toMatchObject({ status: 409 });
    expect((await call(emulator, "DELETE", `${path}/${made.id}`)).status).toBe(204);
    expect(await refusal(await call(emulator, "GET", `${path}/${made.id}`))).toMatchObject({ status: 404 });
    expect(JSON.stringify([made, changed, emulator.requests])).not.toContain("secret");
  });

  test("null removes a header of a telemetry destination, and omitted headers stay", async () => {
    await json(change({ headers: { "X-KEY": null, "X-Tenant": "1" } }));
    await json(change({ description: "All" }));
    expect(emulator.telemetryDestinations.list()).toMatchObject([
      { description: "All", headers: { "X-Tenant": "1" } },
    ]);
    expect(await json(change({ description: "" }))).not.toHaveProperty("description");
  });

  test.each<[object, string]>([
    [{ name: "a b" }, "name must be 1 to 255"],
    [{ name: "abcdefghijklmnopqrstuvwx" }, "must not look like an id"],
    [{ endpoint: "otlp.example.com" }, "endpoint must be an http or https URL"],
    [{ endpoint: `${endpoint}/v1/traces` }, "signal path"],
    [{ endpoint: "http://127.0.0.1:4318" }, "public address"],
    [{ endpoint: "http://192.168.0.7" }, "public address"],
    [{ endpoint: "https://[fd00::1]/otlp" }, "public address"],
    [{ endpoint: "http://localhost:4318" }, "public address"],
    [{ headers: { "X-Key": "1\r\nX-Other: 2" } }, "line break"],
    [{ description: "a".repeat(1025) }, "at most 1024"],
    [{ headers: { "a b": "1" } }, "HTTP tokens"],
    [{ headers: { "X-Key": "1", "x-key": "2" } }, "two spellings"],
    [{ headers: { "X-Key": "1".repeat(8192) } }, "8192 bytes"],
    [{ headers: { "X-Key": null } }, "must be a string"],
    [{ enabled: true }, "unknown member"],
  ])("a new telemetry destination with an invalid member gets 400 (%#)", async (wrong, problem) => {
    const { status, message } = await refusal(await create(wrong));
    expect([status, message]).toEqual([400, expect.stringContaining(problem)]);
  });

  test("a project's key reads telemetry destinations, and cannot change a telemetry destination", async () => {
    const { key } = emulator.createApiKey({ projectId: emulator.defaultProject.id });
    const own = { authorization: `Bearer ${key}` };
    expect(await json(call(emulator, "GET", path, own))).toHaveLength(1);
    for (const [method, target] of [
      ["POST", path],
      ["PATCH", `${path}/seeded`],
      ["DELETE", `${path}/seeded`],
    ] as const) {
      const body = { name: "logs", ...(method === "POST" && { endpoint }) };
      const sent = await send(emulator, method, target, method === "DELETE" ? {} : body, own);
      expect(await refusal(sent)).toMatchObject({ status: 403, code: "forbidden" });
    }
    expect(emulator.telemetryDestinations.list()).toMatchObject([{ name: "seeded" }]);
  });

  test("an auth connection blocks the deletion of its telemetry destination, and the renaming if it names the destination by name", async () => {
    const { id } = await json<{ id: string }>(connect(exported({ name: "seeded" })), 201);
    expect(await refusal(await remove())).toMatchObject({
      status: 409,
      message: `The telemetry destination is used by the auth connections "shop.example" (id ${id}).`,
    });
    expect(await refusal(await change({ name: "logs" }))).toMatchObject({ status: 409 });
    await json(send(emulator, "PATCH", `/auth/connections/${id}`, { browser: exported({ id: "seeded" }) }));
    await json(change({ name: "logs" }));
    await call(emulator, "DELETE", `/auth/connections/${id}`);
    expect((await remove()).status).toBe(204);
  });

  test("an auth connection with an unknown telemetry destination gets 400", async () => {
    const { status, message } = await refusal(await connect(exported({ name: "none" })));
    expect([status, message]).toEqual([
      400,
      'browser.telemetry.export.otlp.destination names no telemetry destination of the organization: "none".',
    ]);
  });

  test("an auth connection with a telemetry export but without captured telemetry gets 400", async () => {
    const browser = { telemetry: { export: { otlp: { destination: { id: "seeded" } } } } };
    expect(await refusal(await connect(browser))).toMatchObject({
      status: 400,
      message: expect.stringContaining("telemetry.export.otlp.destination"),
    });
  });

  test("a browser pool blocks the deletion of a telemetry destination while the pool or a browser exports", async () => {
    const pool = emulator.browserPools.create({
      ...{ name: "agents", size: 2 },
      telemetry: { enabled: true, destination: { name: "seeded" } },
    });
    expect(pool.telemetry).toMatchObject({ destinationId: "seeded" });
    const { sessionId } = emulator.browserPools.acquire(emulator.browserPools.fill(pool.id).id);
    emulator.browserPools.update(pool.id, { telemetry: { destination: null } });
    expect(await refusal(await remove())).toMatchObject({
      status: 409,
      message: `The telemetry destination is used by the browser pools "agents" (id ${pool.id}).`,
    });
    await send(emulator, "POST", `/browser_pools/${pool.id}/release`, {
      session_id: sessionId,
      reuse: false,
    });
    await send(emulator, "POST", `/browser_pools/${pool.id}/flush`, {});
    expect((await remove()).status).toBe(204);
  });

  test("a test records the results of exports to a telemetry destination", async () => {
    emulator.telemetryDestinations.recordExport("seeded", "refused");
    emulator.telemetryDestinations.recordExport("seeded", "refused");
    const at = "2026-11-21T10:00:00.000Z";
    const failed = { last_error: "refused", last_error_at: at };
    expect(await json(call(emulator, "GET", `${path}/seeded`))).toMatchObject({
      ...failed,
      consecutive_failures: 2,
    });
    emulator.telemetryDestinations.recordExport("seeded", null);
    expect(await json(call(emulator, "GET", `${path}/seeded`))).toMatchObject({
      ...failed,
      consecutive_failures: 0,
      last_export_at: at,
    });
  });
});
