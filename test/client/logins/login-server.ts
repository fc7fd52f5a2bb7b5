import type { Socket } from "node:net";
import type { ClientOptions } from "../../../src/client/index.js";
import { json, type Script } from "../fault-server.js";
import { type Bench, startBench } from "../test-client.js";

/** Auth connection that the tests follow. */
export const connectionId = "ckc0000000000000000000ef";

/** Auth connection as the service sends it: only the certain members, no flow. */
export const wireConnection = {
  id: connectionId,
  domain: "example.com",
  profile_name: "work",
  status: "NEEDS_AUTH",
  save_credentials: true,
  record_session: false,
};

/** URLs that grant access to any holder. Tests search for the URLs where none may occur. */
export const canaryHostedUrl = "https://auth.example.com/login/canary-hosted?code=canary-handoff";
export const canaryLiveViewUrl = "https://live.example.com/canary-live";

/** State event in the service's format. */
export function wireState(status: string, step: string, more: object = {}): Record<string, unknown> {
  return {
    event: "managed_auth_state",
    timestamp: "2026-11-21T10:00:00Z",
    flow_status: status,
    flow_step: step,
    ...more,
  };
}

/** Record of the connection with a flow in the given state. */
export function wireRecord(status: string | null, step: string | null, more: object = {}) {
  return { ...wireConnection, flow_status: status, flow_step: step, ...more };
}

/** Flow without details, as returned by the client. */
export const noFlowDetails = {
  fields: [],
  choices: [],
  discoveredFields: [],
  mfaOptions: [],
  signInOptions: [],
  pendingSsoButtons: [],
  externalActionMessage: null,
  websiteError: null,
  errorMessage: null,
  errorCode: null,
  postLoginUrl: null,
  liveViewUrl: null,
  hostedUrl: null,
};

/** The states of an ordinary login. */
export const discovering = wireState("IN_PROGRESS", "DISCOVERING", { flow_type: "LOGIN" });
export const awaiting = wireState("IN_PROGRESS", "AWAITING_INPUT", {
  fields: [{ id: "f1", ref: "password", type: "password", label: "Password" }],
  hosted_url: canaryHostedUrl,
  live_view_url: canaryLiveViewUrl,
});
export const success = wireState("SUCCESS", "COMPLETED", { post_login_url: "https://example.com/home" });
export const heartbeat = { event: "sse_heartbeat", timestamp: "2026-11-21T10:00:15Z" };

/** Event in the stream format of the service. */
export function frame(event: object): string {
  const { event: kind } = event as { event?: string };
  return `event: ${kind}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Actions of a script on an open stream. */
export interface StreamHand {
  readonly socket: Socket;
  /** Sends a piece, which arrives undivided; false when the socket is full. */
  readonly send: (piece: string | Uint8Array) => boolean;
  /** Ends the stream as HTTP does. */
  readonly end: () => void;
  /** Closes the connection in the middle of the stream. Pieces already sent still arrive. */
  readonly cut: () => void;
}

/** Answers with an event stream and passes the stream to `act`. */
export function stream(
  act: (hand: StreamHand) => void,
  headers = "content-type: text/event-stream\r\nx-sse-content-type: application/json\r\n",
): Script {
  return (socket) => {
    socket.setNoDelay(true);
    socket.write(`HTTP/1.1 200 OK\r\n${headers}transfer-encoding: chunked\r\n\r\n`);
    act({
      socket,
      send: (piece) => {
        const bytes = Buffer.from(piece);
        return socket.write(
          Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]),
        );
      },
      end: () => socket.end("0\r\n\r\n"),
      cut: () => socket.end(),
    });
  };
}

/** Stream that sends the given events and ends. */
export function sends(...events: readonly object[]): Script {
  return stream(({ send, end }) => {
    for (const event of events) {
      send(frame(event));
    }
    end();
  });
}

/** Stream that sends the given events and stays open. */
export function holds(...events: readonly object[]): Script {
  return stream(({ send }) => {
    for (const event of events) {
      send(frame(event));
    }
  });
}

/** Stream that sends the given events and breaks. */
export function breaks(...events: readonly object[]): Script {
  return stream(({ send, cut }) => {
    for (const event of events) {
      send(frame(event));
    }
    cut();
  });
}

/**
 * Scripts of a service with a single auth connection, one script per request. The last of each kind
 * repeats.
 */
export interface LoginServices {
  readonly streams: readonly Script[];
  /** Answers to reads of the connection. Default: a record without a flow. */
  readonly records?: readonly Script[];
}

/** Client and service with a single auth connection. */
export interface LoginBench extends Bench {
  /** The requests, in order: `stream`, `record`, or the path of something else. */
  readonly asked: () => string[];
}

/** Starts a service with a single auth connection and a client. `closeBenches` ends both. */
export async function startLoginBench(
  { streams, records = [json(200, wireConnection)] }: LoginServices,
  options: Partial<ClientOptions> = {},
): Promise<LoginBench> {
  let streamCount = 0;
  let recordCount = 0;
  const path = `/auth/connections/${connectionId}`;
  const serve: Script = (socket, request) => {
    const script =
      request.target === `${path}/events`
        ? streams[Math.min(streamCount++, streams.length - 1)]
        : records[Math.min(recordCount++, records.length - 1)];
    script?.(socket, request);
  };
  const bench = await startBench([serve], options);
  const kind = (target: string) =>
    target === path ? "record" : target === `${path}/events` ? "stream" : target;
  return { ...bench, asked: () => bench.server.requests.map(({ target }) => kind(target)) };
}

/** Everything that an iteration yields. */
export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) {
    all.push(event);
  }
  return all;
}
