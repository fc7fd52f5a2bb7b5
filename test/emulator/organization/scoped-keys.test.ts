import { useEmulator } from "../../support/emulator.js";
import { call, json, refusal, send, type WireApiKey } from "../calls.js";

describe("emulator: API keys with a policy", () => {
  const emulator = useEmulator({
    seed: {
      projects: [
        { id: "staging-id", name: "Staging" },
        { id: "other-id", name: "Other" },
      ],
      profiles: [
        { id: "first-profile", name: "first", project: "Staging" },
        { id: "second-profile", name: "second", project: "Staging" },
      ],
      proxies: [{ id: "first-proxy", name: "exit", type: "isp", project: "Staging" }],
    },
  });

  type Statement = readonly [action: string, resource: string];
  const policyOf = (...statements: Statement[]) => ({
    statements: statements.map(([action, resource]) => ({ action, resource })),
  });
  const create = (body: object) =>
    json<WireApiKey & { key: string }>(send(emulator, "POST", "/org/api_keys", { name: "ci", ...body }), 201);
  /** Sends requests in the project Staging with a key that has the given statements. */
  const keyWith = async (...statements: Statement[]) => {
    const { key } = await create({ project_id: "staging-id", policy: policyOf(...statements) });
    const headers = { authorization: `Bearer ${key}` };
    return (method: string, path: string, body?: object) =>
      body ? send(emulator, method, path, body, headers) : call(emulator, method, path, headers);
  };
  const names = async (response: Promise<Response>) =>
    (await json<{ name: string }[]>(response)).map(({ name }) => name).sort();

  test("the policy of an API key keeps unknown members, is shown, and is copied by a rotation", async () => {
    const policy = {
      statements: [
        {
          action: "profiles:read",
          resource: "projects/staging-id/profiles/*",
          conditions: { source_ip: [] },
        },
      ],
      version: 2,
    };
    const { key: _key, ...made } = await create({ policy });
    expect(made).toMatchObject({ policy });
    expect(await json(call(emulator, "GET", `/org/api_keys/${made.id}`))).toEqual(made);
    expect(await json(send(emulator, "POST", `/org/api_keys/${made.id}/rotate`, {}), 201)).toMatchObject({
      policy,
    });
    expect(await create({ policy: null })).not.toHaveProperty("policy");
  });

  test("a changed policy replaces the old policy of an API key as a whole, and applies to the next request", async () => {
    const whole = "projects/staging-id/*";
    const policy = { ...policyOf(["profiles:read", whole]), conditions: { source_ip: [] } };
    const { key, id } = await create({ project_id: "staging-id", policy });
    const path = `/org/api_keys/${id}`;
    const list = () => call(emulator, "GET", "/profiles/first-profile", { authorization: `Bearer ${key}` });
    expect((await list()).status).toBe(200);
    expect(await json(send(emulator, "PATCH", path, {}))).toMatchObject({ name: "ci", policy });
    const other = policyOf(["proxies:read", whole]);
    const changed = await json<WireApiKey>(send(emulator, "PATCH", path, { policy: other, name: "cd" }));
    expect(changed).toMatchObject({ id, name: "cd" });
    expect(changed).toHaveProperty("policy", other);
    expect((await list()).status).toBe(403);
    for (const refused of [null, {}, policyOf(["profiles:read", "projects/other-id/*"])]) {
      expect((await send(emulator, "PATCH", path, { policy: refused })).status).toBe(400);
    }
    expect(await json(call(emulator, "GET", path))).toEqual({ ...changed, last_used_at: expect.any(String) });
  });

  test.each<[object, string]>([
    [{}, "policy.statements must be a list"],
    [policyOf(["browsers:read", "projects/staging-id/*"]), "policy.statements[0].action must be one of"],
    [policyOf(["profiles:*", "projects/staging-id/*"]), "policy.statements[0].action must be one of"],
    [policyOf(["browser_pools:use", "projects/staging-id/*"]), "policy.statements[0].action must be one of"],
    [policyOf(["profiles:use", "*"]), "policy.statements[0].resource must have the form"],
    [policyOf(["profiles:use", "projects/*/profiles/*"]), "policy.statements[0].resource must have the form"],
    [policyOf(["profiles:use", "projects/staging-id/extensions/x"]), "policy.statements[0].resource must"],
    [policyOf(["profiles:use", "projects/none/*"]), "projects/none/* is not in the organization"],
    [policyOf(["profiles:use", "projects/other-id/*"]), "projects/other-id/* is not in the organization"],
    [policyOf(["profiles:use", "projects/staging-id/profiles/none"]), "profiles/none does not exist"],
    [policyOf(["profiles:use", "projects/staging-id/proxies/first-profile"]), "does not exist"],
    [policyOf(["profiles:use", "organizations/other/*"]), "is not in the organization"],
    [policyOf(["proxies:create", "projects/staging-id/proxies/first-proxy"]), "needs a whole project"],
  ])("a request for a project's key with the policy %j is refused", async (policy, reason) => {
    const body = { name: "x", project_id: "staging-id", policy };
    expect(await refusal(await send(emulator, "POST", "/org/api_keys", body))).toMatchObject({
      status: 400,
      message: expect.stringContaining(reason),
    });
  });

  test("a list has only the objects that the API key's policy allows, and is empty without a grant", async () => {
    const request = await keyWith(["profiles:read", "projects/staging-id/profiles/second-profile"]);
    expect(await names(request("GET", "/profiles"))).toEqual(["second"]);
    expect(await names(request("GET", "/profiles?query=first"))).toEqual([]);
    expect(await names(request("GET", "/proxies"))).toEqual([]);
    expect(await names(request("GET", "/org/projects"))).toEqual([]);
  });

  test("an action in a policy allows only the matching operations on the named objects, by id and by name", async () => {
    const request = await keyWith(
      ["profiles:read", "projects/staging-id/*"],
      ["profiles:write", "projects/staging-id/profiles/second-profile"],
      ["proxies:create", "projects/staging-id/*"],
      ["proxies:delete", "projects/staging-id/proxies/*"],
      ["projects:read", "projects/staging-id/*"],
    );
    const allowed: [string, string, object?][] = [
      ["GET", "/profiles/first"],
      ["PATCH", "/profiles/second", { name: "renamed" }],
      ["PATCH", "/profiles/second-profile", { name: "again" }],
      ["POST", "/proxies", { type: "isp" }],
      ["DELETE", "/proxies/first-proxy"],
      ["GET", "/org/projects/staging-id"],
      ["GET", "/org/projects/Staging/limits"],
      ["GET", "/auth/context"],
    ];
    for (const [method, path, body] of allowed) {
      expect([path, (await request(method, path, body)).ok]).toEqual([path, true]);
    }
    expect(await names(request("GET", "/org/projects"))).toEqual(["Staging"]);
    expect((await request("GET", "/profiles/none")).status).toBe(404);
    const refused: [string, string, object?][] = [
      ["PATCH", "/profiles/first", { name: "x" }],
      ["POST", "/profiles", {}],
      ["DELETE", "/profiles/second-profile"],
      ["GET", "/proxies/first-proxy"],
      ["PATCH", "/org/projects/staging-id", { name: "x" }],
      ["GET", "/org/limits"],
      ["GET", "/org/entitlements"],
      ["PATCH", "/org/projects/staging-id/limits", {}],
      ["GET", "/browser_pools"],
      ["POST", "/browser_pools", { size: 1 }],
      ["GET", "/extensions"],
      ["GET", "/credentials"],
      ["GET", "/auth/connections"],
      ["GET", "/org/api_keys"],
      ["POST", "/org/api_keys", { name: "x", project_id: "staging-id" }],
      ["GET", "/_emulator/requests"],
    ];
    for (const [method, path, body] of refused) {
      expect([path, await refusal(await request(method, path, body))]).toEqual([
        path,
        expect.objectContaining({ status: 403, code: "insufficient_scope" }),
      ]);
    }
  });

  test("a policy statement about the organization covers all projects of the organization", async () => {
    const context = await json<{ organization: { id: string } }>(call(emulator, "GET", "/auth/context"));
    const whole = `organizations/${context.organization.id}/*`;
    const { key } = await create({
      policy: policyOf(["profiles:read", whole], ["projects:read", whole], ["organizations:read", whole]),
    });
    const headers = { authorization: `Bearer ${key}` };
    const request = (path: string, more = {}) => call(emulator, "GET", path, { ...headers, ...more });
    expect(await names(request("/profiles", { "x-kernel-project": "Staging" }))).toEqual(["first", "second"]);
    expect(await names(request("/org/projects"))).toContain("Other");
    expect((await request("/org/limits")).status).toBe(200);
    expect((await request("/org/api_keys")).status).toBe(403);
  });

  test("a policy statement about one project allows nothing in another project", async () => {
    const { key } = await create({ policy: policyOf(["profiles:read", "projects/staging-id/*"]) });
    const headers = { authorization: `Bearer ${key}`, "x-kernel-project": "Other" };
    expect(await names(call(emulator, "GET", "/profiles", headers))).toEqual([]);
    expect((await call(emulator, "GET", "/org/projects/other-id", headers)).status).toBe(403);
  });
});
