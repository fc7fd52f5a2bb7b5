import { once } from "node:events";
import type { Emulator, FaultRule } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { call, refusal } from "../calls.js";
import { eventsIn, openStream } from "./event-stream-reader.js";

describe("emulator: event stream of a login", () => {
  let emulator: Emulator;
  let id: string;
  // The clock stands still: only the test causes changes.
  const start = async (options = {}) => {
    const now = new Date("2026-06-01T12:00:00Z");
    emulator = await newEmulator({ now: () => now, ...options });
    id = emulator.authConnections.create({ domain: "example.com", profileName: "work" }).id;
    emulator.authConnections.startLogin(id);
  };
  beforeEach(() => start());

  const answer = { username: "ann", password: "x" };
  const steps = (text: string) =>
    eventsIn(text).map(({ flow_status, flow_step }) => `${flow_status} ${flow_step}`);
  /** Advances the login from start to end. */
  function finish() {
    emulator.authConnections.proceed(id);
    emulator.authConnections.submit(id, answer);
    emulator.authConnections.proceed(id);
    emulator.authConnections.proceed(id);
  }
  const fault = (rule: Omit<FaultRule, "at">) =>
    emulator.faults.add({ path: /\/events$/, at: "while-answering", ...rule });
  /** Opens a stream to which a fault applies. */
  const opened = () => openStream(emulator, id);

  test("the event stream of a login has the published headers, two lines an event, and the present state first", async () => {
    const stream = opened();
    const text = await stream.until("\n\n\r\n");
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head.toLowerCase()).toContain("\r\ncontent-type: text/event-stream\r\n");
    expect(head.toLowerCase()).toContain("\r\nx-sse-content-type: application/json\r\n");
    const { hostedUrl } = emulator.authConnections.get(id).login ?? {};
    const event = {
      event: "managed_auth_state",
      timestamp: "2026-06-01T12:00:00.000Z",
      flow_status: "IN_PROGRESS",
      flow_step: "DISCOVERING",
      flow_type: "LOGIN",
      live_view_url: "https://browser.example/live/password",
      hosted_url: hostedUrl,
    };
    expect(body.replace(/^[0-9a-f]+\r\n/, "")).toBe(
      `event: managed_auth_state\ndata: ${JSON.stringify(event)}\n\n\r\n`,
    );
    stream.socket.destroy();
  });

  test("the headers of a login's event stream are sent before the first event", async () => {
    fault({ afterEvents: 0, action: "hang" });
    const stream = opened();
    const text = await stream.until("\r\n\r\n");
    expect(eventsIn(text)).toEqual([]);
    stream.socket.destroy();
  });

  test("the event stream of a login sends every state to every subscriber, and ends after the last state", async () => {
    const streams = [opened(), opened()];
    await Promise.all(streams.map((stream) => stream.until("DISCOVERING")));
    expect(emulator.authConnections.subscribers(id)).toBe(2);
    finish();
    for (const stream of streams) {
      expect(await stream.ended).toBeUndefined();
      expect(steps(stream.text())).toEqual([
        "IN_PROGRESS DISCOVERING",
        "IN_PROGRESS AWAITING_INPUT",
        "IN_PROGRESS SUBMITTING",
        "IN_PROGRESS COMPLETED",
        "SUCCESS COMPLETED",
      ]);
      expect(stream.text()).toMatch(/\r\n0\r\n\r\n$/);
    }
    expect(streams[0]?.text().split("\r\n\r\n")[1]).toBe(streams[1]?.text().split("\r\n\r\n")[1]);
    expect(emulator.authConnections.subscribers(id)).toBe(0);
  });

  test("the event stream of an ended login sends only the last state, and without a login the stream gets 404", async () => {
    emulator.authConnections.endLogin(id, {
      status: "FAILED",
      errorCode: "bot_detected",
      errorMessage: "Blocked.",
    });
    const stream = opened();
    await stream.ended;
    expect(eventsIn(stream.text())).toMatchObject([
      { flow_status: "FAILED", error_code: "bot_detected", error_message: "Blocked." },
    ]);
    const { id: other } = emulator.authConnections.create({ domain: "example.com", profileName: "other" });
    expect(await refusal(await call(emulator, "GET", `/auth/connections/${other}/events`))).toMatchObject({
      status: 404,
      code: "no_active_flow",
    });
  });

  test("the subscribers of a deleted auth connection get the state of a canceled login", async () => {
    const stream = opened();
    await stream.until("DISCOVERING");
    emulator.authConnections.remove(id);
    await stream.ended;
    expect(steps(stream.text())).toEqual(["IN_PROGRESS DISCOVERING", "CANCELED DISCOVERING"]);
  });

  test("the event stream of a login sends heartbeats at the given interval while nothing changes", async () => {
    await emulator.close();
    await start({ heartbeatIntervalMs: 20 });
    const stream = opened();
    while (stream.text().split("sse_heartbeat").length < 7) {
      await once(stream.socket, "data");
    }
    expect(eventsIn(stream.text()).slice(1, 3)).toEqual([
      { event: "sse_heartbeat", timestamp: "2026-06-01T12:00:00.000Z" },
      { event: "sse_heartbeat", timestamp: "2026-06-01T12:00:00.000Z" },
    ]);
    stream.socket.destroy();
  });

  test("an event stream closed by the client or the emulator has no subscriber left", async () => {
    const stream = opened();
    await stream.until("DISCOVERING");
    stream.socket.destroy();
    while (emulator.authConnections.subscribers(id) > 0) {
      await new Promise(setImmediate);
    }
    const other = opened();
    await other.until("DISCOVERING");
    const before = performance.now();
    await emulator.close();
    await other.ended;
    expect(performance.now() - before).toBeLessThan(4_000);
  });

  test("a HEAD request for the events of a login gets the headers and no stream", async () => {
    const response = await call(emulator, "HEAD", `/auth/connections/${id}/events`);
    expect([response.status, response.headers.get("x-sse-content-type"), await response.text()]).toEqual([
      200,
      "application/json",
      "",
    ]);
    expect(emulator.authConnections.subscribers(id)).toBe(0);
  });

  test.each<[string, FaultRule["action"], string | undefined]>([
    ["a reset", "reset", "ECONNRESET"],
    ["a close", "close", undefined],
    ["an end", "end", undefined],
  ])(
    "%s after two events cuts the event stream of a login, and the login continues",
    async (_, action, errorCode) => {
      const handle = fault({ afterEvents: 2, action });
      const stream = opened();
      await stream.until("DISCOVERING");
      finish();
      expect(await stream.ended).toBe(errorCode);
      expect(steps(stream.text())).toEqual(["IN_PROGRESS DISCOVERING", "IN_PROGRESS AWAITING_INPUT"]);
      // Only "end" is a regular end in HTTP.
      expect(stream.text().endsWith("\r\n0\r\n\r\n")).toBe(action === "end");
      expect(handle.hits).toBe(1);
      expect(emulator.authConnections.get(id).login?.status).toBe("SUCCESS");
      const again = opened();
      await again.ended;
      expect(steps(again.text())).toEqual(["SUCCESS COMPLETED"]);
    },
  );

  test("a truncation fault cuts the event stream of a login within an event", async () => {
    fault({ action: { truncateAfterBytes: 40 } });
    const stream = opened();
    expect(await stream.ended).toBeUndefined();
    const [, body = ""] = stream.text().split("\r\n\r\n");
    expect(body.replace(/^[0-9a-f]+\r\n/, "").trimEnd()).toBe('event: managed_auth_state\ndata: {"event"');
  });

  test("a hang fault silences an event stream, including heartbeats, until the client disconnects", async () => {
    await emulator.close();
    await start({ heartbeatIntervalMs: 5 });
    fault({ afterEvents: 1, action: "hang" });
    const silent = opened();
    await silent.until("DISCOVERING");
    const other = opened();
    await other.until("sse_heartbeat");
    finish();
    await other.ended;
    expect(eventsIn(silent.text())).toHaveLength(1);
    silent.socket.destroy();
    while (emulator.authConnections.subscribers(id) > 0) {
      await new Promise(setImmediate);
    }
  });

  test("an event stream continues with the latest state after the function of a fault has run", async () => {
    const seen: unknown[] = [];
    fault({ action: { call: ({ path, status }) => void seen.push(path.split("/").pop(), status) } });
    fault({
      action: {
        call: () => {
          finish();
        },
      },
    });
    const stream = opened();
    await stream.ended;
    expect(seen).toEqual(["events", 200]);
    expect(steps(stream.text())).toEqual(["IN_PROGRESS DISCOVERING", "SUCCESS COMPLETED"]);
  });

  test("a program can send any event, or any part of an event, to the subscribers of a login", async () => {
    const stream = opened();
    await stream.until("DISCOVERING");
    const error = {
      event: "error",
      timestamp: "2026-06-01T12:00:00Z",
      error: { code: "internal_error", message: "Größe 🚀" },
    };
    await emulator.authConnections.send(id, error);
    await emulator.authConnections.send(id, ": comment\r\n\r\nda");
    await emulator.authConnections.send(id, `ta: ${JSON.stringify({ ...error, event: "unknown" })}\n\n`);
    await stream.until("unknown");
    expect(stream.text()).toContain(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
    expect(stream.text()).toContain(": comment\r\n\r\n");
    stream.socket.destroy();
  });

  test("a subscriber that stops reading costs bounded memory, and gets the last state after reading again", async () => {
    await emulator.close();
    const now = new Date("2026-06-01T12:00:00Z");
    emulator = await newEmulator({ now: () => now });
    const text = "x".repeat(2000);
    // Endless login of two steps with long texts: each step leads to the other step.
    const turn = (next: string) => ({ step: "AWAITING_EXTERNAL_ACTION" as const, message: text, next });
    id = emulator.authConnections.create({
      domain: "example.com",
      profileName: "endless",
      scenario: { title: "Endless", start: "a", steps: { a: turn("b"), b: turn("a") } },
    }).id;
    emulator.authConnections.startLogin(id);
    const lazy = opened();
    await lazy.until("AWAITING_EXTERNAL_ACTION");
    lazy.socket.pause();
    const diligent = opened();
    await diligent.until("AWAITING_EXTERNAL_ACTION");
    const turns = 8000;
    for (let turned = 0; turned < turns; turned += 1) {
      emulator.authConnections.proceed(id);
      // Lets the fast subscriber read.
      if (turned % 16 === 0) {
        await new Promise(setImmediate);
      }
    }
    emulator.authConnections.endLogin(id, { status: "CANCELED" });
    await diligent.ended;
    lazy.socket.resume();
    await lazy.ended;
    // The states were 16 MB of text. The part sent to the slow subscriber fits into the buffers of
    // the operating system and of Node.
    expect(lazy.text().length).toBeLessThan(turns * text.length * 0.75);
    expect(eventsIn(lazy.text()).length).toBeLessThan(eventsIn(diligent.text()).length);
    expect(steps(lazy.text()).at(-1)).toBe("CANCELED AWAITING_EXTERNAL_ACTION");
  });
});
