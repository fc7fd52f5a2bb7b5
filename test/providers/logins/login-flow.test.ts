import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import { LoginFlowLifecycle } from "../../../src/providers/logins/login-flow/lifecycle.js";
import { type PropertyMap, unknownValue } from "../../../src/providers/properties.js";
import { useEmulator } from "../../support/emulator.js";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:LoginFlow::login";
const answers = { username: "ada", password: "secret" };

describe("the life cycle of a login flow", () => {
  const emulator = useEmulator({ speed: 50 });
  let id: string;
  let lines: string[];
  const lifecycle = new LoginFlowLifecycle();

  beforeEach(() => {
    ({ id } = emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" }));
    lines = [];
  });

  function contextOf(changes: Partial<LifecycleContext> = {}): LifecycleContext {
    const say = (kind: string) => (message: string) => lines.push(`${kind}: ${message}`);
    return {
      urn,
      programFolder: "/nowhere",
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: {
        progress: say("progress"),
        row: say("row"),
        info: say("info"),
        warning: say("warning"),
        debug: say("debug"),
      },
      ...changes,
    };
  }

  /** Resolves when the row contains a matching message. */
  async function said(pattern: RegExp): Promise<void> {
    while (!lines.some((line) => pattern.test(line))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  function waitFor(inputs: PropertyMap = {}, context = contextOf()) {
    return lifecycle.create({ connectionId: id, ...inputs }, context);
  }

  test("a login flow whose project is named in KERNEL_PROJECT is refused before any request", async () => {
    const { environment } = contextOf();
    const named = contextOf({ environment: { ...environment, KERNEL_PROJECT: "Live" } });
    const news = { connectionId: id };
    const { failures } = await lifecycle.check(
      { news, olds: undefined, memo: undefined, isPreview: true },
      named,
    );
    const reason = expect.stringContaining("environment variable KERNEL_PROJECT is not an id");
    expect(failures).toEqual([{ property: "", reason }]);
    await expect(waitFor({}, named)).rejects.toThrow("KERNEL_PROJECT is not an id");
    expect(emulator.requests).toEqual([]);
  });

  test("a login flow waits until the login succeeds, and shows the awaited login fields", async () => {
    const { hostedUrl } = emulator.authConnections.startLogin(id);
    const waiting = waitFor();
    await said(/Password/);
    emulator.authConnections.submit(id, answers);
    const created = await waiting;
    expect(created).toMatchObject({
      id,
      outputs: {
        connectionId: id,
        flowStatus: "SUCCESS",
        flowType: "LOGIN",
        completedAt: expect.any(String),
      },
    });
    const address = `info: To log in at shop.example, open ${hostedUrl}`;
    expect(lines.filter((line) => line.startsWith("info: "))).toEqual([address]);
    // The service lets the login expire after 24 s; the wait could last 25 minutes.
    const awaited = /waiting for "Email or username", "Password" \(the login expires in \d+ s\)$/;
    expect(lines.filter((line) => line.startsWith(`progress: open ${hostedUrl} - `))).toEqual([
      expect.stringMatching(awaited),
    ]);
    expect(lines.at(-1)).toContain("the login succeeded");
  });

  test("once a person must act, a separate row of at most 80 columns shows the command to run", async () => {
    emulator.authConnections.startLogin(id);
    const waiting = waitFor();
    await said(/Password/);
    emulator.authConnections.submit(id, answers);
    await waiting;
    expect(lines.filter((line) => line.startsWith("row: "))).toEqual([
      `row: to log in, run: npx browser-infra login follow ${id}`,
    ]);
  });

  test("a login flow with a projectId reads from that project in preview, deployment and refresh", async () => {
    const { id: projectId } = emulator.createProject({ name: "Shop" });
    const connection = { domain: "shop.example", profileName: "seller", projectId };
    const { id: connectionId } = emulator.authConnections.create(connection);
    const news = { connectionId, projectId };
    const preview = (inputs: PropertyMap) =>
      lifecycle.check({ olds: undefined, news: inputs, memo: undefined, isPreview: true }, contextOf());
    expect(await preview(news)).toMatchObject({ failures: [] });
    expect(lines.at(-1)).toContain(`login follow ${connectionId} --project ${projectId}`);
    // The connection may belong to a project still to be created.
    expect(await preview({ connectionId, projectId: unknownValue })).toMatchObject({ failures: [] });
    expect(await preview({ connectionId })).toMatchObject({ failures: [{ property: "connectionId" }] });
    expect(await preview({ connectionId, projectId: " " })).toMatchObject({
      failures: [{ property: "projectId" }],
    });
    emulator.authConnections.startLogin(connectionId);
    const waiting = lifecycle.create(news, contextOf());
    await said(/Password/);
    emulator.authConnections.submit(connectionId, answers);
    const { outputs } = await waiting;
    expect(outputs).toMatchObject({ projectId, flowStatus: "SUCCESS" });
    const read = await lifecycle.read({ id: connectionId, state: outputs }, contextOf());
    expect(read).toMatchObject({ outputs, inputs: news });
    const lookup = await lifecycle.read({ id: connectionId, state: { projectId } }, contextOf());
    expect(lookup).toMatchObject({ outputs: { connectionId, projectId } });
  });

  test("a change of the projectId alone does not start a new wait", async () => {
    const olds = { connectionId: id, projectId: "ckv9w8q2f000001l5r3j7k9m", flowStatus: "SUCCESS" };
    const news = { connectionId: id };
    expect(lifecycle.diff({ id, olds, news })).toEqual({});
    const outputs = await lifecycle.update({ id, olds, news });
    expect(outputs).toEqual({ connectionId: id, flowStatus: "SUCCESS" });
  });

  test("the preview announces the wait and the command to follow the login, and changes nothing", async () => {
    const news = { connectionId: id, timeout: "5m" };
    await lifecycle.check({ olds: undefined, news, memo: undefined, isPreview: true }, contextOf());
    const unknown: PropertyMap = { connectionId: unknownValue };
    await lifecycle.check({ olds: undefined, news: unknown, memo: undefined, isPreview: true }, contextOf());
    expect(lines).toEqual([
      `info: The deployment will wait here, 5m at most, until the login of auth connection "${id}" has succeeded. If the profile is already logged in, the deployment does not wait. For the login address, run in a second terminal: npx browser-infra login follow ${id}`,
      "info: The deployment will wait here, 25m at most, until the login of the auth connection has succeeded. If the profile is already logged in, the deployment does not wait. For the login address, run in a second terminal: npx browser-infra login follow <connection-id>",
    ]);
    lines = [];
    // A deployment shows the wait in the row, and an existing resource does not wait.
    await lifecycle.check({ olds: undefined, news, memo: undefined, isPreview: false }, contextOf());
    await lifecycle.check({ olds: news, news, memo: undefined, isPreview: true }, contextOf());
    expect(lines).toEqual([]);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("a login flow waits for a login that has not begun", async () => {
    const waiting = waitFor();
    await said(/no login at shop.example has begun yet/);
    expect(lines).toContain(`row: to log in, run: npx browser-infra login follow ${id}`);
    emulator.authConnections.startLogin(id);
    await said(/Password/);
    emulator.authConnections.submit(id, answers);
    expect(await waiting).toMatchObject({ outputs: { flowStatus: "SUCCESS" } });
  });

  test("the reason for the wait is repeated from time to time, and the login address is not", async () => {
    jest.useFakeTimers({
      doNotFake: [
        "nextTick",
        "setImmediate",
        "setTimeout",
        "clearTimeout",
        "Date",
        "performance",
        "queueMicrotask",
      ],
    });
    try {
      const waiting = waitFor();
      await said(/has begun yet/);
      jest.advanceTimersByTime(65_000);
      expect(lines.filter((line) => line.includes("has begun yet"))).toHaveLength(3);
      emulator.authConnections.startLogin(id);
      await said(/Password/);
      const before = lines.length;
      jest.advanceTimersByTime(65_000);
      expect(lines).toHaveLength(before);
      emulator.authConnections.submit(id, answers);
      await waiting;
    } finally {
      jest.useRealTimers();
    }
  });

  test("a login flow fails if no login begins in time", async () => {
    await expect(waitFor({ timeout: "1s" })).rejects.toThrow(
      `No login of the auth connection "${id}" began within 1 s.`,
    );
  });

  test("a login flow ends at once if the profile is already logged in", async () => {
    const { id: connectionId } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: "seller",
      status: "AUTHENTICATED",
    });
    expect(await waitFor({ connectionId })).toMatchObject({ outputs: { connectionId } });
    expect(lines).toEqual(['info: The profile "seller" is already logged in at shop.example.']);
  });

  test("a past success does not count once the profile is logged out again", async () => {
    emulator.authConnections.startLogin(id);
    emulator.authConnections.endLogin(id, { status: "SUCCESS" });
    emulator.authConnections.recordHealthCheck(id, "NEEDS_AUTH");
    await expect(waitFor({ timeout: "1s" })).rejects.toThrow("began within 1 s");
  });

  test.each([
    ["FAILED", "credentials_invalid", "failed: credentials_invalid"],
    ["EXPIRED", undefined, "expired"],
    ["CANCELED", undefined, "was canceled"],
  ] as const)(
    "the deployment stops with the service's reason when the login ends %s",
    async (status, errorCode, words) => {
      emulator.authConnections.startLogin(id);
      const waiting = waitFor();
      const end = errorCode === undefined ? { status } : { status, errorCode };
      await said(/Password/);
      emulator.authConnections.endLogin(id, end as Parameters<typeof emulator.authConnections.endLogin>[1]);
      await expect(waiting).rejects.toThrow(words);
    },
  );

  test("a login flow with onFailure continue passes after a failed login, and a warning contains the error", async () => {
    emulator.authConnections.startLogin(id);
    const waiting = waitFor({ onFailure: "continue" });
    await said(/Password/);
    emulator.authConnections.endLogin(id, {
      status: "FAILED",
      errorCode: "captcha_blocked",
      errorMessage: "See https://a.example/help?code=canary\nand go on",
    });
    const { outputs } = await waiting;
    expect(outputs).toMatchObject({
      flowStatus: "FAILED",
      errorCode: "captcha_blocked",
      errorMessage: "See https://a.example/… and go on",
    });
    expect(lines.at(-1)).toMatch(
      /^warning: .*captcha_blocked.* The deployment continues because of "onFailure"\.$/,
    );
  });

  test("a login flow fails at the end of its timeout, also with onFailure continue", async () => {
    emulator.authConnections.startLogin(id);
    await expect(waitFor({ timeout: "1s", onFailure: "continue" })).rejects.toThrow("did not end within 1 s");
  });

  test("a login flow ends at once when the deployment is canceled", async () => {
    const controller = new AbortController();
    emulator.authConnections.startLogin(id);
    const waiting = waitFor({}, contextOf({ signal: controller.signal }));
    await said(/Password/);
    controller.abort();
    await expect(waiting).rejects.toThrow(`Following the login of the auth connection "${id}" was canceled.`);
    expect(emulator.authConnections.get(id).login?.status).toBe("IN_PROGRESS");
  });

  test("a login flow with an unknown connection fails with the 404 of the service", async () => {
    await expect(waitFor({ connectionId: "nosuchconnection" })).rejects.toThrow("404 not_found");
  });

  test("a refresh of a login flow does not wait, and finds only the deletion of the auth connection", async () => {
    emulator.authConnections.startLogin(id);
    const state = { connectionId: id, flowStatus: "SUCCESS", hostedUrl: "https://a.example", timeout: "5m" };
    expect(await lifecycle.read({ id, state }, contextOf())).toEqual({
      id,
      outputs: state,
      inputs: { connectionId: id, timeout: "5m" },
    });
    emulator.authConnections.remove(id);
    expect(await lifecycle.read({ id, state }, contextOf())).toBeUndefined();
  });

  test("a lookup reads a login flow by id alone, and fails for an unknown connection", async () => {
    const found = await lifecycle.read({ id, state: {} }, contextOf());
    expect(found).toMatchObject({ id, outputs: { connectionId: id } });
    await expect(lifecycle.read({ id: "nowhere", state: {} }, contextOf())).rejects.toThrow(
      'There is no auth connection "nowhere" to look up.',
    );
  });

  test("the deletion of a login flow leaves the auth connection alone", async () => {
    await lifecycle.delete();
    expect(emulator.requests).toEqual([]);
    expect(emulator.authConnections.list()).toHaveLength(1);
  });

  test.each([
    ["connectionId", { connectionId: undefined }],
    ["connectionId", { connectionId: "https://shop.example" }],
    ["timeout", { timeout: "soon" }],
    ["timeout", { timeout: "0s" }],
    ["timeout", { timeout: "1000h" }],
    ["onFailure", { onFailure: "ignore" }],
  ])("a login flow refuses, at the input at fault, a bad %s: %j", async (property, bad) => {
    const given = Object.entries({ connectionId: id, ...bad }).filter(([, value]) => value !== undefined);
    const news = Object.fromEntries(given) as PropertyMap;
    const { failures } = await lifecycle.check({ news, olds: undefined, memo: undefined }, contextOf());
    expect(failures.map((failure) => failure.property)).toEqual([property]);
  });

  test("the failure about an unknown input names the input, and not its value", async () => {
    const news = { connectionId: id, trigger: "a" };
    const { failures } = await lifecycle.check({ news, olds: undefined, memo: undefined }, contextOf());
    expect(failures).toEqual([
      { property: "", reason: expect.stringContaining('A LoginFlow has no input "trigger".') },
    ]);
  });

  /** Compares a change of the inputs with the state. */
  function compared(change: object) {
    const olds = { connectionId: "a", triggers: [1, { two: 2 }] };
    return lifecycle.diff({ id: "a", olds, news: { ...olds, ...change } as PropertyMap });
  }

  test.each([
    ["another connection", { connectionId: "b" }, ["connectionId"]],
    ["another trigger", { triggers: [1, { two: 3 }] }, ["triggers"]],
  ])("%s starts a new wait for the login", (_what, change, replaces) => {
    expect(compared(change)).toEqual({ replaces });
  });

  test.each([
    ["a program with the same triggers", { triggers: [1, { two: 2 }] }, { changes: false }],
    ["another timeout", { timeout: "5m", triggers: [1, { two: 2 }] }, {}],
    ["a connection that is not known", { connectionId: unknownValue }, {}],
  ])("%s starts no new wait for the login", (_what, change, expected) => {
    expect(compared(change)).toEqual(expected);
  });

  test("the result of the login stays when only the limits of the wait change", async () => {
    const olds = { connectionId: "a", timeout: "5m", flowStatus: "SUCCESS" };
    const news = { connectionId: "a", onFailure: "continue" };
    expect(await lifecycle.update({ id: "a", olds, news })).toEqual({
      connectionId: "a",
      onFailure: "continue",
      flowStatus: "SUCCESS",
    });
  });
});
