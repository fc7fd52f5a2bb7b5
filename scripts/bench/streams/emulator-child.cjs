/**
 * The emulator of the stream bench, in a separate process. It gets one task at a time, with
 * options, from the process that started it, and answers with figures. It ends when that process
 * disconnects.
 */
const { setTimeout: sleep } = require("node:timers/promises");
const { startEmulator } = require("../../../dist/emulator/index.js");
const { nowMs } = require("./clock.cjs");

/**
 * A login that waits longer than the bench runs.
 *
 * @type {import("../../../dist/emulator/index.js").LoginScenario}
 */
const scenario = {
  title: "Bench",
  start: "wait",
  expiresAfterMs: 86_400_000,
  steps: {
    wait: { step: "AWAITING_EXTERNAL_ACTION", message: "Wait.", next: "end" },
    end: { step: "END", status: "SUCCESS" },
  },
};

/** How often it checks whether a client follows. Milliseconds. */
const lookMs = 5;

/**
 * @typedef {{ id: string, perSecond: number, count: number }} Options each task needs a part of it.
 */

/** @type {import("../../../dist/emulator/index.js").Emulator | undefined} */
let emulator;

function connectionsOfEmulator() {
  if (emulator === undefined) {
    throw new Error('The first task must be "start".');
  }
  return emulator.authConnections;
}

let connections = 0;

/** @type {Readonly<Record<string, (options: Options) => Promise<object>>>} */
const tasks = {
  /** Starts the emulator; answers with its address and key. */
  async start() {
    emulator = await startEmulator();
    return { url: emulator.url, apiKey: emulator.apiKeys[0] };
  },

  /** Makes `count` connections, each with a login that waits. */
  async open({ count }) {
    const authConnections = connectionsOfEmulator();
    const ids = Array.from({ length: count }, () => {
      connections += 1;
      const profileName = `bench-${connections}`;
      const { id } = authConnections.create({ domain: "example.com", profileName, scenario });
      authConnections.startLogin(id);
      return id;
    });
    return { ids };
  },

  /**
   * Waits until a client follows a connection, sends it states at an even pace, and ends the login
   * after the last one.
   */
  async push({ id, perSecond, count }) {
    const authConnections = connectionsOfEmulator();
    while (authConnections.subscribers(id) === 0) {
      await sleep(lookMs);
    }
    const startedMs = nowMs();
    /** @param {number} index */
    const dueMs = (index) => startedMs + (index * 1000) / perSecond;
    let sent = 0;
    while (sent < count) {
      // One after the other: a slow client slows the pace, which the report shows, and no states
      // pile up.
      for (; sent < count && dueMs(sent) <= nowMs(); sent += 1) {
        await authConnections.send(id, state());
      }
      await sleep(1);
    }
    const pushedMs = nowMs() - startedMs;
    authConnections.endLogin(id, { status: "CANCELED" });
    return { pushedPerSecond: (count * 1000) / pushedMs };
  },
};

/**
 * The state of a login that asks for a name and a password, with the current time in place of a
 * message of the service.
 */
function state() {
  return {
    event: "managed_auth_state",
    timestamp: new Date().toISOString(),
    flow_status: "IN_PROGRESS",
    flow_step: "AWAITING_INPUT",
    flow_type: "LOGIN",
    fields: [
      { id: "username", ref: "username", type: "identifier", label: "Email or username", required: true },
      { id: "password", ref: "password", type: "password", label: "Password", required: true },
    ],
    live_view_url: "https://browser.example/live/bench",
    hosted_url: "https://auth.example/login/bench?code=0123456789abcdef0123456789abcdef",
    external_action_message: String(nowMs()),
  };
}

process.on("message", async (/** @type {Options & { task: string }} */ { task, ...options }) => {
  try {
    process.send?.({ figures: await tasks[task]?.(options) });
  } catch (error) {
    process.send?.({ problem: error instanceof Error ? error.stack : String(error) });
  }
});
process.on("disconnect", () => process.exit());
