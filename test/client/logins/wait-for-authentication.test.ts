import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../../src/client/http/retry/options.js";
import { type AuthConnection, CanceledError, LoginError, loginStanding } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, reset, type Script } from "../fault-server.js";
import { closeBenches } from "../test-client.js";
import { notFound } from "./following.js";
import {
  breaks,
  connectionId,
  discovering,
  frame,
  heartbeat,
  sends,
  startLoginBench,
  stream,
  success,
  wireRecord,
  wireState,
} from "./login-server.js";

const notBegun = json(200, wireRecord(null, null));
const begun = json(200, wireRecord("IN_PROGRESS", "DISCOVERING", { flow_type: "LOGIN" }));
const authenticated = json(200, wireRecord(null, null, { status: "AUTHENTICATED" }));

afterEach(closeBenches);

/** Starts to wait, and records the calls of `onConnection` and `onEvent`. */
async function wait(records: readonly Script[], streams: readonly Script[] = [sends(success)], options = {}) {
  const bench = await startLoginBench({ streams, records });
  const standings: string[] = [];
  const events: string[] = [];
  const waiting = bench.client.authConnections.waitForAuthentication(connectionId, {
    onConnection: (connection) => standings.push(loginStanding(connection)),
    onEvent: ({ event }) => events.push(event),
    ...options,
  });
  return { ...bench, waiting, standings, events };
}

