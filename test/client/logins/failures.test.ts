import { CanceledError, ContractError, LoginError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { hang, json, type Script } from "../fault-server.js";
import { closeBenches, startBench } from "../test-client.js";
import { all, failing, followed, inProgress, notFound, unavailable } from "./following.js";
import {
  awaiting,
  connectionId,
  discovering,
  frame,
  heartbeat,
  holds,
  sends,
  startLoginBench,
  stream,
  success,
  wireRecord,
  wireState,
} from "./login-server.js";

afterEach(closeBenches);

describe("a login that failed", () => {
  test("X2: the error of a failed login shows no part of a credential's value that the service repeats", async () => {
    const password = "canary.example/?canary=canary";
    const credential = { id: "ckr0000000000000000000ab", name: "shop", domain: "shop.example" };
    const words = `${password} is wrong, see https://shop.example/help?canary`;
    const { client } = await startBench([
      json(201, credential),
      sends(wireState("FAILED", "COMPLETED", { error_message: `${"x ".repeat(200)}${words}` })),
    ]);
    await client.credentials.create({ name: "shop", domain: "shop.example", values: { password } });
    const error = await errorOf(client.authConnections.waitForLogin(connectionId));
    expect(error).toMatchObject({
      name: "LoginError",
      serviceMessage: `${"x ".repeat(200)}[redacted] is wrong, see https://shop.example/…`,
    });
    expect(error.message).not.toContain("canary");
  });
});

describe("reasons that end the following of a login", () => {
  test.each([401, 403, 404])(
    "a login whose stream is refused with %i at first ends with the reason, after one request",
    async (status) => {
      const { error, asked } = await failing({ streams: [json(status, { code: "refused", message: "No" })] });
      expect(error).toMatchObject({ name: "ApiError", status });
      expect(asked()).toEqual(["stream"]);
    },
  );

  test("the error for an unknown auth connection says that a domain or a profile name is not an id", async () => {
    const { error } = await failing({ streams: [notFound] });
    expect(error.message).toBe(
      `Following the login of the auth connection "${connectionId}" failed: 404 not_found, No such connection. Check the auth connection's id (a domain or a profile name is not an id), the project, and that this API key has access to it.`,
    );
  });

  test("a login stream that never opens is given up after four attempts", async () => {
    const { error, asked } = await failing({
      streams: [json(500, { code: "internal_error", message: "Bad" })],
    });
    expect(error).toMatchObject({ name: "ApiError", status: 500 });
    expect(error.message).toContain("Tried 4 times.");
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(4);
  });

  test("following a login ends with status 404 when the auth connection is deleted", async () => {
    const { error } = await failing({ streams: [sends(discovering)], records: [notFound] });
    expect(error).toMatchObject({ name: "ApiError", status: 404, serviceCode: "not_found" });
    expect(error.message).toContain(`Reading the auth connection "${connectionId}" failed`);
  });

  const beating = stream(({ send, socket }) => {
    send(frame(awaiting));
    const timer = setInterval(() => send(frame(heartbeat)), 5);
    socket.on("close", () => clearInterval(timer));
  });
  test.each<[string, Script, string, string | null, string | null]>([
    [
      "sends only heartbeats after a state",
      beating,
      "its last state was IN_PROGRESS, AWAITING_INPUT",
      "IN_PROGRESS",
      "AWAITING_INPUT",
    ],
    ["stays silent", holds(), "the service reported no state", null, null],
  ])(
    "timeoutMs ends the following of a login whose stream %s",
    async (_how, script, told, flowStatus, flowStep) => {
      const { client, error } = await failing({ streams: [script] }, { timeoutMs: 500 });
      expect(error).toBeInstanceOf(LoginError);
      expect(error.message).toBe(
        `The login of the auth connection "${connectionId}" did not end within 500 ms: ${told}. The login may still be in progress: follow the login again, or allow more time.`,
      );
      expect(error).toMatchObject({ code: "login_timed_out", flowStatus, flowStep });
      const waiting = client.authConnections.waitForLogin(connectionId, { timeoutMs: 500 });
      expect(await errorOf(waiting)).toMatchObject({ name: "LoginError", message: error.message });
    },
  );

  test("closing the client ends the following of a login with code client_closed", async () => {
    const { client } = await startLoginBench({ streams: [holds(discovering)] });
    const events = client.authConnections.follow(connectionId);
    await events.next();
    const [error] = await Promise.all([errorOf(events.next()), client.close()]);
    expect(error).toMatchObject({ name: "ConnectionError", code: "client_closed" });
  });

  test("following a login with an already aborted signal sends nothing", async () => {
    const { client, server } = await startLoginBench({ streams: [hang] });
    const events = client.authConnections.follow(connectionId, { signal: AbortSignal.abort() });
    const error = await errorOf(events.next());
    expect(error).toBeInstanceOf(CanceledError);
    expect(error.message).toBe(`Following the login of the auth connection "${connectionId}" was canceled.`);
    expect(server.connections()).toBe(0);
  });
});

describe("unreadable events of a login stream", () => {
  test.each([
    ["is not JSON", "data: {\n\n", "an event is not valid JSON"],
    ["is the end mark of other services", "data: [DONE]\n\n", "an event is not valid JSON"],
    ["has no kind", "event: managed_auth_state\ndata: {}\n\n", 'an event has no member "event"'],
    ["is null", "data: null\n\n", 'an event has no member "event"'],
    [
      "lacks a member",
      frame({ event: "managed_auth_state", timestamp: "2026-11-21T10:00:00Z" }),
      'in an event, "flow_status" should be a string, got nothing',
    ],
    [
      "has a status of another type",
      frame({ ...wireState("", "AWAITING_INPUT"), flow_status: 7 }),
      'in an event, "flow_status" should be a string, got the number 7',
    ],
    ["is too long", `data: ${"x".repeat(1_048_576)}\n\n`, "an event has more than 262144 bytes"],
  ])(
    "an event that %s is skipped, later events are read, and an error names the skipped event",
    async (_form, text, expected) => {
      const broken = stream(({ send }) => send(text + frame(discovering) + text + text + frame(success)));
      const { seen, asked } = await followed({ streams: [broken] });
      expect([seen, asked()]).toEqual([[all[0], all[2]], ["stream"]]);
      const ends = stream(({ send, end }) => {
        send(text);
        end();
      });
      const { error } = await failing({ streams: [ends], records: [unavailable] }, { maxReconnects: 1 });
      expect(error).toMatchObject({ code: "connection_broken" });
      expect(error.message).toContain(`2 events were skipped; with the last one, ${expected}`);
      const held = stream(({ send }) => send(text));
      const { error: late } = await failing({ streams: [held], records: [inProgress] }, { timeoutMs: 300 });
      expect(late).toMatchObject({ code: "login_timed_out" });
      expect(late.message).toContain(`One event was skipped: ${expected}`);
    },
  );

  test("an unreadable state in a login stream is looked up in the record", async () => {
    const unreadable = stream(({ send }) => send(frame(discovering) + frame(wireState("", "COMPLETED"))));
    const { seen, asked } = await followed({
      streams: [unreadable, sends()],
      records: [json(200, wireRecord("SUCCESS", "COMPLETED"))],
    });
    expect(seen).toEqual([all[0], "connection: SUCCESS COMPLETED"]);
    // The record contradicts a live stream, so a new stream is asked too.
    expect(asked()).toEqual(["stream", "record", "stream", "record"]);
  }, 20_000);

  test("a login stream of only unreadable events is given up, and the error gives the first reason", async () => {
    const nonsense = stream(({ send }) => send("data: [DONE]\n\n".repeat(150)));
    const { error, asked } = await failing(
      { streams: [nonsense], records: [unavailable] },
      { maxReconnects: 1 },
    );
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain("got an unexpected response: an event is not valid JSON.");
    expect(asked().filter((kind) => kind === "stream").length).toBeLessThan(5);
  });

  test("unreadable details of a login state count as absent, and the state is returned", async () => {
    const odd = wireState("IN_PROGRESS", "AWAITING_INPUT", {
      timestamp: "\u001b[31mnow",
      flow_type: 7,
      fields: [
        { id: 7, ref: "r", type: "t" },
        { id: "f1", ref: "password", type: "password" },
      ],
      choices: [{ id: "c1", type: "account", label: null }],
      mfa_options: "sms",
      website_error: {},
      hosted_url: "https://auth.example.com/login",
    });
    const { events } = await followed({ streams: [sends(odd, success)] });
    expect(events[0]).toMatchObject({
      timestamp: null,
      flowStatus: "IN_PROGRESS",
      flowType: null,
      fields: [{ id: "f1", ref: "password" }],
      choices: [],
      mfaOptions: [],
      websiteError: null,
      hostedUrl: "https://auth.example.com/login",
    });
  });
});
