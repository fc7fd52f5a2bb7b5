import { ApiError, ContractError, InputError, isNotFound } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, noContent, type Script } from "../fault-server.js";
import { listOf, offsetsOf, serveList } from "../list-server.js";
import { canaryKey, closeBenches, startBench } from "../test-client.js";
import { astralName, delicateNames, wireProject } from "../wire-records.js";

afterEach(closeBenches);

const project = (id: string, name = id, status = "active") => ({ ...wireProject, id, name, status });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const _queryOf = (target = "") => Object.fromEntries(new URL(target, "http://service.invalid").searchParams);

describe("projects", () => {
  test("a project is read by id, in our own names", async () => {
    const { client, server } = await startBench([json(200, wireProject)]);
    expect(await client.projects.get(wireProject.id)).toEqual({
      id: wireProject.id,
      name: "staging",
      status: "active",
      createdAt: "2026-05-01T08:00:00Z",
      updatedAt: "2026-06-01T08:00:00.123Z",
    });
    expect(server.requests).toMatchObject([{ method: "GET", target: `/org/projects/${wireProject.id}` }]);
  });

  test("an unknown status of a project is kept, and unknown members are ignored", async () => {
    const { client } = await startBench([json(200, { ...wireProject, status: "frozen", color: "blue" })]);
    const read = await client.projects.get(wireProject.id);
    expect(read.status).toBe("frozen");
    expect(read).not.toHaveProperty("color");
  });

  test("a list of projects sends name, search text and paging, and returns every row of the service", async () => {
    const { client, server } = await startBench([
      listOf(project("a", "web"), project("b", "web", "archived")),
    ]);
    expect(ids(await client.projects.list({ name: "web", query: "WE" }))).toEqual(["a", "b"]);
    expect(server.requests[0]?.target).toBe("/org/projects?limit=100&offset=0&name=web&query=WE");
  });

  test("a list of projects by status is filtered by the client over every page, and sends no status", async () => {
    const rows = Array.from({ length: 250 }, (_, i) =>
      project(`p${i}`, `n${i}`, i % 50 ? "active" : "archived"),
    );
    const { client, server } = await startBench([serveList({ rows: () => rows })]);
    expect(ids(await client.projects.list({ status: "archived" }))).toEqual([
      "p0",
      "p50",
      "p100",
      "p150",
      "p200",
    ]);
    expect(server.requests.some(({ target }) => target.includes("status"))).toBe(false);
    expect(ids(await client.projects.list({ status: "archived", offset: 1, limit: 2 }))).toEqual([
      "p50",
      "p100",
    ]);
    expect(offsetsOf(server.requests)).toEqual([0, 99, 198, 0, 99]);
  });

  test("a response that describes a different project is a contract error", async () => {
    const { client } = await startBench([json(200, wireProject)]);
    const error = await errorOf(client.projects.get("staging"));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(
      'Reading the project "staging" got an unexpected response: it describes another project, for example because the given id is a name.',
    );
  });

  test("the limits of a project are read by id, and a null or absent cap reads as null", async () => {
    const { client, server } = await startBench([
      json(200, { max_concurrent_sessions: 0, max_concurrent_invocations: null, new: "x" }),
    ]);
    expect(await client.projects.limits(wireProject.id)).toEqual({
      maxConcurrentSessions: 0,
      maxConcurrentInvocations: null,
      maxPooledSessions: null,
    });
    expect(server.requests[0]?.target).toBe(`/org/projects/${wireProject.id}/limits`);
  });

  test.each([
    ["max_concurrent_sessions", "12", "a number, got a string of 2 characters"],
    ["max_concurrent_invocations", 1.5, "a whole number, got the number 1.5"],
    ["max_pooled_sessions", -1, "at least 0, got the number -1"],
  ])(
    "a project limit %s of %j is a contract error, since null would mean no cap",
    async (member, value, expected) => {
      const { client } = await startBench([json(200, { [member]: value })]);
      const error = await errorOf(client.projects.limits("p1"));
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toContain(`"${member}" should be ${expected}`);
    },
  );

  test.each([
    ["name", null, "a string, got null"],
    ["status", 7, "a string, got the number 7"],
    ["status", "", "at least 1 character"],
  ])(
    "a project whose %s is %j is a contract error for get, and a warning for a list",
    async (member, value, expected) => {
      const wrong = { ...wireProject, [member]: value };
      const warnings: string[] = [];
      const { client } = await startBench([json(200, wrong), listOf(wireProject, { ...wrong, id: "p2" })], {
        onWarning: (message) => warnings.push(message),
      });
      expect((await errorOf(client.projects.get(wireProject.id))).message).toContain(
        `"${member}" should be ${expected}`,
      );
      expect(await client.projects.list()).toHaveLength(1);
      expect(warnings).toEqual([
        expect.stringContaining(`cannot be read: "${member}" should be ${expected}`),
      ]);
    },
  );

  test.each<[Script, string]>([
    [
      json(404, { code: "not_found", message: "Project not found" }),
      "failed: 404 not_found, Project not found. Check the project's id (a name is not an id; getByName finds by name)",
    ],
    [
      json(404, { code: "projects_disabled", message: "Projects are not enabled" }),
      "failed: 404 projects_disabled, Projects are not enabled. This organization has no projects: remove the project id, and do not list or read projects.",
    ],
  ])("the error for a refused read of a project says what to do (%#)", async (script, expected) => {
    const { client } = await startBench([script]);
    const { projects } = client;
    for (const [operation, act] of [
      ['Reading the project "p1"', projects.get("p1")],
      ['Reading the limits of the project "p1"', projects.limits("p1")],
    ] as const) {
      const error = await errorOf(act);
      expect(error).toBeInstanceOf(ApiError);
      expect(error.message).toContain(`${operation} ${expected}`);
      expect(isNotFound(error)).toBe(expected.includes("404 not_found"));
    }
  });

  test.each([
    ["status", ""],
    ["name", `${astralName}x`],
    ["query", "\ud800"],
  ])("a list of projects by %s %j is refused before any request", async (property, value) => {
    const { client, server } = await startBench([listOf()]);
    expect(await errorOf(client.projects.list({ [property]: value }))).toMatchObject({
      name: "InputError",
      property,
    });
    expect(server.connections()).toBe(0);
  });
});

