import { newEmulator, useEmulator } from "../../support/emulator.js";
import { call, json, refusal, send } from "../calls.js";

const none = { max_concurrent_sessions: null, max_concurrent_invocations: null, max_pooled_sessions: null };

describe("emulator: limits", () => {
  const emulator = useEmulator();
  beforeEach(() => {
    emulator.createProject({ id: "staging-id", name: "staging" });
  });

  const path = "/org/projects/staging-id/limits";
  const set = (changes: unknown) => send(emulator, "PATCH", path, changes);

  test("a change of project limits affects only the sent limits, and 0 removes a limit", async () => {
    expect(await json(set({ max_concurrent_sessions: 5, max_concurrent_invocations: 9 }))).toEqual({
      ...none,
      max_concurrent_sessions: 5,
      max_concurrent_invocations: 9,
    });
    const kept = { ...none, max_concurrent_invocations: 9 };
    expect(await json(set({ max_concurrent_sessions: 0 }))).toEqual(kept);
    expect(await json(set({ max_concurrent_invocations: null }))).toEqual(kept);
    expect(await json(set({}))).toEqual(kept);
    expect(await json(call(emulator, "GET", path))).toEqual(kept);
    expect(await json(call(emulator, "GET", `/org/projects/${emulator.defaultProject.id}/limits`))).toEqual(
      none,
    );
  });

  test.each([
    [
      { max_concurrent_sessions: -1 },
      "max_concurrent_sessions must be a whole number of at least 0; 0 removes the limit",
    ],
    [{ max_concurrent_sessions: 1.5 }, "max_concurrent_sessions must be"],
    [{ max_concurrent_invocations: "5" }, "max_concurrent_invocations must be"],
    [{ max_pooled_sessions: 5, max_concurrent_sessions: 5 }, "max_pooled_sessions is deprecated"],
    [{ max_pooled_sessions: 0 }, "max_pooled_sessions is deprecated"],
  ])("the change %j of project limits is refused, and no limit is set", async (changes, reason) => {
    const answer = await refusal(await set(changes));
    expect(answer).toMatchObject({ status: 400, code: "bad_request", inner: "invalid_input" });
    expect(answer.message).toContain(reason);
    expect(await json(call(emulator, "GET", path))).toEqual(none);
  });

  test("a request for the limits of an unknown project gets 404", async () => {
    expect(await refusal(await call(emulator, "GET", "/org/projects/none/limits"))).toMatchObject({
      status: 404,
      code: "not_found",
    });
    expect(await refusal(await send(emulator, "PATCH", "/org/projects/none/limits", {}))).toMatchObject({
      status: 404,
    });
  });

  test("a project's key reads the limits of that project only, and cannot change limits", async () => {
    const headers = { authorization: `Bearer ${emulator.createApiKey({ projectId: "staging-id" }).key}` };
    expect(await json(call(emulator, "GET", path, headers))).toEqual(none);
    const others = await call(emulator, "GET", "/org/projects/Default/limits", headers);
    expect(await refusal(others)).toMatchObject({ status: 404, code: "not_found" });
    for (const denied of [path, "/org/limits"]) {
      expect(await refusal(await send(emulator, "PATCH", denied, {}, headers))).toMatchObject({
        status: 403,
        code: "forbidden",
      });
    }
  });

  test("the entitlements contain every feature, and the organization's limits from the seed", async () => {
    const organization = {
      maxConcurrentSessions: 5,
      maxAuthConnections: 2,
      minHealthCheckIntervalSeconds: 7200,
    };
    const seeded = await newEmulator({ seed: { organization } });
    expect(await json(call(seeded, "GET", "/org/entitlements"))).toMatchObject({
      plan: { id: "ENTERPRISE", effective_id: "ENTERPRISE", status: "ACTIVE" },
      features: {
        browser_extensions: { enabled: true, max_stored_per_org: null },
        browser_pools: { enabled: true },
        managed_auth: {
          max_connections: 2,
          health_check_interval_default_seconds: 7200,
          health_check_interval_min_seconds: 7200,
        },
      },
      limits: { max_concurrent_browsers: 5, max_vaults: null },
    });
  });

  test("the default limit of projects is set up to the organization's limit, and removed by 0", async () => {
    const change = (limit: unknown) =>
      send(emulator, "PATCH", "/org/limits", { default_project_max_concurrent_sessions: limit });
    const unset = { max_concurrent_sessions: 100, default_project_max_concurrent_sessions: null };
    expect(await json(call(emulator, "GET", "/org/limits"))).toMatchObject(unset);
    const set = { max_concurrent_sessions: 100, default_project_max_concurrent_sessions: 100 };
    expect(await json(change(100))).toMatchObject(set);
    expect(await refusal(await change(101))).toMatchObject({
      status: 400,
      message: expect.stringContaining("100"),
    });
    expect(await refusal(await change(-1))).toMatchObject({ status: 400 });
    expect(await json(change(null))).toMatchObject(set);
    expect(await json(change(0))).toMatchObject(unset);
    expect(await json(call(emulator, "GET", path))).toEqual(none);
  });
});
