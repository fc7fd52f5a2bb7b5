import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** Longest wait for the port, in milliseconds. Any later, the holder is no test. */
const waitMsMax = 30_000;

/**
 * Holds a port of this machine, and counts the connections. While another test has the port, waits:
 * otherwise, the port could become free before the caller has looked. A port in permanent use by
 * another program is as good.
 */
export async function holdPort(port: number) {
  const held = { connections: 0, release: () => {} };
  const until = Date.now() + waitMsMax;
  while (Date.now() < until) {
    const server = createServer(() => {
      held.connections += 1;
    }).listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      held.release = () => server.close();
      return held;
    } catch {
      await setTimeout(100);
    }
  }
  return held;
}
