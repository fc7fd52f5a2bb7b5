import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Emulator, LoginScenario } from "../../../src/emulator/index.js";
import { databaseFileName } from "../../../src/emulator/storage/database.js";
import { newEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { send } from "../calls.js";
import { eventsIn, openStream } from "./event-stream-reader.js";

const end = { step: "END", status: "SUCCESS" } as const;

/** Requests a PIN, and after a second without a PIN a different code. */
const twoQuestions: LoginScenario = {
  title: "Two questions",
  start: "pin",
  steps: {
    pin: {
      step: "AWAITING_INPUT",
      fields: [{ id: "pin", type: "text", label: "PIN" }],
      timeoutMs: 1_000,
      onTimeout: "otp",
      next: "pinGiven",
    },
    otp: {
      step: "AWAITING_INPUT",
      fields: [{ id: "otp", type: "text", label: "Code" }],
      next: "otpGiven",
    },
    pinGiven: { step: "SUBMITTING", durationMs: 60_000, next: "end" },
    otpGiven: { step: "SUBMITTING", durationMs: 60_000, next: "end" },
    end,
  },
};

describe("emulator: how logins continue", () => {
  let emulator: Emulator;
  let clockMs: number;
  const now = () => new Date(clockMs);

  beforeEach(() => {
    clockMs = Date.parse("2026-06-01T12:00:00Z");
  });

  const connect = (scenario: LoginScenario | string, profileName = "work") =>
    emulator.authConnections.create({ domain: "example.com", profileName, scenario }).id;

  test("a submission at the moment of a step's timeout counts for the expiring step or gets 400", async () => {
    let tickMs = 0;
    // Time passes with every look at the clock.
    const ticking = () => {
      clockMs += tickMs;
      return now();
    };
    emulator = await newEmulator({ now: ticking });
    const outcomes = new Set<string>();
    for (let looksLeft = 0; looksLeft < 20; looksLeft++) {
      tickMs = 0;
      const id = connect(twoQuestions, `profile ${looksLeft}`);
      emulator.authConnections.startLogin(id);
      clockMs += 1_000 - looksLeft;
      tickMs = 1;
      const body = { field_values: { pin: "1234" } };
      const { status } = await send(emulator, "POST", `/auth/connections/${id}/submit`, body);
      tickMs = 0;
      outcomes.add(`${status} ${emulator.authConnections.get(id).login?.position}`);
    }
    expect([...outcomes].sort()).toEqual(["202 pinGiven", "400 otp"]);
  });

  test("a new login starts from the result of the previous login, even if nobody read the result", async () => {
    emulator = await newEmulator({ now });
    const id = connect({
      title: "Signed in",
      start: "first",
      whenSignedIn: "again",
      steps: {
        first: { step: "DISCOVERING", durationMs: 1_000, next: "end" },
        again: { step: "COMPLETED", durationMs: 1_000, next: "end" },
        end,
      },
    });
    emulator.authConnections.startLogin(id);
    clockMs += 5_000;
    const { status } = await send(emulator, "POST", `/auth/connections/${id}/login`, {});
    expect([status, emulator.authConnections.get(id).login?.position]).toEqual([200, "again"]);
    clockMs += 5_000;
    const { status: checked } = emulator.authConnections.recordHealthCheck(id, "NEEDS_AUTH");
    expect(checked).toBe("NEEDS_AUTH");
  });

  test("a subscriber of a login that loops during a jump of the clock gets only the last states", async () => {
    emulator = await newEmulator({ now });
    const id = connect({
      title: "Round and round",
      start: "one",
      steps: {
        one: { step: "DISCOVERING", durationMs: 1, next: "two" },
        two: { step: "SUBMITTING", durationMs: 1, next: "one" },
      },
    });
    emulator.authConnections.startLogin(id);
    const stream = openStream(emulator, id);
    await stream.until("DISCOVERING");
    emulator.clock.advance(10_000);
    emulator.authConnections.endLogin(id, { status: "CANCELED" });
    await stream.ended;
    const events = eventsIn(stream.text());
    expect(events.at(-1)).toMatchObject({ flow_status: "CANCELED" });
    expect(events.length).toBeGreaterThan(50);
    expect(events.length).toBeLessThan(150);
  });

  test("a login that cannot be stored does not delay other logins", async () => {
    const dataDir = temporaryFolder();
    emulator = await newEmulator({ dataDir });
    const stuck = connect("password", "stuck");
    await emulator.close();
    const database = new DatabaseSync(join(dataDir, databaseFileName));
    database.exec(
      `CREATE TRIGGER full BEFORE UPDATE ON records WHEN NEW.record ->> 'connectionId' = '${stuck}'
       BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
    database.close();
    emulator = await newEmulator({ dataDir, speed: 50 });
    emulator.authConnections.startLogin(stuck);
    const other = connect("captcha", "other");
    emulator.authConnections.startLogin(other);
    const stream = openStream(emulator, other);
    await stream.until("FAILED");
    await stream.ended;
  });
});
