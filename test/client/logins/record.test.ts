import { loginStanding } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, type Script } from "../fault-server.js";
import { closeBenches } from "../test-client.js";
import { all, followed, inProgress, notFound, unavailable } from "./following.js";
import {
  awaiting,
  breaks,
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
} from "./login-server.js";

afterEach(closeBenches);

const refusals: readonly [string, Script][] = [
  ["401", json(401, { code: "unauthorized", message: "No" })],
  ["403", json(403, { code: "forbidden", message: "No" })],
  ["404 not_found", notFound],
  ["404 without a code", json(404, {})],
  ["405", json(405, { code: "method_not_allowed", message: "No" })],
  ["501", json(501, { code: "not_implemented", message: "No" })],
];
const lacking = refusals.filter(([what]) => !/401|not_found/.test(what));

/** Stream that stays open and, after `goOn`, sends the end of the login. */
function stoppable(...events: readonly object[]) {
  let goOn = () => {};
  const script = stream(({ send }) => {
    for (const event of events) {
      send(frame(event));
    }
    goOn = () => send(frame(success));
  });
  return { script, goOn: () => goOn() };
}

/** Record that is read `times` times before the stream continues. */
function readFirst(record: Script, times: number, goOn: () => void): Script {
  let reads = 0;
  return (socket, request) => {
    record(socket, request);
    if (++reads === times) {
      setTimeout(goOn, 20);
    }
  };
}

const earlier = json(200, wireRecord("FAILED", "COMPLETED", { error_code: "captcha_blocked" }));

/** Waits for a login as the command line and `LoginFlow` do. */
async function waiting(streams: readonly Script[], records: readonly Script[], options = {}) {
  const bench = await startLoginBench({ streams, records });
  const standings: string[] = [];
  const login = bench.client.authConnections.waitForAuthentication(connectionId, {
    recheckMs: 30,
    timeoutMs: 15_000,
    onConnection: (connection) => standings.push(loginStanding(connection)),
    ...options,
  });
  return { ...bench, login, standings };
}

describe("the record of a connection whose login is followed", () => {
  test.each(refusals)(
    "a record that is refused with %s beside a healthy stream does not end the following of a login",
    async (_what, refusal) => {
      const { script, goOn } = stoppable(discovering);
      const { seen, asked } = await followed(
        { streams: [script], records: [readFirst(refusal, 2, goOn)] },
        { recheckMs: 30, timeoutMs: 15_000 },
      );
      expect(seen).toEqual([all[0], all[2]]);
      expect(asked().slice(0, 3)).toEqual(["stream", "record", "record"]);
    },
  );

  test.each<[string, Script]>([
    ...lacking.map(([what, refusal]): [string, Script] => [`is refused with ${what}`, refusal]),
    ["cannot be read right now", unavailable],
    ["describes another connection", json(200, { ...wireConnection, id: "other", flow_status: "SUCCESS" })],
    ["has no flow", json(200, wireConnection)],
    ["is not valid", json(200, { id: connectionId, flow_status: "SUCCESS" })],
  ])("a record that %s between two streams does not end the following of a login", async (_what, record) => {
    const { seen, asked } = await followed({
      streams: [sends(discovering), sends(awaiting, success)],
      records: [record],
    });
    expect(seen).toEqual(all);
    expect(asked()).toEqual(["stream", "record", "stream"]);
  });

  test.each(lacking.filter(([what]) => what !== "403"))(
    "a record that cannot be read (%s) leaves the wait for a login to the stream",
    async (_what, refusal) => {
      const { login, standings, asked } = await waiting([sends(discovering, success)], [refusal]);
      expect(await login).toMatchObject({ flowStatus: "SUCCESS", origin: "stream" });
      expect([standings, asked()]).toEqual([[], ["record", "stream"]]);
    },
  );

  test("an earlier login's end in the record does not end the live login when the stream breaks", async () => {
    const { login, asked } = await waiting([breaks(discovering), sends(discovering, success)], [earlier]);
    expect(await login).toMatchObject({ flowStatus: "SUCCESS", origin: "stream" });
    expect(asked()).toEqual(["record", "stream", "record", "stream"]);
  });

  test("an earlier login's end in the record does not end the live login beside an open stream", async () => {
    const { script, goOn } = stoppable(discovering);
    const { login, asked } = await waiting([script], [readFirst(earlier, 3, goOn)]);
    expect(await login).toMatchObject({ flowStatus: "SUCCESS", origin: "stream" });
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(1);
  });

  test("an end in the first record does not end a login while the stream sends heartbeats", async () => {
    let goOn = () => {};
    const silent = stream(({ send }) => {
      send(frame(heartbeat));
      goOn = () => send(frame(success));
    });
    const { seen, asked } = await followed(
      { streams: [silent], records: [readFirst(earlier, 4, () => goOn())] },
      { recheckMs: 30, timeoutMs: 15_000 },
    );
    expect(seen).toEqual([all[2]]);
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(2);
  });

  test("when the first record says that the login has ended and the stream does not, follow opens a second stream", async () => {
    const { script, goOn } = stoppable(discovering);
    const { seen, asked, waits } = await followed(
      { streams: [script], records: [readFirst(earlier, 3, goOn)] },
      { recheckMs: 30, timeoutMs: 15_000 },
    );
    expect(seen).toEqual([all[0], all[2]]);
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(2);
    expect(waits).toEqual([]);
  });

  test("a logged-in profile in the record ends the wait for a login only if the record has changed", async () => {
    const authenticated = json(200, wireRecord(null, null, { status: "AUTHENTICATED" }));
    const renewing = json(200, wireRecord("IN_PROGRESS", "DISCOVERING", { flow_type: "REAUTH" }));
    const { script, goOn } = stoppable(discovering);
    const first = await waiting([script], [renewing, authenticated]);
    // The record has changed during this login, so the record is newer than the stream.
    expect(await first.login).toBeUndefined();
    const unreadable = json(200, {});
    const { login } = await waiting(
      [script],
      [refusals[3]?.[1] ?? unreadable, readFirst(authenticated, 3, goOn)],
    );
    expect(await login).toMatchObject({ flowStatus: "SUCCESS" });
  });

  test("a new end in the record ends the wait for a login, although the stream is open", async () => {
    const { login, asked } = await waiting(
      [holds(discovering)],
      [inProgress, inProgress, json(200, wireRecord("SUCCESS", "COMPLETED"))],
    );
    expect(await login).toMatchObject({ flowStatus: "SUCCESS", origin: "connection" });
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(1);
  });

  test("an unchanged end in the record counts when the login can no longer be followed", async () => {
    const gone = json(410, { code: "gone", message: "No login" });
    const { login } = await waiting([breaks(discovering), gone], [earlier]);
    expect(await errorOf(login)).toMatchObject({ code: "login_failed", serviceCode: "captcha_blocked" });
  });

  test("a record with unreadable members still reports how the login ended", async () => {
    const odd = wireRecord("SUCCESS", "COMPLETED", {
      record_session: "yes",
      save_credentials: null,
      flow_expires_at: "soon",
      health_check_interval: -1,
      browser_session_id: "\u001b]0;x\u0007",
      choices: [{ id: "c", type: "account", label: null }],
    });
    const { events } = await followed({ streams: [breaks(discovering)], records: [json(200, odd)] });
    expect(events.at(-1)).toMatchObject({ flowStatus: "SUCCESS", origin: "connection", choices: [] });
  });
});