const { id } = wireProject;
const limits = { max_concurrent_sessions: 5, max_concurrent_invocations: null, max_pooled_sessions: null };

describe("writes to projects", () => {
  test.each(delicateNames.filter((name) => !/[/%]/.test(name)))(
    "a project is created with the name %j unchanged",
    async (name) => {
      const { client, server } = await startBench([json(201, { ...wireProject, name })]);
      expect((await client.projects.create(name)).name).toBe(name);
      const [request] = server.requests;
      expect(request).toMatchObject({ method: "POST", target: "/org/projects" });
      expect(JSON.parse(request?.body.toString() ?? "")).toEqual({ name });
    },
  );

  test.each([
    ["", "is empty"],
    ["x".repeat(256), "has 256 characters; use at most 255"],
    ["a/b", "must not have / or %"],
    ["100%", "must not have / or %"],
    ["a\u0007b", "has a control character"],
    ["half \ud83d", "has invalid Unicode"],
    [canaryKey, "is a secret key (not shown here)"],
  ])("the project name %j is refused before any request", async (name, why) => {
    const { client, server } = await startBench([json(201, wireProject)]);
    for (const act of [client.projects.create(name), client.projects.update(id, { name })]) {
      const error = await errorOf(act);
      expect(error).toMatchObject({ name: "InputError", code: "name_invalid", property: "name" });
      expect(error.message).toContain(`The project's "name" ${why}`);
      expect(error.message).not.toContain(canaryKey);
    }
    expect(server.connections()).toBe(0);
  });

  test("name and status of a project are changed together, and only given settings are sent", async () => {
    const renamed = { ...wireProject, name: "web", status: "archived" };
    const { client, server } = await startBench([json(200, renamed)]);
    const bodies = () => server.requests.map(({ body }) => JSON.parse(body.toString()));
    expect(await client.projects.update(id, { name: "web", status: "archived" })).toMatchObject({
      name: "web",
      status: "archived",
    });
    await client.projects.update(id, { status: "active" });
    expect(bodies()).toEqual([{ name: "web", status: "archived" }, { status: "active" }]);
    expect(server.requests[0]).toMatchObject({ method: "PATCH", target: `/org/projects/${id}` });
  });

  test("a project update without changes or with an unknown status is refused before any request", async () => {
    const { client, server } = await startBench([json(200, wireProject)]);
    expect(await errorOf(client.projects.update(id, {}))).toMatchObject({ code: "changes_missing" });
    const status = "frozen" as "active";
    expect(await errorOf(client.projects.update(id, { status }))).toBeInstanceOf(InputError);
    expect(server.connections()).toBe(0);
  });

  test("a project is deleted by id with one request, and the error for a refusal says what to do", async () => {
    const done = await startBench([noContent]);
    await done.client.projects.delete(id);
    expect(done.server.requests).toMatchObject([{ method: "DELETE", target: `/org/projects/${id}` }]);
    const full = await startBench([json(409, { code: "project_not_empty", message: "Not empty." })]);
    const error = await errorOf(full.client.projects.delete(id));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain("Delete the contents first, or archive the project.");
    const gone = await startBench([json(404, { code: "not_found", message: "No project." })]);
    expect(isNotFound(await errorOf(gone.client.projects.delete(id)))).toBe(true);
  });

  test("setLimits sends only the given limits, and null as 0, which the service reads as no cap", async () => {
    const second = { ...limits, max_concurrent_sessions: null, max_concurrent_invocations: 7 };
    const { client, server } = await startBench([json(200, limits), json(200, second)]);
    const set = await client.projects.setLimits(id, { maxConcurrentSessions: 5 });
    expect(set).toEqual({
      maxConcurrentSessions: 5,
      maxConcurrentInvocations: null,
      maxPooledSessions: null,
    });
    await client.projects.setLimits(id, { maxConcurrentSessions: null, maxConcurrentInvocations: 7 });
    expect(server.requests.map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { max_concurrent_sessions: 5 },
      { max_concurrent_sessions: 0, max_concurrent_invocations: 7 },
    ]);
    expect(server.requests[0]).toMatchObject({ method: "PATCH", target: `/org/projects/${id}/limits` });
  });

  test.each([0, -1, 1.5, Number.NaN, "5" as unknown as number])(
    "the project limit %p is refused before any request",
    async (limit) => {
      const { client, server } = await startBench([json(200, limits)]);
      const error = await errorOf(client.projects.setLimits(id, { maxConcurrentInvocations: limit }));
      expect(error).toMatchObject({ code: "limit_invalid", property: "maxConcurrentInvocations" });
      expect(error.message).toContain('The service reads 0 as "no cap".');
      expect(server.connections()).toBe(0);
    },
  );

  test("the organization's limits are read, and members that an older service does not send are null", async () => {
    const { client, server } = await startBench([
      json(200, { max_concurrent_sessions: 100, default_project_max_concurrent_sessions: null }),
    ]);
    expect(await client.organization.limits()).toEqual({
      maxConcurrentSessions: 100,
      defaultProjectMaxConcurrentSessions: null,
      concurrentSessionsUsed: null,
      concurrentSessionsAvailable: null,
      maxAuthConnections: null,
      authConnectionsUsed: null,
      minHealthCheckIntervalSeconds: null,
    });
    expect(server.requests).toMatchObject([{ method: "GET", target: "/org/limits" }]);
  });

  test("features of the plan keep the service's names, and an unreadable feature reads as null", async () => {
    const { client, server } = await startBench([
      json(200, {
        plan: { id: "NEW", effective_id: "START_UP", is_trialing: true },
        features: {
          browser_extensions: { enabled: true, max_stored_per_org: 1 },
          managed_auth: { enabled: false, max_connections: null, health_check_interval_min_seconds: 1200 },
          profiles: "yes",
        },
        limits: { max_concurrent_browsers: 5 },
      }),
    ]);
    const none = { maxStoredPerOrg: null, maxConnections: null, healthCheckIntervalMinSeconds: null };
    expect(await client.organization.entitlements()).toEqual({
      plan: { id: "NEW", effectiveId: "START_UP", isTrialing: true },
      features: {
        browser_extensions: { ...none, enabled: true, maxStoredPerOrg: 1 },
        managed_auth: { ...none, enabled: false, healthCheckIntervalMinSeconds: 1200 },
        profiles: null,
      },
      limits: { maxConcurrentBrowsers: 5 },
    });
    expect(server.requests).toMatchObject([{ method: "GET", target: "/org/entitlements" }]);
  });

  test("the organization's default limit for projects is set, and removed by null, which is sent as 0", async () => {
    const answer = { max_concurrent_sessions: 100, default_project_max_concurrent_sessions: 5 };
    const { client, server } = await startBench([
      json(200, answer),
      json(200, { max_concurrent_sessions: 100 }),
    ]);
    const set = (cap: number | null) =>
      client.organization.setLimits({ defaultProjectMaxConcurrentSessions: cap });
    expect(await set(5)).toMatchObject({ defaultProjectMaxConcurrentSessions: 5 });
    expect(await set(null)).toMatchObject({ defaultProjectMaxConcurrentSessions: null });
    expect(server.requests.map(({ method, target }) => [method, target])).toEqual([
      ["PATCH", "/org/limits"],
      ["PATCH", "/org/limits"],
    ]);
    expect(server.requests.map(({ body }) => JSON.parse(body.toString()))).toEqual(
      [5, 0].map((cap) => ({ default_project_max_concurrent_sessions: cap })),
    );
    expect(await errorOf(set(0))).toMatchObject({ code: "limit_invalid" });
    expect(server.requests).toHaveLength(2);
  });
});
