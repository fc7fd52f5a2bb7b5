import type { BrowserInfraClient } from "../../../src/client/index.js";
import { json, raw, type Script } from "../fault-server.js";
import { closeBenches, startBench, wireExtension } from "../test-client.js";
import { wireApiKey } from "../wire-records.js";

const good = json(200, wireExtension);

/** Answers that come before the real one (RFC 9110, section 15.2). */
const interimAnswers: Readonly<Record<string, Script>> = {
  "100 Continue": raw("HTTP/1.1 100 Continue\r\n\r\n"),
  "two 100 Continue": raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 \r\nx: y\r\n\r\n"),
  "102 Processing": raw("HTTP/1.1 102 Processing\r\n\r\n"),
  "103 Early Hints": raw("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"),
};

/** One operation of each method, its answer, and what the caller gets. */
const operations: readonly [
  name: string,
  answer: Script,
  call: (client: BrowserInfraClient) => Promise<unknown>,
  result: unknown,
][] = [
  [
    "a read",
    good,
    ({ extensions }) => extensions.get("ad-blocker"),
    expect.objectContaining({ id: wireExtension.id }),
  ],
  [
    "an upload",
    json(201, { ...wireExtension, name: null }),
    ({ extensions }) => extensions.upload({ archive: new Uint8Array(300_000), name: "ad-blocker" }),
    expect.objectContaining({ id: wireExtension.id }),
  ],
  [
    "a rename",
    json(200, { ...wireApiKey, name: "new" }),
    ({ apiKeys }) => apiKeys.rename(wireApiKey.id, "new"),
    expect.objectContaining({ name: "new" }),
  ],
  [
    "a deletion",
    raw("HTTP/1.1 204 No Content\r\n\r\n"),
    ({ extensions }) => extensions.delete(wireExtension.id),
    undefined,
  ],
];

afterEach(closeBenches);

describe("an interim answer that nobody asked for", () => {
  describe.each(operations)("before that of %s", (_name, answer, call, result) => {
    test.each(Object.entries(interimAnswers))("changes nothing: %s", async (_interim, interim) => {
      const { client, server } = await startBench([
        (socket, request) => {
          interim(socket, request);
          answer(socket, request);
        },
      ]);
      // Reads share a connection, so an answer after another one is looked at too.
      for (let count = 0; count < 3; count++) {
        expect(await call(client)).toEqual(result);
      }
      expect(server.requests).toHaveLength(3);
    });
  });

  test("that comes in pieces changes nothing", async () => {
    const { client } = await startBench([
      (socket, request) => {
        const head = "HTTP/1.1 100 Continue\r\nx: y\r\n\r\n";
        let sent = 0;
        socket.setNoDelay(true);
        const timer = setInterval(() => {
          socket.write(head.slice(sent, sent + 5));
          sent += 5;
          if (sent >= head.length) {
            clearInterval(timer);
            good(socket, request);
          }
        }, 2);
      },
    ]);
    expect((await client.extensions.get("ad-blocker")).sizeBytes).toBe(1234);
  });

  test("is not taken for one in an archive", async () => {
    const archive = Buffer.from("HTTP/1.1 100 Continue\r\n\r\nPK");
    const { client } = await startBench([
      (socket) => {
        socket.setNoDelay(true);
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: ${archive.byteLength}\r\n\r\n`,
        );
        setTimeout(() => socket.write(archive), 20);
      },
    ]);
    expect(Buffer.from(await client.extensions.download("ad-blocker"))).toEqual(archive);
  });
});
