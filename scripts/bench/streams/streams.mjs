import { fork } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleaved, paired, spreadOf, timed } from "../measure.mjs";
import { figure } from "../report.mjs";

/** @typedef {import("../report.mjs").Row} Row */
/** @typedef {import("../measure.mjs").Figures} Figures */

const here = dirname(fileURLToPath(import.meta.url));
const perSecond = 10_000;
/** Most latency of an event at p99. Milliseconds. */
const latencyMsMost = 5;
/** Most processor time for the same events, as a multiple of the official client's. */
const cpuTimesMost = 1.2;

/** Clients that follow a login, in the order of the runs in each round. `bare`: the floor. */
const clients = { bare: "bare HTTP and JSON", official: "official client", ours: "ours" };

/** @typedef {keyof typeof clients} Client */

const reasons = {
  latency:
    "the emulator and the consumer need a core each, and what else runs on the machine makes them wait for it; bare HTTP waits for it too, so the rest is the client's",
  events: "every event is also checked, given our own names and compared with the one before",
};

/**
 * Following a login, compared with the official client, on the same emulator.
 *
 * @param {import("../measure.mjs").Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function benchStreams({ node, env, isQuick, say }) {
  say("Event stream: 10,000 events a second");
  const emulator = fork(join(here, "emulator-child.cjs"), { execPath: node, execArgv: [], env });
  const ended = once(emulator, "exit");
  /** @param {{ id?: string, perSecond?: number, count?: number }} task without id: a new login. */
  const ask = async (task) => {
    emulator.send(task);
    const [answer] = await Promise.race([once(emulator, "message"), ended]);
    if (answer?.figures === undefined) {
      throw new Error(`The emulator of the bench failed: ${answer?.problem ?? "it ended"}`);
    }
    return answer.figures;
  };
  const warmUp = (isQuick ? 0.5 : 1) * perSecond;
  const count = warmUp + (isQuick ? 1 : 3) * perSecond;
  /** @param {Client} client */
  const measure = async (client) => {
    const { url, apiKey, id } = await ask({});
    const command = [node, join(here, "client-child.cjs"), client, url, apiKey, id, String(warmUp)];
    const [{ stdout }, { pushedPerSecond }] = await Promise.all([
      timed(command, { env }),
      ask({ id, perSecond, count }),
    ]);
    const figures = JSON.parse(stdout);
    if (figures.events !== count) {
      throw new Error(`Of ${count} events, "${clients[client]}" received ${figures.events}.`);
    }
    return { ...figures, pushedPerSecond };
  };
  try {
    const runs = await interleaved(isQuick ? 2 : 5, {
      bare: () => measure("bare"),
      official: () => measure("official"),
      ours: () => measure("ours"),
    });
    return rowsOf(runs);
  } finally {
    if (emulator.connected) {
      emulator.disconnect();
    }
    await ended;
  }
}

/**
 * @param {Readonly<Record<Client, Figures[]>>} runs
 * @returns {Row[]}
 */
function rowsOf(runs) {
  const followers = /** @type {[Client, string][]} */ (Object.entries(clients));
  const unit = "× official client";
  const ratio = (/** @type {string} */ name) => paired(runs.ours, runs.official, name, (a, b) => a / b);
  const latency = spreadOf(runs.ours, "p99Ms").median;
  /** @type {Readonly<Record<string, import("../report.mjs").Target>>} */
  const targets = {
    p99Ms: { most: latencyMsMost, unit: "ms", actual: latency, why: reasons.latency },
    cpuMs: { most: cpuTimesMost, unit, actual: ratio("cpuMs"), why: reasons.events },
  };
  const parts = { p50Ms: "p50", p99Ms: "p99", cpuMs: "processor time, once the client is loaded" };
  return Object.entries(parts).flatMap(([name, words]) =>
    followers.map(([client, title]) => {
      // Less than the wanted pace if the client, or a busy machine, slows the emulator down.
      const pace = Math.round(spreadOf(runs[client], "pushedPerSecond").median);
      const slowest = spreadOf(runs[client], "mostMs").greatest.toFixed(1);
      const target = client === "ours" ? targets[name] : undefined;
      return {
        section: "One event stream at 10,000 events a second: from the emulator's write to the consumer",
        name: `${title}, ${words}`,
        unit: "ms",
        ...spreadOf(runs[client], name),
        ...(client === "ours" && { beside: figure(ratio(name), unit) }),
        ...(name === "p99Ms" && { note: `${pace} events a second sent; slowest event ${slowest} ms` }),
        ...(target && { target }),
      };
    }),
  );
}
