import { isNotFound } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json } from "../fault-server.js";
import { closeBenches, startBench } from "../test-client.js";
import { connectionId, noFlowDetails, wireConnection } from "./login-server.js";

afterEach(closeBenches);

const bare = {
  id: connectionId,
  domain: "example.com",
  profileName: "work",
  status: "NEEDS_AUTH",
  saveCredentials: true,
  recordSession: false,
  allowedDomains: [],
  loginUrl: null,
  credential: null,
  ssoProvider: null,
  proxyId: null,
  region: null,
  stealth: null,
  proxyMode: null,
  telemetry: null,
  telemetryDestinationId: null,
  healthChecks: null,
  healthCheckInterval: null,
  lastAuthCheckAt: null,
  autoReauth: null,
  canReauth: null,
  canReauthReason: null,
  browserSessionId: null,
  flowStatus: null,
  flowStep: null,
  flowType: null,
  flowExpiresAt: null,
  ...noFlowDetails,
};

describe("auth connections", () => {
  test("an auth connection with only the required members is read", async () => {
    const { client, server } = await startBench([json(200, wireConnection)]);
    expect(await client.authConnections.get(connectionId)).toEqual(bare);
    expect(server.requests[0]).toMatchObject({ method: "GET", target: `/auth/connections/${connectionId}` });
  });

  test("an auth connection with every member is read, and unknown members are dropped", async () => {
    const { client } = await startBench([
      json(200, {
        ...wireConnection,
        status: "PAUSED",
        allowed_domains: ["login.example.com"],
        login_url: "https://example.com/login",
        credential: { provider: "vault", auto: true },
        sso_provider: "google",
        proxy_id: "prx_1",
        health_checks: true,
        health_check_interval: 3600,
        last_auth_at: "2026-11-21T08:00:00Z",
        last_auth_check_at: "2026-11-21T09:00:00Z",
        auto_reauth: true,
        can_reauth: false,
        can_reauth_reason: "no_credential",
        browser_session_id: "brw_1",
        flow_status: "IN_PROGRESS",
        flow_step: "AWAITING_INPUT",
        flow_type: "REAUTH",
        flow_expires_at: "2026-11-21T10:20:00Z",
        mfa_options: null,
        fields: [{ id: "f", ref: "r", type: "code" }],
        hosted_url: "https://auth.example.com/x",
        browser: {
          ...{ stealth: true, region: "eu-west", proxy: { id: "prx_2", mode: null } },
          telemetry: { enabled: true, export: { otlp: { destination: { id: "tld_1", name: "logs" } } } },
        },
      }),
    ]);
    expect(await client.authConnections.get(connectionId)).toEqual({
      ...bare,
      status: "PAUSED",
      allowedDomains: ["login.example.com"],
      loginUrl: "https://example.com/login",
      credential: { name: null, provider: "vault", path: null, auto: true },
      ssoProvider: "google",
      proxyId: "prx_2",
      region: "eu-west",
      stealth: true,
      telemetry: {},
      telemetryDestinationId: "tld_1",
      healthChecks: true,
      healthCheckInterval: 3600,
      lastAuthCheckAt: "2026-11-21T09:00:00Z",
      autoReauth: true,
      canReauth: false,
      canReauthReason: "no_credential",
      browserSessionId: "brw_1",
      flowStatus: "IN_PROGRESS",
      flowStep: "AWAITING_INPUT",
      flowType: "REAUTH",
      flowExpiresAt: "2026-11-21T10:20:00Z",
      fields: [{ id: "f", ref: "r", type: "code", label: null, required: true, observedSelector: null }],
      hostedUrl: "https://auth.example.com/x",
    });
  });

  test.each([
    { enabled: false, export: { otlp: { destination: { id: "tld_1" } } } },
    { enabled: true, export: { otlp: { enabled: false, destination: { id: "tld_1" } } } },
    { enabled: true },
    null,
  ])(
    "an auth connection has no telemetry destination while telemetry or export is off (%#)",
    async (telemetry) => {
      const { client } = await startBench([json(200, { ...wireConnection, browser: { telemetry } })]);
      expect(await client.authConnections.get(connectionId)).toMatchObject({ telemetryDestinationId: null });
    },
  );

  test("an update with a telemetry destination switches telemetry on, and null switches telemetry off", async () => {
    const { client, server } = await startBench([json(200, wireConnection)]);
    for (const telemetryDestinationId of ["tld_1", null]) {
      await client.authConnections.update(connectionId, { telemetryDestinationId });
    }
    expect(server.requests.map(({ body }) => JSON.parse(body.toString()) as unknown)).toEqual([
      { browser: { telemetry: { enabled: true, export: { otlp: { destination: { id: "tld_1" } } } } } },
      { browser: { telemetry: { enabled: false } } },
    ]);
  });

  test.each([
    [{ enabled: true, browser: { console: { enabled: true }, control: null } }, { console: true }],
    [{ browser: { page: { enabled: true }, system: { enabled: false } } }, { page: true, system: false }],
    [{ browser: { page: { enabled: false } } }, null],
    [{ enabled: false, browser: { page: { enabled: true } } }, null],
  ])(
    "an auth connection captures the categories that the service reports (%#)",
    async (telemetry, expected) => {
      const { client } = await startBench([json(200, { ...wireConnection, browser: { telemetry } })]);
      expect(await client.authConnections.get(connectionId)).toMatchObject({ telemetry: expected });
    },
  );

  test("a request has all telemetry, and either a proxy or a mode", async () => {
    const { client, server } = await startBench([json(200, wireConnection)]);
    const telemetry = { console: true };
    for (const settings of [
      { telemetry, telemetryDestinationId: "tld_1", proxyMode: "direct" as const },
      { telemetry, telemetryDestinationId: null, proxyId: null, proxyMode: "direct" as const },
      { telemetry: null, telemetryDestinationId: "tld_1", proxyId: "prx_1", proxyMode: null },
      { telemetry: null, proxyMode: null },
    ]) {
      await client.authConnections.update(connectionId, settings);
    }
    const browser = { console: { enabled: true } };
    const toDestination = { otlp: { destination: { id: "tld_1" } } };
    expect(server.requests.map(({ body }) => JSON.parse(body.toString()).browser as unknown)).toEqual([
      { proxy: { mode: "direct" }, telemetry: { enabled: true, browser, export: toDestination } },
      {
        proxy: { mode: "direct" },
        telemetry: { enabled: true, browser, export: { otlp: { enabled: false } } },
      },
      { proxy: { id: "prx_1" }, telemetry: { enabled: true, export: toDestination } },
      { proxy: { mode: "default" }, telemetry: { enabled: false } },
    ]);
  });

  test("isNotFound recognizes that an auth connection does not exist", async () => {
    const { client } = await startBench([json(404, { code: "not_found", message: "No such connection" })]);
    const error = await errorOf(client.authConnections.get(connectionId));
    expect(isNotFound(error)).toBe(true);
    expect(error.message).toContain(
      "Check the auth connection's id (a domain or a profile name is not an id)",
    );
  });

  test("a response that describes a different auth connection is a contract error", async () => {
    const { client } = await startBench([json(200, { ...wireConnection, id: "other" })]);
    const error = await errorOf(client.authConnections.get(connectionId));
    expect(error).toMatchObject({ name: "ContractError" });
    expect(error.message).toContain("it describes another auth connection");
  });

  test("a list of auth connections sends the filters, and returns records as get does", async () => {
    const { client, server } = await startBench([json(200, [wireConnection])]);
    const options = { profileName: "work", domain: "example.com", query: "exa" };
    expect(await client.authConnections.list(options)).toEqual([bare]);
    expect(server.requests[0]).toMatchObject({ method: "GET" });
    expect(new URL(server.requests[0]?.target ?? "", "http://a").searchParams.toString()).toBe(
      "limit=100&offset=0&query=exa&profile_name=work&domain=example.com",
    );
    expect(await errorOf(client.authConnections.list({ domain: "" }))).toMatchObject({
      code: "filter_invalid",
      property: "domain",
    });
  });

  test("settings of an auth connection are sent in the service's form, and null clears a setting", async () => {
    const { client, server } = await startBench([json(201, wireConnection), json(200, wireConnection)]);
    await client.authConnections.create({
      domain: "example.com",
      profileName: "work",
      credential: { provider: "vault", auto: true },
      region: "eu-west",
    });
    await client.authConnections.update(connectionId, { loginUrl: null, proxyId: null, allowedDomains: [] });
    expect(server.requests.map(({ method, body }) => [method, JSON.parse(String(body))])).toEqual([
      [
        "POST",
        {
          domain: "example.com",
          profile_name: "work",
          credential: { provider: "vault", auto: true },
          browser: { region: "eu-west" },
        },
      ],
      ["PATCH", { login_url: "", allowed_domains: [], browser: { proxy: { mode: "default" } } }],
    ]);
    const error = await errorOf(client.authConnections.update(connectionId, { healthCheckInterval: 1 }));
    expect(error).toMatchObject({ code: "option_invalid", property: "healthCheckInterval" });
  });

  test("startLogin sends one request, and accepts a response in which only the id is readable", async () => {
    const { client, server } = await startBench([
      json(200, {
        id: connectionId,
        flow_type: 7,
        hosted_url: "https://auth.example.com/x",
        flow_expires_at: "soon",
      }),
    ]);
    expect(await client.authConnections.startLogin(connectionId)).toEqual({
      id: connectionId,
      flowType: null,
      flowExpiresAt: null,
      hostedUrl: "https://auth.example.com/x",
      liveViewUrl: null,
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      target: `/auth/connections/${connectionId}/login`,
    });
  });

  test("the error for starting a login during a login says what to do", async () => {
    const { client } = await startBench([json(409, { code: "conflict", message: "busy" })]);
    const { message } = await errorOf(client.authConnections.startLogin(connectionId));
    expect(message).toMatch(/409 conflict, busy\. Follow the login in progress, or start a new login/);
  });

  test("the error for a second auth connection of a domain and a profile mentions no name", async () => {
    const { client } = await startBench([json(409, { code: "already_exists", message: "Exists." })]);
    const settings = { domain: "example.com", profileName: "work" };
    const { message } = await errorOf(client.authConnections.create(settings));
    expect(message).toMatch(
      /409 already_exists, Exists\. A project has one auth connection of a domain and a profile: use or delete that connection\.$/,
    );
  });
});
