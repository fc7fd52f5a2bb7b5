import { randomUUID } from "node:crypto";
import { bridges } from "../provider-process.js";
import { failureOf, Session } from "./session.js";

describe.each(bridges)("a login flow through the %s bridge", (bridge) => {
  let session: Session;
  let connectionId: string;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(async () => {
    await session.reset();
    const connection = { domain: "shop.example", profileName: randomUUID() };
    ({ id: connectionId } = session.emulator.authConnections.create(connection));
  });

  test("a login flow waits for the login and keeps the result, and its deletion sends nothing", async () => {
    const login = session.resource("LoginFlow");
    const waiting = login.deploy({ connectionId });
    await session.said(/no login at shop.example has begun yet/);
    session.emulator.authConnections.startLogin(connectionId);
    await session.said(/Password/);
    session.emulator.authConnections.submit(connectionId, { username: "ada", password: "secret" });
    const ended = await waiting;
    expect(ended).toMatchObject({ id: connectionId, outputs: { connectionId, flowStatus: "SUCCESS" } });

    await session.nextRun();
    const again = session.resource("LoginFlow");
    expect((await again.read(ended))?.outputs).toMatchObject({ flowStatus: "SUCCESS" });
    const inputs = await again.accepted({ connectionId, timeout: "5m" }, ended.inputs);
    expect((await again.update(ended, inputs)).outputs).toMatchObject({
      timeout: "5m",
      flowStatus: "SUCCESS",
      completedAt: ended.outputs.completedAt,
    });
    const before = session.emulator.requests.length;
    await again.delete(ended);
    expect(session.emulator.requests).toHaveLength(before);
  });

  test("a login flow waits no longer than the limit in customTimeouts, and the error names the connection", async () => {
    const login = session.resource("LoginFlow", { timeouts: { create: 1 } });
    const { message } = await failureOf(login.deploy({ connectionId }));
    // In the plugin, the wait itself enforces the limit, with a better message than the bridge's.
    const expected =
      bridge === "plugin" ? /began within 1 s/ : /time limit of 1s in "customTimeouts" has passed/;
    expect(message).toMatch(expected);
    expect(message).toContain(connectionId);
  });

  test("a login flow stops waiting as soon as the engine cancels", async () => {
    const failure = failureOf(session.resource("LoginFlow").deploy({ connectionId }));
    await session.said(/no login at shop.example has begun yet/);
    await session.cancel();
    expect((await failure).message).toMatch(/cancel/i);
    await session.restart();
  });
});
