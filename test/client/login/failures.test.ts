import { CanceledError, ContractError, LoginError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { hang, json, type Script } from "../fault-server.js";
import { closeBenches } from "../test-client.js";
import { all, failing, followed, inProgress, notFound } from "./following.js";
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
  wireConnection,
  wireState,
} from "./login-server.js";

afterEach(closeBenches);

describe("a login that cannot be followed", () => {
  test.each([401, 403, 404])(
    "a stream refused with %i at first ends it with the reason, after one request",
    async (status) => {
      const { error, asked } = await failing({ streams: [json(status, { code: "refused", message: "No" })] });
      expect(error).toMatchObject({ name: "ApiError", status });
      expect(asked()).toEqual(["stream"]);
    },
  );

  test("the error for an unknown connection says what is not an id", async () => {
    const { error } = await failing({ streams: [notFound] });
    expect(error.message).toBe(
      `Following the login of the auth connection "${connectionId}" failed: 404 not_found, No such connection. Check the auth connection's id (a domain or a profile name is not an id), the project, and that this API key has access to it.`,
    );
  });

  test("a stream that never opens is tried as often as a read", async () => {
    const { error, asked } = await failing({
      streams: [json(500, { code: "internal_error", message: "Bad" })],
    });
    expect(error).toMatchObject({ name: "ApiError", status: 500 });
    expect(error.message).toContain("Tried 4 times.");
    expect(asked().filter((kind) => kind === "stream")).toHaveLength(4);
  });

  test("a connection that is deleted in the meantime ends it with the reason", async () => {
    const { error } = await failing({ streams: [sends(discovering)], records: [notFound] });
    expect(error).toMatchObject({ name: "ApiError", status: 404, serviceCode: "not_found" });
    expect(error.message).toContain(`Reading the auth connection "${connectionId}" failed`);
  });

  test.each<[string, Script]>([
    ["cannot be read right now", json(503, { code: "unavailable", message: "x" })],
    ["describes another connection", json(200, { ...wireConnection, id: "other", flow_status: "SUCCESS" })],
    ["has no flow", json(200, wireConnection)],
    ["is not valid", json(200, { id: connectionId, flow_status: "SUCCESS" })],
  ])("a record that %s ends nothing", async (_fault, record) => {
    const { seen } = await followed({
      streams: [sends(discovering), sends(awaiting, success)],
      records: [record],
    });
    expect(seen).toEqual(all);
  });

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
      "has a member of another type",
      frame(wireState("IN_PROGRESS", "AWAITING_INPUT", { fields: [{ id: 7, ref: "r", type: "t" }] })),
      'in an event, "fields[0].id" should be a string, got the number 7',
    ],
  ])(
    "an event that %s breaks the stream, and is named when it happens each time",
    async (_form, text, expected) => {
      const broken = stream(({ send }) => send(text));
      const { seen } = await followed({ streams: [broken, sends(success)], records: [inProgress] });
      expect(seen).toEqual(["connection: IN_PROGRESS DISCOVERING", all[2]]);
      const { error } = await failing({ streams: [broken] }, { maxReconnects: 1 });
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toContain(expected);
    },
  );

  test("timeoutMs ends it, whatever the stream does", async () => {
    const beating = stream(({ send, socket }) => {
      send(frame(awaiting));
      const timer = setInterval(() => send(frame(heartbeat)), 5);
      socket.on("close", () => clearInterval(timer));
    });
    const { error } = await failing({ streams: [beating] }, { timeoutMs: 500 });
    expect(error).toBeInstanceOf(LoginError);
    expect(error.message).toBe(
      `The login of the auth connection "${connectionId}" did not end within 500 ms: its last state was IN_PROGRESS, AWAITING_INPUT. It may still be in progress at the service: follow it again, or allow more time.`,
    );
    expect(error).toMatchObject({
      code: "login_timed_out",
      flowStatus: "IN_PROGRESS",
      flowStep: "AWAITING_INPUT",
    });
  });

  test("a client that is closed ends it and says so", async () => {
    const { client } = await startLoginBench({ streams: [holds(discovering)] });
    const events = client.authConnections.follow(connectionId);
    await events.next();
    const [error] = await Promise.all([errorOf(events.next()), client.close()]);
    expect(error).toMatchObject({ name: "ConnectionError", code: "client_closed" });
  });

  test("a signal that is already aborted sends nothing", async () => {
    const { client, server } = await startLoginBench({ streams: [hang] });
    const events = client.authConnections.follow(connectionId, { signal: AbortSignal.abort() });
    const error = await errorOf(events.next());
    expect(error).toBeInstanceOf(CanceledError);
    expect(error.message).toBe(`Following the login of the auth connection "${connectionId}" was canceled.`);
    expect(server.connections()).toBe(0);
  });
});