describe("waiting until a profile is logged in", () => {
  test("waitForAuthentication waits for a login in progress and returns the last state", async () => {
    const { waiting, standings, events, asked } = await wait([begun]);
    expect(await waiting).toMatchObject({ flowStatus: "SUCCESS", origin: "stream" });
    expect([standings, events, asked()]).toEqual([["begun"], ["managed_auth_state"], ["record", "stream"]]);
  });

  test("an auth connection without a login is read every 3 s, and onConnection is called only after a change", async () => {
    const { waiting, standings, asked, waits } = await wait([notBegun, notBegun, notBegun, begun]);
    expect(await waiting).toMatchObject({ flowStatus: "SUCCESS" });
    expect(standings).toEqual(["not_begun", "begun"]);
    expect(waits).toEqual([3_000, 3_000, 3_000]);
    expect(asked()).toEqual(["record", "record", "record", "record", "stream"]);
  });

  test("waitForAuthentication returns undefined, and follows no login, if the profile is logged in", async () => {
    const { waiting, standings, events, asked } = await wait([notBegun, authenticated]);
    expect(await waiting).toBeUndefined();
    expect([standings, events]).toEqual([["not_begun", "not_needed"], []]);
    expect(asked()).toEqual(["record", "record"]);
  });

  test("waitForAuthentication fails if the last login failed and was not repeated", async () => {
    const failed = wireState("FAILED", "COMPLETED", { error_code: "captcha_blocked" });
    const { waiting } = await wait([json(200, wireRecord("FAILED", "COMPLETED"))], [sends(failed)]);
    expect(await errorOf(waiting)).toMatchObject({ code: "login_failed", serviceCode: "captcha_blocked" });
  });

  test.each([
    ["no login", null, "NEEDS_AUTH", "not_begun"],
    ["no login, but logged in", null, "AUTHENTICATED", "not_needed"],
    ["a login in progress", "IN_PROGRESS", "NEEDS_AUTH", "begun"],
    ["a login renewed by the service itself", "IN_PROGRESS", "AUTHENTICATED", "begun"],
    ["a login that succeeded", "SUCCESS", "AUTHENTICATED", "begun"],
    ["a login that succeeded and was lost since", "SUCCESS", "NEEDS_AUTH", "not_begun"],
    ["a login that failed", "FAILED", "NEEDS_AUTH", "begun"],
    ["a login that expired", "EXPIRED", "NEEDS_AUTH", "begun"],
    ["a login that was canceled", "CANCELED", "NEEDS_AUTH", "begun"],
    ["a login that failed, but logged in", "FAILED", "AUTHENTICATED", "not_needed"],
    ["a login that expired, but logged in", "EXPIRED", "AUTHENTICATED", "not_needed"],
    ["a login that was canceled, but logged in", "CANCELED", "AUTHENTICATED", "not_needed"],
    ["a login that succeeded, with an unknown status", "SUCCESS", "LOCKED", "begun"],
    ["a login that failed, with an unknown status", "FAILED", "LOCKED", "begun"],
    ["a login in an unknown state", "PAUSED", "NEEDS_AUTH", "begun"],
  ])("the standing of %s (flow status %s, status %s) is %s", (_what, flowStatus, status, standing) => {
    expect(loginStanding({ flowStatus, status } as AuthConnection)).toBe(standing);
  });

  test("a login that does not begin in time is a LoginError with code login_not_begun", async () => {
    const clock = {
      ...systemClock,
      sleep: (_ms: number, signal: AbortSignal | undefined) => aborted(signal),
    };
    const bench = await startLoginBench({ streams: [], records: [notBegun] }, { retry: { clock } });
    const error = await errorOf(
      bench.client.authConnections.waitForAuthentication(connectionId, { timeoutMs: 100 }),
    );
    expect(error).toBeInstanceOf(LoginError);
    expect(error).toMatchObject({
      code: "login_not_begun",
      flowStatus: null,
      message: `No login of the auth connection "${connectionId}" began within 100 ms. Start a login and wait again, or allow more time.`,
    });
  });

  test("timeoutMs of waitForAuthentication counts from the first read, and includes the login", async () => {
    // The login begins after half of the timeout, and would succeed within a new timeout of full
    // length.
    const clock = { ...systemClock, sleep: () => sleep(500) };
    const late = stream(({ send }) => setTimeout(() => send(frame(success)), 900));
    const bench = await startLoginBench(
      { streams: [late], records: [notBegun, begun] },
      { retry: { clock } },
    );
    const waiting = bench.client.authConnections.waitForAuthentication(connectionId, { timeoutMs: 1_000 });
    expect(await errorOf(waiting)).toMatchObject({
      code: "login_timed_out",
      message: expect.stringContaining("did not end within 1 s"),
    });
  });

  test.each([404, 409, 410])(
    "a login's end is taken from the record when the stream is refused with %i",
    async (status) => {
      const refused = json(status, { code: "no_active_flow", message: "None" });
      const done = json(200, wireRecord("SUCCESS", "COMPLETED", { status: "AUTHENTICATED" }));
      const { waiting } = await wait([done], [refused]);
      expect(await waiting).toMatchObject({ flowStatus: "SUCCESS", origin: "connection" });
      const failed = json(200, wireRecord("FAILED", "COMPLETED", { error_code: "captcha_blocked" }));
      const error = await errorOf((await wait([failed], [refused])).waiting);
      expect(error).toMatchObject({ code: "login_failed", serviceCode: "captcha_blocked" });
    },
  );

  const beating = stream(({ send }) => send(frame(heartbeat)));
  test.each<[string, readonly Script[]]>([
    ["its stream is cut and then refused", [breaks(discovering), notFound]],
    ["its stream does not report the end", [beating]],
  ])(
    "a login without a reported end is over when the profile is logged in, where %s",
    async (_case, streams) => {
      const { waiting, standings } = await wait([begun, authenticated], streams, {
        recheckMs: 30,
        timeoutMs: 10_000,
      });
      expect(await waiting).toBeUndefined();
      expect(standings).toEqual(["begun", "not_needed"]);
    },
  );

  test("waitForLogin does not end merely because the profile is logged in", async () => {
    const bench = await startLoginBench({
      streams: [breaks(discovering), sends(success)],
      records: [authenticated],
    });
    const end = await bench.client.authConnections.waitForLogin(connectionId);
    expect(end).toMatchObject({ flowStatus: "SUCCESS", origin: "stream" });
  });

  test("a login that fails during waitForAuthentication is an error, although the profile is logged in", async () => {
    const failed = json(200, wireRecord("FAILED", "COMPLETED", { status: "AUTHENTICATED" }));
    const { waiting } = await wait([begun, failed], [breaks(discovering), notFound]);
    expect(await errorOf(waiting)).toMatchObject({ code: "login_failed" });
  });

  const unavailable = json(503, { code: "unavailable", message: "Later" });
  test.each<[string, Script]>([
    ["503", unavailable],
    ["a reset", reset],
  ])(
    "reads are retried for about a minute during an outage (%s), also before a login has begun",
    async (_fault, outage) => {
      const outages = Array.from({ length: 10 }, () => outage);
      const pauses = [1_000, 2_000, 4_000, 8_000, ...Array(6).fill(15_000)];
      const before = await wait([notBegun, ...outages, notBegun, ...outages, begun]);
      expect(await before.waiting).toMatchObject({ flowStatus: "SUCCESS" });
      expect(before.waits).toEqual([3_000, ...pauses, 3_000, ...pauses]);
      expect(before.standings).toEqual(["not_begun", "begun"]);
      const opening = await wait([begun], [...outages, sends(success)]);
      expect(await opening.waiting).toMatchObject({ flowStatus: "SUCCESS" });
    },
  );

  test("a lasting outage before a login has begun ends the wait with the reason", async () => {
    const { waiting, asked } = await wait([notBegun, unavailable]);
    const error = await errorOf(waiting);
    expect(error).toMatchObject({ name: "ApiError", status: 503 });
    expect(error.message).toContain("Tried 11 times.");
    expect(asked()).toHaveLength(1 + 11);
  });

  test("waitForAuthentication gives up after four failed attempts at the first read", async () => {
    const { waiting, asked } = await wait([unavailable]);
    expect(await errorOf(waiting)).toMatchObject({ name: "ApiError", status: 503 });
    expect(asked()).toHaveLength(4);
  });

  test("the caller's signal ends waitForAuthentication immediately, also before a login has begun", async () => {
    const controller = new AbortController();
    const { waiting, asked } = await wait([notBegun], [], {
      signal: controller.signal,
      onConnection: () => controller.abort(),
    });
    expect(await errorOf(waiting)).toBeInstanceOf(CanceledError);
    expect(asked()).toEqual(["record"]);
  });

  test("waitForAuthentication ends with status 404 if the connection does not exist", async () => {
    const { waiting } = await wait([json(404, { code: "not_found", message: "No such connection" })]);
    expect(await errorOf(waiting)).toMatchObject({ name: "ApiError", status: 404 });
  });

  test("waitForAuthentication refuses a bad connection id before any request", async () => {
    const bench = await startLoginBench({ streams: [] });
    const error = await errorOf(bench.client.authConnections.waitForAuthentication("https://shop.example"));
    expect(error).toMatchObject({ name: "InputError", property: "connectionId" });
    expect(bench.asked()).toEqual([]);
  });
});

/** Ends when the signal aborts, as a long wait does. */
function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
