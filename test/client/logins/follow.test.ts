import { once } from "node:events";
import type { Socket } from "node:net";
import { hang, json } from "../fault-server.js";
import { closeBenches } from "../test-client.js";
import { all, followed, summary } from "./following.js";
import {
  awaiting,
  breaks,
  canaryHostedUrl,
  canaryLiveViewUrl,
  connectionId,
  discovering,
  frame,
  heartbeat,
  holds,
  noFlowDetails,
  sends,
  startLoginBench,
  stream,
  success,
  wireRecord,
  wireState,
} from "./login-server.js";

afterEach(closeBenches);

describe("following a login", () => {
  test("follow returns every state of an ordinary login in our own names, and ends with the login", async () => {
    const { events, server, asked } = await followed({
      streams: [sends(discovering, heartbeat, awaiting, success)],
    });
    expect(events.map(summary)).toEqual(all);
    expect(events[1]).toEqual({
      event: "managed_auth_state",
      origin: "stream",
      timestamp: "2026-11-21T10:00:00Z",
      flowStatus: "IN_PROGRESS",
      flowStep: "AWAITING_INPUT",
      flowType: null,
      ...noFlowDetails,
      fields: [
        {
          id: "f1",
          ref: "password",
          type: "password",
          label: "Password",
          required: true,
          observedSelector: null,
        },
      ],
      hostedUrl: canaryHostedUrl,
      liveViewUrl: canaryLiveViewUrl,
    });
    expect(asked()).toEqual(["stream"]);
    expect(server.requests[0]?.headers.accept).toBe("text/event-stream");
  });

  test.each(["SUCCESS", "FAILED", "EXPIRED", "CANCELED"])(
    "the state %s ends follow, and closes the stream that the service holds open",
    async (status) => {
      const sockets: Socket[] = [];
      const held = stream(({ send, socket }) => {
        sockets.push(socket);
        send(frame(wireState(status, "COMPLETED")));
      });
      const { seen } = await followed({ streams: [held] });
      expect(seen).toEqual([`stream: ${status} COMPLETED`]);
      const [socket] = sockets as [Socket];
      if (!socket.destroyed) {
        await once(socket, "close", { signal: AbortSignal.timeout(5_000) });
      }
    },
  );

  test("every nested part of a login state is read, unknown members are dropped, and unknown values are kept", async () => {
    const state = wireState("PENDING", "PONDERING", {
      flow_type: "RENEWAL",
      interaction_id: "mai_1",
      choices: [
        {
          id: "c1",
          type: "passkey",
          label: "Passkey",
          description: "d",
          observed_selector: "s",
          context: {},
        },
      ],
      fields: [{ id: "f", ref: "r", type: "pin", required: false, reason: "rejected", label: null }],
      discovered_fields: [
        {
          name: "n",
          type: "pin",
          label: "l",
          selector: "#n",
          placeholder: "p",
          hint: "h",
          linked_mfa_type: "passkey",
        },
      ],
      mfa_options: [{ type: "passkey", label: "l", target: "+** 12", extra: 1 }],
      sign_in_options: [{ id: "o", label: "l", description: null }],
      pending_sso_buttons: [{ selector: "//b", provider: "google", label: "G" }],
      external_action_message: "Approve",
      website_error: "Wrong",
    });
    const { events } = await followed({ streams: [sends(state, success)] });
    expect(events[0]).toMatchObject({ flowStatus: "PENDING", flowStep: "PONDERING", flowType: "RENEWAL" });
    expect(events[0]).not.toHaveProperty("interaction_id");
    expect(events[0]).toMatchObject({
      choices: [{ id: "c1", type: "passkey", label: "Passkey", description: "d", observedSelector: "s" }],
      fields: [{ id: "f", ref: "r", type: "pin", label: null, required: false, observedSelector: null }],
      discoveredFields: [
        {
          name: "n",
          type: "pin",
          label: "l",
          placeholder: "p",
          required: true,
          selector: "#n",
          linkedMfaType: "passkey",
          hint: "h",
        },
      ],
      mfaOptions: [{ type: "passkey", label: "l", target: "+** 12", description: null }],
      signInOptions: [{ id: "o", label: "l", description: null }],
      pendingSsoButtons: [{ selector: "//b", provider: "google", label: "G" }],
      externalActionMessage: "Approve",
      websiteError: "Wrong",
    });
  });

  test("states of a stream and a record that always differ are returned once each, with growing pauses", async () => {
    const { seen, waits } = await followed({
      streams: [...Array(9).fill(breaks(discovering)), sends(success)],
      records: [json(200, wireRecord("IN_PROGRESS", "DISCOVERING"))],
    });
    expect(seen).toEqual([all[0], "connection: IN_PROGRESS DISCOVERING", all[2]]);
    // The pauses started over with the last new state, which came from the record.
    expect(waits).toEqual([1000, 1000, 2000, 4000, 8000, ...Array(4).fill(15_000)]);
  });

  test("a login state is returned again after a different state from the record", async () => {
    const submitting = wireState("IN_PROGRESS", "SUBMITTING");
    const { seen } = await followed({
      streams: [breaks(discovering), sends(submitting, discovering, success)],
      records: [json(200, wireRecord("IN_PROGRESS", "SUBMITTING"))],
    });
    expect(seen).toEqual([all[0], "connection: IN_PROGRESS SUBMITTING", all[0], all[2]]);
  });

  test("login events of unknown kinds are ignored", async () => {
    const { seen } = await followed({ streams: [sends({ event: "telemetry", x: 1 }, discovering, success)] });
    expect(seen).toEqual([all[0], all[2]]);
  });

  test("follow returns heartbeats on request", async () => {
    const streams = [sends(heartbeat, success)];
    expect((await followed({ streams }, { heartbeats: true })).events[0]).toEqual(heartbeat);
  });

  test("follow sends nothing before the caller asks for the first event", async () => {
    const { client, server } = await startLoginBench({ streams: [holds(success)] });
    const events = client.authConnections.follow(connectionId);
    await client.authConnections.get(connectionId);
    expect(server.requests).toHaveLength(1);
    expect(summary((await events.next()).value)).toBe(all[2]);
  });

  test.each([
    [{ connectionId: "../x" }, "connectionId"],
    [{ connectionId: "" }, "connectionId"],
    [{ timeoutMs: 0 }, "timeoutMs"],
    [{ idleMs: Number.POSITIVE_INFINITY }, "idleMs"],
    [{ recheckMs: -1 }, "recheckMs"],
    [{ maxReconnects: Number.NaN }, "maxReconnects"],
  ])("follow refuses %j before anything is sent", async (given, property) => {
    const { client, server } = await startLoginBench({ streams: [hang] });
    const { connectionId: id = connectionId, ...options } = given as { connectionId?: string };
    expect(() => client.authConnections.follow(id, options)).toThrow(
      expect.objectContaining({ name: "InputError", property }),
    );
    expect(server.connections()).toBe(0);
  });
});
