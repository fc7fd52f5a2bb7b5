import { systemClock } from "../../../src/client/http/retry/options.js";
import { ApiError, CanceledError, ConnectionError, RetryBudget } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, closedPort, hang, json, type Script, stalled, thenClose } from "../fault-server.js";
import { benchDate, closeBenches, openClient, startBench, wireExtension } from "../test-client.js";

const good = json(200, wireExtension);
const failing = (status: number, headers: Record<string, string> = {}): Script =>
  json(status, { code: "internal_error", message: "Try later" }, headers);

afterEach(closeBenches);

describe("reads", () => {
  test("a read returns the record in our own names", async () => {
    const { client, server } = await startBench([good]);
    expect(await client.extensions.get("ad-blocker")).toEqual({
      id: wireExtension.id,
      name: "ad-blocker",
      checksum: wireExtension.checksum,
      sizeBytes: 1234,
      createdAt: "2026-11-21T10:00:00Z",
      lastUsedAt: null,
    });
    expect(server.requests[0]).toMatchObject({ method: "GET", target: "/extensions/ad-blocker/metadata" });
  });

  test("a name that differs in case and accents finds the extension", async () => {
    const { client } = await startBench([good]);
    expect((await client.extensions.get("Ád-BLOCKER")).name).toBe("ad-blocker");
  });

  test.each([...[408, 425, 429, 500, 502, 503, 504, 507], ...[520, 521, 522, 523, 524, 525, 526, 527, 529]])(
    "a read that meets %i is retried and succeeds",
    async (status) => {
      const { client, server, waits } = await startBench([failing(status), good]);
      await client.extensions.get("ad-blocker");
      expect(server.requests).toHaveLength(2);
      expect(waits).toEqual([250]);
    },
  );

  test.each([400, 401, 403, 404, 409, 410, 413, 422, 501, 505, 508, 528, 530])(
    "a read that meets %i is sent once",
    async (status) => {
      const { client, server } = await startBench([failing(status)]);
      expect(await errorOf(client.extensions.get("ad-blocker"))).toMatchObject({ name: "ApiError", status });
      expect(server.requests).toHaveLength(1);
    },
  );

  test("a read gives up after four attempts with doubling waits, and the error names the attempts", async () => {
    const { client, server, waits } = await startBench([failing(503)]);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe(
      'Reading the extension "ad-blocker" failed: 503 internal_error, Try later. Tried 4 times. Try again later.',
    );
    expect(server.requests).toHaveLength(4);
    expect(waits).toEqual([250, 500, 1000]);
  });

  test("no backoff is longer than maxDelayMs", async () => {
    const { client, waits } = await startBench([failing(503)], { retry: { attempts: 10 } });
    await errorOf(client.extensions.get("ad-blocker"));
    expect(Math.max(...waits)).toBe(20_000);
    expect(waits).toHaveLength(9);
  });

  test("a read is not retried if the service forbids a retry", async () => {
    const { client, server } = await startBench([failing(503, { "x-should-retry": "false" })]);
    await errorOf(client.extensions.get("ad-blocker"));
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["seconds", "7", 7100],
    ["fractions of a second", "0.5", 600],
    ["zero seconds", "0", 200],
    ["a date", new Date(benchDate + 5000).toUTCString(), 5100],
    ["a date in the past", new Date(benchDate - 5000).toUTCString(), 200],
    // 10:00:00 on the same day, in the two obsolete forms of RFC 9110, section 5.6.7.
    ["a date of RFC 850", "Saturday, 21-Nov-26 10:00:05 GMT", 5100],
    ["a date of RFC 850 in the last century", "Monday, 21-Nov-94 10:00:05 GMT", 200],
    ["a date of asctime", "Sat Nov 21 10:00:05 2026", 5100],
    ["a date of asctime with one digit", "Sat Nov  7 10:00:05 2026", 200],
    ["a date with an unknown month, which is ignored", "Sat, 21 Nix 2026 10:00:05 GMT", 250],
    ["exactly the longest wait", "60", 60_100],
    ["a negative number, which is ignored", "-5", 250],
    ["other text, which is ignored", "in 5 minutes", 250],
  ])("Retry-After is followed when it is %s", async (_form, value, wait) => {
    const { client, waits } = await startBench([failing(429, { "retry-after": value }), good]);
    await client.extensions.get("ad-blocker");
    expect(waits).toEqual([wait]);
  });

  test.each([
    [{ "retry-after-ms": "1500" }, 1600],
    [{ "retry-after-ms": "1500.5", "retry-after": "9" }, 1600.5],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9100],
  ])("with the headers %j, a valid retry-after-ms wins over retry-after", async (headers, wait) => {
    const { client, waits } = await startBench([failing(503, headers), good]);
    await client.extensions.get("ad-blocker");
    expect(waits).toEqual([wait]);
  });

  test.each([["3600"], ["999999999999999"], [new Date(benchDate + 3_600_000).toUTCString()]])(
    "a read with a Retry-After of %s fails immediately, and the error names the wait",
    async (value) => {
      const { client, server, waits } = await startBench([failing(429, { "retry-after": value })]);
      const error = await errorOf(client.extensions.get("ad-blocker"));
      expect(error.message).toContain("The service asked to wait ");
      if (!value.startsWith("99")) {
        expect(error.message).toContain("3600 s (until 2026-11-21T11:00:00.000Z)");
      }
      expect(server.requests).toHaveLength(1);
      expect(waits).toEqual([]);
    },
  );

  test("a read whose connection is reset before the service reads the request is retried and succeeds", async () => {
    const onConnection = (socket: { resetAndDestroy(): unknown }, number: number) =>
      number === 0 && Boolean(socket.resetAndDestroy());
    const { client, server } = await startBench([good], {}, { onConnection });
    expect((await client.extensions.get("ad-blocker")).name).toBe("ad-blocker");
    expect(server.requests).toHaveLength(1);
  });

  test("a read whose body comes one byte at a time ends after requestMs", async () => {
    const drip: Script = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n");
      const timer = setInterval(() => socket.write(" "), 10);
      socket.on("close", () => clearInterval(timer));
    };
    const { client } = await startBench([drip], { deadlines: { requestMs: 120 }, retry: { attempts: 1 } });
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_timeout" });
    expect(error.message).toContain("it took longer than 0.12 s");
  });

  test("a read from an unreachable service is a connection error that names the host", async () => {
    const port = await closedPort();
    const { client, waits } = openClient(`http://127.0.0.1:${port}`);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: "connection_failed",
      request: { method: "GET", path: "/extensions/ad-blocker/metadata" },
    });
    expect(error.message).toBe(
      `Reading the extension "ad-blocker" failed: the connection could not be opened (ECONNREFUSED), host 127.0.0.1:${port}. Tried 4 times. Is the emulator running? "npx browser-infra emulator" starts it. Otherwise, check the base URL.`,
    );
    expect(waits).toHaveLength(3);
  });

  test("a jump of the system clock does not end a download", async () => {
    const jumped = jest.spyOn(Date, "now");
    try {
      const { client } = await startBench([
        (socket) => {
          const now = Date.now();
          jumped.mockReturnValue(now + 86_400_000);
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n");
          setTimeout(() => socket.write("PK"), 100);
        },
      ]);
      expect(await client.extensions.download("ad-blocker")).toHaveLength(2);
    } finally {
      jumped.mockRestore();
    }
  });

  test("a read with an already aborted signal sends nothing", async () => {
    const { client, server } = await startBench([good]);
    const error = await errorOf(client.extensions.get("ad-blocker", { signal: AbortSignal.abort() }));
    expect(error).toBeInstanceOf(CanceledError);
    expect(error.message).toBe('Reading the extension "ad-blocker" was canceled.');
    expect(server.connections()).toBe(0);
  });

  test.each<[string, Script]>([
    ["before the headers", hang],
    ["in the middle of the body", stalled],
  ])("a read that is canceled %s ends immediately", async (_stage, script) => {
    const abort = new AbortController();
    const { client, server } = await startBench([
      (socket, request) => {
        script(socket, request);
        setTimeout(() => abort.abort(), 20);
      },
    ]);
    expect(await errorOf(client.extensions.get("ad-blocker", { signal: abort.signal }))).toBeInstanceOf(
      CanceledError,
    );
    expect(server.requests).toHaveLength(1);
  });

  test("a read that is canceled while it waits for the next send ends immediately", async () => {
    const abort = new AbortController();
    const { client, server } = await startBench(
      [
        (socket, request) => {
          failing(429, { "retry-after": "30" })(socket, request);
          setTimeout(() => abort.abort(), 20);
        },
      ],
      { retry: { clock: systemClock } },
    );
    expect(await errorOf(client.extensions.get("ad-blocker", { signal: abort.signal }))).toBeInstanceOf(
      CanceledError,
    );
    expect(server.requests).toHaveLength(1);
  });

  test("an empty retry budget ends retries and is named as the reason", async () => {
    const { client, server } = await startBench([failing(503)], { retry: { budget: new RetryBudget(12) } });
    const first = await errorOf(client.extensions.get("ad-blocker"));
    expect(first.message).toContain("Not retried: this process has used up its retry budget.");
    expect(server.requests).toHaveLength(3);
    await errorOf(client.extensions.get("ad-blocker"));
    expect(server.requests).toHaveLength(4);
  });

  test.each([408, 504, 522, 524])(
    "a timeout (%i) takes twice as much from the retry budget, and a success returns a token",
    async (status) => {
      const budget = new RetryBudget(14);
      const { client, server } = await startBench([failing(status), good, failing(503), good], {
        retry: { budget },
      });
      await client.extensions.get("ad-blocker");
      // 14 - 10 + 1 leaves 5: enough for one retry, not for two.
      await client.extensions.get("ad-blocker");
      expect(server.requests).toHaveLength(4);
      expect(budget.take(false)).toBe(false);
    },
  );

  test("a read replaces a connection that the service closed while idle, without an error", async () => {
    const { client, server } = await startBench([thenClose(good)]);
    for (let count = 0; count < 20; count++) {
      await client.extensions.get("ad-blocker");
    }
    expect(server.requests.length).toBeGreaterThanOrEqual(20);
  });

  test("consecutive reads share connections", async () => {
    const { client, server } = await startBench([good]);
    for (let count = 0; count < 20; count++) {
      await client.extensions.get("ad-blocker");
    }
    // A connection may not be free yet when the next read begins.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test("a read with a closed client fails with code client_closed", async () => {
    const { client, server } = await startBench([answer(200, "{}")]);
    await client.close();
    expect(await errorOf(client.extensions.get("ad-blocker"))).toMatchObject({
      name: "ConnectionError",
      code: "client_closed",
    });
    expect(server.connections()).toBe(0);
  });
});
