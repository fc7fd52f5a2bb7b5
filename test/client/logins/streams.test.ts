import { getEventListeners, once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../../src/client/http/retry/options.js";
import { CanceledError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { hang, json } from "../fault-server.js";
import { closeBenches } from "../test-client.js";
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
} from "./login-server.js";

afterEach(closeBenches);

/** Stream that stays open, with the sockets of the service. */
function observed(...events: readonly object[]) {
  const sockets: Socket[] = [];
  const script = stream(({ send, socket }) => {
    sockets.push(socket);
    for (const event of events) {
      send(frame(event));
    }
  });
  return { script, sockets };
}

describe("streams of logins", () => {
  test.each(["waits for an event", "holds an event"])(
    "a signal closes the login stream immediately while the reader %s, and leaves no listener",
    async (stage) => {
      const { script, sockets } = observed(discovering);
      const { client } = await startLoginBench({ streams: [script] });
      const { signal, abort } = withAbort();
      const events = client.authConnections.follow(connectionId, { signal });
      await events.next();
      const waiting = stage.startsWith("waits") ? errorOf(events.next()) : undefined;
      const closed = once(sockets[0] as Socket, "close");
      abort();
      await closed;
      expect(await (waiting ?? errorOf(events.next()))).toBeInstanceOf(CanceledError);
      expect(getEventListeners(signal, "abort")).toEqual([]);
      expect(await events.next()).toEqual({ done: true, value: undefined });
    },
  );

  test("a signal ends the opening of a login stream", async () => {
    const { client } = await startLoginBench({ streams: [hang] });
    const { signal, abort } = withAbort();
    const opening = errorOf(client.authConnections.follow(connectionId, { signal }).next());
    setTimeout(abort, 20);
    expect(await opening).toBeInstanceOf(CanceledError);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a signal ends the pause before the next login stream", async () => {
    const { signal, abort } = withAbort();
    const pause = async (_ms: number, paused: AbortSignal | undefined) => {
      setTimeout(abort, 20);
      await sleep(60_000, undefined, { signal: paused });
    };
    const { client, asked } = await startLoginBench(
      { streams: [sends(discovering)] },
      { retry: { clock: { ...systemClock, sleep: pause } } },
    );
    const events = client.authConnections.follow(connectionId, { signal });
    await events.next();
    expect(await errorOf(events.next())).toBeInstanceOf(CanceledError);
    expect(asked()).toEqual(["stream"]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("time limits longer than a timer can count do not end a login stream", async () => {
    const slow = stream(({ send }) => {
      send(frame(discovering));
      setTimeout(() => send(frame(success)), 100);
    });
    const { client, asked } = await startLoginBench({ streams: [slow] });
    const limits = { idleMs: 2 ** 33, recheckMs: 2 ** 32, timeoutMs: 2 ** 34 };
    const end = await client.authConnections.waitForLogin(connectionId, limits);
    expect(end).toMatchObject({ flowStatus: "SUCCESS" });
    expect(asked()).toEqual(["stream"]);
  });

  test("a reader who leaves closes the login stream, also during the wait for an event", async () => {
    const { script, sockets } = observed(discovering);
    const { client } = await startLoginBench({ streams: [script] });
    const { signal } = withAbort();
    for await (const _event of client.authConnections.follow(connectionId, { signal })) {
      break;
    }
    const events = client.authConnections.follow(connectionId, { signal });
    await events.next();
    const waiting = events.next();
    await events.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(sockets).toHaveLength(2);
    for (const socket of sockets) {
      if (!socket.destroyed) {
        await once(socket, "close");
      }
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a login stream does not count as silent while a slow reader works", async () => {
    const { client, asked } = await startLoginBench({ streams: [holds(discovering, awaiting, success)] });
    for await (const _event of client.authConnections.follow(connectionId, { idleMs: 200 })) {
      await sleep(300);
    }
    expect(asked()).toEqual(["stream"]);
  });

  test("a slow reader holds back the service and misses no event", async () => {
    // Numbered heartbeats of 4 KiB, as fast as the socket accepts data.
    let written = 0;
    let full = false;
    const flood = stream(({ send, socket }) => {
      const pump = () => {
        full = false;
        while (!full && !socket.destroyed) {
          const timestamp = new Date(written++).toISOString();
          full = !send(frame({ ...heartbeat, timestamp, padding: "x".repeat(4096) }));
        }
      };
      socket.on("drain", pump);
      pump();
    });
    const { client } = await startLoginBench({ streams: [flood] });
    const events = client.authConnections.follow(connectionId, { heartbeats: true });
    const take = async () => {
      const { value } = await events.next();
      return Date.parse((value as { timestamp: string }).timestamp);
    };
    expect(await take()).toBe(0);
    // The service stops once all buffers on the way are full: 64 KiB of the buffers are ours.
    let before = -1;
    while (before !== written || !full) {
      before = written;
      await sleep(100);
    }
    expect(written * 4096).toBeLessThan(32 * 1_048_576);
    const stalledAt = written;
    for (let number = 1; number < stalledAt + 100; number++) {
      expect(await take()).toBe(number);
    }
    await events.return?.();
  });

  test("200 login streams are open at once beside ordinary requests, and end with the client", async () => {
    const count = 200;
    const { client, server } = await startLoginBench({
      streams: [holds(awaiting)],
      records: [json(200, wireConnection)],
    });
    const { signal } = withAbort();
    const all = Array.from({ length: count }, () => client.authConnections.follow(connectionId, { signal }));
    for (const first of await Promise.all(all.map((events) => events.next()))) {
      expect(first.done).toBe(false);
    }
    expect(server.connections()).toBe(count);
    expect((await client.authConnections.get(connectionId)).id).toBe(connectionId);
    const endings = all.map((events) => errorOf(events.next()));
    await client.close();
    for (const error of await Promise.all(endings)) {
      expect(error).toMatchObject({ code: "client_closed" });
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
    // Every stream has a connection of its own, which the next stream cannot inherit.
    const streams = server.requests.filter(({ headers }) => headers.accept === "text/event-stream");
    expect(streams.map(({ headers }) => headers.connection)).toEqual(Array(count).fill("close"));
  });
});

function withAbort(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
