import Kernel, { ConflictError, NotFoundError } from "@onkernel/sdk";
import { newEmulator, useEmulator } from "../../support/emulator.js";
import { call, json, refusal, send } from "../calls.js";

const path = "/auth/connections";

describe("emulator: auth connections", () => {
  const emulator = useEmulator();
  let kernel: Kernel;
  beforeEach(() => {
    kernel = new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url, maxRetries: 0 });
  });

  const create = (body: object) =>
    send(emulator, "POST", path, { domain: "example.com", profile_name: "work", ...body });

  test("a login takes the published members about the browser, and refuses what a connection would refuse", async () => {
    const { id } = (await (await create({})).json()) as { id: string };
    const login = (body: object) => send(emulator, "POST", `${path}/${id}/login`, body);
    for (const [body, problem] of [
      [{ browser: { proxy: { id: "none" } } }, "none"],
      [{ browser: { region: "moon" } }, "region"],
      [{ browser_telemetry: { enabled: false, browser: { page: { enabled: true } } } }, "categories"],
    ] as const) {
      expect(await refusal(await login(body))).toMatchObject({
        status: 400,
        message: expect.stringContaining(problem),
      });
    }
    const browser = {
      stealth: false,
      region: "eu-west",
      proxy: { mode: "direct" },
      telemetry: { enabled: true },
    };
    expect((await login({ browser, record_session: true, skill_mode: "disabled" })).status).toBe(200);
    expect(emulator.authConnections.get(id)).toMatchObject({
      recordSession: false,
      browser: { stealth: true, region: "us-east" },
      login: { status: "IN_PROGRESS" },
    });
  });

  test("a new auth connection has the published defaults and no login, and is read back unchanged", async () => {
    const response = await create({});
    expect(response.status).toBe(201);
    const made = (await response.json()) as { id: string };
    expect(made).toEqual({
      id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
      domain: "example.com",
      profile_name: "work",
      status: "NEEDS_AUTH",
      save_credentials: true,
      record_session: false,
      allowed_domains: [],
      health_check_interval: 3600,
      health_checks: true,
      auto_reauth: true,
      can_reauth: false,
      can_reauth_reason: "no_prior_successful_login",
      browser: { stealth: true, region: "us-east" },
      browser_telemetry: null,
      browser_session_id: null,
      ...Object.fromEntries(
        [
          ...[
            "flow_status",
            "flow_step",
            "flow_type",
            "flow_expires_at",
            "fields",
            "choices",
            "discovered_fields",
          ],
          ...[
            "mfa_options",
            "sign_in_options",
            "pending_sso_buttons",
            "external_action_message",
            "website_error",
          ],
          ...["error_code", "error_message", "live_view_url", "hosted_url"],
        ].map((name) => [name, null]),
      ),
    });
    expect(await json(call(emulator, "GET", `${path}/${made.id}`))).toEqual(made);
    expect(await kernel.auth.connections.retrieve(made.id)).toEqual(made);
  });

  test("settings of an auth connection are stored unchanged, changed one by one, and removed by an empty string", async () => {
    const settings = {
      login_url: "https://example.com/login",
      allowed_domains: ["id.example.com"],
      credential: { provider: "vault", path: "Team/example" },
      health_check_interval: 300,
      health_checks: false,
      auto_reauth: false,
      save_credentials: false,
      record_session: true,
      browser_telemetry: { enabled: true },
    };
    emulator.credentialProviders.create({ name: "vault", token: "ops_one" });
    emulator.proxies.create({ id: "proxy-1", type: "isp", name: "fast" });
    const { id, ...made } = await kernel.auth.connections.create({
      domain: "example.com",
      profile_name: "work",
      proxy: { name: "FAST" },
      ...settings,
    });
    expect(made).toMatchObject({
      ...settings,
      proxy_id: "proxy-1",
      browser: { proxy: { id: "proxy-1" }, telemetry: { enabled: true } },
    });
    const before = await kernel.auth.connections.retrieve(id);
    const changed = await kernel.auth.connections.update(id, {
      login_url: "",
      health_check_interval: 86_400,
    });
    const { login_url: _cleared, ...others } = before;
    expect(changed).toEqual({ ...others, health_check_interval: 86_400 });
    expect(await kernel.auth.connections.update(id, {})).toEqual(changed);
    expect(emulator.authConnections.get(id)).toMatchObject({
      healthCheckInterval: 86_400,
      browser: { proxy: { id: "proxy-1" } },
    });
  });

  test("a change of an auth connection's browser keeps omitted members, also through the deprecated names", async () => {
    emulator.proxies.create({ id: "p1", type: "isp" });
    emulator.proxies.create({ id: "p2", type: "isp" });
    const browser = { stealth: true, region: "us-west", proxy: { id: "p1" }, telemetry: { enabled: true } };
    const { id } = await json<{ id: string }>(create({ browser }), 201);
    const change = async (changes: object) =>
      (await json<{ browser: object }>(send(emulator, "PATCH", `${path}/${id}`, changes))).browser;
    expect(await change({ browser: { stealth: false } })).toEqual({ ...browser, stealth: false });
    expect(await change({ browser: { telemetry: { enabled: false } }, proxy: { id: "p2" } })).toEqual({
      stealth: false,
      region: "us-west",
      proxy: { id: "p2" },
      telemetry: { enabled: false },
    });
    expect(await change({ proxy_id: "" })).toMatchObject({ proxy: { mode: "default" } });
    expect(await change({ browser: {} })).toMatchObject({ stealth: false, region: "us-west" });
    const both = { browser: { proxy: { mode: "direct" } }, proxy: { id: "p1" } };
    expect(await refusal(await send(emulator, "PATCH", `${path}/${id}`, both))).toMatchObject({
      status: 400,
      message: "Give browser.proxy or the deprecated member for it, not both.",
    });
  });

  test("a change of an auth connection merges telemetry categories, unless the request contains enabled", async () => {
    const off = { enabled: false };
    const endpoint = "https://otlp.example.com";
    const made = emulator.telemetryDestinations.create({ name: "grafana", endpoint });
    const destination = { otlp: { destination: { name: "grafana", id: made.id } } };
    const exported = { otlp: { destination: { name: "grafana" } } };
    const { id } = await json<{ id: string }>(
      create({ browser: { telemetry: { enabled: true, browser: { page: off }, export: exported } } }),
      201,
    );
    const change = async (telemetry: object | null) => {
      const answer = send(emulator, "PATCH", `${path}/${id}`, { browser: { telemetry } });
      return (await json<{ browser: { telemetry?: object } }>(answer)).browser.telemetry;
    };
    const merged = { enabled: true, browser: { page: off, console: { enabled: true } }, export: destination };
    expect(await change({ browser: { console: { enabled: true } } })).toEqual(merged);
    expect([await change({}), await change(null)]).toEqual([merged, merged]);
    const both = { browser: { telemetry: { enabled: false, browser: { page: off } } } };
    expect(await refusal(await send(emulator, "PATCH", `${path}/${id}`, both))).toMatchObject({
      status: 400,
    });
    expect(await change({ enabled: false })).toEqual(off);
    expect(await change({ browser: { page: { enabled: true } } })).toEqual({
      browser: { page: { enabled: true } },
    });
    expect(await change({ enabled: true })).toEqual({ enabled: true });
  });

  test("allowed domains of an auth connection lose a leading www. or *., and an invalid hostname gets 400", async () => {
    const allowed_domains = ["www.a.example", "*.b.example", "c.example"];
    expect(await json(create({ allowed_domains }), 201)).toMatchObject({
      allowed_domains: ["a.example", "b.example", "c.example"],
    });
    for (const bad of ["https://a.example", "a.example/b", "a.*.example", "*", "a b"]) {
      const { status, message } = await refusal(await create({ profile_name: "b", allowed_domains: [bad] }));
      expect([status, message]).toEqual([
        400,
        expect.stringContaining("allowed_domains[0] must be a domain"),
      ]);
    }
  });

  test("the timeline of an auth connection lists logins and health checks, newest first, by type and in pages", async () => {
    const { id } = await json<{ id: string }>(create({}), 201);
    const { clock, authConnections } = emulator;
    const timeline = async (query?: object) =>
      (await kernel.auth.connections.timeline(id, query as never)).getPaginatedItems();
    expect(await timeline()).toEqual([]);
    clock.set("2026-11-26T10:00:00Z");
    const first = authConnections.startLogin(id);
    clock.advance(1_000);
    authConnections.endLogin(id, { status: "FAILED", errorCode: "captcha_blocked" });
    clock.advance(60_000);
    authConnections.recordHealthCheck(id, "AUTHENTICATED");
    clock.advance(60_000);
    authConnections.setScenario(id, "reauthentication");
    const second = authConnections.startLogin(id);
    const [reauth, check, login, ...others] = await timeline();
    expect(others).toEqual([]);
    expect(reauth).toMatchObject({ id: second.id, type: "reauth", status: "IN_PROGRESS" });
    expect(reauth).not.toHaveProperty("completed_at");
    expect(check).toMatchObject({
      type: "health_check",
      status: "AUTHENTICATED",
      previous_status: "NEEDS_AUTH",
      timestamp: expect.stringMatching(/^2026-11-26T10:01:01/),
    });
    expect(login).toMatchObject({
      id: first.id,
      type: "login",
      status: "FAILED",
      error_code: "captcha_blocked",
      timestamp: expect.stringMatching(/^2026-11-26T10:00:00/),
      completed_at: expect.stringMatching(/^2026-11-26T10:00:01/),
      telemetry_captured: false,
    });
    expect(await timeline({ type: "health_check" })).toEqual([check]);
    expect(await timeline({ limit: 1, offset: 1 })).toEqual([check]);
    const every = [];
    for await (const event of kernel.auth.connections.timeline(id, { limit: 1 })) {
      every.push(event.type);
    }
    expect(every).toEqual(["reauth", "health_check", "login"]);
    expect((await call(emulator, "GET", `${path}/${id}/timeline?type=logout`)).status).toBe(400);
    await expect(kernel.auth.connections.timeline("none")).rejects.toThrow(NotFoundError);
  });

  test("an auth connection beyond the plan's maximum gets 403, and a too short health check interval gets 400", async () => {
    const organization = { maxAuthConnections: 1, minHealthCheckIntervalSeconds: 7200 };
    const small = await newEmulator({ seed: { organization } });
    const make = (body: object) => send(small, "POST", path, { domain: "example.com", ...body });
    const interval = await refusal(await make({ profile_name: "a", health_check_interval: 7199 }));
    expect(interval).toMatchObject({ status: 400, message: expect.stringContaining("7200 or more") });
    const first = await json<{ id: string }>(make({ profile_name: "a" }), 201);
    expect(first).toMatchObject({ health_check_interval: 7200 });
    const tooShort = await send(small, "PATCH", `${path}/${first.id}`, { health_check_interval: 300 });
    expect(tooShort.status).toBe(400);
    expect(await refusal(await make({ profile_name: "b" }))).toMatchObject({
      status: 403,
      code: "insufficient_plan",
    });
    expect((await make({ profile_name: "a" })).status).toBe(409);
    expect(await json(call(small, "GET", "/org/limits"))).toMatchObject({
      auth_connections_used: 1,
      max_auth_connections: 1,
      min_health_check_interval_seconds: 7200,
    });
  });

  test("a second auth connection for a domain and profile, in any case, gets 409 with the id of the first", async () => {
    const { id } = await json<{ id: string }>(create({}), 201);
    const twin = await create({ domain: "Example.com", profile_name: "WORK" });
    expect([twin.status, await twin.json()]).toMatchObject([409, { existing_id: id }]);
    expect(await json(call(emulator, "GET", `${path}?profile_name=WORK&domain=EXAMPLE.com`))).toMatchObject([
      { id },
    ]);
    const response = await create({});
    expect([response.status, await response.json()]).toEqual([
      409,
      {
        code: "already_exists",
        message: "Auth connection already exists for this profile and domain.",
        existing_id: id,
      },
    ]);
    await expect(
      kernel.auth.connections.create({ domain: "example.com", profile_name: "work" }),
    ).rejects.toThrow(ConflictError);
    expect((await create({ profile_name: "other" })).status).toBe(201);
  });

  test.each<[object, string]>([
    [{ domain: undefined }, "domain must be a string"],
    [{ domain: "https://example.com" }, "domain must be a domain"],
    [{ domain: "[a" }, "domain must be a domain"],
    [{ domain: "x\ud800y" }, "domain must be a domain"],
    [{ profile_name: " " }, "profile_name must have 1 to 255 characters"],
    [{ login_url: "login" }, "login_url must be a URL"],
    [
      { health_check_interval: 299 },
      "health_check_interval must be a whole number of seconds from 300 to 86400",
    ],
    [{ credential: {} }, "credential must have a name, or a provider with a path or with auto"],
    [{ credential: { name: "a", provider: "b" } }, "credential must have a name, or a provider"],
    [{ proxy: { id: "a", name: "fast" } }, "proxy must have either an id or a name"],
    [{ proxy: { name: "fast" } }, 'has no proxy "fast"'],
    [{ browser: { proxy: {} } }, "browser.proxy must have one of mode, id and name"],
    [{ browser: { region: "moon" } }, "browser.region must be one of us-east"],
    [{ save_credential: true }, 'has an unknown member "save_credential"'],
  ])("a malformed auth connection is refused with 400 and the member at fault: %j", async (body, message) => {
    expect(await refusal(await create(body))).toEqual({
      status: 400,
      code: "bad_request",
      inner: "invalid_input",
      message: expect.stringContaining(message),
    });
    expect(emulator.authConnections.list()).toEqual([]);
  });

  test("the list of auth connections is newest first, filtered by profile, domain and search, and has pages", async () => {
    for (let index = 0; index < 22; index += 1) {
      emulator.authConnections.create({
        id: `c${index}`,
        domain: `d${index % 2}.example`,
        profileName: `P${index}`,
      });
    }
    const ids = async (query?: object) => {
      const found = [];
      for await (const { id } of kernel.auth.connections.list(query)) {
        found.push(id);
      }
      return found;
    };
    const all = Array.from({ length: 22 }, (_, index) => `c${21 - index}`);
    expect(await ids()).toEqual(all);
    expect(await ids({ limit: 5 })).toEqual(all);
    expect(await ids({ profile_name: "P7" })).toEqual(["c7"]);
    expect(await ids({ domain: "d1.example", limit: 100 })).toHaveLength(11);
    expect(await ids({ query: "p2" })).toEqual(["c21", "c20", "c2"]);
    expect(await ids({ query: "c9" })).toEqual(["c9"]);
    expect(await ids({ query: "D0.EX", profile_name: "P4" })).toEqual(["c4"]);
    expect(emulator.authConnections.list().map(({ id }) => id)).toEqual(all);
    expect((await call(emulator, "GET", `${path}?limit=101`)).status).toBe(400);
  });

  test("auth connections are invisible in other projects, and block the deletion of the owning project", async () => {
    const project = emulator.createProject({ name: "Staging" });
    const scoped = { "x-kernel-project": "Staging" };
    const { id } = await json<{ id: string }>(
      send(emulator, "POST", path, { domain: "example.com", profile_name: "work" }, scoped),
      201,
    );
    expect((await create({})).status).toBe(201);
    expect(await refusal(await call(emulator, "GET", `${path}/${id}`))).toMatchObject({
      status: 404,
      code: "not_found",
    });
    expect(await json(call(emulator, "GET", path, scoped))).toMatchObject([{ id }]);
    expect(emulator.authConnections.list(project.id)).toMatchObject([{ id }]);
    const { key } = emulator.createApiKey({ projectId: project.id });
    expect((await call(emulator, "GET", `${path}/${id}`, { authorization: `Bearer ${key}` })).status).toBe(
      200,
    );
    expect(await refusal(await call(emulator, "DELETE", "/org/projects/Staging"))).toMatchObject({
      status: 409,
      code: "project_not_empty",
    });
    emulator.projects.remove(project.id);
    expect(() => emulator.authConnections.get(id)).toThrow("Create it first");
  });

  test("a deleted auth connection gets 404, and the domain and profile are free again", async () => {
    const { id } = await json<{ id: string }>(create({}), 201);
    await kernel.auth.connections.delete(id);
    for (const operation of ["retrieve", "delete", "login", "follow"] as const) {
      await expect(kernel.auth.connections[operation](id)).rejects.toThrow(NotFoundError);
    }
    await expect(kernel.auth.connections.update(id, {})).rejects.toThrow(NotFoundError);
    expect((await create({})).status).toBe(201);
  });

  test("requests for auth connections without an API key get 401", async () => {
    const { id } = await json<{ id: string }>(create({}), 201);
    for (const [method, below] of [
      ["GET", ""],
      ["GET", `/${id}`],
      ["POST", `/${id}/login`],
      ["POST", `/${id}/submit`],
      ["GET", `/${id}/events`],
    ] as const) {
      expect(await refusal(await fetch(emulator.url + path + below, { method }))).toMatchObject({
        status: 401,
        code: "unauthorized",
      });
    }
  });

  test("emulator.authConnections refuses a program's mistakes with the property at fault", () => {
    const { authConnections } = emulator;
    const good = { domain: "example.com", profileName: "work" };
    authConnections.create({ ...good, id: "one" });
    const wrong = (make: () => unknown, property: string) =>
      expect(make).toThrow(expect.objectContaining({ name: "InputError", property }));
    wrong(() => authConnections.create({ ...good, id: "one" }), "id");
    wrong(() => authConnections.create({ ...good, id: "a b" }), "id");
    wrong(() => authConnections.create(good), "profileName");
    wrong(() => authConnections.create({ ...good, domain: "a/b" }), "domain");
    wrong(() => authConnections.create({ ...good, projectId: "none" }), "projectId");
    wrong(() => authConnections.create({ ...good, profileName: "x", scenario: "none" }), "scenario");
    wrong(() => authConnections.setScenario("one", { title: "x", start: "a", steps: {} }), "scenario");
    wrong(() => authConnections.submit("one", {}), "id");
    wrong(() => authConnections.proceed("one"), "id");
    authConnections.startLogin("one");
    wrong(() => authConnections.startLogin("one"), "id");
    authConnections.proceed("one");
    wrong(() => authConnections.proceed("one"), "id");
    wrong(() => authConnections.submit("one", { username: "ann" }), "answer");
    wrong(() => authConnections.submit("one", "google"), "answer");
    expect(authConnections.submit("one", { username: "ann", password: "x" })).toMatchObject({
      step: "SUBMITTING",
    });
    expect(authConnections.endLogin("one", { status: "FAILED" })).toMatchObject({ errorCode: "flow_failed" });
    authConnections.remove("one");
    wrong(() => authConnections.get("one"), "id");
  });
});
