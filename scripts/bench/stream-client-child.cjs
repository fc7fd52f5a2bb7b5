/**
 * One who follows logins, in a process of its own. Arguments: what to measure, whose client, the
 * address and the key of the emulator, the ids of connections with commas between them, and what
 * else the measurement takes. Prints JSON.
 */
const { get } = require("node:http");
const { createInterface } = require("node:readline");
const { setTimeout: sleep } = require("node:timers/promises");
const { peakMb } = require("./peak-memory.cjs");
const { nowMs } = require("./stream-clock.cjs");

/** Makes a client; gives what opens the event stream of a connection. */
const clients = {
  ours(baseUrl, apiKey) {
    const { BrowserInfraClient } = require("../../dist/client/index.js");
    const client = new BrowserInfraClient({ baseUrl, apiKey });
    return async (id) => client.authConnections.follow(id);
  },

  official(baseURL, apiKey) {
    const { Kernel } = require("@onkernel/sdk");
    const client = new Kernel({ baseURL, apiKey });
    return async (id) => (await client.auth.connections.follow(id))[Symbol.asyncIterator]();
  },

  /**
   * The floor of latency: Node's own HTTP, lines, and JSON. Good for nothing but the framing of the
   * emulator.
   */
  bare(url, apiKey) {
    const headers = { authorization: `Bearer ${apiKey}` };
    return async function* (id) {
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

/** Streams opened at the same time: fewer than a server lets wait for their turn. */
const openedAtOnce = 100;

/** Time for everything that opening left behind to settle. Milliseconds. */
const settleMs = 500;

const tasks = {
  /**
   * How long states are on their way, from the emulator's write on. The first ones, while the code
   * warms up, do not count.
   */
  async latency(open, [id], warmUp) {
    const latencies = [];
    const events = await open(id);
    for (;;) {
      const { done, value } = await events.next();
      if (done) {
        break;
      }
      const sentMs = Number(value.externalActionMessage ?? value.external_action_message);
      // The state that the login really is in carries no time.
      if (sentMs > 0) {
        latencies.push(nowMs() - sentMs);
      }
    }
    const counted = latencies.slice(Number(warmUp)).sort((a, b) => a - b);
    const part = (share) => counted[Math.ceil(counted.length * share) - 1];
    return { events: latencies.length, p50Ms: part(0.5), p99Ms: part(0.99), mostMs: part(1) };
  },

  /**
   * How much more memory the process has once every stream has told the present state and waits for
   * the next.
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

const [task, client, url, apiKey, ids, ...options] = process.argv.slice(2);
tasks[task](clients[client](url, apiKey), ids.split(","), ...options).then((figures) => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  // Streams that wait would keep the process alive.
  process.stdout.write(JSON.stringify({ ...figures, cpuMs }), () => process.exit());
});
