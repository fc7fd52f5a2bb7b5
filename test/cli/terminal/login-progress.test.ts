import { PassThrough, Writable } from "node:stream";
import { LoginText } from "../../../src/cli/terminal/login-progress.js";
import { checkedStreams } from "../../../src/cli/terminal/streams.js";
import type { AuthConnection, LoginStateEvent } from "../../../src/client/index.js";
import { noFlowDetails } from "../../client/logins/login-server.js";

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

describe("the progress of a login", () => {
  const all: LoginText[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    for (const progress of all.splice(0)) {
      progress.close(false);
    }
    jest.useRealTimers();
  });

  /** Progress of a login with a timeout of 25 minutes, and the output since the last call. */
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
    const progress = new LoginText(checkedStreams(streams), "the command", 1_500_000, showAddresses);
    all.push(progress);
    progress.showConnection(connection);
    const since = (name: keyof typeof written) => {
      const text = written[name];
      written[name] = "";
      return text;
    };
    return { progress, err: () => since("err"), out: () => since("out") };
  }

  test("the progress of a login in a terminal is one line, redrawn each second with the time left", () => {
    const { progress, err } = watch(80);
    expect(err()).toBe(`\r\u001b[K${heading}`);
    progress.showEvent(state("DISCOVERING"));
    expect(err()).toBe("\r\u001b[Klooking for the login form (25 min left of --timeout)");
    jest.advanceTimersByTime(2_000);
    expect(err()).toBe(
      "\r\u001b[Klooking for the login form (24 min 59 s left of --timeout)\r\u001b[Klooking for the login form (24 min 58 s left of --timeout)",
    );
  });

  test("the address of a login stays above the progress line", () => {
    const { progress, err } = watch(80);
    progress.showEvent(state("DISCOVERING"));
    err();
    progress.showEvent(state("AWAITING_INPUT", { hostedUrl: "https://login.example/a?code=b" }));
    expect(err()).toBe(
      "\r\u001b[KTo log in at shop.example, open https://login.example/a?code=b\n\r\u001b[Klooking for the login form (25 min left of --timeout)\r\u001b[Kwaiting for input (25 min left of --timeout)",
    );
  });

  test("a long login status is written in full above the progress line, and cut in the line to show the time left", () => {
    const { progress, err } = watch(40);
    err();
    progress.showEvent(
      state("AWAITING_EXTERNAL_ACTION", {
        externalActionMessage: "電話で承認してください。もう一度お願いします。",
      }),
    );
    expect(err()).toBe(
      "\r\u001b[Kwaiting: 電話で承認してください。もう一度お願いします。\n\r\u001b[Kwaiting:… (25 min left of --timeout)",
    );
  });

  test("the progress line of a login never exceeds the width of a very narrow terminal", () => {
    const { progress, err } = watch(12);
    err();
    progress.showEvent(state("DISCOVERING"));
    const line = err().split("\u001b[K").at(-1) ?? "";
    expect([...line].length).toBeLessThanOrEqual(11);
  });

  test("the progress of a login contains no control character of the service", () => {
    const { progress, err } = watch(200);
    progress.showEvent(state("AWAITING_INPUT", { hostedUrl: "https://login.example/\u001b[2J\u202e" }));
    progress.showEvent(state("AWAITING_EXTERNAL_ACTION", { externalActionMessage: "a\u001b]0;b\u0007" }));
    const text = err().replaceAll("\r\u001b[K", "");
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain("https://login.example/%1B[2J%E2%80%AE\n");
  });

  test("the progress line is removed at the end of a login, and stays after an interruption", () => {
    const ended = watch(80);
    ended.progress.showEvent(state("SUBMITTING"));
    ended.progress.showEvent(state("COMPLETED", { flowStatus: "SUCCESS" }));
    ended.progress.close(false);
    expect(ended.err().endsWith("left of --timeout)\r\u001b[K\r\u001b[K")).toBe(true);
    expect(ended.out()).toBe('The profile "buyer" is logged in at shop.example.\n');
    const interrupted = watch(80);
    interrupted.progress.showEvent(state("SUBMITTING"));
    interrupted.progress.close(true);
    jest.advanceTimersByTime(60_000);
    expect(interrupted.err()).toMatch(/logging in \(25 min left of --timeout\)$/);
  });

  test.each([
    ["outside a terminal", undefined, { TERM: "xterm" }],
    ["in a terminal that cannot redraw", 80, { TERM: "dumb", NO_COLOR: "1" }],
  ])("%s the progress of a login is a new line at each change, and every 30 s", (_where, columns, env) => {
    const { progress, err } = watch(columns, env);
    expect(err()).toBe(heading);
    jest.advanceTimersByTime(20_000);
    progress.showEvent(state("DISCOVERING"));
    progress.showEvent(state("DISCOVERING", { websiteError: "not shown at this step" }));
    expect(err()).toBe("looking for the login form (24 min 40 s left of --timeout)\n");
    jest.advanceTimersByTime(29_999);
    expect(err()).toBe("");
    jest.advanceTimersByTime(1);
    expect(err()).toBe("looking for the login form (24 min 10 s left of --timeout)\n");
  });

  test("the progress of a login outside a terminal contains the address only with --show-addresses", () => {
    const event = state("AWAITING_INPUT", { hostedUrl: "https://login.example/a?code=canary" });
    const hidden = watch();
    hidden.progress.showEvent(event);
    const text = hidden.err();
    expect(text).not.toContain("canary");
    expect(text).toContain("The address to open is shown only in a terminal, or with --show-addresses.\n");
    for (const shown of [watch(undefined, {}, true), watch(80, { TERM: "dumb" })]) {
      shown.progress.showEvent(event);
      expect(shown.err()).toContain("To log in at shop.example, open https://login.example/a?code=canary\n");
    }
  });
});
