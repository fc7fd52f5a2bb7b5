import { fork } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleaved, paired, spreadOf, timed } from "../measure.mjs";

/** @typedef {import("../measure.mjs").Figures} Figures */
/** @typedef {import("../report.mjs").Row} Row */
/** @typedef {keyof typeof latencyClients} Client */

/**
 * Answer of the emulator's process; each task returns a part.
 *
 * @typedef {{ url: string, apiKey: string, ids: string[], pushedPerSecond: number }} Answer
 */

const here = dirname(fileURLToPath(import.meta.url));
const emulatorChild = join(here, "emulator-child.cjs");
const clientChild = join(here, "client-child.cjs");

const perSecond = 10_000;
const waitingStreams = 1_000;

/** Most latency of an event at p99. Milliseconds. */
const latencyMsMost = 5;
/** Most processor time for the same events, as a multiple of the official client's. */
const cpuTimesMost = 1.2;
/** Most memory of all waiting streams together. MB. */
const memoryMbMost = 100;

/** Clients that follow logins, in the order of the runs in each round. */
const clients = { official: "official client", ours: "ours" };
/** Plus the floor of latency: the least that any client needs on this machine. */
const latencyClients = { bare: "bare HTTP and JSON", ...clients };

/**
 * Following logins, compared with the official client, on the same emulator.
 *
 * @param {import("../measure.mjs").Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function benchStreams({ node, env, isQuick, say }) {
  const emulator = await startEmulator(node, env);
  try {
    /**
     * @param {"latency" | "memory"} task
     * @param {Client} client
     * @param {string[]} args
     * @returns {Promise<Figures>}
     */
    const measure = async (task, client, ...args) => {
      const command = [node, clientChild, task, client, emulator.url, emulator.apiKey, ...args];
      return JSON.parse((await timed(command, { env })).stdout);
    };
    /** @param {(client: Client) => Promise<Figures>} run */
    const withEach = (run) => ({ official: () => run("official"), ours: () => run("ours") });

    say("Event streams: one at 10,000 events a second");
    const warmUp = (isQuick ? 0.5 : 1) * perSecond;
    const count = warmUp + (isQuick ? 1 : 3) * perSecond;
    /** @param {Client} client */
    const latencyOf = async (client) => {
      const {
        ids: [id = ""],
      } = await emulator.ask("open", { count: 1 });
      const [figures, { pushedPerSecond }] = await Promise.all([
        measure("latency", client, id, String(warmUp)),
        emulator.ask("push", { id, perSecond, count }),
      ]);
      if (figures.events !== count) {
        throw new Error(`Of ${count} events, "${latencyClients[client]}" received ${figures.events}.`);
      }
      return { ...figures, pushedPerSecond };
    };
    const latencies = await interleaved(isQuick ? 2 : 5, {
      bare: () => latencyOf("bare"),
      ...withEach(latencyOf),
    });

    say("Event streams: 1,000 that wait");
    const { ids } = await emulator.ask("open", { count: waitingStreams });
    const memory = await interleaved(
      isQuick ? 2 : 5,
      withEach((client) => measure("memory", client, ids.join(","))),
    );
    return [...latencyRows(latencies), ...cpuRows(latencies), ...memoryRows(memory)];
  } finally {
    await emulator.stop();
  }
}

/**
 * @param {Readonly<Record<Client, Figures[]>>} runs
 * @returns {Row[]}
 */
function latencyRows(runs) {
  const section = "One event stream at 10,000 events a second: from the emulator's write to the consumer";
  const followers = /** @type {[Client, string][]} */ (Object.entries(latencyClients));
  return followers.flatMap(([client, name]) =>
    ["p50", "p99"].map((part) => {
      const figure = `${part}Ms`;
      const spread = spreadOf(runs[client], figure);
      const most = spreadOf(runs[client], "mostMs").greatest;
      // Less than the wanted pace if the client, or a busy machine, slows the emulator down.
      const pace = Math.round(spreadOf(runs[client], "pushedPerSecond").median);
      const isTarget = client === "ours" && part === "p99";
      return {
        section,
        name: `${name}, ${part}`,
        unit: "ms",
        ...spread,
        ...(client === "ours" ? besideOfficial(runs, figure) : {}),
        ...(part === "p99"
          ? { note: `${pace} events a second sent; slowest event ${most.toFixed(1)} ms` }
          : {}),
        ...(isTarget
          ? { target: { most: latencyMsMost, unit: "ms", actual: spread.median, why: "latency" } }
          : {}),
      };
    }),
  );
}

/**
 * @param {Readonly<Record<Client, Figures[]>>} runs
 * @returns {Row[]}
 */
function cpuRows(runs) {
  const section =
    "One event stream at 10,000 events a second: processor time of the client, once it is loaded";
  const followers = /** @type {[Client, string][]} */ (Object.entries(latencyClients));
  return followers.map(([client, name]) => {
    const row = { section, name, unit: "ms", ...spreadOf(runs[client], "cpuMs") };
    if (client !== "ours") {
      return row;
    }
    const { beside } = besideOfficial(runs, "cpuMs");
    const target = { most: cpuTimesMost, unit: beside.unit, actual: beside.value, why: "events" };
    return { ...row, beside, target };
  });
}

/**
 * @param {Readonly<Record<keyof typeof clients, Figures[]>>} runs
 * @returns {Row[]}
 */
function memoryRows(runs) {
  const section =
    "1,000 event streams that wait in one process: resident memory beyond that before the first";
  const followers = /** @type {[keyof typeof clients, string][]} */ (Object.entries(clients));
  return followers.map(([client, name]) => {
    const spread = spreadOf(runs[client], "moreMb");
    const peak = spreadOf(runs[client], "peakMoreMb").median;
    return {
      section,
      name,
      unit: "MB",
      ...spread,
      ...(client === "ours" ? besideOfficial(runs, "moreMb") : {}),
      note: `peak ${peak.toFixed(0)} MB`,
      ...(client === "ours"
        ? { target: { most: memoryMbMost, unit: "MB", actual: spread.median, why: "waiting" } }
        : {}),
    };
  });
}

/**
 * @param {Readonly<Record<keyof typeof clients, Figures[]>>} runs
 * @param {string} figure
 */
function besideOfficial(runs, figure) {
  const { median } = paired(runs.ours, runs.official, figure, (a, b) => a / b);
  return { beside: { value: median, unit: "× official client" } };
}

/**
 * Starts the emulator in a separate process. `ask` sends a single task at a time and resolves to
 * the answer.
 *
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
async function startEmulator(node, env) {
  const child = fork(emulatorChild, { execPath: node, execArgv: [], env });
  const ended = once(child, "exit");
  /**
   * @param {"start" | "open" | "push"} task
   * @param {{ count?: number, id?: string, perSecond?: number }} [options]
   * @returns {Promise<Answer>}
   */
  const ask = async (task, options) => {
    child.send({ task, ...options });
    const [answer] = await Promise.race([once(child, "message"), ended]);
    if (answer?.figures === undefined) {
      throw new Error(`The emulator of the bench failed: ${answer?.problem ?? "it ended"}`);
    }
    return answer.figures;
  };
  const stop = async () => {
    if (child.connected) {
      child.disconnect();
    }
    await ended;
  };
  const { url, apiKey } = await ask("start");
  return { url, apiKey, ask, stop };
}
