import { type AddressInfo, createServer } from "node:net";
import {
  ApiError,
  CanceledError,
  ConnectionError,
  ContractError,
  type Extension,
  OutcomeUnknownError,
} from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, endless, hang, json, raw, reset, type Script, thenClose } from "../fault-server.js";
import { type Bench, closeBenches, openClient, startBench, wireExtension } from "../test-client.js";

// Without a name, so that it confirms every upload.
const created = json(201, { ...wireExtension, name: null });
const deleted = raw("HTTP/1.1 204 No Content\r\n\r\n");
const archive = new Uint8Array(300_000).map((_, index) => index);
const refused = (status: number): Script => json(status, { code: "some_code", message: "No." });
const stalled = raw("HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{");

const upload = ({ client }: Pick<Bench, "client">, signal?: AbortSignal): Promise<Extension> =>
  client.extensions.upload({ archive, name: "ad-blocker" }, { signal });

afterEach(closeBenches);

describe("writes", () => {
  test.each([400, 401, 403, 404, 409, 410, 413, 422, 501])(
    "an upload refused with %i is an ApiError and sent once",
    async (status) => {
      const bench = await startBench([refused(status)]);
      const error = await errorOf(upload(bench));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        status,
        serviceCode: "some_code",
        request: { method: "POST", path: "/extensions" },
      });
      expect(bench.server.requests).toHaveLength(1);
    },
  );

  test.each([408, 500, 502, 503, 504, 507, 520, 524, 529, 599])(
    "an upload answered with %i is in doubt and sent once",
    async (status) => {
      const bench = await startBench([refused(status)]);
      const error = await errorOf(upload(bench));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.cause).toBeInstanceOf(ApiError);
      expect(error.message).toBe(
        `Uploading the extension "ad-blocker" may or may not have happened: the service answered ${status}. It was not retried, to avoid doing it twice. List the extensions and compare names and checksums before uploading it again.`,
      );
      expect(bench.server.requests).toHaveLength(1);
    },
  );

  test.each<[string, Script]>([
    ["is reset after the request", reset],
    ["is closed without an answer", (socket) => socket.end()],
    ["closes before the body is complete", thenClose(stalled)],
    ["answers something that is not HTTP", raw("220 mail.example.com ESMTP\r\n\r\n")],
    ["never answers", hang],
    ["hangs in the middle of the body", stalled],
  ])("an upload whose connection %s is in doubt and sent once", async (_fault, script) => {
    const bench = await startBench([script], {
      deadlines: { bodyIdleMs: 500, requestMs: 1_000, minArchiveBytesPerSecond: 1e9 },
    });
    const error = await errorOf(upload(bench));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBeInstanceOf(ConnectionError);
    expect(bench.server.requests).toHaveLength(1);
    expect(bench.server.connections()).toBe(1);
  });

  test.each<[string, Script]>([
    ["truncated JSON", answer(201, '{"id":"x"')],
    ["an empty body", answer(201, "")],
    ["204", raw("HTTP/1.1 204 No Content\r\n\r\n")],
    ["an HTML page", answer(200, "<html>Sign in</html>", { "content-type": "text/html" })],
    ["a wrong type", json(201, { ...wireExtension, size_bytes: "12" })],
    ["another name", json(201, { ...wireExtension, name: "other", checksum: null })],
    ["a broken gzip", answer(201, "x", { "content-encoding": "gzip" })],
    ["an endless body", endless("HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n\r\n")],
  ])(
    "an upload confirmed with %s is in doubt, with the contract error as the cause, and sent once",
    async (_fault, script) => {
      const bench = await startBench([script]);
      const error = await errorOf(upload(bench));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.cause).toBeInstanceOf(ContractError);
      expect(bench.server.requests).toHaveLength(1);
    },
  );

  test("an upload to a closed port is a connection error: nothing was sent", async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const error = await errorOf(upload(openClient(`http://127.0.0.1:${port}`)));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_failed" });
  });

  test("an upload to a name that does not resolve is a connection error: nothing was sent", async () => {
    const error = await errorOf(upload(openClient("https://nowhere.invalid")));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_failed" });
    expect(error.message).toMatch(/could not be resolved \((ENOTFOUND|EAI_AGAIN)\), host nowhere\.invalid/);
  });

  test("an upload over a TLS handshake that fails is a connection error: nothing was sent", async () => {
    const bench = await startBench(
      [hang],
      {},
      { onConnection: (socket) => Boolean(socket.end("HTTP/1.1 400 Bad\r\n\r\n")) },
    );
    const error = await errorOf(upload(openClient(`https://127.0.0.1:${bench.server.port}`)));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_untrusted" });
    expect(bench.server.connections()).toBe(1);
  });

  test("an upload over a TLS handshake that never ends is a connection error: nothing was sent", async () => {
    const bench = await startBench([hang]);
    const error = await errorOf(
      upload(openClient(`https://127.0.0.1:${bench.server.port}`, { deadlines: { connectMs: 80 } })),
    );
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_timeout" });
  });

  test("an upload that is canceled before it begins opens no connection", async () => {
    const bench = await startBench([created]);
    expect(await errorOf(upload(bench, AbortSignal.abort()))).toBeInstanceOf(CanceledError);
    expect(bench.server.connections()).toBe(0);
  });

  test("an upload that is canceled while it connects is canceled, not in doubt", async () => {
    const abort = new AbortController();
    const bench = await startBench(
      [hang],
      {},
      {
        onConnection: () => {
          setTimeout(() => abort.abort(), 20);
          return false;
        },
      },
    );
    const { client } = openClient(`https://127.0.0.1:${bench.server.port}`);
    expect(await errorOf(upload({ client }, abort.signal))).toBeInstanceOf(CanceledError);
  });

  test.each<[string, Script]>([
    ["before the answer", hang],
    ["in the middle of the answer", stalled],
  ])(
    "an upload that is canceled %s is in doubt, with the cancellation as the cause",
    async (_stage, script) => {
      const abort = new AbortController();
      const bench = await startBench([
        (socket, request) => {
          script(socket, request);
          setTimeout(() => abort.abort(), 20);
        },
      ]);
      const error = await errorOf(upload(bench, abort.signal));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.cause).toBeInstanceOf(CanceledError);
      expect(bench.server.requests).toHaveLength(1);
    },
  );

  test("an upload that is canceled while its archive is being sent is in doubt", async () => {
    const abort = new AbortController();
    const bench = await startBench([created], {}, { onHead: (socket) => socket.pause() });
    const big = new Uint8Array(20_000_000);
    const running = bench.client.extensions.upload(
      { archive: big },
      { signal: abort.signal, onProgress: () => abort.abort() },
    );
    expect(await errorOf(running)).toBeInstanceOf(OutcomeUnknownError);
    expect(bench.server.requests).toHaveLength(0);
  });

  test("a refusal before the whole archive was sent is still a refusal", async () => {
    const refuseEarly = {
      onHead: (socket: import("node:net").Socket) =>
        void socket.end(
          'HTTP/1.1 413 Too Large\r\ncontent-type: application/json\r\ncontent-length: 38\r\n\r\n{"code":"too_large","message":"Big."}  ',
        ),
    };
    const bench = await startBench([hang], {}, refuseEarly);
    const error = await errorOf(bench.client.extensions.upload({ archive: new Uint8Array(20_000_000) }));
    expect(error).toMatchObject({ name: "ApiError", status: 413 });
  });

  test("the deadline of an upload grows with the archive, and the headers' deadline does not apply", async () => {
    const slow: Script = (socket, request) => setTimeout(() => created(socket, request), 1200);
    const bench = await startBench([slow], {
      deadlines: { headersMs: 50, requestMs: 50, minArchiveBytesPerSecond: 100_000 },
    });
    expect((await upload(bench)).id).toBe(wireExtension.id);
  });

  test("every write opens its own connection, so that one closed while idle cannot swallow it", async () => {
    // The second request on a connection is reset, as if the service had just closed an idle one.
    const perConnection = new Map<number, number>();
    const once: Script = (socket, request) => {
      const count = (perConnection.get(request.connection) ?? 0) + 1;
      perConnection.set(request.connection, count);
      if (count > 1) {
        reset(socket, request);
      } else {
        (request.method === "DELETE" ? deleted : created)(socket, request);
      }
    };
    const bench = await startBench([once]);
    for (let count = 0; count < 10; count++) {
      await upload(bench);
    }
    for (let count = 0; count < 10; count++) {
      await bench.client.extensions.delete(wireExtension.id);
    }
    expect(bench.server.requests).toHaveLength(20);
    expect(bench.server.connections()).toBe(20);
    expect(bench.server.requests.every(({ headers }) => headers.connection === "close")).toBe(true);
  });

  test("a delete answered with 204 is done", async () => {
    const { client, server } = await startBench([deleted]);
    expect(await client.extensions.delete(wireExtension.id)).toBeUndefined();
    expect(server.requests).toMatchObject([{ method: "DELETE", target: `/extensions/${wireExtension.id}` }]);
  });

  test.each<[string, Script]>([
    ["200 and an empty body", answer(200, "", { "content-type": "" })],
    ["202 and an empty body", answer(202, "", { "content-type": "" })],
    ["200 and JSON", json(200, { deleted: true })],
    ["202 and JSON", json(202, null)],
  ])("a delete answered with %s is done", async (_answer, script) => {
    const { client, server } = await startBench([script]);
    expect(await client.extensions.delete(wireExtension.id)).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  test.each([400, 401, 403, 409, 422, 501])(
    "a delete refused with %i is an ApiError and sent once",
    async (status) => {
      const { client, server } = await startBench([refused(status)]);
      const error = await errorOf(client.extensions.delete(wireExtension.id));
      expect(error).toMatchObject({ name: "ApiError", status, request: { method: "DELETE" } });
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each<[string, Script]>([
    [
      "200 and the page of a captive portal",
      answer(200, "<html>Sign in</html>", { "content-type": "text/html" }),
    ],
    ["200 and JSON that is called HTML", answer(200, "{}", { "content-type": "text/html" })],
    ["200 and text", answer(200, "ok", { "content-type": "text/plain" })],
    ["200 and bytes without a type", answer(200, "\0\u0001", { "content-type": "" })],
    ["200 and truncated JSON", answer(200, '{"deleted":')],
    ["200 and an endless body", endless("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")],
    ["201", json(201, {})],
    ["203", json(203, {})],
    ["206", json(206, {})],
    ["299 and an empty body", answer(299, "")],
  ])("a delete answered with %s is in doubt, and sent once", async (_answer, script) => {
    const { client, server } = await startBench([script]);
    const error = await errorOf(client.extensions.delete(wireExtension.id));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBeInstanceOf(ContractError);
    expect(error.message).toContain("Read the extension; if it still exists, delete it again.");
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Script]>([
    ["503", refused(503)],
    ["a reset", reset],
    ["silence", hang],
  ])("a delete that meets %s is in doubt, sent once, and says how to find out", async (_fault, script) => {
    const { client, server } = await startBench([script], { deadlines: { requestMs: 1_000 } });
    const error = await errorOf(client.extensions.delete(wireExtension.id));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain("Read the extension; if it still exists, delete it again.");
    expect(server.requests).toHaveLength(1);
  });
});
