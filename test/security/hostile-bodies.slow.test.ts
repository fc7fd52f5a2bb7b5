import { execFile } from "node:child_process";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const mebibyte = 1_048_576;
/** Most memory of the reading process, including Node and all loaded code. */
const megabytesMax = 200;
const child = join(__dirname, "reader-child.cjs");

let server: Server;
/** Answer of the server to every request. */
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

/** Sends pieces as long as the client accepts them, at most 300 MiB. */
function endless(response: ServerResponse, start: string, piece: Buffer): void {
  let left = (300 * mebibyte) / piece.length;
  const send = () => {
    while (!response.destroyed && left-- > 0) {
      if (!response.write(piece)) {
        response.once("drain", send);
        return;
      }
    }
    response.end();
  };
  response.on("error", () => {});
  response.write(start);
  send();
}

const jsonType = { "content-type": "application/json" };
const eventType = { "content-type": "text/event-stream" };
const letters = Buffer.alloc(65_536, "x");

const answers: readonly [what: string, answer: (response: ServerResponse) => void][] = [
  ["a body without end", (response) => endless(response.writeHead(200, jsonType), '"', letters)],
  [
    "an error body without end",
    (response) => endless(response.writeHead(400, jsonType), '{"code":"', letters),
  ],
  [
    "a gzip bomb of 300 MiB",
    (response) => response.writeHead(200, { ...jsonType, "content-encoding": "gzip" }).end(bomb),
  ],
  [
    "a gzip bomb as an error",
    (response) => response.writeHead(500, { ...jsonType, "content-encoding": "gzip" }).end(bomb),
  ],
  [
    "JSON of half a million nested arrays",
    (response) => response.writeHead(200, jsonType).end("[".repeat(500_000)),
  ],
  [
    "JSON of closed nested objects",
    (response) => response.writeHead(200, jsonType).end(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
  ],
  ["an event without end", (response) => endless(response.writeHead(200, eventType), "data: ", letters)],
  [
    "a header of 1 MiB",
    (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(mebibyte)}\r\n\r\n`),
  ],
];

const bomb = gzipSync(Buffer.alloc(300 * mebibyte));

describe("a service that sends too much", () => {
  test.each(answers)(
    "X13: %s ends each operation with an error, within 200 MB of memory",
    async (_what, sent) => {
      answer = sent;
      const { port } = server.address() as AddressInfo;
      const { stdout } = await promisify(execFile)(process.execPath, [child, `http://127.0.0.1:${port}`]);
      const { ended, megabytes } = JSON.parse(stdout);
      // A deletion may be done anyway, according to its status.
      const { delete: deleted, ...others } = ended;
      expect(deleted).toMatch(/^done$|Error$/);
      expect(Object.keys(others)).toHaveLength(6);
      for (const name of Object.values(others)) {
        expect(name).toMatch(/^(Api|Connection|Contract|Login|OutcomeUnknown)Error$/);
      }
      expect(megabytes).toBeLessThan(megabytesMax);
    },
  );
});
