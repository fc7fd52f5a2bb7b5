import { readFileSync } from "node:fs";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { filesBelow } from "../support/files-below.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { javaScriptProject, Stack } from "./stack.js";
import { reference, type YamlResource } from "./yaml-program.js";

/**
 * A person's answers in each scenario, in order: values by field, a choice, or an action elsewhere.
 */
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

/** How each scenario ends. */
const endings: Readonly<Record<string, string>> = {
  captcha: "FAILED",
  expiry: "EXPIRED",
  cancellation: "CANCELED",
};

/** The promise is 2 s. A machine that runs other tests too gets some more. */
const endsWithinMs = 6_000;

describe("a login flow, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let dataDir: string;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    await start({ speed: 20 });
    stack = await Stack.createYaml(environment());
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  async function start(options: EmulatorOptions): Promise<void> {
    emulator = await startEmulator({ dataDir, heartbeatIntervalMs: 500, ...options });
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

  /** A program with one login, and an extension that is deployed after it. */
  const declare: Declare = (connectionId, args = {}, options = {}) => {
    stack.declare(
      {
        login: { type: "LoginFlow", properties: { connectionId, ...args }, options },
        reader: {
          type: "Extension",
          properties: { path: "./extension" },
          options: { dependsOn: [reference("login")] },
        },
      },
      { outputs: { status: reference("login.flowStatus"), hostedUrl: reference("login.hostedUrl") } },
    );
  };

  /** The same program in JavaScript, whose resources are dynamic ones. */
  const declareDynamic: Declare = (connectionId, args = {}, options = {}) => {
    stack.write("Pulumi.yaml", javaScriptProject);
    stack.write(
      "index.js",
      `const { Extension, LoginFlow } = require("pulumi-browser-infra");
       const login = new LoginFlow("login", ${JSON.stringify({ connectionId, ...args })}, ${JSON.stringify(options)});
       new Extension("reader", { path: "./extension" }, { dependsOn: login });
       exports.status = login.flowStatus;
       exports.hostedUrl = login.hostedUrl;`,
    );
  };

  /** Plays the person: answers every question of a login until it is over. */
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

  /** Resolves when the emulator has had this many requests for the stream. */
  async function streamsAsked(count: number): Promise<void> {
    while (emulator.requests.filter(({ path }) => path.endsWith("/events")).length < count) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test("lasts until the login is over in every scenario, and says how it ended", async () => {
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

  test.each([
    ["dynamic resources", declareDynamic],
    ["the plugin", declare],
  ])(
    "holds what depends on it until the login has succeeded, and shows where to log in, through %s",
    async (_bridge, declareWith) => {
      const id = connect();
      declareWith(id);
      expect(await stack.succeed("preview", "--diff")).not.toContain("open http");
      expect(emulator.requests.filter(({ path }) => /login|events/.test(path))).toEqual([]);
      const { hostedUrl, handoffCode } = emulator.authConnections.startLogin(id);
      const running = stack.start("up", "--yes", "--skip-preview");
      await streamsAsked(1);
      expect(emulator.extensions.list()).toEqual([]);
      await play(id);
      const { exitCode, output } = await running.ended;
      expect(`${exitCode} ${output}`).toMatch(/^0 /);
      expect(output).toContain(`To log in at shop.example, open ${hostedUrl}`);
      expect(output).toContain(`open ${hostedUrl} - waiting for "Email or username", "Password"`);
      expect(emulator.extensions.list()).toHaveLength(1);

      // The address has served its purpose, and is kept nowhere.
      expect(await placesThatTell(stack, [handoffCode, hostedUrl])).toEqual([]);

      // A later change by the service is no drift. A connection that is gone is drift.
      emulator.authConnections.startLogin(id);
      const before = emulator.requests.length;
      await stack.up("--refresh", "--expect-no-changes");
      expect(emulator.requests.slice(before).some(({ path }) => path.endsWith("/events"))).toBe(false);
      emulator.authConnections.remove(id);
      const refreshed = await stack.run("refresh", "--yes", "--skip-preview");
      expect(refreshed.output).toMatch(/LoginFlow login +deleted/);
    },
  );

  test.each([
    // The SDK of JavaScript prints every secret output in the debug events of "pulumi up --json".
    ["dynamic resources", declareDynamic, ["up --yes --skip-preview --json"]],
    ["the plugin", declare, []],
  ])(
    "X2: keeps addresses that the service still reports at the end as secrets, through %s",
    async (_bridge, declareWith, places) => {
      const id = connect();
      declareWith(id);
      emulator.authConnections.startLogin(id);
      const running = stack.start("up", "--yes", "--skip-preview");
      await streamsAsked(1);
      await emulator.authConnections.send(id, {
        event: "managed_auth_state",
        timestamp: new Date().toISOString(),
        flow_status: "SUCCESS",
        flow_step: "COMPLETED",
        hosted_url: "https://login.example/canary-1",
        live_view_url: "https://login.example/canary-2",
      });
      expect((await running.ended).exitCode).toBe(0);
      expect(await placesThatTell(stack, ["canary-1", "canary-2"])).toEqual(places);
      expect(await stack.succeed("stack", "output", "--json", "--show-secrets")).toContain("canary-1");
    },
  );

  test("that fails stops the deployment with the reason, and a new login lets it continue", async () => {
    const id = connect("captcha");
    declare(id);
    emulator.authConnections.startLogin(id);
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toContain("failed: captcha_blocked");
    expect(output).toContain("start a new login");
    expect(emulator.extensions.list()).toEqual([]);
    emulator.authConnections.setScenario(id, "password");
    emulator.authConnections.startLogin(id);
    await Promise.all([stack.up(), play(id)]);
    expect(statusOf()).toBe("SUCCESS");
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.authConnections.list()).toHaveLength(1);
  });

  test("stops waiting within seconds of Ctrl-C, and the login continues in the service", async () => {
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
  ])("that takes too long stops the deployment by its %s", async (_what, declareWith, args, options) => {
    const id = connect();
    declareWith(id, args, options);
    emulator.authConnections.startLogin(id);
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toContain("did not end within 2 s: its last state was IN_PROGRESS, AWAITING_INPUT.");
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("ends correctly when the stream is cut five times", async () => {
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

  test("ends correctly when the service restarts, and the login ends while nobody can see it", async () => {
    const id = connect();
    declare(id);
    emulator.authConnections.startLogin(id);
    const running = stack.start("up", "--yes", "--skip-preview");
    await streamsAsked(1);
    const { port } = new URL(emulator.url);
    await emulator.close();
    await start({ port: Number(port), speed: 1_000 });
    // The stream tells nobody: it is refused until the login is over.
    const streams = { method: "GET", path: /\/events$/ } as const;
    emulator.faults.add({ ...streams, times: 100, at: "before-commit", action: { answer: { status: 503 } } });
    await play(id);
    const { exitCode, output } = await running.ended;
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    expect(statusOf()).toBe("SUCCESS");
  });
});

/**
 * The files of a stack, and the outputs of commands about it, that contain one of these strings.
 */
async function placesThatTell(stack: Stack, texts: readonly string[]): Promise<string[]> {
  const kept = new Map(filesBelow(stack.folder).map((file) => [file, readFileSync(file, "latin1")]));
  for (const command of [
    ["stack", "export"],
    ["stack", "output", "--json"],
    ["refresh", "--yes", "--skip-preview"],
    ["preview", "--json"],
    ["up", "--yes", "--skip-preview", "--json"],
  ]) {
    kept.set(command.join(" "), await stack.succeed(...command));
  }
  return [...kept].filter(([, told]) => texts.some((text) => told.includes(text))).map(([place]) => place);
}
