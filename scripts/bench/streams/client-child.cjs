/**
 * A client that follows logins, in a separate process. Arguments: what to measure, which client,
 * the address and the key of the emulator, the ids of connections separated by commas, and what
 * else the measurement needs. Prints JSON.
 */
const { get } = require("node:http");
const { createInterface } = require("node:readline");
const { setTimeout: sleep } = require("node:timers/promises");
const { peakMb } = require("../memory.cjs");
const { nowMs } = require("./clock.cjs");

/**
 * Opens the event stream of a connection.
 *
 * @typedef {(id: string) => AsyncIterator<unknown> | Promise<AsyncIterator<unknown>>} Open
 */

/**
 * Each makes a client, and returns what opens the event stream of a connection.
 *
 * @type {Readonly<Record<string, (url: string, apiKey: string) => Open>>}
 */
const clients = {
  ours(baseUrl, apiKey) {
    const { BrowserInfraClient } = require("../../../dist/client/index.js");
    const client = new BrowserInfraClient({ baseUrl, apiKey });
    return async (id) => client.authConnections.follow(id);
  },

  official(baseURL, apiKey) {
    const { Kernel } = require("@onkernel/sdk");
    const client = new Kernel({ baseURL, apiKey });
    return async (id) => (await client.auth.connections.follow(id))[Symbol.asyncIterator]();
  },

  /**
   * The floor of latency: Node's own HTTP, lines, and JSON. It understands only the framing of the
   * emulator.
   */
  bare(url, apiKey) {
    const headers = { authorization: `Bearer ${apiKey}` };
    return async function* (id) {
      /** @type {import("node:http").IncomingMessage} */
      const response = await new Promise((resolve, reject) => {
        get(`${url}/auth/connections/${id}/events`, { headers, agent: false }, resolve).on("error", reject);
      });
      for await (const line of createInterface({ input: response })) {
        if (line.startsWith("data: ")) {
          yield JSON.parse(line.slice("data: ".length));
        }
      }
    };
  },
};

/** Number of streams opened at the same time: fewer than fit into a server's queue. */
const openedAtOnce = 100;

/** Time for the process to settle after the opening of streams. Milliseconds. */
const settleMs = 500;

/**
 * @type {Readonly<Record<string, (open: Open, ids: string[], option?: string) => Promise<object>>>}
 */
const tasks = {
  /**
   * How long states take from the emulator's write to here. The first ones do not count: the code
   * warms up.
   */
  async latency(open, [id = ""], warmUp) {
    const latencies = [];
    const events = await open(id);
    for (;;) {
      const { done, value } = await events.next();
      if (done) {
        break;
      }
      /** @typedef {{ externalActionMessage?: string, external_action_message?: string }} State */
      const state = /** @type {State} */ (value);
      const sentMs = Number(state.externalActionMessage ?? state.external_action_message);
      // The real state of the login contains no time.
      if (sentMs > 0) {
        latencies.push(nowMs() - sentMs);
      }
    }
    const counted = latencies.slice(Number(warmUp)).sort((a, b) => a - b);
    /** @param {number} share */
    const part = (share) => counted[Math.ceil(counted.length * share) - 1];
    return { events: latencies.length, p50Ms: part(0.5), p99Ms: part(0.99), mostMs: part(1) };
  },

  /**
   * How much more memory the process has when every stream has sent its current state and waits for
   * the next one.
   */
  async memory(open, ids) {
    const beforeMb = residentMb();
    const streams = [];
    for (let at = 0; at < ids.length; at += openedAtOnce) {
      const opening = ids.slice(at, at + openedAtOnce).map(async (id) => {
        const events = await open(id);
        const { done } = await events.next();
        if (done) {
          throw new Error("A stream ended before its first state.");
        }
        return events;
      });
      streams.push(...(await Promise.all(opening)));
    }
    let ended = 0;
    for (const events of streams) {
      const noteEnd = () => {
        ended += 1;
      };
      events.next().then(noteEnd, noteEnd);
    }
    await sleep(settleMs);
    if (ended > 0) {
      throw new Error(`${ended} of ${streams.length} streams did not wait.`);
    }
    return { moreMb: residentMb() - beforeMb, peakMoreMb: peakMb() - beforeMb };
  },
};

function residentMb() {
  return process.memoryUsage.rss() / 2 ** 20;
}

const [task = "", client = "", url = "", apiKey = "", ids = "", option] = process.argv.slice(2);
const run = tasks[task];
const makeClient = clients[client];
if (run === undefined || makeClient === undefined) {
  throw new Error(`There is no task "${task}" or no client "${client}".`);
}
const open = makeClient(url, apiKey);
// Without what the loading took, which the bench of programs measures.
const loaded = process.cpuUsage();
run(open, ids.split(","), option).then((figures) => {
  const { user, system } = process.cpuUsage(loaded);
  const cpuMs = (user + system) / 1000;
  // Streams that wait would keep the process alive.
  process.stdout.write(JSON.stringify({ ...figures, cpuMs }), () => process.exit());
});
