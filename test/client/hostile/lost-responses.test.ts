import { hang, json, raw, reset, type Script, stalled, thenClose } from "../fault-server.js";
import { closeBenches, startBench } from "../test-client.js";
import { honestly, type Operation, operations } from "./operations.js";

afterEach(closeBenches);

/** Ways to lose a response. None reveals whether the request was carried out. */
const losses: readonly [string, Script][] = [
  ["its connection is reset", reset],
  ["its connection is closed", (socket) => socket.end()],
  ["its connection closes within the body", thenClose(stalled)],
  ["it never comes", hang],
  ["it stalls within the body", stalled],
  ["it is not HTTP", raw("220 mail.example.com ESMTP\r\n\r\n")],
  ["it is 408", json(408, {})],
  ["it is 503", json(503, {})],
];

/** Runs an operation of a service that first sends the given answers, then the honest answer. */
async function runAfter(operation: Operation, ...first: readonly Script[]) {
  const bench = await startBench([...first, honestly(operation)], {
    deadlines: { headersMs: 500, bodyIdleMs: 500, requestMs: 1_000, minArchiveBytesPerSecond: 1e9 },
  });
  const value = await operation.run(bench.client, 20_000);
  return { ...bench, value };
}

const repeatable = operations.filter(
  ({ name, write }) => write?.[0] !== "once" && !/\.(follow|wait)/.test(name),
);

describe("when the first response is lost", () => {
  // The tests of hostile responses show that a write is then in doubt and not sent again.
  test.each(losses)(
    "after a response is lost because %s, a read or an idempotent write is resent unchanged and succeeds",
    async (_how, loss) => {
      const ends = await Promise.all(
        repeatable.map(async (operation) => {
          const { server, waits } = await runAfter(operation, loss);
          const [first, second] = server.requests.map(({ method, target, body }) => [
            method,
            target,
            `${body}`,
          ]);
          return { name: operation.name, same: String(first) === String(second), waits };
        }),
      );
      expect(ends).toEqual(repeatable.map(({ name }) => ({ name, same: true, waits: [250] })));
    },
  );
});

describe("when a rate limit refuses first", () => {
  const writes = operations.filter(({ write }) => write !== undefined);

  test.each(writes.map((operation) => [operation.name, operation] as const))(
    "%s succeeds after eight refusals of a rate limit, and every request is unchanged",
    async (_name, operation) => {
      const refusals = Array.from({ length: 8 }, (_, at) =>
        json(at % 2 === 0 ? 429 : 425, { code: "limited" }),
      );
      const { server, waits } = await runAfter(operation, ...refusals);
      expect(server.requests).toHaveLength(9);
      const sent = server.requests.map(({ method, target, headers }) => [
        method,
        target,
        headers["content-length"],
      ]);
      expect(new Set(sent.map(String)).size).toBe(1);
      expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 20_000]);
    },
  );
});
