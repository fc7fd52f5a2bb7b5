/**
 * The emulator of the stream bench, in a process of its own. Takes orders from the process that started it, one at a time: what to do and
 * its options; and answers each with its figures. Ends when that process lets go of it.
 */
const { setTimeout: sleep } = require("node:timers/promises");
const { startEmulator } = require("../../dist/emulator/index.js");
const { nowMs } = require("./stream-clock.cjs");

/** A login that waits for as long as the bench may take. */
const scenario = {
  title: "Bench",
  start: "wait",
  expiresAfterMs: 86_400_000,
  steps: {
    wait: { step: "AWAITING_EXTERNAL_ACTION", message: "Wait.", next: "end" },
    end: { step: "END", status: "SUCCESS" },
  },
};

/** How often it looks whether somebody follows. Milliseconds. */
const lookMs = 5;

let emulator;
let connections = 0;

const tasks = {
  /** Where the emulator is. */
  async start() {
    emulator = await startEmulator();
    return { url: emulator.url, apiKey: emulator.apiKeys[0] };
  },

  /** So many connections, each with a login that waits. */
  async open({ count }) {
    const ids = Array.from({ length: count }, () => {
      connections += 1;
      const profileName = `bench-${connections}`;
      const { id } = emulator.authConnections.create({ domain: "example.com", profileName, scenario });
      emulator.authConnections.startLogin(id);
      return id;
    });
    return { ids };
  },

  /** Sends states at an even pace to the one who follows a connection, from when he does, and ends the login after the last. */
  async push({ id, perSecond, count }) {
    while (emulator.authConnections.subscribers(id) === 0) {
      await sleep(lookMs);
    }
    const startedMs = nowMs();
    const dueMs = (index) => startedMs + (index * 1000) / perSecond;
    let sent = 0;
    while (sent < count) {
      // One after the other: one who does not keep up slows the pace, which is reported, and has no heap of states wait for him.
      for (; sent < count && dueMs(sent) <= nowMs(); sent += 1) {
        await emulator.authConnections.send(id, state());
      }
      await sleep(1);
    }
    const pushedMs = nowMs() - startedMs;
    emulator.authConnections.cancel(id);
    return { pushedPerSecond: (count * 1000) / pushedMs };
  },
};

/** What a login that asks for a name and a password tells, with the time of its writing where a text of the service's stands. */
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

process.on("message", async ({ task, ...options }) => {
  try {
    process.send({ figures: await tasks[task](options) });
  } catch (error) {
    process.send({ problem: error.stack });
  }
});
process.on("disconnect", () => process.exit());
