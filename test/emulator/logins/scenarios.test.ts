import Kernel from "@onkernel/sdk";
import { shareEmulator } from "../../support/emulator.js";
import {
  asks,
  brief,
  completed,
  credentials,
  discovering,
  type State,
  submitting,
  success,
} from "./plays.js";

/** The clock stands still: only the test causes changes. */
const stillAt = new Date("2026-06-01T12:00:00Z");

describe("emulator: login scenarios", () => {
  const emulator = shareEmulator({ now: () => stillAt });
  let kernel: Kernel;
  beforeAll(() => {
    kernel = new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url, maxRetries: 0 });
  });

  /** Follows a login with the official client and advances the login at each state. */
  async function follow(id: string, answer: (state: State) => Promise<unknown> = async () => {}) {
    const states: State[] = [];
    for await (const event of await kernel.auth.connections.follow(id)) {
      if (event.event !== "managed_auth_state") {
        continue;
      }
      states.push(event as State);
      if (event.flow_status !== "IN_PROGRESS") {
        continue;
      }
      if (event.flow_step.startsWith("AWAITING")) {
        await answer(event as State);
      } else {
        emulator.authConnections.proceed(id);
      }
    }
    return states;
  }

  test("a login of a signed-in profile and a login with stored credentials need no input", async () => {
    const { id } = emulator.authConnections.create({ domain: "example.com", profileName: "again" });
    expect((await kernel.auth.connections.login(id)).flow_type).toBe("LOGIN");
    const first = await follow(id, () => kernel.auth.connections.submit(id, credentials));
    expect(first.map(brief)).toContainEqual(asks("username,password"));
    expect(await kernel.auth.connections.retrieve(id)).toMatchObject({
      can_reauth: true,
      can_reauth_reason: "has_credential",
    });
    expect((await kernel.auth.connections.login(id)).flow_type).toBe("LOGIN");
    expect((await follow(id)).map(brief)).toEqual([discovering, completed, success]);
    emulator.authConnections.recordHealthCheck(id, "NEEDS_AUTH");
    expect((await kernel.auth.connections.login(id)).flow_type).toBe("REAUTH");
    expect((await follow(id)).map(brief)).toEqual([discovering, submitting, completed, success]);
  });

  test("an auth connection that saves no credentials requests input again after a sign-out of the profile", async () => {
    const { id } = emulator.authConnections.create({
      domain: "example.com",
      profileName: "forgetful",
      saveCredentials: false,
    });
    await kernel.auth.connections.login(id);
    await follow(id, () => kernel.auth.connections.submit(id, credentials));
    expect(await kernel.auth.connections.retrieve(id)).toMatchObject({
      status: "AUTHENTICATED",
      can_reauth: false,
      can_reauth_reason: "no_credential",
    });
    emulator.authConnections.recordHealthCheck(id, "NEEDS_AUTH");
    expect((await kernel.auth.connections.login(id)).flow_type).toBe("LOGIN");
    const again = await follow(id, () => kernel.auth.connections.submit(id, credentials));
    expect(again.map(brief)).toContainEqual(asks("username,password"));
  });

  test("a login accepts a code in place of an approval on a phone, and a sign-on provider by name", async () => {
    const push = emulator.authConnections.create({
      domain: "example.com",
      profileName: "pass",
      scenario: "push",
    });
    await kernel.auth.connections.login(push.id);
    const bodies = [credentials, { fields: {}, mfa_option_id: "sms" }, { fields: { code: "1" } }];
    const states = await follow(push.id, () => kernel.auth.connections.submit(push.id, bodies.shift() ?? {}));
    expect(states.map(({ flow_step }) => flow_step).filter((step) => step.startsWith("AWAITING"))).toEqual([
      "AWAITING_INPUT",
      "AWAITING_EXTERNAL_ACTION",
      "AWAITING_INPUT",
    ]);
    expect(states.find(({ flow_step }) => flow_step === "AWAITING_EXTERNAL_ACTION")).toMatchObject({
      external_action_message: expect.stringContaining("Approve the sign-in on your phone"),
      mfa_options: [
        { type: "sms", label: "Send a text message instead", target: "+1 ••• ••42", description: null },
      ],
    });
    const sso = emulator.authConnections.create({
      domain: "example.com",
      profileName: "pass2",
      scenario: "single-sign-on",
    });
    await kernel.auth.connections.login(sso.id);
    const ended = await follow(sso.id, async ({ flow_step }) =>
      flow_step === "AWAITING_INPUT"
        ? kernel.auth.connections.submit(sso.id, { sso_provider: "google" })
        : emulator.authConnections.proceed(sso.id),
    );
    expect(brief(ended.at(-1) as State)).toEqual(success);
  });

  test("an auth connection lists requested input both in the canonical and in the older members", async () => {
    const { id } = emulator.authConnections.create({
      domain: "example.com",
      profileName: "forms",
      scenario: {
        title: "Forms",
        start: "ask",
        liveViewUrl: "https://browser.example/live",
        steps: {
          ask: {
            step: "AWAITING_INPUT",
            fields: [
              { id: "user", type: "identifier", label: "User", hint: "Any" },
              { id: "otp", type: "totp_code", label: "Code", required: false },
            ],
            choices: [
              { id: "c1", type: "account", label: "Work", description: "ann@example.com" },
              { id: "c2", type: "sso_provider", provider: "okta", label: "Okta" },
            ],
            next: "end",
          },
          end: { step: "END", status: "SUCCESS" },
        },
      },
    });
    await kernel.auth.connections.login(id);
    const field = { required: true, observed_selector: null };
    expect(await kernel.auth.connections.retrieve(id)).toMatchObject({
      live_view_url: "https://browser.example/live",
      mfa_options: null,
      fields: [
        { ...field, id: "user", ref: "user", type: "identifier", label: "User" },
        { ...field, id: "otp", ref: "otp", type: "totp_code", label: "Code", required: false },
      ],
      choices: [
        { id: "c1", type: "account", label: "Work", description: "ann@example.com", observed_selector: null },
        { id: "c2", type: "sso_provider", label: "Okta", description: null, observed_selector: null },
      ],
      discovered_fields: [
        { name: "user", type: "text", label: "User", required: true, selector: "#user", hint: "Any" },
        { name: "otp", type: "totp", label: "Code", required: false, selector: "#otp" },
      ],
      sign_in_options: [{ id: "c1", label: "Work", description: "ann@example.com" }],
      pending_sso_buttons: [{ selector: '//button[@id="c2"]', provider: "okta", label: "Okta" }],
    });
  });
});
