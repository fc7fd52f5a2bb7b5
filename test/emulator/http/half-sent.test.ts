import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { newEmulator, useEmulator } from "../../support/emulator.js";

describe("emulator: requests that do not end", () => {
  const emulator = useEmulator({ requestTimeoutMs: 1_000 });

  /** Connection on which `text` has been sent. */
  async function sent(text: string): Promise<Socket> {
    const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => {}).resume();
    socket.write(text);
    return socket;
  }

  const head = "POST /profiles HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer sk_emulator\r\n";

  test.each([
    ["half of its headers", head],
    ["nothing", ""],
    ["half of its body", `${head}content-length: 20\r\n\r\n{"name":`],
    ["half of a body without a length", `${head}transfer-encoding: chunked\r\n\r\n8\r\n{"name":\r\n`],
  ])(
    "a request of which %s has arrived times out, while a complete request that hangs stays open",
    async (_what, text) => {
      emulator.faults.add({ path: "/extensions", at: "before-reading", action: "hang" });
      const held = await sent(`${head.replace("POST /profiles", "GET /extensions")}\r\n`);
      while (emulator.requests.length === 0) {
        await new Promise(setImmediate);
      }
      await once(await sent(text), "close");
      expect(held.closed).toBe(false);
      expect(emulator.profiles.list()).toEqual([]);
      held.destroy();
    },
  );

  test.each([
    ["a route that reads the body", head],
    ["a route that does not read the body", head.replace("/profiles", "/nowhere")],
  ])(
    "a body that arrives byte by byte ends with the time limit of a whole body, at %s",
    async (_to, start) => {
      // Three seconds in all, because a drop on a busy machine may be later than a shorter limit between drops.
      const slow = await newEmulator({ requestTimeoutMs: 300 });
      const socket = connect(Number(new URL(slow.url).port), "127.0.0.1");
      socket.on("error", () => {}).resume();
      socket.write(`${start}content-length: 100000\r\n\r\n`);
      const started = performance.now();
      const dripping = setInterval(() => socket.write(" "), 10);
      await new Promise((closed) => socket.once("close", closed));
      clearInterval(dripping);
      expect(performance.now() - started).toBeGreaterThan(2_700);
      expect(slow.profiles.list()).toEqual([]);
    },
  );
});
