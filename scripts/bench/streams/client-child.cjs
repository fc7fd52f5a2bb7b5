/**
 * A client that follows a login, in a separate process. Arguments: the client, the emulator's
 * address and key, the id of the connection, and the number of first states that do not count,
 * because the code warms up. Prints JSON: the time of states from the emulator's write to the
 * consumer, and the processor time.
 */
const { get } = require("node:http");
const { createInterface } = require("node:readline");
const { nowMs } = require("./clock.cjs");

/**
 * Each makes a client, and returns what opens the event stream of a connection.
 *
 * @type {Readonly<Record<string, (url: string, apiKey: string) => (id: string) =>
 *   AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>>>}
 */
const clients = {
  ours(baseUrl, apiKey) {
    const { BrowserInfraClient } = require("../../../dist/client/index.js");
    const client = new BrowserInfraClient({ baseUrl, apiKey });
    return (id) => client.authConnections.follow(id);
  },

  official(baseURL, apiKey) {
    const { Kernel } = require("@onkernel/sdk");
    const client = new Kernel({ baseURL, apiKey });
    return (id) => client.auth.connections.follow(id);
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

const [client = "", url = "", apiKey = "", id = "", warmUp] = process.argv.slice(2);

async function follow() {
  const open = clients[client]?.(url, apiKey);
  // The loading of the client does not count.
  const loaded = process.cpuUsage();
  /** @type {number[]} */
  const latencies = [];
  for await (const value of (await open?.(id)) ?? []) {
    /** @typedef {{ externalActionMessage?: string, external_action_message?: string }} State */
    const state = /** @type {State} */ (value);
    const sentMs = Number(state.externalActionMessage ?? state.external_action_message);
    // The real state of the login contains no time.
    if (sentMs > 0) {
      latencies.push(nowMs() - sentMs);
    }
  }
  const counted = latencies.slice(Number(warmUp)).sort((a, b) => a - b);
  const part = (/** @type {number} */ share) => counted[Math.ceil(counted.length * share) - 1];
  const { user, system } = process.cpuUsage(loaded);
  const cpuMs = (user + system) / 1000;
  return { events: latencies.length, p50Ms: part(0.5), p99Ms: part(0.99), mostMs: part(1), cpuMs };
}

follow()
  .then((figures) => console.log(JSON.stringify(figures)))
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
