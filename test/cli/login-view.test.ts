import { PassThrough, Writable } from "node:stream";
import { LoginView } from "../../src/cli/login-view.js";
import type { AuthConnection, LoginStateEvent } from "../../src/client/index.js";
import { noFlowDetails } from "../client/login/login-server.js";

const connection = {
  domain: "shop.example",
  profileName: "buyer",
  status: "NEEDS_AUTH",
  flowStatus: "IN_PROGRESS",
} as AuthConnection;

const heading = 'Login of the profile "buyer" at shop.example\n';

const state = (flowStep: string, more: Partial<LoginStateEvent> = {}): LoginStateEvent => ({
  event: "managed_auth_state",
  origin: "stream",
  timestamp: "2026-11-21T10:00:00Z",
  flowStatus: "IN_PROGRESS",
  flowStep,
  flowType: "LOGIN",
  ...noFlowDetails,
  ...more,
});

describe("the view of a login", () => {
  const views: LoginView[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    for (const view of views.splice(0)) {
      view.close(false);
    }
    jest.useRealTimers();
  });

  /** A view of 25 minutes, and what it has written since it was last asked. */
  function watch(columns?: number, env: Record<string, string> = { NO_COLOR: "1" }, showAddresses = false) {
    const written = { out: "", err: "" };
    const stream = (name: keyof typeof written) =>
      Object.assign(
        new Writable({
          write: (chunk, _encoding, done) => {
            written[name] += chunk;
            done();
          },
        }),
        columns === undefined ? {} : { isTTY: true, columns, getColorDepth: () => 8 },
      );
    const streams = { stdin: new PassThrough(), stdout: stream("out"), stderr: stream("err"), env };
    const view = new LoginView(streams, { timeoutMs: 1_500_000, showAddresses });
    views.push(view);
    view.seeConnection(connection);
    const since = (name: keyof typeof written) => {
      const text = written[name];
      written[name] = "";
      return text;
    };
    return { view, err: () => since("err"), out: () => since("out") };
  }

  test("in a terminal one line is redrawn each second, with the time left", () => {
    const { view, err } = watch(80);
    expect(err()).toBe(`\r\u001b[K${heading}`);
    view.seeEvent(state("DISCOVERING"));
    expect(err()).toBe("\r\u001b[Klooking for the login form (25 min left)");
    jest.advanceTimersByTime(2_000);
    expect(err()).toBe(
      "\r\u001b[Klooking for the login form (24 min 59 s left)\r\u001b[Klooking for the login form (24 min 58 s left)",
    );
  });

  test("an address stays above the line, which is shown again below it", () => {
    const { view, err } = watch(80);
    view.seeEvent(state("DISCOVERING"));
    err();
    view.seeEvent(state("DISCOVERING", { hostedUrl: "https://login.example/a?code=b" }));
    expect(err()).toBe(
      "\r\u001b[KTo log in at shop.example, open https://login.example/a?code=b\n\r\u001b[Klooking for the login form (25 min left)",
    );
  });

  test("what is too long for the line is told in full above it, and is cut in it with the time left in sight", () => {
    const { view, err } = watch(40);
    err();
    view.seeEvent(
      state("AWAITING_EXTERNAL_ACTION", {
        externalActionMessage: "電話で承認してください。もう一度お願いします。",
      }),
    );
    expect(err()).toBe(
      "\r\u001b[Kwaiting: 電話で承認してください。もう一度お願いします。\n\r\u001b[Kwaiting: 電話で承認し… (25 min left)",
    );
  });

  test("a terminal so narrow that only the time fits gets no more than its width", () => {
    const { view, err } = watch(12);
    err();
    view.seeEvent(state("DISCOVERING"));
    const line = err().split("\u001b[K").at(-1) ?? "";
    expect([...line].length).toBeLessThanOrEqual(11);
  });

  test("text of the service cannot steer the terminal", () => {
    const { view, err } = watch(200);
    view.seeEvent(state("DISCOVERING", { hostedUrl: "https://login.example/\u001b[2J\u202e" }));
    view.seeEvent(state("AWAITING_EXTERNAL_ACTION", { externalActionMessage: "a\u001b]0;b\u0007" }));
    const text = err().replaceAll("\r\u001b[K", "");
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain("https://login.example/%1B[2J%E2%80%AE\n");
  });

  test("the heading is bold where colours are wanted, and nothing else is coloured", () => {
    const { view, err } = watch(80, {});
    view.seeEvent(state("DISCOVERING"));
    expect(err()).toContain(`\u001b[1m${heading.trimEnd()}\u001b[22m\n`);
    expect(watch(80).err()).toContain(heading);
  });

  test("the end takes the line away; after an interruption it stays for the shell to go on below", () => {
    const ended = watch(80);
    ended.view.seeEvent(state("SUBMITTING"));
    ended.view.seeEvent(state("COMPLETED", { flowStatus: "SUCCESS" }));
    ended.view.close(false);
    expect(ended.err().endsWith("left)\r\u001b[K\r\u001b[K")).toBe(true);
    expect(ended.out()).toBe('The profile "buyer" is logged in at shop.example.\n');
    const interrupted = watch(80);
    interrupted.view.seeEvent(state("SUBMITTING"));
    interrupted.view.close(true);
    jest.advanceTimersByTime(60_000);
    expect(interrupted.err()).toMatch(/logging in \(25 min left\)$/);
  });

  test.each([
    ["elsewhere", undefined, { TERM: "xterm" }],
    ["in a terminal that cannot redraw", 80, { TERM: "dumb", NO_COLOR: "1" }],
  ])("%s there are lines when something changes, and every 30 s", (_where, columns, env) => {
    const { view, err } = watch(columns, env);
    expect(err()).toBe(heading);
    jest.advanceTimersByTime(20_000);
    view.seeEvent(state("DISCOVERING"));
    view.seeEvent(state("DISCOVERING", { websiteError: "not shown at this step" }));
    expect(err()).toBe("looking for the login form (24 min 40 s left)\n");
    jest.advanceTimersByTime(29_999);
    expect(err()).toBe("");
    jest.advanceTimersByTime(1);
    expect(err()).toBe("looking for the login form (24 min 10 s left)\n");
  });

  test("outside a terminal an address is shown only where that was asked for", () => {
    const event = state("DISCOVERING", { hostedUrl: "https://login.example/a?code=canary" });
    const hidden = watch();
    hidden.view.seeEvent(event);
    const text = hidden.err();
    expect(text).not.toContain("canary");
    expect(text).toContain("The address to open is shown only in a terminal, or with --show-addresses.\n");
    for (const shown of [watch(undefined, {}, true), watch(80, { TERM: "dumb" })]) {
      shown.view.seeEvent(event);
      expect(shown.err()).toContain("To log in at shop.example, open https://login.example/a?code=canary\n");
    }
  });
});
