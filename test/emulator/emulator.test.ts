import { once } from "node:events";
import { connect } from "node:net";
import { RequestLog } from "../../src/emulator/http/request-log.js";
import {
  type Emulator,
  type EmulatorOptions,
  type RecordedRequest,
  recordedRequestsMax,
} from "../../src/emulator/index.js";
import { newEmulator } from "../support/emulator.js";
import { call, stored } from "./calls.js";

describe("emulator: start and end", () => {
  let emulator: Emulator;

  test("an emulator without options listens on 127.0.0.1 and accepts the key sk_emulator", async () => {
    emulator = await newEmulator();
    expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(emulator.apiKeys).toEqual(["sk_emulator"]);
    expect((await call(emulator, "GET", "/extensions")).status).toBe(200);
  });

  test("two emulators in one process share nothing", async () => {
    emulator = await newEmulator();
    const other = await newEmulator();
    await stored(emulator, { name: "here" });
    expect(other.extensions.list()).toEqual([]);
    expect(other.defaultProject.id).not.toBe(emulator.defaultProject.id);
  });

  test("an emulator leaves the global Request and Response of the program unchanged", async () => {
    const before = [globalThis.Request, globalThis.Response];
    emulator = await newEmulator();
    await call(emulator, "GET", "/extensions");
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });

  test.each(["localhost", "127.0.0.2", "::1"])(
    "an emulator accepts the loopback address %s as host",
    async (host) => {
      try {
        emulator = await newEmulator({ host });
      } catch (error) {
        // A machine without IPv6 has no ::1, but the rule has accepted the address.
        expect(error).toMatchObject({ code: "emulator_port_unavailable" });
        return;
      }
      expect((await call(emulator, "GET", "/extensions")).status).toBe(200);
    },
  );

  test.each(["0.0.0.0", "::", "192.0.2.1", "example.com", "127.0.0.1.example.com"])(
    "an emulator without allowRemote refuses the host %s, which other machines can reach",
    async (host) => {
      await expect(newEmulator({ host })).rejects.toMatchObject({
        name: "ConfigError",
        message: expect.stringContaining("allowRemote"),
      });
    },
  );

  test("an emulator with allowRemote listens on all addresses and reports a URL for this machine", async () => {
    emulator = await newEmulator({ host: "0.0.0.0", allowRemote: true });
    expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await call(emulator, "GET", "/extensions")).status).toBe(200);
  });

  test.each<[string, EmulatorOptions]>([
    ["port", { port: -1 }],
    ["port", { port: 65_536 }],
    ["port", { port: 1.5 }],
    ["host", { host: " " }],
    ["dataDir", { dataDir: "" }],
    ["apiKeys", { apiKeys: [] }],
    ["apiKeys", { apiKeys: ["sk secret"] }],
    ["speed", { speed: 0 }],
    ["speed", { speed: 1001 }],
    ["speed", { speed: Number.NaN }],
    ["heartbeatIntervalMs", { heartbeatIntervalMs: 0 }],
    ["heartbeatIntervalMs", { heartbeatIntervalMs: 2 ** 31 }],
    ["requestsPerSecond", { requestsPerSecond: 0 }],
    ["requestsPerSecond", { requestsPerSecond: Number.POSITIVE_INFINITY }],
  ])(
    "an emulator with an invalid %s does not start, and the message does not contain the API key",
    async (option, options) => {
      await expect(newEmulator(options)).rejects.toMatchObject({
        name: "ConfigError",
        code: "config_invalid",
        message: expect.stringMatching(new RegExp(`^(?!.*secret).*option ${option} `)),
      });
    },
  );

  test("an emulator on a port in use does not start, and the message names the port", async () => {
    emulator = await newEmulator();
    const port = Number(new URL(emulator.url).port);
    await expect(newEmulator({ port })).rejects.toMatchObject({
      code: "emulator_port_unavailable",
      message: expect.stringMatching(`port ${port}, failed: the port is in use`),
    });
  });

  test("an emulator on an address that this machine lacks does not start, and the message advises a different host", async () => {
    await expect(newEmulator({ host: "192.0.2.1", allowRemote: true })).rejects.toMatchObject({
      code: "emulator_port_unavailable",
      message: expect.stringMatching(/: this machine has no such address\. Choose another host\.$/),
    });
  });

  test("an emulator closes without waiting for open connections, idle or in the middle of a request", async () => {
    emulator = await newEmulator();
    const port = Number(new URL(emulator.url).port);
    await call(emulator, "GET", "/extensions");
    const idle = connect(port, "127.0.0.1");
    const sending = connect(port, "127.0.0.1");
    await Promise.all([once(idle, "connect"), once(sending, "connect")]);
    sending.write(
      "POST /extensions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer sk_emulator\r\nContent-Length: 9\r\n\r\n",
    );
    while (emulator.requests.length < 2) {
      await new Promise(setImmediate);
    }
    const ended = Promise.all(
      [idle, sending].map((socket) => once(socket.on("error", () => {}).resume(), "close")),
    );
    const start = performance.now();
    await Promise.all([emulator.close(), emulator.close()]);
    // Node itself would wait 5 s for the idle connection, and forever for the sending connection.
    expect(performance.now() - start).toBeLessThan(4_000);
    await ended;
    await expect(fetch(emulator.url)).rejects.toThrow();
  });
});

