import { type AuthConnection, CanceledError, LoginError, loginStanding } from "../../src/client/index.js";
import { json, type Script } from "./fault-server.js";
import {
  connectionId,
  holds,
  sends,
  startLoginBench,
  success,
  wireRecord,
  wireState,
} from "./login-server.js";
import { closeBenches, errorOf } from "./test-client.js";

const notBegun = json(200, wireRecord(null, null));
const begun = json(200, wireRecord("IN_PROGRESS", "DISCOVERING", { flow_type: "LOGIN" }));
const authenticated = json(200, wireRecord(null, null, { status: "AUTHENTICATED" }));

afterEach(closeBenches);

/** Waits with what is said of the connection on the way. */
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
  test("a login under way is waited for, and its last state is given", async () => {
    const { waiting, standings, events, asked } = await wait([begun]);
    expect(await waiting).toMatchObject({ flowStatus: "SUCCESS", origin: "stream" });
    expect([standings, events, asked()]).toEqual([["begun"], ["managed_auth_state"], ["record", "stream"]]);
  });

  test("a login that has not begun is looked for every 3 s, and this is told once", async () => {
    const { waiting, standings, asked, waits } = await wait([notBegun, notBegun, notBegun, begun]);
    expect(await waiting).toMatchObject({ flowStatus: "SUCCESS" });
    expect(standings).toEqual(["not_begun", "begun"]);
    expect(waits).toEqual([3_000, 3_000, 3_000]);
    expect(asked()).toEqual(["record", "record", "record", "record", "stream"]);
  });

  test("a profile that is logged in needs no login: nothing is followed, nothing is given", async () => {
    const { waiting, standings, events, asked } = await wait([notBegun, authenticated]);
    expect(await waiting).toBeUndefined();
    expect([standings, events]).toEqual([["not_begun", "not_needed"], []]);
    expect(asked()).toEqual(["record", "record"]);
  });

  test("a login that failed and was not repeated is the one that is waited for", async () => {
    const failed = wireState("FAILED", "COMPLETED", { error_code: "captcha_blocked" });
    const { waiting } = await wait([json(200, wireRecord("FAILED", "COMPLETED"))], [sends(failed)]);
    expect(await errorOf(waiting)).toMatchObject({ code: "login_failed", serviceCode: "captcha_blocked" });
  });

  test.each([
    ["no login", null, "NEEDS_AUTH", "not_begun"],
    ["no login, but logged in", null, "AUTHENTICATED", "not_needed"],
    ["a login under way", "IN_PROGRESS", "NEEDS_AUTH", "begun"],
    ["a login again by the service itself", "IN_PROGRESS", "AUTHENTICATED", "begun"],
    ["a login that succeeded", "SUCCESS", "AUTHENTICATED", "begun"],
    ["a login that succeeded once, and was lost since", "SUCCESS", "NEEDS_AUTH", "not_begun"],
    ["a login that expired", "EXPIRED", "NEEDS_AUTH", "begun"],
    ["a login in a way that is not known", "PAUSED", "NEEDS_AUTH", "begun"],
  ])("%s: %s, %s is %s", (_what, flowStatus, status, standing) => {
    expect(loginStanding({ flowStatus, status } as AuthConnection)).toBe(standing);
  });

  test("a login that does not begin in time is an error of its own", async () => {
    const clock = { now: Date.now, sleep: (_ms: number, signal: AbortSignal | undefined) => aborted(signal) };
    const bench = await startLoginBench({ streams: [], records: [notBegun] }, { retry: { clock } });
    const error = await errorOf(
      bench.client.authConnections.waitForAuthentication(connectionId, { timeoutMs: 100 }),
    );
    expect(error).toBeInstanceOf(LoginError);
    expect(error).toMatchObject({
      code: "login_not_begun",
      flowStatus: null,
      message: `No login of the auth connection "${connectionId}" began within 100 ms. Start one at the service, then wait for it again, or allow more time.`,
    });
  });

  test("the time counts from the first look, for the login too", async () => {
    const { waiting } = await wait([notBegun, begun], [holds()], { timeoutMs: 300 });
    expect(await errorOf(waiting)).toMatchObject({
      code: "login_timed_out",
      message: expect.stringContaining("was not over after 300 ms"),
    });
  });

  test("its caller ends it at once, also before a login has begun", async () => {
    const controller = new AbortController();
    const { waiting, asked } = await wait([notBegun], [], {
      signal: controller.signal,
      onConnection: () => controller.abort(),
    });
    expect(await errorOf(waiting)).toBeInstanceOf(CanceledError);
    expect(asked()).toEqual(["record"]);
  });

  test("a connection that is not there ends it", async () => {
    const { waiting } = await wait([json(404, { code: "not_found", message: "No such connection" })]);
    expect(await errorOf(waiting)).toMatchObject({ name: "ApiError", status: 404 });
  });

  test("a bad id is refused before anything is asked for", async () => {
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
