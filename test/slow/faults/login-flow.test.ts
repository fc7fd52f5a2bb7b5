import type { Emulator, EmulatorOptions } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { manifest } from "../../support/stacks/service.js";
import { javaScriptProject, Stack } from "../../support/stacks/stack.js";
import { reference, type YamlResource } from "../../support/stacks/yaml-program.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** A person's answers by scenario, in order: values by field, a choice, or an action elsewhere. */
const answers: Readonly<Record<string, readonly (Record<string, string> | string)[]>> = {
  password: [{ username: "ada", password: "any" }],
  "second-factor": [{ username: "ada", password: "any" }, "sms", { code: "000000" }, { code: "123456" }],
  push: [{ username: "ada", password: "any" }],
  "single-sign-on": ["google"],
  "wrong-password": [
    { username: "ada", password: "wrong" },
    { username: "ada", password: "correct-password" },
  ],
  captcha: [],
  expiry: [],
  cancellation: [],
  reauthentication: [],
};

/** Final status by scenario. Default: success. */
const endings: Readonly<Record<string, string>> = {
  captcha: "FAILED",
  expiry: "EXPIRED",
  cancellation: "CANCELED",
};

/** The promise is 2 s, plus a margin for a busy machine. */
const endsWithinMs = 6_000;

describe("a login flow, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let dataDir: string;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    await start({ speed: 20 });
    stack = await Stack.createYaml(environment());
    stack.write("extension/manifest.json", manifest());
  });

  afterEach(() => stack.remove());

  async function start(options: EmulatorOptions): Promise<void> {
    emulator = await newEmulator({ dataDir, heartbeatIntervalMs: 500, ...options });
  }

  function environment(): NodeJS.ProcessEnv {
    return { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] };
  }

  function connect(scenario = "password"): string {
    const { id } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: scenario,
      scenario,
    });
    return id;
  }

  type Declare = (id: string, args?: object, options?: YamlResource["options"]) => void;

  /** Program with a login, and an extension that is deployed after the login. */
  const declare: Declare = (connectionId, args = {}, options = {}) => {
    stack.declare({
      login: { type: "LoginFlow", properties: { connectionId, ...args }, options },
      reader: {
        type: "Extension",
        properties: { path: "./extension" },
        options: { dependsOn: [reference("login")] },
      },
    });
  };

  /** Same program in JavaScript, with dynamic resources. */
  const declareDynamic: Declare = (connectionId, args = {}, options = {}) => {
    stack.write("Pulumi.yaml", javaScriptProject);
    stack.write(
      "index.js",
      `const { Extension, LoginFlow } = require("pulumi-browser-infra");
       const login = new LoginFlow("login", ${JSON.stringify({ connectionId, ...args })}, ${JSON.stringify(options)});
       new Extension("reader", { path: "./extension" }, { dependsOn: login });`,
    );
  };

  /** Plays the person: answers every question of a login until the login ends. */
  async function play(id: string, script = answers[emulator.authConnections.get(id).scenario ?? ""] ?? []) {
    const left = [...script];
    for (;;) {
      const { login } = emulator.authConnections.get(id);
      if (login !== null && login.status !== "IN_PROGRESS") {
        return;
      }
      const isAsked = login !== null && login.form.fields.length + login.form.choices.length > 0;
      if (isAsked && login.step === "AWAITING_INPUT" && left.length > 0) {
        emulator.authConnections.submit(id, left.shift() ?? "");
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  function statusOf(name = "login"): unknown {
    const login = stack.resources().find(({ urn }) => urn.endsWith(`::${name}`));
    return login?.outputs?.flowStatus;
  }

  /** Resolves when the emulator has received `count` requests for the stream. */
  async function streamsAsked(count: number): Promise<void> {
    while (emulator.requests.filter(({ path }) => path.endsWith("/events")).length < count) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test("a login flow lasts until the login ends, and outputs the final status in every scenario", async () => {
    const ids = Object.keys(answers).map((scenario) => [scenario, connect(scenario)] as const);
    const flows = ids.map(([name, connectionId]) => [
      name,
      { type: "LoginFlow", properties: { connectionId, onFailure: "continue" } },
    ]);
    stack.declare(Object.fromEntries(flows));
    for (const [, id] of ids) {
      emulator.authConnections.startLogin(id);
    }
    await Promise.all([stack.up(), ...ids.map(([, id]) => play(id))]);
    expect(ids.map(([scenario]) => [scenario, statusOf(scenario)])).toEqual(
      ids.map(([scenario]) => [scenario, endings[scenario] ?? "SUCCESS"]),
    );
    await stack.up("--expect-no-changes");
  });

  test("Ctrl-C ends a waiting login flow within seconds, and the login continues in the service", async () => {
    const id = connect();
    declare(id);
    emulator.authConnections.startLogin(id);
    const running = stack.start("up", "--yes", "--skip-preview");
    await streamsAsked(1);
    const interruptedAtMs = performance.now();
    running.signal("SIGINT");
    const { exitCode } = await running.ended;
    expect(performance.now() - interruptedAtMs).toBeLessThan(endsWithinMs);
    expect(exitCode).not.toBe(0);
    await Promise.all([stack.up(), play(id)]);
    expect(statusOf()).toBe("SUCCESS");
  });

  test.each([
    ["timeout", declare, { timeout: "2s" }, {}],
    ["customTimeouts", declare, {}, { customTimeouts: { create: "2s" } }],
    ["customTimeouts as a dynamic resource", declareDynamic, {}, { customTimeouts: { create: "2s" } }],
  ])(
    "a login flow that takes too long stops the deployment by its %s",
    async (_what, declareWith, args, options) => {
      const id = connect();
      declareWith(id, args, options);
      emulator.authConnections.startLogin(id);
      const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
      expect(exitCode).not.toBe(0);
      expect(output).toContain("did not end within 2 s: its last state was IN_PROGRESS, AWAITING_INPUT.");
      expect(emulator.extensions.list()).toEqual([]);
    },
  );

  test("a login flow succeeds although the event stream is cut five times", async () => {
    const id = connect();
    declare(id);
    emulator.authConnections.startLogin(id);
    emulator.faults.add({
      method: "GET",
      path: /\/events$/,
      times: 5,
      at: "while-answering",
      action: { truncateAfterBytes: 40 },
    });
    const running = stack.start("up", "--yes", "--skip-preview");
    await streamsAsked(6);
    await play(id);
    const { exitCode, output } = await running.ended;
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    expect(statusOf()).toBe("SUCCESS");
  });

  test("a login flow succeeds although the service restarts and the login ends without an event stream", async () => {
    const id = connect();
    declare(id);
    emulator.authConnections.startLogin(id);
    const running = stack.start("up", "--yes", "--skip-preview");
    await streamsAsked(1);
    const { port } = new URL(emulator.url);
    await emulator.close();
    await start({ port: Number(port), speed: 1_000 });
    // The stream is refused until the login ends, and reports nothing.
    const streams = { method: "GET", path: /\/events$/ } as const;
    emulator.faults.add({ ...streams, times: 100, at: "before-commit", action: { answer: { status: 503 } } });
    await play(id);
    const { exitCode, output } = await running.ended;
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    expect(statusOf()).toBe("SUCCESS");
  });
});
