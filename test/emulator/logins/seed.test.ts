import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInScenarioNames, type EmulatorSeed, type LoginScenario } from "../../../src/emulator/index.js";
import { builtInScenarios } from "../../../src/emulator/logins/scenarios/built-in.js";
import {
  loginScenarioFile,
  loginScenariosJsonSchema,
} from "../../../src/emulator/logins/scenarios/schema.js";
import { newEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { call, json } from "../calls.js";

const short: LoginScenario = {
  title: "Short",
  start: "ask",
  steps: {
    ask: { step: "AWAITING_INPUT", fields: [{ id: "pin", type: "text", label: "PIN" }], next: "end" },
    end: { step: "END", status: "SUCCESS" },
  },
};

describe("emulator: login scenarios and auth connections of a seed", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const file = (name: string, contents: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(contents));
    return join(folder, name);
  };

  test("login scenarios have a JSON schema for editors, and the built-in scenarios fulfill the schema", () => {
    expect(loginScenariosJsonSchema()).toMatchObject({ type: "object", required: ["scenarios"] });
    expect(loginScenarioFile.safeParse({ scenarios: builtInScenarios })).toMatchObject({ success: true });
    expect(builtInScenarioNames).toEqual([
      "password",
      "second-factor",
      "push",
      "single-sign-on",
      "wrong-password",
      "captcha",
      "expiry",
      "cancellation",
      "reauthentication",
    ]);
  });

  test("a seed creates auth connections with scenarios of the seed or built-in scenarios, and starts logins", async () => {
    const emulator = await newEmulator({
      seed: {
        projects: [{ id: "staging", name: "Staging" }],
        loginScenarios: { short },
        defaultLoginScenario: "short",
        credentials: [{ name: "kept", domain: "example.org", values: {} }],
        authConnections: [
          { id: "one", domain: "example.com", profileName: "work", startLogin: true },
          { domain: "example.com", profileName: "work", project: "Staging", scenario: "captcha" },
          {
            id: "stored",
            domain: "example.org",
            profileName: "work",
            scenario: "password",
            credential: { name: "kept" },
            startLogin: true,
          },
          { id: "in", domain: "example.net", profileName: "work", status: "AUTHENTICATED" },
        ],
      },
    });
    expect(emulator.authConnections.get("one")).toMatchObject({
      scenario: "short",
      login: { step: "AWAITING_INPUT", form: { fields: [{ id: "pin" }] } },
    });
    expect(emulator.authConnections.list("staging")).toMatchObject([{ scenario: "captcha", login: null }]);
    expect(emulator.authConnections.get("stored")).toMatchObject({
      credential: { name: "kept" },
      login: { type: "REAUTH" },
    });
    expect(await json(call(emulator, "GET", "/auth/connections/in"))).toMatchObject({
      status: "AUTHENTICATED",
      can_reauth_reason: "no_credential",
    });
  });

  test("a seed applied again creates no auth connection twice, restarts no login, and keeps changes", async () => {
    const seed: EmulatorSeed = {
      authConnections: [
        { domain: "example.com", profileName: "work", startLogin: true },
        { id: "two", domain: "example.org", profileName: "work" },
      ],
    };
    const dataDir = join(folder, "data");
    let emulator = await newEmulator({ dataDir, seed });
    const [two, one] = emulator.authConnections.list();
    emulator.authConnections.endLogin(one?.id ?? "", { status: "CANCELED" });
    emulator.authConnections.setScenario("two", "push");
    await emulator.close();
    emulator = await newEmulator({ dataDir, seed });
    expect(emulator.authConnections.list()).toMatchObject([
      { id: two?.id, scenario: "push" },
      { id: one?.id, login: { status: "CANCELED" } },
    ]);
    emulator.authConnections.remove("two");
    await emulator.close();
    emulator = await newEmulator({ dataDir, seed });
    expect(emulator.authConnections.get("two")).toMatchObject({ scenario: "password", login: null });
  });

  test("the login scenarios of a seed may be in a separate file, relative to the seed's folder", async () => {
    file("scenarios.json", { $schema: "x", scenarios: { password: short } });
    const seed = file("seed.json", {
      loginScenarios: "scenarios.json",
      authConnections: [{ id: "one", domain: "example.com", profileName: "work", startLogin: true }],
    });
    const emulator = await newEmulator({ seed });
    // A scenario named like a built-in scenario replaces the built-in.
    expect(emulator.authConnections.get("one").login?.form.fields).toMatchObject([{ id: "pin" }]);
    await emulator.close();
    file("scenarios.json", { scenarios: { password: { ...short, start: "none" } } });
    await expect(newEmulator({ seed })).rejects.toThrow(
      "loginScenarios names a file that cannot be used: scenarios.password.start must be the name of a step.",
    );
    rmSync(join(folder, "scenarios.json"));
    await expect(newEmulator({ seed })).rejects.toThrow(
      "loginScenarios names a file that cannot be used: there is no such",
    );
  });

  const end = { step: "END", status: "SUCCESS" };
  const asking = (more: object) => ({ step: "AWAITING_INPUT", next: "end", ...more });
  const field = { id: "pin", type: "text", label: "PIN" };
  const choice = { id: "other", type: "sign_in_method", label: "Other" };
  test.each<[unknown, string]>([
    [{ title: "x", start: "end" }, "steps"],
    [{ title: "x", start: "none", steps: { end } }, "start must be the name of a step"],
    [{ title: "x", start: "constructor", steps: { end } }, "start must be the name of a step"],
    [
      { title: "x", start: "end", whenStored: "none", steps: { end } },
      "whenStored must be the name of a step",
    ],
    [{ title: "x", start: "end", speed: 2, steps: { end } }, 'has an unknown member "speed"'],
    [
      { title: "x", start: "end", steps: { end: { step: "STOP" } } },
      "steps.end.step must have a step of DISCOVERING",
    ],
    [
      { title: "x", start: "end", steps: { end, a: asking({ next: "none" }) } },
      "steps.a.next must be the name of a step",
    ],
    [
      { title: "x", start: "end", steps: { end, a: { step: "DISCOVERING", durationMs: 0, next: "end" } } },
      "steps.a.durationMs must be a number of milliseconds from 1",
    ],
    [
      { title: "x", start: "end", steps: { end, a: asking({ fields: [field, field] }) } },
      "steps.a.fields[1].id is a duplicate",
    ],
    [
      { title: "x", start: "end", steps: { end, a: asking({}) } },
      "steps.a must have fields or choices, because it waits for input",
    ],
    [
      {
        title: "x",
        start: "end",
        steps: { end, a: asking({ choices: [choice], answers: [{ fields: { pin: "1" }, next: "end" }] }) },
      },
      "steps.a.answers[0].fields.pin must be a field of the step",
    ],
    [
      {
        title: "x",
        start: "end",
        steps: { end, a: asking({ fields: [field], answers: [{ choice: "sms", next: "end" }] }) },
      },
      "steps.a.answers[0].choice must be a choice of the step",
    ],
    [
      {
        title: "x",
        start: "end",
        steps: { end, a: asking({ choices: [{ id: "a", type: "sso_provider", label: "A" }] }) },
      },
      "steps.a.choices[0] must have a provider",
    ],
    [
      {
        title: "x",
        start: "end",
        steps: { end, a: asking({ choices: [{ id: "a", type: "mfa_method", label: "A" }] }) },
      },
      "steps.a.choices[0] must have an mfaType",
    ],
    [
      { title: "x", start: "end", steps: { "a b": end } },
      'steps["a b"] must have a name that is 1 to 64 of the characters',
    ],
  ])(
    "an inconsistent login scenario in a seed is refused with the place of the mistake: %j",
    async (scenario, problem) => {
      await expect(
        newEmulator({ seed: { loginScenarios: { own: scenario } } as EmulatorSeed }),
      ).rejects.toMatchObject({
        code: "emulator_seed_invalid",
        message: expect.stringMatching(
          new RegExp(`loginScenarios\\.own.*${problem.replace(/[[\]().]/g, "\\$&")}`),
        ),
      });
    },
  );

  test.each<[object, string]>([
    [{ authConnections: [{ domain: "example.com" }] }, "authConnections[0].profileName must be a string"],
    [
      { authConnections: [{ domain: "a/b", profileName: "x" }] },
      "authConnections[0].domain must be a domain",
    ],
    [
      { authConnections: [{ domain: "example.com", profileName: "x", scenario: "none" }] },
      'authConnections[0]: There is no login scenario "none"',
    ],
    [
      {
        authConnections: [
          { id: "a", domain: "one.example", profileName: "x" },
          { id: "a", domain: "two.example", profileName: "x" },
        ],
      },
      'authConnections[1]: An auth connection with the id "a" already exists',
    ],
    [
      {
        authConnections: [
          { domain: "one.example", profileName: "x", scenario: "push" },
          { domain: "one.example", profileName: "x", scenario: "captcha" },
        ],
      },
      'authConnections[1]: An auth connection with the domain "one.example" and the profile "x" already exists',
    ],
    [
      { authConnections: [{ domain: "example.com", profileName: "x", project: "none" }] },
      "authConnections[0].project names no project",
    ],
    [{ defaultLoginScenario: "none" }, 'defaultLoginScenario: There is no login scenario "none"'],
    [{ loginScenarios: 1 }, "loginScenarios must be the path of a file, or an object"],
  ])(
    "a seed with an invalid auth connection or scenario is refused with the place of the mistake: %j",
    async (seed, problem) => {
      await expect(newEmulator({ seed: seed as EmulatorSeed })).rejects.toMatchObject({
        code: "emulator_seed_invalid",
        message: expect.stringContaining(problem),
      });
    },
  );
});