describe("emulator: request log", () => {
  test("the request log contains method, path and status of requests, without queries and keys", async () => {
    const emulator = await newEmulator({ now: () => new Date(0) });
    await stored(emulator, { name: "a" });
    await call(emulator, "GET", "/extensions/a%20b?token=secret");
    await fetch(`${emulator.url}/extensions`, { headers: { authorization: "Bearer sk_wrong" } });
    const project = emulator.defaultProject.id;
    const time = "1970-01-01T00:00:00.000Z";
    expect(emulator.requests).toMatchObject([
      { method: "POST", path: "/extensions", project, status: 201, time },
      { method: "GET", path: "/extensions/a%20b", project, status: 400, bodyBytes: 0 },
      { method: "GET", path: "/extensions", project: null, status: 401 },
    ]);
    expect(emulator.requests[0]?.bodyBytes).toBeGreaterThan(300);
    expect(JSON.stringify(emulator.requests)).not.toMatch(/secret|sk_/);
  });

  test("onRequest is called once for each request, when the response begins or the connection has ended", async () => {
    const seen: RecordedRequest[] = [];
    const emulator = await newEmulator({
      onRequest: (request) => {
        seen.push(request);
        throw new Error("its own mistake");
      },
    });
    await call(emulator, "GET", "/extensions");
    emulator.faults.add({ at: "before-commit", action: "close" });
    await expect(call(emulator, "GET", "/org/projects")).rejects.toThrow();
    const { id } = emulator.authConnections.create({ domain: "example.com", profileName: "work" });
    emulator.authConnections.startLogin(id);
    // The stream stays open, and is reported all the same.
    await call(emulator, "GET", `/auth/connections/${id}/events`);
    await emulator.close();
    expect(seen.map(({ path, status }) => [path, status])).toEqual([
      ["/extensions", 200],
      ["/org/projects", null],
      [`/auth/connections/${id}/events`, 200],
    ]);
  });

  test("the request log keeps the last 10,000 requests", () => {
    const log = new RequestLog();
    for (let index = 0; index <= recordedRequestsMax; index += 1) {
      const request = {
        ...{ requestId: `${index}`, time: "", method: "GET", path: "/", project: null, apiKeyId: null },
        ...{ bodyBytes: 0, status: 200, program: null, tookMs: 1, createdId: null, fault: null },
      };
      log.add(request, { query: "", headers: {} });
    }
    const snapshot = log.snapshot();
    expect([snapshot.length, snapshot[0]?.requestId, snapshot.at(-1)?.requestId]).toEqual([
      10_000,
      "1",
      "10000",
    ]);
  });
});
