import Kernel, {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
} from "@onkernel/sdk";
import { useEmulator } from "../../support/emulator.js";

describe("emulator: the service's official client, on projects, limits and API keys", () => {
  const emulator = useEmulator();
  let kernel: Kernel;
  const client = (apiKey: string, more = {}) =>
    new Kernel({ apiKey, baseURL: emulator.url, maxRetries: 0, ...more });
  beforeEach(() => {
    kernel = client("sk_emulator");
  });

  test("the official client performs every operation on projects", async () => {
    const project = await kernel.projects.create({ name: "Größe & Co" });
    expect(Object.keys(project).sort()).toEqual(["created_at", "id", "name", "status", "updated_at"]);
    expect(await kernel.projects.retrieve(project.id)).toEqual(project);
    expect(await kernel.projects.retrieve("Größe & Co")).toEqual(project);
    emulator.createProject({ name: "a/b %2F" });
    expect(await kernel.projects.retrieve("a/b %2F")).toMatchObject({ name: "a/b %2F" });
    expect(await kernel.projects.update(project.id, { name: "new" })).toMatchObject({ name: "new" });
    expect(await kernel.projects.update("new", { status: "archived" })).toMatchObject({ status: "archived" });
    for (const name of ["n1", "n2", "n3"]) {
      emulator.createProject({ name });
    }
    const page = await kernel.projects.list({ query: "N", limit: 2, offset: 1 });
    expect([page.items.length, page.hasNextPage()]).toEqual([2, true]);
    expect((await kernel.projects.list({ name: "NEW" })).items).toMatchObject([{ id: project.id }]);
    expect(await kernel.projects.delete(project.id)).toBeNull();
    await expect(kernel.projects.retrieve(project.id)).rejects.toThrow(NotFoundError);
    await expect(kernel.projects.create({ name: "n1" })).rejects.toThrow(ConflictError);
  });

  test("the official client performs every operation on limits, and gets every nullable field", async () => {
    const { id } = await kernel.projects.create({ name: "staging" });
    const none = {
      max_concurrent_invocations: null,
      max_concurrent_sessions: null,
      max_pooled_sessions: null,
    };
    expect(await kernel.projects.limits.retrieve(id)).toEqual(none);
    expect(await kernel.projects.limits.update(id, { max_concurrent_sessions: 5 })).toEqual({
      ...none,
      max_concurrent_sessions: 5,
    });
    expect(await kernel.projects.limits.update(id, { max_concurrent_sessions: 0 })).toEqual(none);
    await expect(kernel.projects.limits.update(id, { max_pooled_sessions: 5 })).rejects.toThrow(
      BadRequestError,
    );
    emulator.authConnections.create({ domain: "example.com", profileName: "work" });
    expect(await kernel.organization.limits.retrieve()).toEqual({
      max_concurrent_sessions: 100,
      default_project_max_concurrent_sessions: null,
      concurrent_sessions_used: 0,
      concurrent_sessions_available: 100,
      max_auth_connections: null,
      auth_connections_used: 1,
      min_health_check_interval_seconds: 300,
      max_vaults: null,
      vaults_used: 0,
    });
    expect(
      await kernel.organization.limits.update({ default_project_max_concurrent_sessions: 9 }),
    ).toMatchObject({ default_project_max_concurrent_sessions: 9 });
  });

  test("the official client performs every operation on API keys, and gets every nullable field", async () => {
    const { key, ...made } = await kernel.apiKeys.create({ name: "ci" });
    expect(made).toMatchObject({ deleted_at: null, expires_at: null, project_id: null, project_name: null });
    expect(Object.keys(made)).toHaveLength(10);
    expect(await kernel.apiKeys.retrieve(made.id)).toEqual(made);
    expect(await kernel.apiKeys.update(made.id, { name: "new" })).toEqual({ ...made, name: "new" });
    const rotated = await client(key).apiKeys.rotate(made.id, { days_to_expire: 30, expire_in_days: 1 });
    expect(await kernel.apiKeys.rotate(rotated.id)).toMatchObject({ name: "new", key: expect.any(String) });
    const listed = await kernel.apiKeys.list({
      name: "NEW",
      query: "e",
      sort_by: "expires_at",
      sort_direction: "asc",
      status: "all",
      limit: 2,
    });
    expect([listed.items.length, listed.hasNextPage()]).toEqual([2, true]);
    const ids = [];
    for await (const { id } of kernel.apiKeys.list({ include_deleted: true, limit: 1 })) {
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(4);
    await expect(client(rotated.key).apiKeys.delete(rotated.id)).rejects.toMatchObject({
      status: 400,
      error: { code: "cannot_delete_current_key" },
    });
    expect(await kernel.apiKeys.delete(made.id)).toBeNull();
    await expect(client(key).projects.list()).rejects.toThrow(AuthenticationError);
    await expect(kernel.apiKeys.retrieve(made.id)).rejects.toThrow(NotFoundError);
    expect(await kernel.apiKeys.retrieve(made.id, { include_deleted: true })).toMatchObject({
      deleted_at: expect.any(String),
    });
  });

  test("the official client with a project's key throws typed errors for forbidden operations", async () => {
    const { id } = emulator.createProject({ name: "staging" });
    const confined = client(emulator.createApiKey({ projectId: id }).key, { projectID: id });
    expect((await confined.projects.list()).items).toMatchObject([{ id }]);
    await expect(confined.projects.create({ name: "x" })).rejects.toThrow(PermissionDeniedError);
    await expect(confined.projects.limits.update(id, {})).rejects.toThrow(PermissionDeniedError);
    await expect(confined.projects.limits.retrieve("Default")).rejects.toThrow(NotFoundError);
  });
});
