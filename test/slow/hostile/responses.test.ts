import { inspect } from "node:util";
import { ApiError, isBrowserInfraError, OutcomeUnknownError } from "../../../src/errors.js";
import { type Script, startFaultServer } from "../../client/fault-server.js";
import { honestly, type Operation, operations } from "../../client/hostile/operations.js";
import { type HostileResponse, hostileResponses } from "../../client/hostile/responses.js";
import { canaryKey, closeBenches, openClient } from "../../client/test-client.js";

/** Time limits in milliseconds: those of requests, and of a login to wait for. */
interface Patience {
  readonly requestMs: number;
  readonly loginMs: number;
}

/** For answers that come at once, even on a busy machine. */
const patient: Patience = { requestMs: 20_000, loginMs: 20_000 };
/** For answers that never end. */
const impatient: Patience = { requestMs: 1_000, loginMs: 2_000 };

/** Longest time of an operation with short limits, in milliseconds: several requests. */
const operationMsMax = 60_000;

/** Most bytes that a client reads of the responses to one operation: twice the largest archive. */
const takenBytesMax = 2 * 67_108_864;

/** Concurrent operations: few if busy, many if waiting for a deadline. */
const atOnce = { working: 8, waiting: 120 };

/** Characters that no message may contain: control of terminals, hidden or reordered text. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Outcome of an operation. */
interface Ending {
  readonly value?: unknown;
  readonly error?: unknown;
  readonly ms: number;
  /** Bytes that the client read. */
  readonly bytes: number;
  /** First answer as sent. */
  readonly sent: Buffer;
  readonly requests: number;
}

/** Runs an operation once against a service that gives the same answer to everything. */
async function run(operation: Operation, script: Script, { requestMs, loginMs }: Patience): Promise<Ending> {
  const deadlines = {
    headersMs: requestMs,
    bodyIdleMs: requestMs,
    requestMs,
    // An archive of any length may take a second more.
    minArchiveBytesPerSecond: 67_108_864,
  };
  const sockets = new Set<Parameters<Script>[0]>();
  let sent: Buffer | undefined;
  const observed: Script = (socket, request) => {
    sockets.add(socket);
    if (sent === undefined) {
      sent = Buffer.alloc(0);
      const write = socket.write.bind(socket) as (piece: string | Uint8Array) => boolean;
      socket.write = ((piece: string | Uint8Array) => {
        if (sent !== undefined && sent.byteLength < 1_000_000) {
          sent = Buffer.concat([sent, Buffer.from(piece)]);
        }
        return write(piece);
      }) as typeof socket.write;
    }
    script(socket, request);
  };
  const server = await startFaultServer([observed]);
  const { client } = openClient(server.url, { deadlines, maxPages: 15, retry: { attempts: 2 } });
  const start = performance.now();
  try {
    const ending = await operation.run(client, loginMs).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const ms = performance.now() - start;
    const bytes = [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0);
    return { ...ending, ms, bytes, sent: sent ?? Buffer.alloc(0), requests: server.requests.length };
  } finally {
    await server.close();
  }
}

/** Problem with the outcome of an operation, if any. */
function problemWith(operation: Operation, hostile: HostileResponse, ending: Ending, right: unknown) {
  const { value, error, ms, bytes, sent, requests } = ending;
  if (ms > operationMsMax) {
    return `it took ${Math.round(ms)} ms`;
  }
  // An endless stream is read, and dropped, until the time for the login is up.
  // Who waits for a login reads the connection again and again, so each response counts alone.
  const responses = /\.(waitFor|follow)/.test(operation.name) ? requests : 1;
  if (bytes > takenBytesMax * responses && !hostile.lasts) {
    return `the client took ${bytes} bytes`;
  }
  if (error !== undefined) {
    return hostile.isHarmless
      ? `an error for a harmless answer: ${inspect(error)}`
      : (problemWithError(error) ?? problemWithWrite(operation, hostile, ending));
  }
  if (operation.name.endsWith(".delete")) {
    return confirmsDeletion(sent) ? undefined : "it counts as deleted without proof";
  }
  if (operation.isProof !== undefined) {
    return operation.isProof(value) ? undefined : "it counts as done without proof";
  }
  if (operation.write && hostile.confirms !== true) {
    return "it counts as done without proof";
  }
  const isNothing = value === undefined || (Array.isArray(value) && value.length === 0);
  if (isNothing && sent.toString().endsWith("\r\n[]")) {
    return undefined;
  }
  const { essence = (whole: unknown) => whole } = operation;
  const changes = (hostile.changes ?? []).filter((name) => name !== "id" || !operation.knowsId);
  const [is, should] = [value, right].map((each) => inspect(without(essence(each), changes), { depth: 10 }));
  return is === should ? badText(value) : `a wrong value: ${inspect(value)}`;
}

