import type { AuthConnection, LoginStateEvent } from "../../../src/client/index.js";
import { LoginReporter } from "../../../src/client/logins/following/reporter.js";
import { noFlowDetails } from "./login-server.js";

const connection = {
  domain: "shop.example",
  profileName: "buyer",
  status: "NEEDS_AUTH",
  flowStatus: null,
  flowExpiresAt: null,
} as AuthConnection;

const state = (flowStatus: string, more: Partial<LoginStateEvent> = {}): LoginStateEvent => ({
  event: "managed_auth_state",
  origin: "stream",
  timestamp: "2026-11-21T10:00:00Z",
  flowStatus,
  flowStep: "DISCOVERING",
  flowType: "LOGIN",
  ...noFlowDetails,
  ...more,
});

describe("the reports of a login", () => {
  let reports: string[];
  let reporter: LoginReporter;

  beforeEach(() => {
    reports = [];
    reporter = new LoginReporter(
      {
        status: (text, isOver) => reports.push(`${isOver ? "end" : "status"}: ${text}`),
        address: (text) => reports.push(`address: ${text}`),
        notNeeded: (text) => reports.push(`not needed: ${text}`),
      },
      "npx browser-infra login start conn_1",
      1_500_000,
      "--timeout",
    );
  });

  test("each status of a login is reported once, from before the login begins to the end", () => {
    reporter.reportConnection(connection);
    reporter.reportConnection({ ...connection, flowStatus: "IN_PROGRESS" });
    for (const flowStep of ["DISCOVERING", "DISCOVERING", "SUBMITTING"]) {
      reporter.reportEvent(state("IN_PROGRESS", { flowStep }));
    }
    reporter.reportEvent(state("SUCCESS"));
    expect(reports).toEqual([
      "status: no login at shop.example has begun yet; start one: npx browser-infra login start conn_1",
      "status: looking for the login form",
      "status: logging in",
      "end: the login succeeded",
    ]);
    expect(reporter.state).toMatchObject({ flowStatus: "SUCCESS" });
  });

  test.each([
    [
      "the time until the login expires, when the service says when",
      1_200_000,
      /^the login expires in (?:20 min|19 min 59 s)$/,
    ],
    [
      "the time until the timeout, when the timeout comes before the login expires",
      3_600_000,
      /^(?:25 min|24 min 59 s) left of --timeout$/,
    ],
    [
      "the time until the timeout, when the login should have expired and goes on",
      -1_000,
      /^(?:25 min|24 min 59 s) left of --timeout$/,
    ],
    [
      "the time until the timeout, when the service does not say when the login expires",
      undefined,
      /^(?:25 min|24 min 59 s) left of --timeout$/,
    ],
  ])("the reported time left is %s", (_which, expiresInMs, timeLeft) => {
    const flowExpiresAt = expiresInMs === undefined ? null : new Date(Date.now() + expiresInMs).toISOString();
    reporter.reportConnection({ ...connection, flowStatus: "IN_PROGRESS", flowExpiresAt });
    expect(reporter.timeLeft).toMatch(timeLeft);
  });

  test("each new login address is reported once, and no address is reported after the login", () => {
    reporter.reportConnection({ ...connection, flowStatus: "IN_PROGRESS" });
    for (const hostedUrl of ["https://a.example/1", "https://a.example/2", "https://a.example/1"]) {
      reporter.reportEvent(state("IN_PROGRESS", { flowStep: "AWAITING_INPUT", hostedUrl }));
    }
    reporter.reportEvent(state("EXPIRED", { hostedUrl: "https://a.example/3" }));
    expect(reports.filter((line) => line.startsWith("address"))).toEqual([
      "address: To log in at shop.example, open https://a.example/1",
      "address: To log in at shop.example, open https://a.example/2",
    ]);
  });

  test("no login address is reported while the service logs in by itself, as with stored credentials", () => {
    const hostedUrl = "https://a.example/1";
    for (const flowStep of ["DISCOVERING", "SUBMITTING", "COMPLETED"]) {
      reporter.reportEvent(state("IN_PROGRESS", { flowStep, hostedUrl }));
    }
    expect(reports).toEqual([
      "status: looking for the login form",
      "status: logging in",
      "status: logged in, finishing",
    ]);
    // A step unknown to this version may need a person.
    reporter.reportEvent(state("IN_PROGRESS", { flowStep: "SOMETHING_NEW" }));
    expect(reports).toContain("address: To log in at the website, open https://a.example/1");
  });

  test("an address is to be opened while a login waits for a person, and a new address repeats the status", () => {
    const seen = [
      state("IN_PROGRESS", { hostedUrl: "https://a.example/1" }),
      state("IN_PROGRESS", { flowStep: "AWAITING_INPUT" }),
      state("IN_PROGRESS", { flowStep: "AWAITING_INPUT", hostedUrl: "https://a.example/2" }),
      state("IN_PROGRESS", { flowStep: "SUBMITTING" }),
      state("IN_PROGRESS", { flowStep: "AWAITING_EXTERNAL_ACTION" }),
      state("CANCELED", { flowStep: "AWAITING_INPUT" }),
    ].map((event) => {
      reporter.reportEvent(event);
      return [reports.at(-1), reporter.addressToOpen];
    });
    expect(seen).toEqual([
      ["status: looking for the login form", undefined],
      ["status: waiting for input", "https://a.example/1"],
      ["status: waiting for input", "https://a.example/2"],
      ["status: logging in", undefined],
      ["status: waiting for a step outside the browser", "https://a.example/2"],
      ["end: the login was canceled", undefined],
    ]);
    expect(reports.filter((line) => line === "status: waiting for input")).toHaveLength(2);
  });

  test("only a web address is reported, in the form that a browser reads", () => {
    for (const hostedUrl of [
      "https://a.example/\nerror: forged\u001b[2J",
      "javascript:alert(1)",
      "not one",
    ]) {
      reporter.reportEvent(state("IN_PROGRESS", { flowStep: "AWAITING_INPUT", hostedUrl }));
    }
    expect(reports.filter((line) => line.startsWith("address"))).toEqual([
      "address: To log in at the website, open https://a.example/error:%20forged%1B[2J",
    ]);
  });

  test("the fields and steps that a login waits for are reported in a few words without full addresses", () => {
    const field = { type: "text", required: true, observedSelector: null } as const;
    const fields = Array.from({ length: 1_000 }, (_, index) => ({
      ...field,
      id: `${index}`,
      ref: `${index}`,
      label: `Field ${index}`,
    }));
    reporter.reportEvent(state("IN_PROGRESS", { flowStep: "AWAITING_INPUT", fields }));
    reporter.reportEvent(
      state("IN_PROGRESS", {
        flowStep: "AWAITING_EXTERNAL_ACTION",
        externalActionMessage: "Open https://a.example/l?code=canary on your phone",
      }),
    );
    expect(reports).toEqual([
      'status: waiting for "Field 0", "Field 1", "Field 2", "Field 3", "Field 4", 995 more',
      "status: waiting: Open https://a.example/… on your phone",
    ]);
  });

  test("a profile that is already logged in is reported", () => {
    reporter.reportConnection({ ...connection, status: "AUTHENTICATED" });
    expect(reports).toEqual(['not needed: The profile "buyer" is already logged in at shop.example.']);
    reporter.reportEvent(state("IN_PROGRESS"));
    reporter.reportConnection({ ...connection, status: "AUTHENTICATED" });
    expect(reports.at(-1)).toBe('not needed: The profile "buyer" is logged in at shop.example.');
  });

  test("error events and heartbeats do not change the reports of a login", () => {
    const timestamp = "2026-11-21T10:00:00Z";
    reporter.reportEvent({ event: "sse_heartbeat", timestamp });
    const error = { code: "unavailable", message: null, details: [], innerError: null };
    reporter.reportEvent({ event: "error", timestamp, error });
    expect([reports, reporter.state]).toEqual([[], undefined]);
  });
});
