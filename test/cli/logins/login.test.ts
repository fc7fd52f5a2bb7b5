import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator } from "../../../src/emulator/index.js";
import { useEmulator } from "../../support/emulator.js";
import { type Play, play } from "../played-terminal.js";
import { settingsOf, startCommand } from "../started-command.js";

const person = { username: "ada", password: "a password" };

type Answer = Parameters<Emulator["authConnections"]["submit"]>[1];

describe("browser-infra login follow", () => {
  const emulator = useEmulator({ speed: 50 });

  /** Creates a connection, with a login in progress unless `begun` is false. */
  function connect(scenario = "password", begun = true): string {
    const { id } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: "buyer",
      scenario,
    });
    if (begun) {
      emulator.authConnections.startLogin(id);
    }
    return id;
  }

  /** Like `connect`, for a second profile. */
  function connectOther(scenario: string): string {
    const { id } = emulator.authConnections.create({ domain: "b.example", profileName: "other", scenario });
    emulator.authConnections.startLogin(id);
    return id;
  }

  const follow = (id: string, args: readonly string[] = [], options?: Play) =>
    play(emulator, ["login", "follow", id, ...args], options);

  const loginOf = (id: string) => emulator.authConnections.get(id).login;

  /** Resolves once a condition holds. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await sleep(2);
    }
  }

  /** Gives the answers in order, whenever a followed login requests input. */
  async function answer(id: string, answers: readonly Answer[]): Promise<void> {
    for (const each of answers) {
      await until(
        () => loginOf(id)?.step === "AWAITING_INPUT" && emulator.authConnections.subscribers(id) > 0,
      );
      emulator.authConnections.submit(id, each);
    }
  }

  test.each<[string, readonly Answer[], number]>([
    ["password", [person], 0],
    ["second-factor", [person, "sms", { code: "000000" }, { code: "123456" }], 0],
    ["push", [person], 0],
    ["single-sign-on", ["google"], 0],
    ["wrong-password", [person, { ...person, password: "correct-password" }], 0],
    ["captcha", [], 6],
    ["expiry", [], 7],
    ["cancellation", [], 8],
    ["reauthentication", [], 0],
  ])(
    "login follow of the scenario %s, with the answers %j, ends with exit code %i",
    async (scenario, answers, exitCode) => {
      const id = connect(scenario);
      const [played] = await Promise.all([follow(id), answer(id, answers)]);
      expect(played.exitCode).toBe(exitCode);
      if (exitCode === 0) {
        expect(played.out).toBe('The profile "buyer" is logged in at shop.example.\n');
        expect(played.err).not.toContain("error:");
      } else {
        expect(played.out).toBe("");
        expect(played.err).toMatch(/\nerror: The login of the auth connection .*\n$/);
      }
    },
  );

  test("login follow in a terminal shows each step that the login waits for, and the address to open", async () => {
    const id = connect();
    const hostedUrl = loginOf(id)?.hostedUrl;
    const [played] = await Promise.all([follow(id, [], { terminal: 100 }), answer(id, [person])]);
    expect(played).toMatchObject({
      exitCode: 0,
      out: 'The profile "buyer" is logged in at shop.example.\n',
    });
    const shown = played.err.replaceAll("\r\u001b[K", "\n").split("\n");
    expect(shown).toContain('\u001b[1mLogin of the profile "buyer" at shop.example\u001b[22m');
    expect(shown.filter((line) => line === `To log in at shop.example, open ${hostedUrl}`)).toHaveLength(1);
    // The service lets this login expire after 24 s; the timeout of following is 25 minutes.
    expect(shown).toContainEqual(
      expect.stringMatching(/^waiting for "Email or username", "Password" \(the login expires in \d+ s\)$/),
    );
    expect(shown).toContainEqual(expect.stringMatching(/^logging in \(the login expires in \d+ s\)$/));
    expect(played.err.endsWith("\r\u001b[K")).toBe(true);
  });

  test("login follow outside a terminal prints plain lines with the website's error, and no address", async () => {
    const id = connect("wrong-password");
    const answers = [person, { ...person, password: "correct-password" }];
    const code = loginOf(id)?.handoffCode ?? "";
    const [{ err }] = await Promise.all([follow(id), answer(id, answers)]);
    const lines = err.split("\n");
    expect(lines[0]).toBe('Login of the profile "buyer" at shop.example');
    const withoutTimes = lines.map((line) => line.replace(/ \(the login expires in \d+ s\)$/, ""));
    expect(withoutTimes).toContain('waiting for "Email or username", "Password"');
    expect(withoutTimes).toContain(
      'waiting for "Email or username", "Password"; the website says: The name or the password is incorrect.',
    );
    expect(err).not.toContain(code);
    expect(err).not.toContain("\u001b");
  });

  test("login follow asks for no person when the service logs in again by itself", async () => {
    const { exitCode, out, err } = await follow(connect("reauthentication"));
    expect([exitCode, out]).toEqual([0, 'The profile "buyer" is logged in at shop.example.\n']);
    expect(err).not.toMatch(/Somebody|To log in|open /);
    const shown = await follow(connectOther("reauthentication"), [], { terminal: 100 });
    expect(shown.err).not.toContain("To log in");
  });

  test("login follow --json prints the connection and then each event, one a line, without addresses", async () => {
    const id = connect();
    const code = loginOf(id)?.handoffCode ?? "";
    const [{ exitCode, out, err }] = await Promise.all([follow(id, ["--json"]), answer(id, [person])]);
    expect([exitCode, err]).toEqual([0, ""]);
    const [first, ...events] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toEqual({
      event: "auth_connection",
      id,
      domain: "shop.example",
      profileName: "buyer",
      status: "NEEDS_AUTH",
      login: "begun",
    });
    const asks = events.find(({ flowStep }) => flowStep === "AWAITING_INPUT");
    expect(asks).toMatchObject({
      event: "managed_auth_state",
      flowStatus: "IN_PROGRESS",
      flowType: "LOGIN",
      fields: [{ id: "username", label: "Email or username" }, { id: "password" }],
      websiteError: null,
    });
    expect(events.at(-1)).toMatchObject({ flowStatus: "SUCCESS", postLoginUrl: "https://shop.example/" });
    expect(out).not.toMatch(new RegExp(`hostedUrl|liveViewUrl|${code}`));
  });

  test("login follow --json shortens addresses inside strings, unless --show-addresses is given", async () => {
    const address = "https://auth.example/login/canary";
    const end = {
      event: "managed_auth_state",
      timestamp: new Date().toISOString(),
      flow_status: "SUCCESS",
      flow_step: "COMPLETED",
      website_error: `Go on at ${address}`,
      post_login_url: "https://shop.example/home?code=canary",
      mfa_options: [{ type: "sms", label: `See ${address}` }],
    };
    const printed = async (...more: string[]) => {
      const id = connect();
      const following = follow(id, ["--json", ...more]);
      await until(() => emulator.authConnections.subscribers(id) > 0);
      await emulator.authConnections.send(id, end);
      const { out } = await following;
      emulator.authConnections.remove(id);
      return JSON.parse(out.trimEnd().split("\n").at(-1) ?? "");
    };
    const shown = await printed();
    expect(JSON.stringify(shown)).not.toContain("canary");
    expect(shown).toMatchObject({
      websiteError: "Go on at https://auth.example/…",
      postLoginUrl: "https://shop.example/home",
    });
    expect(await printed("--show-addresses")).toMatchObject({
      websiteError: `Go on at ${address}`,
      postLoginUrl: "https://shop.example/home?code=canary",
    });
  });

  test("X1: login follow prints no event that contains the API key, neither as text nor as JSON", async () => {
    const [key = ""] = emulator.apiKeys;
    const end = {
      event: "managed_auth_state",
      flow_status: "FAILED",
      flow_step: "COMPLETED",
      website_error: `No ${key} here`,
      error_message: `See ${encodeURIComponent(key)}`,
      error_code: key.toLowerCase(),
      choices: [{ id: "1", type: "other", label: key, description: null }],
      mfa_options: [{ type: "sms", label: "SMS", target: key }],
    };
    const error = { code: key.toLowerCase(), message: key, details: [{ code: "x", message: key }] };
    for (const more of [["--json"], ["--json", "--show-addresses"], []]) {
      const id = connect();
      const following = follow(id, more);
      await until(() => emulator.authConnections.subscribers(id) > 0);
      await emulator.authConnections.send(id, { event: "error", error });
      await emulator.authConnections.send(id, end);
      const { out, err } = await following;
      emulator.authConnections.remove(id);
      expect(out + err).toContain("[redacted]");
      expect((out + err).toLowerCase()).not.toContain(key.toLowerCase());
    }
  });

  test("login follow --json --show-addresses prints the addresses of the login", async () => {
    const id = connect();
    const hostedUrl = loginOf(id)?.hostedUrl;
    const [{ out }] = await Promise.all([follow(id, ["--json", "--show-addresses"]), answer(id, [person])]);
    expect(JSON.parse(out.split("\n")[1] ?? "")).toMatchObject({
      hostedUrl,
      liveViewUrl: "https://browser.example/live/password",
    });
  });

  test("login follow waits for a login that has not begun", async () => {
    const id = connect("password", false);
    const following = follow(id, ["--json"]);
    await until(() => emulator.requests.length > 0);
    emulator.authConnections.startLogin(id);
    const [{ exitCode, out }] = await Promise.all([following, answer(id, [person])]);
    expect(exitCode).toBe(0);
    expect(out.split("\n").slice(0, 2)).toEqual([
      expect.stringContaining('"login":"not_begun"'),
      expect.stringContaining('"login":"begun"'),
    ]);
  });

  test("login follow succeeds at once for a profile that is already logged in", async () => {
    const { id } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: "buyer",
      status: "AUTHENTICATED",
    });
    const out = 'The profile "buyer" is already logged in at shop.example.\n';
    expect(await follow(id)).toEqual({ exitCode: 0, out, err: "" });
    expect(JSON.parse((await follow(id, ["--json"])).out)).toMatchObject({ login: "not_needed" });
    expect(emulator.requests.every(({ path }) => path === `/auth/connections/${id}`)).toBe(true);
  });

  test("login follow ends with exit code 9 at the timeout, whether a login began or not", async () => {
    const never = await follow(connect("password", false), ["--timeout", "1s"]);
    expect(never).toMatchObject({ exitCode: 9, out: "" });
    expect(never.err).toContain("began within 1 s. Start a login and wait again");
    const { id } = emulator.authConnections.create({ domain: "b.example", profileName: "buyer" });
    emulator.authConnections.startLogin(id);
    const slow = await follow(id, ["--timeout", "1s", "--json"]);
    expect(slow.exitCode).toBe(9);
    expect(JSON.parse(slow.err).error).toMatchObject({
      code: "login_timed_out",
      message: expect.stringContaining(
        "did not end within 1 s: its last state was IN_PROGRESS, AWAITING_INPUT.",
      ),
      exitCode: 9,
      connectionId: id,
      flowStep: "AWAITING_INPUT",
    });
  });

  test("login follow ends with exit code 3 for an auth connection that does not exist", async () => {
    expect(await follow("nosuchconnection")).toMatchObject({ exitCode: 3, out: "" });
  });

  test.each([
    ["a URL in place of an id", ["https://shop.example"], '"connectionId" has one of the characters'],
    ["an empty id", [""], '"connectionId" is empty'],
    ["an invalid time", ["a", "--timeout", "soon"], "It must be a time from 1s to 24 days"],
    ["a time of zero", ["a", "--timeout", "0s"], "It must be a time from 1s to 24 days"],
    ["a time too long for a timer", ["a", "--timeout", "1000h"], "It must be a time from 1s to 24 days"],
  ])(
    "login follow refuses %s as wrong usage, and sends nothing",
    async (_what, [id = "", ...args], reason) => {
      const { exitCode, out, err } = await follow(id, args);
      expect([exitCode, out]).toEqual([2, ""]);
      expect(err).toContain(reason);
      expect(emulator.requests).toEqual([]);
    },
  );

  test.each([
    ["before the login has begun", false],
    ["while the login is followed", true],
  ])(
    "Ctrl+C %s ends login follow at once with exit code 130, and the login continues",
    async (_when, begun) => {
      const id = connect("password", begun);
      const { child, printed, ended } = startCommand(["login", "follow", id], { env: settingsOf(emulator) });
      let interruptedAt = 0;
      child.stderr?.on("data", () => {
        if (interruptedAt > 0 || !/waiting for "Email|has begun yet/.test(printed.err)) {
          return;
        }
        interruptedAt = performance.now();
        child.kill("SIGINT");
      });
      const { exitCode, out, err } = await ended;
      expect([exitCode, out]).toEqual([130, ""]);
      expect(err).not.toContain("error:");
      expect(performance.now() - interruptedAt).toBeLessThan(10_000);
      expect(loginOf(id)?.status).toBe(begun ? "IN_PROGRESS" : undefined);
    },
  );
});