function problemWithError(error: unknown): string | undefined {
  if (!isBrowserInfraError(error)) {
    return `a foreign error: ${inspect(error)}`;
  }
  const everything = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);
  if (everything.includes(canaryKey)) {
    return "the key in an error";
  }
  const { message } = error;
  const isClear = !unprintable.test(message) && message.length <= 2_000 && /^[A-Z].{20,}[.…]$/.test(message);
  return isClear ? undefined : `an unclear message: ${JSON.stringify(message)}`;
}

/**
 * Problem with the error of a write, if any. Only a refusal proves that nothing was carried out;
 * only after a rate limit may a `once` write be repeated.
 */
function problemWithWrite(
  { write }: Operation,
  { lasts }: HostileResponse,
  { error, sent, requests }: Ending,
): string | undefined {
  if (write === undefined) {
    return undefined;
  }
  const [policy, advice] = write;
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(sent.toString("latin1"))?.[1]);
  const isRefusal = status === 501 || (status >= 400 && status < 500 && status !== 408);
  // On a busy machine, a late refusal may come after the deadline.
  const isRight =
    isRefusal && !(lasts && error instanceof OutcomeUnknownError) ? ApiError : OutcomeUnknownError;
  if (!(error instanceof isRight)) {
    return `the wrong class of error: ${inspect(error)}`;
  }
  if (error instanceof OutcomeUnknownError && !error.message.includes(advice)) {
    return `no word about how to find out: ${error.message}`;
  }
  return policy === "once" && requests > 1 && status !== 425 && status !== 429
    ? `it was sent ${requests} times`
    : undefined;
}

/** Whether a response proves a deletion: 204, or 200 or 202 with any body but a page. */
function confirmsDeletion(sent: Buffer): boolean {
  const [head = "", ...body] = sent
    .toString("latin1")
    .replace(/^HTTP\/1.1 1.*?\r\n\r\n/s, "")
    .split("\r\n\r\n");
  const text = body.join("\r\n\r\n");
  const isPage = text !== "" && (/text\/html/.test(head) || /^\s*</.test(text));
  return /^HTTP\/1.1 204 /.test(head) || (/^HTTP\/1.1 20[02] /.test(head) && !isPage);
}

/** Value without the members that the response changed. */
function without(value: unknown, changes: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => without(each, changes));
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !changes.includes(name)));
}

/** Problem with an unprintable character in an id or a time, if any. */
function badText(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) {
    return undefined;
  }
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "string" && /^id$|Id$|At$|^timestamp$/.test(name) && unprintable.test(member)) {
      return `an unprintable character in ${name}`;
    }
    const within = badText(member);
    if (within !== undefined) {
      return within;
    }
  }
  return undefined;
}

describe("hostile responses", () => {
  const problems = new Map<string, string[]>(operations.map(({ name }) => [name, []]));
  let heapGrowth = 0;

  beforeAll(async () => {
    const heapBefore = process.memoryUsage().heapUsed;
    const rights = new Map<Operation, unknown>();
    for (const operation of operations) {
      const { value, error } = await run(operation, honestly(operation), patient);
      expect(error).toBeUndefined();
      rights.set(operation, value);
    }
    const cases = operations.flatMap((operation) =>
      hostileResponses.map((hostile) => ({ operation, hostile })),
    );
    const work = async (waiting: typeof cases, patience: Patience) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { operation, hostile } = next;
        const ending = await run(operation, hostile.script(operation), patience);
        const problem = problemWith(operation, hostile, ending, rights.get(operation));
        if (problem !== undefined) {
          problems.get(operation.name)?.push(`${hostile.name}: ${problem}`);
        }
        heapGrowth = Math.max(heapGrowth, process.memoryUsage().heapUsed - heapBefore);
      }
    };
    const all = (count: number, waiting: typeof cases, patience: Patience) =>
      Promise.all(Array.from({ length: count }, () => work(waiting, patience)));
    await all(
      atOnce.working,
      cases.filter(({ hostile }) => !hostile.lasts),
      patient,
    );
    await all(
      atOnce.waiting,
      cases.filter(({ hostile }) => hostile.lasts),
      impatient,
    );
    await closeBenches();
    // About a minute, and much longer while other tests use the machine.
  }, 900_000);

  test.each(operations.map(({ name }) => name))(
    "hostile responses to %s lead to the right value or a clear error, and no write counts as done without proof",
    (name) => {
      expect(problems.get(name)).toEqual([]);
    },
  );

  test("hostile responses leave no trace in the prototypes of the process, and little in the memory", () => {
    expect("polluted" in {}).toBe(false);
    expect(heapGrowth).toBeLessThan(768 * 1_048_576);
  });
});
