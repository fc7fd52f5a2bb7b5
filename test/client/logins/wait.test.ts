import { inspect } from "node:util";
import { CanceledError, LoginError, type LoginEvent } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json } from "../fault-server.js";
import { canaryKey, closeBenches } from "../test-client.js";
import { unavailable } from "./following.js";
import {
  awaiting,
  canaryHostedUrl,
  canaryLiveViewUrl,
  connectionId,
  discovering,
  holds,
  sends,
  startLoginBench,
  success,
  wireRecord,
  wireState,
} from "./login-server.js";

const named = `The login of the auth connection "${connectionId}"`;

afterEach(closeBenches);

describe("waiting for a login", () => {
  test("waitForLogin returns the last state of a successful login, and onEvent gets each event", async () => {
    const { client } = await startLoginBench({ streams: [sends(discovering, awaiting, success)] });
    const shown: LoginEvent[] = [];
    const state = await client.authConnections.waitForLogin(connectionId, {
      onEvent: (event) => shown.push(event),
    });
    expect(state).toMatchObject({
      flowStatus: "SUCCESS",
      postLoginUrl: "https://example.com/home",
      origin: "stream",
    });
    expect(shown).toHaveLength(3);
    expect(shown[2]).toBe(state);
  });

  test("a login stream that merely closes is not a success", async () => {
    const { client } = await startLoginBench({
      streams: [sends(discovering)],
      records: [json(200, wireRecord("IN_PROGRESS", "DISCOVERING", { flow_type: "LOGIN" })), unavailable],
    });
    expect(await errorOf(client.authConnections.waitForLogin(connectionId))).toMatchObject({
      name: "ConnectionError",
    });
  });

  test.each<[string, string, object, string, string]>([
    [
      "failed",
      "FAILED",
      {
        error_code: "credentials_invalid",
        error_message: "The password was refused.",
        website_error: "Incorrect password",
      },
      "login_failed",
      `${named} failed: credentials_invalid, The password was refused, the website says: Incorrect password. Fix the cause, then start a new login.`,
    ],
    [
      "failed without a word",
      "FAILED",
      {},
      "login_failed",
      `${named} failed: without an explanation. Fix the cause, then start a new login.`,
    ],
    [
      "expired",
      "EXPIRED",
      { error_code: "awaiting_input_timeout" },
      "login_expired",
      `${named} expired: awaiting_input_timeout. Start a new login with the person ready: a login expires within minutes.`,
    ],
    [
      "was canceled",
      "CANCELED",
      {},
      "login_canceled",
      `${named} was canceled: without an explanation. If you still need the login, start a new login.`,
    ],
  ])(
    "a login that %s has a specific error, with the service's code and message",
    async (_end, status, more, code, message) => {
      const { client } = await startLoginBench({
        streams: [sends(awaiting, wireState(status, "COMPLETED", more))],
      });
      const error = await errorOf(client.authConnections.waitForLogin(connectionId));
      expect(error).toBeInstanceOf(LoginError);
      const { error_code = null, error_message } = more as Record<string, string>;
      expect(error).toMatchObject({
        code,
        connectionId,
        flowStatus: status,
        flowStep: "COMPLETED",
        serviceCode: error_code,
        serviceMessage: error_message?.replace(/\.$/, "") ?? null,
      });
      expect(error.message).toBe(message);
    },
  );

  test("the error of a login contains no full address, no code of an address and no API key", async () => {
    const words = `Go to ${canaryHostedUrl} or ${canaryLiveViewUrl}/x#y, auth.example.com/in?code=canary-handoff; key ${canaryKey}`;
    const { client } = await startLoginBench({
      streams: [
        sends(
          awaiting,
          wireState("FAILED", "COMPLETED", {
            error_code: "website_error",
            error_message: words,
            website_error: `\u001b[2K${words}`,
            hosted_url: canaryHostedUrl,
            live_view_url: canaryLiveViewUrl,
          }),
        ),
      ],
    });
    const error = await errorOf(client.authConnections.waitForLogin(connectionId));
    expect(error.message).toContain("Go to https://auth.example.com/… or https://live.example.com/…");
    const everything = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);
    expect(everything).not.toMatch(/canary/);
    expect(everything).not.toContain("\u001b");
  });

  test("a wait for a login that is aborted ends immediately", async () => {
    const { client } = await startLoginBench({ streams: [holds(awaiting)] });
    const abort = new AbortController();
    const onEvent = () => abort.abort("enough");
    const wait = client.authConnections.waitForLogin(connectionId, { signal: abort.signal, onEvent });
    expect(await errorOf(wait)).toBeInstanceOf(CanceledError);
  });

  test("an error thrown by onEvent ends the wait for a login", async () => {
    const { client } = await startLoginBench({ streams: [holds(awaiting)] });
    const failure = new Error("display");
    const onEvent = () => {
      throw failure;
    };
    expect(await errorOf(client.authConnections.waitForLogin(connectionId, { onEvent }))).toBe(failure);
  });
});
