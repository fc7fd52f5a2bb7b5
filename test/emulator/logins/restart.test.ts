import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EmulatorOptions } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { call, json, send } from "../calls.js";
import { eventsIn, openStream } from "./event-stream-reader.js";

describe("emulator: logins over time", () => {
  let folder: string;
  let clockMs: number;
  beforeEach(() => {
    folder = temporaryFolder();
    clockMs = Date.parse("2026-06-01T12:00:00Z");
  });
  const start = (options: EmulatorOptions = {}) =>
    newEmulator({ dataDir: folder, now: () => new Date(clockMs), ...options });
  const newConnection = { domain: "example.com", profileName: "work" };

  test("a login continues while the emulator does not run, with every step at the scheduled time", async () => {
    let emulator = await start();
    const { id } = emulator.authConnections.create(newConnection);
    const { expiresAt } = emulator.authConnections.startLogin(id);
    await emulator.close();

    clockMs += 60_000;
    emulator = await start();
    expect(emulator.authConnections.get(id).login).toMatchObject({ step: "AWAITING_INPUT", expiresAt });
    const followed = await openStream(emulator, id).until("}\n\n");
    expect(eventsIn(followed)).toMatchObject([{ timestamp: "2026-06-01T12:00:01.500Z" }]);
    emulator.authConnections.submit(id, { username: "ann", password: "canary-password" });
    await emulator.close();

    clockMs += 60_000;
    emulator = await start();
    const stream = openStream(emulator, id);
    await stream.ended;
    expect(eventsIn(stream.text())).toMatchObject([
      {
        flow_status: "SUCCESS",
        timestamp: "2026-06-01T12:01:01.500Z",
        post_login_url: "https://example.com/",
      },
    ]);
    expect(emulator.authConnections.get(id).status).toBe("AUTHENTICATED");
    await emulator.close();
    for (const file of readdirSync(folder)) {
      expect(readFileSync(join(folder, file)).includes("canary")).toBe(false);
    }
  });

  test("after a restart, the page of a running login has the new address, and the login's token stays valid", async () => {
    let emulator = await start();
    const { id } = emulator.authConnections.create(newConnection);
    const { handoffCode } = emulator.authConnections.startLogin(id);
    const { jwt } = await json<{ jwt: string }>(
      send(emulator, "POST", `/auth/connections/${id}/exchange`, { code: handoffCode }),
    );
    await emulator.close();
    emulator = await start();
    expect(emulator.authConnections.get(id).login?.hostedUrl).toBe(
      `${emulator.url}/login/${id}?code=${handoffCode}`,
    );
    const again = await send(emulator, "POST", `/auth/connections/${id}/exchange`, { code: handoffCode });
    expect(again.status).toBe(410);
    expect(
      await json(call(emulator, "GET", `/auth/connections/${id}`, { authorization: `Bearer ${jwt}` })),
    ).toMatchObject({ flow_status: "IN_PROGRESS" });
  });

  test("a running login keeps the original scenario, and the start of a login with a missing scenario gets 500", async () => {
    const end = (status: "SUCCESS" | "CANCELED") => ({
      title: "Own",
      start: "a",
      steps: {
        a: { step: "DISCOVERING" as const, durationMs: 10, next: "b" },
        b: { step: "END" as const, status },
      },
    });
    let emulator = await start({ seed: { loginScenarios: { own: end("SUCCESS") } } });
    const { id } = emulator.authConnections.create({ ...newConnection, scenario: "own" });
    emulator.authConnections.startLogin(id);
    await emulator.close();
    emulator = await start({ seed: { loginScenarios: { own: end("CANCELED") } } });
    emulator.authConnections.proceed(id);
    expect(emulator.authConnections.get(id).login?.status).toBe("SUCCESS");
    emulator.authConnections.startLogin(id);
    emulator.authConnections.proceed(id);
    expect(emulator.authConnections.get(id).login?.status).toBe("CANCELED");
    await emulator.close();
    emulator = await start();
    const response = await send(emulator, "POST", `/auth/connections/${id}/login`, {});
    expect([response.status, await response.json()]).toEqual([
      500,
      {
        code: "internal_error",
        message: expect.stringContaining(
          'There is no login scenario "own". Choose one of password, second-factor',
        ),
      },
    ]);
  });

  test("an emulator's speed divides durations and expiry of logins, and a login runs by itself in real time", async () => {
    const emulator = await newEmulator({ speed: 500 });
    const { id } = emulator.authConnections.create({ ...newConnection, scenario: "reauthentication" });
    const { expiresAt } = emulator.authConnections.startLogin(id);
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(2400);
    const stream = openStream(emulator, id);
    await stream.ended;
    expect(eventsIn(stream.text()).at(-1)).toMatchObject({ flow_status: "SUCCESS", flow_type: "REAUTH" });
  });
});
