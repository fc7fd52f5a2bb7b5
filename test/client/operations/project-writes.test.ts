import { ApiError, InputError, isNotFound, OutcomeUnknownError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, json, reset } from "../fault-server.js";
import { canaryKey, closeBenches, startBench } from "../test-client.js";
import { delicateNames, wireProject } from "../wire-records.js";

afterEach(closeBenches);

const { id } = wireProject;
const limits = { max_concurrent_sessions: 5, max_concurrent_invocations: null, max_pooled_sessions: null };
const deleted = answer(204, "", {});

describe("writes to projects", () => {
  test.each(delicateNames.filter((name) => !/[/%]/.test(name)))(
    "a project is created with the name %j as it is",
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
    ["half \ud83d", "has invalid Unicode"],
    [canaryKey, "is a secret key (not shown here)"],
  ])("the name %j is refused before any request", async (name, why) => {
    const { client, server } = await startBench([json(201, wireProject)]);
    for (const act of [client.projects.create(name), client.projects.update(id, { name })]) {
      const error = await errorOf(act);
      expect(error).toMatchObject({ name: "InputError", code: "name_invalid", property: "name" });
      expect(error.message).toContain(`The project's "name" ${why}`);
      expect(error.message).not.toContain(canaryKey);
    }
    expect(server.connections()).toBe(0);
  });

  test("a creation without an answer is sent once, and nobody knows what became of it", async () => {
    const { client, server } = await startBench([reset]);
    const error = await errorOf(client.projects.create("web"));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain("Look for a project with this name");
    expect(server.requests).toHaveLength(1);
  });

  test("name and status are changed together, and only what is given is sent", async () => {
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

  test("a change that changes nothing, or to an unknown status, is refused before any request", async () => {
    const { client, server } = await startBench([json(200, wireProject)]);
    expect(await errorOf(client.projects.update(id, {}))).toMatchObject({ code: "changes_missing" });
    const status = "frozen" as "active";
    expect(await errorOf(client.projects.update(id, { status }))).toBeInstanceOf(InputError);
    expect(server.connections()).toBe(0);
  });

  test("a change is retried after a lost answer, and an answer about another project is no proof", async () => {
    const retried = await startBench([reset, json(200, wireProject)]);
    expect((await retried.client.projects.update(id, { name: "staging" })).id).toBe(id);
    expect(retried.server.requests).toHaveLength(2);
    const other = await startBench([json(200, { ...wireProject, id: "other" })]);
    const error = await errorOf(other.client.projects.update(id, { name: "staging" }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
  });

  test("a project is deleted by id with one request, and a refusal says what it means", async () => {
    const done = await startBench([deleted]);
    await done.client.projects.delete(id);
    expect(done.server.requests).toMatchObject([{ method: "DELETE", target: `/org/projects/${id}` }]);
    const full = await startBench([json(409, { code: "project_not_empty", message: "Not empty." })]);
    const error = await errorOf(full.client.projects.delete(id));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain("Delete what it owns first, or archive it.");
    const gone = await startBench([json(404, { code: "not_found", message: "No project." })]);
    expect(isNotFound(await errorOf(gone.client.projects.delete(id)))).toBe(true);
  });

  test("limits: only what is given is sent, and null as 0, which the service reads as no cap", async () => {
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
    "the limit %p is refused before any request",
    async (limit) => {
      const { client, server } = await startBench([json(200, limits)]);
      const error = await errorOf(client.projects.setLimits(id, { maxConcurrentInvocations: limit }));
      expect(error).toMatchObject({ code: "limit_invalid", property: "maxConcurrentInvocations" });
      expect(error.message).toContain('The service reads 0 as "no cap".');
      expect(server.connections()).toBe(0);
    },
  );

  test("the holder of a name is the project that stands in its way, whatever case and accents", async () => {
    const rows = [
      { ...wireProject, id: "other", name: "Stäging", status: "archived" },
      { ...wireProject, id: "longer", name: "staging two" },
    ];
    const page = (list: object[]) => json(200, list, { "x-has-more": "false", "x-next-offset": "0" });
    const loose = await startBench([page(rows)]);
    expect((await loose.client.projects.holderOf("staging"))?.id).toBe("other");
    const exact = await startBench([page([...rows, wireProject])]);
    expect((await exact.client.projects.holderOf("staging"))?.id).toBe(id);
    const free = await startBench([page(rows.slice(1))]);
    expect(await free.client.projects.holderOf("staging")).toBeUndefined();
  });

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
});
