/**
 * The emulator of the stream bench, in a separate process, for one task at a time. Answers each
 * message with the figures of the task. Ends when the process that started it disconnects.
 */
const { setTimeout: sleep } = require("node:timers/promises");
const { startEmulator } = require("../../../dist/emulator/index.js");
const { nowMs } = require("./clock.cjs");

/** Time between two checks whether a client follows, in milliseconds. */
const lookMs = 5;

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

const started = startEmulator();
let connections = 0;

const tasks = {
  /** Makes a connection with a login that waits. */
  async open() {
    const { url, apiKeys, authConnections } = await started;
    connections += 1;
    const profileName = `bench-${connections}`;
    const { id } = authConnections.create({ domain: "example.com", profileName, scenario });
    authConnections.startLogin(id);
    return { url, apiKey: apiKeys[0], id };
  },

  /**
   * Waits until a client follows the connection, sends states at an even pace, and ends the login
   * after the last one.
   *
   * @param {{ id: string, perSecond: number, count: number }} options
   */
  async push({ id, perSecond, count }) {
    const { authConnections } = await started;
    while (authConnections.subscribers(id) === 0) {
      await sleep(lookMs);
    }
    const startedMs = nowMs();
    const dueMs = (/** @type {number} */ index) => startedMs + (index * 1000) / perSecond;
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

process.on("message", async (/** @type {Parameters<typeof tasks.push>[0] | undefined} */ options) => {
  try {
    process.send?.({ figures: await (options?.id ? tasks.push(options) : tasks.open()) });
  } catch (error) {
    process.send?.({ problem: error instanceof Error ? error.stack : String(error) });
  }
});
process.on("disconnect", () => process.exit());
