import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { ApiError, ContractError, isNotFound } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, json, type Script } from "../fault-server.js";
import { closeBenches, startBench, wireExtension } from "../test-client.js";

afterEach(closeBenches);

/** Encodings: name in the header, and compressor. */
const encodings: readonly [string, (bytes: Uint8Array) => Buffer][] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["GZIP", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
];

function compressed(
  status: number,
  body: unknown,
  [encoding, compress]: (typeof encodings)[number],
  type = "application/json",
): Script {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  return answer(status, compress(bytes), { "content-encoding": encoding, "content-type": type });
}

describe("compressed responses", () => {
  test.each(encodings)(
    "a record compressed with %s is read, although the request asks for no compression",
    async (...encoding) => {
      const { client, server } = await startBench([compressed(200, wireExtension, encoding)]);
      expect((await client.extensions.get("ad-blocker")).name).toBe("ad-blocker");
      expect(server.requests[0]?.headers["accept-encoding"]).toBe("identity");
    },
  );

  test.each(encodings)("an archive compressed with %s is downloaded unchanged", async (...encoding) => {
    const archive = new Uint8Array(300_000).map((_, index) => (index * 7919) >> 5);
    const { client } = await startBench([compressed(200, archive, encoding, "application/octet-stream")]);
    // Jest's own comparison of so many elements takes seconds.
    expect(Buffer.compare(await client.extensions.download("ad-blocker"), archive)).toBe(0);
  });

  test.each(encodings)("a refusal compressed with %s keeps code and message", async (...encoding) => {
    const body = { code: "not_found", message: "No such extension." };
    const { client } = await startBench([compressed(404, body, encoding)]);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(isNotFound(error)).toBe(true);
    expect(error.message).toContain("404 not_found, No such extension.");
  });

  test.each(encodings)("a deletion confirmed with JSON compressed with %s is done", async (...encoding) => {
    const { client } = await startBench([compressed(200, {}, encoding)]);
    expect(await client.extensions.delete("x1")).toBeUndefined();
  });

  test("connections are used again after a compressed response", async () => {
    const { client, server } = await startBench([compressed(200, wireExtension, ["gzip", gzipSync])]);
    for (let count = 0; count < 10; count++) {
      await client.extensions.get("ad-blocker");
    }
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test("a small body that unpacks to more than the limit is refused", async () => {
    const { client, server } = await startBench([
      compressed(200, Buffer.alloc(50_000_000, " "), ["gzip", gzipSync]),
    ]);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain("the body is larger than 1048576 bytes");
    expect(server.requests).toHaveLength(1);
  });

  test.each([200, 500])(
    "a compressed body without end is read only up to the limit, with status %i",
    async (status) => {
      const bomb: Script = (socket) => {
        const gzip = createGzip();
        const block = Buffer.alloc(1_048_576);
        socket.write(
          `HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n\r\n`,
        );
        gzip.pipe(socket);
        const pump = () => {
          while (!socket.destroyed && gzip.write(block)) {}
        };
        gzip.on("drain", pump);
        pump();
      };
      const { client } = await startBench([bomb], { retry: { attempts: 1 } });
      const error = await errorOf(client.extensions.get("ad-blocker"));
      expect(error).toBeInstanceOf(status === 200 ? ContractError : ApiError);
      expect(error.message).toContain(
        status === 200 ? "the body is larger than 1048576 bytes" : "500, with a body that is not JSON",
      );
    },
  );

  test("a compressed body without end and contents is refused at the limit", async () => {
    // Endless empty blocks of deflate, none marked as the last block.
    const empty = Buffer.alloc(65_535, Buffer.from("000000ffff", "hex"));
    const head = Buffer.from("1f8b0800000000000003", "hex");
    const { client } = await startBench([
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n\r\n");
        socket.write(head);
        const pump = () => {
          while (!socket.destroyed && socket.write(empty)) {}
        };
        socket.on("drain", pump);
        pump();
      },
    ]);
    expect((await errorOf(client.extensions.get("ad-blocker"))).message).toContain(
      "larger than 1048576 bytes",
    );
  });

  test.each<[string, Script, string]>([
    [
      "cut off",
      answer(200, gzipSync("{}").subarray(0, 12), { "content-encoding": "gzip" }),
      "not valid gzip",
    ],
    ["not gzip", answer(200, "{}", { "content-encoding": "gzip" }), "not valid gzip"],
    ["not brotli", answer(200, "{}", { "content-encoding": "br" }), "not valid br"],
    ["not deflate", answer(200, "{}", { "content-encoding": "deflate" }), "not valid deflate"],
    [
      "in an unknown encoding",
      answer(200, "{}", { "content-encoding": "zstd" }),
      "has an unsupported compression",
    ],
    [
      "compressed twice",
      answer(200, "{}", { "content-encoding": "gzip, br" }),
      "has an unsupported compression",
    ],
  ])("a success whose body is %s is a contract error, and not retried", async (_what, script, expected) => {
    const { client, server } = await startBench([script]);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(expected);
    expect(server.requests).toHaveLength(1);
  });

  test("a read is retried when the connection breaks within a compressed body", async () => {
    const bytes = gzipSync(JSON.stringify(wireExtension));
    const { client, server } = await startBench([
      (socket) =>
        socket.end(
          Buffer.concat([
            Buffer.from(
              `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.byteLength}\r\n\r\n`,
            ),
            bytes.subarray(0, 40),
          ]),
        ),
      json(200, wireExtension),
    ]);
    expect((await client.extensions.get("ad-blocker")).id).toBe(wireExtension.id);
    expect(server.requests).toHaveLength(2);
  });
});
