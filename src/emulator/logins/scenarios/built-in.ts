import type { LoginScenario, ScenarioChoice, ScenarioField, ScenarioStep } from "./schema.js";

const acceptsAny = "The emulator accepts any.";
const username: ScenarioField = {
  id: "username",
  type: "identifier",
  label: "Email or username",
  hint: acceptsAny,
};

function password(hint: string): ScenarioField {
  return { id: "password", type: "password", label: "Password", hint };
}

const credentials = [username, password(acceptsAny)];

const textMessage: ScenarioChoice = {
  id: "sms",
  type: "mfa_method",
  mfaType: "sms",
  label: "Text message",
  target: "+1 ••• ••42",
};

function discovering(next: string, durationMs = 1500): ScenarioStep {
  return { step: "DISCOVERING", durationMs, next };
}

function submitting(next: string, durationMs = 1200): ScenarioStep {
  return { step: "SUBMITTING", durationMs, next };
}

function refusing(websiteError: string, next: string): ScenarioStep {
  return { step: "SUBMITTING", durationMs: 1200, websiteError, next };
}

/** Step that accepts only the code 123456. */
function askingForCode(type: "code" | "totp_code", label: string, otherwise: string): ScenarioStep {
  return {
    step: "AWAITING_INPUT",
    fields: [{ id: "code", type, label, hint: "The emulator accepts 123456." }],
    answers: [{ fields: { code: "123456" }, next: "submitCode" }],
    next: otherwise,
  };
}

/** Last steps of a login that succeeds. */
const completion: Readonly<Record<"complete" | "success", ScenarioStep>> = {
  complete: { step: "COMPLETED", durationMs: 300, next: "success" },
  success: { step: "END", status: "SUCCESS" },
};

/** Scenarios that need no seed, by name. */
export const builtInScenarios: Readonly<Record<string, LoginScenario>> = {
  password: {
    title: "A name and a password",
    start: "discover",
    whenSignedIn: "verify",
    whenStored: "discoverAgain",
    liveViewUrl: "https://browser.example/live/password",
    steps: {
      discover: discovering("credentials"),
      credentials: { step: "AWAITING_INPUT", fields: credentials, next: "submit" },
      submit: submitting("complete"),
      ...completion,
      verify: discovering("complete", 800),
      discoverAgain: discovering("submit"),
    },
  },
  "second-factor": {
    title: "A password, then a code from a message or an app",
    start: "discover",
    steps: {
      discover: discovering("credentials"),
      credentials: { step: "AWAITING_INPUT", fields: credentials, next: "submitCredentials" },
      submitCredentials: submitting("method"),
      method: {
        step: "AWAITING_INPUT",
        choices: [
          textMessage,
          {
            id: "totp",
            type: "mfa_method",
            mfaType: "totp",
            label: "Authenticator app",
            description: "A six-digit code",
          },
        ],
        answers: [{ choice: "totp", next: "chooseTotp" }],
        next: "chooseSms",
      },
      chooseSms: submitting("smsCode", 800),
      smsCode: askingForCode("code", "Code from the message", "refuseSmsCode"),
      refuseSmsCode: refusing("That code is not correct.", "smsCode"),
      chooseTotp: submitting("totpCode", 800),
      totpCode: askingForCode("totp_code", "Code from the app", "refuseTotpCode"),
      refuseTotpCode: refusing("That code is not correct.", "totpCode"),
      submitCode: submitting("complete"),
      ...completion,
    },
  },
  push: {
    title: "A password, then an approval on a phone",
    start: "discover",
    steps: {
      discover: discovering("credentials"),
      credentials: { step: "AWAITING_INPUT", fields: credentials, next: "submitCredentials" },
      submitCredentials: submitting("approval"),
      approval: {
        step: "AWAITING_EXTERNAL_ACTION",
        message: "Approve the sign-in on your phone. The emulator does so by itself in a few seconds.",
        durationMs: 6000,
        choices: [{ ...textMessage, label: "Send a text message instead" }],
        answers: [{ choice: "sms", next: "chooseSms" }],
        next: "submitApproval",
      },
      chooseSms: submitting("smsCode", 800),
      smsCode: {
        step: "AWAITING_INPUT",
        fields: [{ id: "code", type: "code", label: "Code from the message", hint: acceptsAny }],
        next: "submitApproval",
      },
      submitApproval: submitting("complete"),
      ...completion,
    },
  },
  "single-sign-on": {
    title: "A password, or an identity provider instead",
    start: "discover",
    steps: {
      discover: discovering("credentials"),
      credentials: {
        step: "AWAITING_INPUT",
        fields: credentials,
        choices: [
          { id: "google", type: "sso_provider", provider: "google", label: "Continue with Google" },
          { id: "github", type: "sso_provider", provider: "github", label: "Continue with GitHub" },
        ],
        answers: [
          { choice: "google", next: "openProvider" },
          { choice: "github", next: "openProvider" },
        ],
        next: "submit",
      },
      openProvider: submitting("provider", 800),
      provider: {
        step: "AWAITING_EXTERNAL_ACTION",
        message:
          "Finish signing in at the identity provider. The emulator does so by itself in a few seconds.",
        durationMs: 5000,
        next: "submit",
      },
      submit: submitting("complete"),
      ...completion,
    },
  },
  "wrong-password": {
    title: "A password that must be correct",
    start: "discover",
    steps: {
      discover: discovering("credentials"),
      credentials: {
        step: "AWAITING_INPUT",
        fields: [username, password("The emulator accepts correct-password.")],
        answers: [{ fields: { password: "correct-password" }, next: "submit" }],
        next: "refuse",
      },
      refuse: refusing("The name or the password is incorrect.", "credentials"),
      submit: submitting("complete"),
      ...completion,
    },
  },
  captcha: {
    title: "A CAPTCHA that cannot be solved",
    start: "discover",
    steps: {
      discover: discovering("blocked", 2500),
      blocked: {
        step: "END",
        status: "FAILED",
        errorCode: "captcha_blocked",
        errorMessage: "The website showed a CAPTCHA that could not be solved.",
      },
    },
  },
  expiry: {
    title: "No answer in time",
    start: "discover",
    expiresAfterMs: 20_000,
    steps: {
      discover: discovering("credentials"),
      credentials: {
        step: "AWAITING_INPUT",
        fields: [password("This login expires 20 seconds after its start, whatever you type.")],
        next: "submit",
      },
      submit: submitting("success", 60_000),
      success: completion.success,
    },
  },
  cancellation: {
    title: "A login that is canceled elsewhere",
    start: "discover",
    steps: {
      discover: discovering("credentials"),
      credentials: {
        step: "AWAITING_INPUT",
        fields: [password("This login is canceled after 10 seconds, whatever you type.")],
        timeoutMs: 10_000,
        onTimeout: "canceled",
        next: "submit",
      },
      submit: submitting("canceled", 10_000),
      canceled: { step: "END", status: "CANCELED" },
    },
  },
  reauthentication: {
    title: "The service signs in again with stored credentials",
    type: "REAUTH",
    start: "discover",
    steps: {
      discover: discovering("submit"),
      submit: submitting("complete", 1500),
      ...completion,
    },
  },
};
