import { createBrotliCompress, createDeflate, createDeflateRaw, createGzip } from "node:zlib";
import { ApiError, ConnectionError, ContractError, LoginError } from "../../../src/client/index.js";
import { answer, hang, json, reset, type Script } from "../fault-server.js";
import { closeBenches } from "../test-client.js";
import { all, failing, followed, inProgress, notFound, summary, unavailable } from "./following.js";
import {
  awaiting,
  breaks,
  canaryHostedUrl,
  connectionId,
  discovering,
  frame,
  heartbeat,
  holds,
  sends,
  startLoginBench,
  stream,
  success,
  wireConnection,
  wireRecord,
  wireState,
} from "./login-server.js";

afterEach(closeBenches);

describe("stream faults", () => {
  const delicate = wireState("IN_PROGRESS", "AWAITING_EXTERNAL_ACTION", {
    external_action_message: "携帯電話で承認してください 👩‍👩‍👧‍👦 é",
  });

  test("a login stream that comes one byte at a time is read", async () => {
    const bytes = Buffer.from(frame(delicate) + frame(success));
    const { events } = await followed({
      streams: [
        stream(({ send, end }) => {
          for (const byte of bytes) {
            send(Uint8Array.of(byte));
          }
          end();
        }),
      ],
    });
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({ externalActionMessage: delicate.external_action_message });
  });

  test("a repeated login state is returned once, also with a new timestamp, and again after a different state", async () => {
    const later = { ...discovering, timestamp: "2026-11-21T10:00:09Z" };
    const { seen } = await followed({
      streams: [sends(discovering, discovering, later, awaiting, awaiting, discovering, success, success)],
    });
    expect(seen).toEqual([all[0], all[1], all[0], all[2]]);
  });

  test("login states are returned in order of arrival, whatever the timestamps", async () => {
    const older = { ...awaiting, timestamp: "2026-11-21T09:00:00Z" };
    const { seen } = await followed({
      streams: [sends(discovering, older, { ...success, timestamp: "2026-11-21T08:00:00Z" })],
    });
    expect(seen).toEqual(all);
  });

  test("heartbeats keep a login stream open, and the connection is read while there is no new state", async () => {
    const beating = stream(({ send, socket }) => {
      const timer = setInterval(() => send(frame(heartbeat)), 10);
      socket.on("close", () => clearInterval(timer));
    });
    const { seen, asked, waits } = await followed(
      {
        streams: [beating],
        records: [inProgress, inProgress, json(200, wireRecord("SUCCESS", "COMPLETED"))],
      },
      { idleMs: 400, recheckMs: 500 },
    );
    expect(seen).toEqual(["connection: IN_PROGRESS DISCOVERING", "connection: SUCCESS COMPLETED"]);
    expect([asked(), waits]).toEqual([["stream", "record", "record", "record"], []]);
  });

  test("a login stream that falls silent is closed and reopened", async () => {
    const { seen, asked } = await followed(
      { streams: [holds(discovering), sends(success)], records: [inProgress] },
      { idleMs: 250 },
    );
    expect(seen).toEqual([all[0], all[2]]);
    expect(asked()).toEqual(["stream", "record", "stream"]);
  });

  test("a login stream that falls silent soon after each opening is given up with the reason", async () => {
    const { error, asked } = await failing(
      { streams: [holds()], records: [unavailable] },
      { idleMs: 20, maxReconnects: 2 },
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "connection_timeout" });
    expect(error.message).toContain(
      `Following the login of the auth connection "${connectionId}" failed: nothing was received for 0.02 s, host 127.0.0.1:`,
    );
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(3);
  });

  test("a login stream that is cut inside an event is reopened, and the half event is lost", async () => {
    const half = stream(({ send, cut }) => {
      send(frame(discovering) + frame(success).slice(0, -30));
      cut();
    });
    const { seen, asked, waits } = await followed({
      streams: [half, sends(awaiting, success)],
      records: [inProgress],
    });
    expect(seen).toEqual(all);
    expect(asked()).toEqual(["stream", "record", "stream"]);
    expect(waits).toEqual([1000]);
  });

  test("a login stream that is reset is reopened", async () => {
    const broken = stream(({ send, socket }) => {
      send(frame(discovering));
      setTimeout(() => socket.resetAndDestroy(), 5);
    });
    const { seen, asked } = await followed({ streams: [broken, sends(success)], records: [inProgress] });
    // Events overtaken by a reset are lost, and are then read from the connection.
    expect(seen.map((each) => each.replace("connection", "stream"))).toEqual([all[0], all[2]]);
    expect(asked()).toEqual(["stream", "record", "stream"]);
  });

  test("a login's end is taken from the record if the last event lacks the final empty line", async () => {
    const unfinished = stream(({ send, end }) => {
      send(frame(discovering) + frame(success).trimEnd());
      end();
    });
    const { seen, asked } = await followed({
      streams: [unfinished],
      records: [json(200, wireRecord("SUCCESS", "COMPLETED"))],
    });
    expect(seen).toEqual([all[0], "connection: SUCCESS COMPLETED"]);
    expect(asked()).toEqual(["stream", "record"]);
  });

  test("a login stream that always ends early is given up after ten reconnects, with pauses of up to 15 s", async () => {
    const { error, asked, waits } = await failing({
      streams: [sends()],
      records: [json(200, wireConnection)],
    });
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_broken" });
    expect(error.message).toContain("the service closed the event stream too early, host 127.0.0.1:");
    expect(error.message).toContain("Tried 11 times.");
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(11);
    expect(waits).toEqual([1000, 2000, 4000, 8000, ...Array(6).fill(15_000)]);
  });

  test("a transient error event is returned once, and the login is still followed", async () => {
    const trouble = {
      event: "error",
      timestamp: "2026-11-21T10:00:01Z",
      error: {
        code: "internal_error",
        message: "Try later",
        details: [{ code: "x", message: "y" }],
        inner_error: {},
      },
    };
    const { events, seen } = await followed({
      streams: [breaks(discovering, trouble), breaks(discovering, trouble), sends(success)],
      records: [inProgress],
    });
    expect(seen).toEqual([all[0], "error: internal_error", all[2]]);
    expect(events[1]).toEqual({
      event: "error",
      timestamp: "2026-11-21T10:00:01Z",
      error: {
        code: "internal_error",
        message: "Try later",
        details: [{ code: "x", message: "y" }],
        innerError: { code: null, message: null },
      },
    });
  });

  test("a transient error event leaves the login stream open for later events", async () => {
    const error = { code: "internal_error", message: "Try later" };
    const trouble = { event: "error", timestamp: "2026-11-21T10:00:01Z", error };
    const { seen, asked } = await followed({
      streams: [
        stream(({ send }) => {
          send(frame(discovering));
          send(frame(trouble));
          setTimeout(() => send(frame(success)), 50);
        }),
      ],
      records: [inProgress],
    });
    expect(seen).toEqual([all[0], "error: internal_error", all[2]]);
    expect(asked()).toEqual(["stream"]);
  });

  test("the error event no_active_flow ends the following of a login, and the error shows no full address", async () => {
    const gone = {
      event: "error",
      timestamp: "2026-11-21T10:00:01Z",
      error: { code: "no_active_flow", message: `No flow at ${canaryHostedUrl} now.` },
    };
    const { error, seen, asked } = await failing({
      streams: [holds(discovering, gone)],
      records: [inProgress],
    });
    expect(seen).toEqual([all[0], "error: no_active_flow"]);
    expect(error).toBeInstanceOf(LoginError);
    expect(error).toMatchObject({ code: "login_stream_error", serviceCode: "no_active_flow", connectionId });
    expect(error.message).toBe(
      `The login of the auth connection "${connectionId}" can no longer be followed: no_active_flow, No flow at https://auth.example.com/… now. Start a login, then follow it.`,
    );
    expect(asked()).toEqual(["stream", "record"]);
  });

  test("an error event on every login stream ends the following with the service's message", async () => {
    const trouble = {
      event: "error",
      timestamp: "2026-11-21T10:00:01Z",
      error: { code: "internal_error", message: "Bad" },
    };
    const { error, seen } = await failing(
      { streams: [sends(trouble)], records: [unavailable] },
      { maxReconnects: 2 },
    );
    expect(seen).toEqual(["error: internal_error"]);
    expect(error).toMatchObject({ name: "LoginError", code: "login_stream_error", serviceMessage: "Bad" });
    expect(error.message).toContain("internal_error, Bad. Tried 3 times.");
  });

  test("no event after the end of a login is returned", async () => {
    const { seen } = await followed({
      streams: [sends(success, wireState("FAILED", "COMPLETED"), discovering)],
    });
    expect(seen).toEqual([all[2]]);
  });

  test.each([401, 403, 404, 409, 410])(
    "following a login ends with the refusal when the reopened stream is refused with %i",
    async (status) => {
      const { error, seen, asked } = await failing({
        streams: [sends(discovering), json(status, { code: "refused", message: "No" })],
        records: [inProgress],
      });
      expect(seen).toEqual([all[0]]);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status, serviceCode: "refused" });
      // The flow may have ended in the meantime, so the connection is read a last time.
      expect(asked()).toEqual(["stream", "record", "stream", "record"]);
    },
  );

  test.each<[string, Script, number[]]>([
    // The record is read first, then the stream at the pace of the account.
    [
      "429 with a time",
      json(429, { code: "rate_limited", message: "Slow" }, { "retry-after": "7" }),
      [7100, 900],
    ],
    ["500", json(500, { code: "internal_error", message: "Bad" }), [2000]],
    ["503 of a proxy", answer(503, "<h1>", { "content-type": "text/html" }), [2000]],
    ["a reset", reset, [2000]],
  ])(
    "a login stream that meets %s when reopened is retried after a pause",
    async (_fault, script, pauses) => {
      const { seen, waits } = await followed({
        streams: [sends(discovering), script, sends(awaiting, success)],
        records: [inProgress],
      });
      expect(seen).toEqual(all);
      expect(waits).toEqual([1000, ...pauses]);
    },
  );

  test("a Retry-After of a login stream is followed if within timeoutMs", async () => {
    const slow = json(429, { code: "rate_limited", message: "Slow" }, { "retry-after": "1200" });
    const { seen, waits } = await followed({
      streams: [sends(discovering), slow, sends(awaiting, success)],
      records: [inProgress],
    });
    expect(seen).toEqual(all);
    expect(waits).toEqual([1000, 1_200_100]);
  });

  test("a Retry-After beyond timeoutMs ends the following of a login, and the error names the wait", async () => {
    const { error } = await failing({
      streams: [
        sends(discovering),
        json(429, { code: "rate_limited", message: "Slow" }, { "retry-after": "3600" }),
      ],
      records: [inProgress],
    });
    expect(error).toMatchObject({ name: "ApiError", status: 429 });
    expect(error.message).toContain("The service asked to wait 3600 s");
  });

  test.each<[string, Script, string]>([
    [
      "an HTML page",
      answer(200, "<h1>", { "content-type": "text/html" }),
      "expected an event stream, got an HTML page",
    ],
    ["JSON", json(200, {}), "expected an event stream, got another content type"],
    [
      "a stream that is compressed in another way",
      stream(() => {}, "content-type: text/event-stream\r\ncontent-encoding: zstd\r\n"),
      "the event stream has an unsupported compression",
    ],
    [
      "a stream that is not compressed as it says",
      stream(
        ({ send }) => send(frame(success)),
        "content-type: text/event-stream\r\ncontent-encoding: gzip\r\n",
      ),
      "the event stream is not valid gzip",
    ],
    [
      "a page without a content type",
      stream(({ send }) => send("<html>"), ""),
      "expected an event stream, got a body without a content type",
    ],
  ])(
    "%s in place of an event stream is a contract error or skipped, and never read",
    async (_form, script, expected) => {
      const { error } = await failing({ streams: [script], records: [unavailable] });
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toContain(expected);
      const { seen } = await followed({
        streams: [sends(discovering), script, sends(awaiting, success)],
        records: [inProgress],
      });
      expect(seen).toEqual(all);
    },
  );

  test("a login stream may have a content type with parameters and in mixed case", async () => {
    const { seen } = await followed({
      streams: [
        stream(({ send }) => send(frame(success)), "content-type: Text/Event-Stream; charset=utf-8\r\n"),
      ],
    });
    expect(seen).toEqual([all[2]]);
  });

  test.each<[string, string, string[]]>([
    ["a comment", ": welcome\n\n", []],
    ["a field", "id: 7\n", []],
    ["half a field", "ev", ["ent: x\n\n"]],
    ["a byte order mark in two pieces", "\u00ef\u00bb", ["\u00bf: welcome\n\n"]],
  ])("a login stream without a content type that begins with %s is read", async (_beginning, first, rest) => {
    const untyped = stream(({ send }) => {
      for (const piece of [first, ...rest]) {
        send(Buffer.from(piece, "latin1"));
      }
      send(frame(discovering) + frame(success));
    }, "");
    const { seen, asked } = await followed({ streams: [untyped] });
    expect([seen, asked()]).toEqual([[all[0], all[2]], ["stream"]]);
  });

  test.each([
    ["gzip", createGzip],
    ["deflate", createDeflate],
    ["deflate", createDeflateRaw],
    ["br", createBrotliCompress],
  ])(
    "each event of a login stream compressed with %s is read as soon as the event is sent",
    async (encoding, create) => {
      let goOn = () => {};
      const compressed = stream(({ send }) => {
        const encoder = create();
        encoder.on("data", send);
        encoder.write(frame(discovering));
        encoder.flush();
        goOn = () => {
          encoder.write(frame(success));
          encoder.flush();
        };
      }, `content-type: text/event-stream\r\ncontent-encoding: ${encoding}\r\n`);
      const { client, asked } = await startLoginBench({ streams: [compressed] });
      const seen: string[] = [];
      for await (const event of client.authConnections.follow(connectionId)) {
        seen.push(summary(event));
        goOn();
      }
      expect([seen, asked()]).toEqual([[all[0], all[2]], ["stream"]]);
    },
  );

  test.each<[string, Script]>([
    ["is refused with 500", json(500, { code: "internal_error", message: "Bad" })],
    ["is cut each time", breaks()],
    ["is a page of a proxy", answer(200, "<h1>", { "content-type": "text/html" })],
  ])(
    "a login whose stream %s is followed through the record, as long as the record is readable",
    async (_how, script) => {
      const { seen, waits } = await followed({
        streams: [script],
        records: [
          ...Array<Script>(30).fill(inProgress),
          ...[unavailable, json(200, wireRecord("IN_PROGRESS", "AWAITING_INPUT"))],
          json(200, wireRecord("SUCCESS", "COMPLETED")),
        ],
      });
      expect(seen).toEqual(all.map((each) => each.replace("stream", "connection")));
      expect(Math.max(...waits)).toBe(15_000);
    },
  );

  test("the end of an earlier login in the record does not end the following while the stream cannot be opened", async () => {
    const { seen } = await followed({
      streams: [json(500, { code: "internal_error", message: "Bad" }), sends(discovering, success)],
      records: [json(200, wireRecord("FAILED", "COMPLETED"))],
    });
    expect(seen).toEqual([all[0], all[2]]);
  });

  test("a login's end in the record counts when the stream never opens", async () => {
    const { seen, asked } = await followed({
      streams: [json(500, { code: "internal_error", message: "Bad" })],
      records: [json(200, wireRecord("SUCCESS", "COMPLETED"))],
    });
    expect(seen).toEqual(["connection: SUCCESS COMPLETED"]);
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(4);
  });

  test.each(["SUCCESS", "FAILED", "EXPIRED", "CANCELED"])(
    "a login's end %s that is reached between two streams is taken from the record",
    async (status) => {
      const { events, seen, asked } = await followed({
        streams: [breaks(discovering), hang],
        records: [
          json(
            200,
            wireRecord(status, "COMPLETED", { error_code: "x", post_login_url: "https://example.com/in" }),
          ),
        ],
      });
      expect(seen).toEqual([all[0], `connection: ${status} COMPLETED`]);
      expect(events[1]).toMatchObject({
        origin: "connection",
        timestamp: "2026-11-21T10:00:00.000Z",
        errorCode: "x",
        postLoginUrl: "https://example.com/in",
        fields: [],
      });
      expect(asked()).toEqual(["stream", "record"]);
    },
  );

  test("a login's end between the read of the record and the refusal of the stream is not missed", async () => {
    const { seen } = await followed({
      streams: [breaks(discovering), notFound],
      records: [inProgress, json(200, wireRecord("SUCCESS", "COMPLETED"))],
    });
    expect(seen).toEqual([all[0], "connection: SUCCESS COMPLETED"]);
  });

  test("a login's end in the record counts when the stream stays silent", async () => {
    const { seen, asked } = await followed(
      { streams: [holds()], records: [json(200, wireRecord("SUCCESS", "COMPLETED"))] },
      { recheckMs: 1_000, idleMs: 500 },
    );
    expect(seen).toEqual(["connection: SUCCESS COMPLETED"]);
    expect(asked()).toEqual(["stream", "record"]);
  });
});
