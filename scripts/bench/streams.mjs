import { fork } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleaved, paired, spreadOf, timed } from "./measure.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const emulatorChild = join(here, "stream-emulator-child.cjs");
const clientChild = join(here, "stream-client-child.cjs");

const perSecond = 10_000;
const waitingStreams = 1_000;

/** Most that an event may take at p99. Milliseconds. */
const latencyMsMost = 5;
/** Most that the streams that wait may take together. MB. */
const memoryMbMost = 100;

/** Those that follow logins, in the order they run in, in each round. */
const clients = { official: "official client", ours: "ours" };
/** And the floor of latency: what the machine leaves to any client. */
const latencyClients = { bare: "bare HTTP and JSON", ...clients };

/**
 * Following logins beside the official client, on one emulator. Takes and returns what
 * `benchPacking` does.
 */
export async function benchStreams({ node, env, isQuick, say }) {
  const emulator = await startEmulator(node, env);
  try {
    const measure = async (task, client, ...args) => {
      const command = [node, clientChild, task, client, emulator.url, emulator.apiKey, ...args];
      return JSON.parse((await timed(command, { env })).stdout);
    };
    const each = (names, run) =>
      Object.fromEntries(Object.keys(names).map((client) => [client, () => run(client)]));

    say("Event streams: one at 10,000 events a second");
    const warmUp = (isQuick ? 0.5 : 1) * perSecond;
    const count = warmUp + (isQuick ? 1 : 3) * perSecond;
    const latencies = await interleaved(
      isQuick ? 2 : 5,
      each(latencyClients, async (client) => {
        const {
          ids: [id],
        } = await emulator.ask("open", { count: 1 });
        const [figures, { pushedPerSecond }] = await Promise.all([
          measure("latency", client, id, String(warmUp)),
          emulator.ask("push", { id, perSecond, count }),
        ]);
        if (figures.events !== count) {
          throw new Error(`Of ${count} events "${latencyClients[client]}" gave ${figures.events}.`);
        }
        return { ...figures, pushedPerSecond };
      }),
    );

    say("Event streams: 1,000 that wait");
    const { ids } = await emulator.ask("open", { count: waitingStreams });
    const memory = await interleaved(
      isQuick ? 2 : 5,
      each(clients, (client) => measure("memory", client, ids.join(","))),
    );
    return [...latencyRows(latencies), ...memoryRows(memory)];
  } finally {
    await emulator.stop();
  }
}

function latencyRows(runs) {
  const section = "One event stream at 10,000 events a second: from the emulator's write to the consumer";
  return Object.entries(latencyClients).flatMap(([client, name]) =>
    ["p50", "p99"].map((part) => {
      const figure = `${part}Ms`;
      const spread = spreadOf(runs[client], figure);
      const most = spreadOf(runs[client], "mostMs").greatest;
      // Less than the pace where the client, or a machine that is too busy, slows the emulator
      // down.
      const pace = Math.round(spreadOf(runs[client], "pushedPerSecond").median);
      const cpu = spreadOf(runs[client], "cpuMs").median;
      const isTarget = client === "ours" && part === "p99";
      return {
        section,
        name: `${name}, ${part}`,
        unit: "ms",
        ...spread,
        ...besideOfficial(client, runs, figure),
        ...(part === "p99"
          ? {
              note: `${pace} events a second sent; slowest event ${most.toFixed(1)} ms; processor time ${cpu.toFixed(0)} ms`,
            }
          : {}),
        ...(isTarget
          ? { target: { most: latencyMsMost, unit: "ms", actual: spread.median, why: "latency" } }
          : {}),
      };
    }),
  );
}

function memoryRows(runs) {
  const section =
    "1,000 event streams that wait in one process: resident memory beyond that before the first";
  return Object.entries(clients).map(([client, name]) => {
    const spread = spreadOf(runs[client], "moreMb");
    const peak = spreadOf(runs[client], "peakMoreMb").median;
    return {
      section,
      name,
      unit: "MB",
      ...spread,
      ...besideOfficial(client, runs, "moreMb"),
      note: `peak ${peak.toFixed(0)} MB`,
      ...(client === "ours"
        ? { target: { most: memoryMbMost, unit: "MB", actual: spread.median, why: "waiting" } }
        : {}),
    };
  });
}

function besideOfficial(client, runs, figure) {
  if (client !== "ours") {
    return {};
  }
  const { median } = paired(runs[client], runs.official, figure, (a, b) => a / b);
  return { beside: { value: median, unit: "× official client" } };
}

/**
 * The emulator in a process of its own. `ask` has it do something and gives its answer; one thing
 * at a time.
 */
async function startEmulator(node, env) {
  const child = fork(emulatorChild, { execPath: node, execArgv: [], env });
  const ended = once(child, "exit");
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
  return { ...(await ask("start")), ask, stop };
}
