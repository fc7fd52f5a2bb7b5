import { inspect } from "node:util";
import {
  ApiError,
  type ApiKeyPolicy,
  ContractError,
  InputError,
  isNotFound,
  OutcomeUnknownError,
} from "../../../src/client/index.js";
import { apiKeyIdProblem, apiKeyNameProblem } from "../../../src/client/names.js";
import { errorOf } from "../../support/error-of.js";
import { json, type Script } from "../fault-server.js";
import { listOf } from "../list-server.js";
import { canaryKey, closeBenches, startBench } from "../test-client.js";
import { astralName, delicateNames, wireApiKey } from "../wire-records.js";

afterEach(closeBenches);

const { id } = wireApiKey;
const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

describe("API keys", () => {
  test("an API key is read by id, in our own names", async () => {
    const { client, server } = await startBench([json(200, wireApiKey)]);
    expect(await client.apiKeys.get(id)).toEqual({
      id,
      name: "ci",
      createdAt: "2026-05-01T08:00:00Z",
      createdBy: { id: "usr_1", email: "ana@example.com", name: "Ana" },
      expiresAt: "2027-05-01T08:00:00Z",
      lastUsedAt: "2026-07-01T08:00:00Z",
      policy: null,
      deletedAt: null,
      projectId: wireApiKey.project_id,
      projectName: "staging",
      maskedKey: "sk_1234...abcd",
    });
    expect(server.requests).toMatchObject([{ method: "GET", target: `/org/api_keys/${id}` }]);
  });

  test("null or absent members of an API key read as null, and unknown members are ignored", async () => {
    const { expires_at, deleted_at, project_id, project_name, ...rest } = wireApiKey;
    const created_by = { id: "usr_1", email: "ana@example.com" };
    const { client } = await startBench([
      json(200, {
        ...rest,
        created_by: { ...created_by, name: null, role: "x" },
        expires_at: null,
        color: "blue",
      }),
      json(200, { ...rest, created_by }),
    ]);
    const bare = { expiresAt: null, deletedAt: null, projectId: null, projectName: null };
    for (let count = 0; count < 2; count++) {
      const key = await client.apiKeys.get(id);
      expect(key).toMatchObject(bare);
      expect(key.createdBy).toEqual({ id: "usr_1", email: "ana@example.com", name: null });
      expect(key).not.toHaveProperty("color");
    }
  });

  test("a deleted API key is read only with includeDeleted", async () => {
    const { client, server } = await startBench([
      json(200, { ...wireApiKey, deleted_at: "2026-07-01T00:00:00Z" }),
    ]);
    const key = await client.apiKeys.get(id, { includeDeleted: true });
    expect(key.deletedAt).toBe("2026-07-01T00:00:00Z");
    expect(server.requests[0]?.target).toBe(`/org/api_keys/${id}?include_deleted=true`);
    await client.apiKeys.get(id, { includeDeleted: false });
    expect(server.requests[1]?.target).toBe(`/org/api_keys/${id}`);
  });

  test.each([
    ["name", null, '"name" should be a string, got null'],
    ["expires_at", "\u001b[31mnever", '"expires_at" should be a date-time'],
    ["deleted_at", 0, '"deleted_at" should be a string'],
    ["project_id", 5, '"project_id" should be a string, got the number 5'],
    ["project_id", "a b", '"project_id" should be visible ASCII characters, got a string of 3'],
    ["id", "ckk0000000000000000000zz", "it describes another API key"],
  ])("an API key whose %s is %j is a contract error", async (member, value, expected) => {
    const { client } = await startBench([json(200, { ...wireApiKey, [member]: value })]);
    const error = await errorOf(client.apiKeys.get(id));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(`Reading the API key "${id}" got an unexpected response: ${expected}`);
  });

  test.each([
    ["created_by", null, "createdBy"],
    ["created_by", { id: "u", email: 3 }, "createdBy"],
    ["created_at", "soon", "createdAt"],
    ["masked_key", undefined, "maskedKey"],
  ])("an API key whose %s is %j is read with null in place of the bad value", async (member, value, ours) => {
    const { client } = await startBench([json(200, { ...wireApiKey, [member]: value })]);
    expect(await client.apiKeys.get(id)).toMatchObject({ id, name: wireApiKey.name, [ours]: null });
  });

  test("a list of API keys sends every parameter by the service's name", async () => {
    const { client, server } = await startBench([listOf(wireApiKey)]);
    const options = { query: "ana", status: "all", sortBy: "expires_at", sortDirection: "asc" } as const;
    expect(ids(await client.apiKeys.list(options))).toEqual([id]);
    await client.apiKeys.list();
    expect(server.requests.map(({ target }) => target)).toEqual([
      "/org/api_keys?limit=100&offset=0&query=ana&status=all&sort_by=expires_at&sort_direction=asc",
      "/org/api_keys?limit=100&offset=0",
    ]);
  });

  test("a list of API keys by name returns every key of exactly that name, since names are not unique", async () => {
    const rows = ["ci", "CI", "ci ", "ci"].map((name, i) => ({ ...wireApiKey, id: `k${i}`, name }));
    const { client } = await startBench([listOf(...rows)]);
    expect(ids(await client.apiKeys.list({ name: "ci" }))).toEqual(["k0", "k3"]);
  });

  test.each([
    ["status", "gone"],
    ["sortBy", "createdAt"],
    ["sortDirection", "down"],
    ["limit", 0],
    ["name", ""],
    ["query", canaryKey],
    ["name", "sk_live_0123456789abcdef"],
  ])("a list of API keys with the %s %j is refused before any request", async (property, value) => {
    const { client, server } = await startBench([listOf()]);
    const error = await errorOf(client.apiKeys.list({ [property]: value }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ property });
    if (typeof value === "string" && value.length > 10) {
      expect(inspect(error)).not.toContain(value);
    }
    expect(server.connections()).toBe(0);
  });

  test("API keys can be searched by the beginning of the secret and by the masked key", async () => {
    const { client, server } = await startBench([listOf(wireApiKey)]);
    await client.apiKeys.list({ query: "sk_1234" });
    await client.apiKeys.list({ query: "sk_1234...abcd" });
    expect(server.requests).toHaveLength(2);
  });

  test.each<[Script, string]>([
    [
      json(404, { code: "not_found", message: "No key" }),
      "failed: 404 not_found, No key. Check the key's id: API keys are addressed by id, not by name and not by secret",
    ],
    [
      json(400, { code: "bad_request", message: "Bad name" }),
      "failed: 400 bad_request, Bad name. Fix what the service reports above and try again.",
    ],
  ])(
    "the error for a refused API key request says what to do, and a refused rename is sent once (%#)",
    async (script, expected) => {
      const { client, server } = await startBench([script]);
      const read = await errorOf(client.apiKeys.get(id));
      const renamed = await errorOf(client.apiKeys.rename(id, "new"));
      expect(read.message).toContain(`Reading the API key "${id}" ${expected}`);
      expect(renamed.message).toContain(`Renaming the API key "${id}" ${expected}`);
      expect(renamed).toBeInstanceOf(ApiError);
      expect(isNotFound(renamed)).toBe(expected.includes("404 not_found"));
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each(delicateNames)("a rename sends and returns the name %j unchanged", async (name) => {
    const { client, server } = await startBench([json(200, { ...wireApiKey, name })]);
    expect((await client.apiKeys.rename(id, name)).name).toBe(name);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "PATCH", target: `/org/api_keys/${id}` });
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(request?.body.toString() ?? "")).toEqual({ name });
  });

  test("a rename of an API key returns the name that the service stored, possibly trimmed", async () => {
    const { client } = await startBench([json(200, { ...wireApiKey, name: "new" })]);
    expect((await client.apiKeys.rename(id, " new ")).name).toBe("new");
  });

  test.each([
    ["", "is empty"],
    [`${astralName}😀`, "has 256 characters; use at most 255"],
    ["x".repeat(256), "has 256 characters; use at most 255"],
    ["half \ud83d", "has invalid Unicode"],
    [7 as unknown as string, "is empty"],
    [canaryKey, "is a secret key (not shown here)"],
    [`my ${canaryKey}`, "is a secret key (not shown here)"],
  ])("the new API key name %j is refused before any request", async (name, why) => {
    const { client, server } = await startBench([json(200, wireApiKey)]);
    const error = await errorOf(client.apiKeys.rename(id, name));
    expect(error).toMatchObject({ name: "InputError", code: "name_invalid", property: "name" });
    expect(error.message).toContain(`The API key's "name" ${why}`);
    expect(inspect(error, { showHidden: true })).not.toContain(canaryKey);
    expect(server.connections()).toBe(0);
  });

  test.each([astralName, " ", "x", "a\nb", "sk_production", "e\u0301".repeat(127)])(
    "%j is accepted as an API key name",
    (name) => {
      expect(apiKeyNameProblem(name)).toBeUndefined();
    },
  );

  test.each([
    ["", "is empty"],
    ["   ", "is empty"],
    [canaryKey, "is a secret key (not shown here)"],
    [` ${canaryKey}\n`, "is a secret key (not shown here)"],
    ["sk_live_abcdefgh12345678", "is a secret key (not shown here)"],
    ["sk-abcd", "is a secret key (not shown here)"],
    ["Bearer abc", "is a secret key (not shown here)"],
    ["eyJhbGciOi.eyJzdWIi.c2ln", "is a secret key (not shown here)"],
    ["sk_1234...abcd", "is a masked key"],
    ["My CI key", "contains whitespace: it is a name"],
    [`${id}\n`, "contains whitespace: it is a name, or it was copied with a line break"],
    ["q".repeat(65), "is longer than 64 characters"],
    ["schlüssel", "has a control or a non-ASCII character"],
    [".", "consists of dots"],
    ["a/b", "has one of the characters"],
    ["%2e", "has one of the characters"],
  ])(
    "X8: a string such as %j instead of an id is refused before any request, and not shown",
    async (text, why) => {
      const { client, server } = await startBench([json(200, wireApiKey)]);
      for (const act of [client.apiKeys.get(text), client.apiKeys.rename(text, "new")]) {
        const error = await errorOf(act);
        expect(error).toBeInstanceOf(InputError);
        expect(error).toMatchObject({ code: "id_invalid", property: "id" });
        expect(error.message).toContain(`"id" ${why}`);
        if (text.trim().length > 3) {
          expect(inspect(error, { showHidden: true })).not.toContain(text.trim());
        }
      }
      expect(server.connections()).toBe(0);
    },
  );

  test.each([id, "key_01jw8z", "1b4e28ba-2fa1-11d2-883f-0016d3cca427", "x".repeat(64)])(
    "%j is accepted as an API key id",
    (text) => {
      expect(apiKeyIdProblem(text, canaryKey)).toBeUndefined();
    },
  );

  test("the configured API key counts as a secret within an id, unless the key is short", () => {
    expect(apiKeyIdProblem("x-0123456789abcdef-x", "0123456789abcdef")).toContain("is a secret key");
    expect(apiKeyIdProblem("key_test", "test")).toBeUndefined();
    expect(apiKeyIdProblem("x-0123456789abcdef-x")).toBeUndefined();
  });
});

const key = "sk_live_THEONLYPLAINTEXT01";
const created = { ...wireApiKey, key };
const bodyOf = (request: { readonly body: Buffer } | undefined) =>
  JSON.parse(request?.body.toString("utf8") ?? "null") as unknown;

describe("creating, rotating and deleting API keys", () => {
  test("a creation returns the API key with the secret, and omitted arguments are not sent", async () => {
    const { client, server } = await startBench([json(201, created)]);
    expect(await client.apiKeys.create({ name: "ci", daysToExpire: 30, projectId: "p1" })).toMatchObject({
      id,
      key,
      maskedKey: "sk_1234...abcd",
    });
    await client.apiKeys.create({ name: "ci" });
    expect(server.requests.map(({ method, target }) => [method, target])).toEqual([
      ["POST", "/org/api_keys"],
      ["POST", "/org/api_keys"],
    ]);
    expect(server.requests.map(bodyOf)).toEqual([
      { name: "ci", days_to_expire: 30, project_id: "p1" },
      { name: "ci" },
    ]);
  });

  test("a rotation returns the new API key with a new id", async () => {
    const { client, server } = await startBench([json(201, { ...created, id: "k2" })]);
    expect(await client.apiKeys.rotate(id, { daysToExpire: 30, keepOldKeyDays: 0 })).toMatchObject({
      id: "k2",
      key,
    });
    await client.apiKeys.rotate(id);
    expect(server.requests.map(({ target }) => target)).toEqual(
      [1, 2].map(() => `/org/api_keys/${id}/rotate`),
    );
    expect(server.requests.map(bodyOf)).toEqual([{ days_to_expire: 30, expire_in_days: 0 }, {}]);
  });

  test("a new API key with unreadable informative members still has its secret", async () => {
    const odd = { created_by: 5, expires_at: "soon", deleted_at: 1, project_id: {}, masked_key: [] };
    const { client } = await startBench([json(201, { ...created, ...odd })]);
    expect(await client.apiKeys.create({ name: "ci" })).toMatchObject({ key, expiresAt: null });
  });

  test.each([
    ["without a secret", { key: undefined }],
    ["with a secret that no header can hold", { key: "two words" }],
    ["without an id", { id: undefined }],
  ])(
    "an API key creation with a response %s is in doubt, and the error shows no secret",
    async (_what, change) => {
      const { client, server } = await startBench([json(201, { ...created, ...change })]);
      const error = await errorOf(client.apiKeys.create({ name: "ci" }));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.message).toContain("A key with this name may exist, but its secret is lost.");
      expect(inspect(error, { depth: 9 })).not.toContain(key);
      expect(server.requests).toHaveLength(1);
    },
  );

  test("a rotation to a short lifetime keeps the old key no longer than the new key", async () => {
    const { client, server } = await startBench([json(201, { ...created, id: "k2" })]);
    await client.apiKeys.rotate(id, { daysToExpire: 3 });
    await client.apiKeys.rotate(id, { daysToExpire: 30 });
    expect(server.requests.map(bodyOf)).toEqual([
      { days_to_expire: 3, expire_in_days: 3 },
      { days_to_expire: 30, expire_in_days: 7 },
    ]);
  });

  test("a rotation whose response contains the old key is in doubt", async () => {
    const { client } = await startBench([json(201, created)]);
    const error = await errorOf(client.apiKeys.rotate(id));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain("the old key will expire");
  });

  test("a creation sends policy and expiry, and is in doubt if the response has a different policy or expiry", async () => {
    const policy = { statements: [{ action: "browsers:use", resource: "projects/p1/browsers/*" }] };
    const expiresAt = "2097-01-01T00:00:00Z";
    const exact = { ...created, policy, expires_at: "2097-01-01T01:00:00.000+01:00" };
    const { client, server } = await startBench([
      json(201, exact),
      json(201, { ...exact, policy: undefined }),
      json(201, { ...exact, expires_at: "2098-01-01T00:00:00Z" }),
    ]);
    const create = () => client.apiKeys.create({ name: "ci", policy, expiresAt });
    expect(await create()).toMatchObject({ key, policy });
    expect(bodyOf(server.requests[0])).toEqual({ name: "ci", policy, expires_at: expiresAt });
    for (const act of [create, create]) {
      const error = await errorOf(act());
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.cause).toMatchObject({
        message: expect.stringContaining("a key with a different policy"),
      });
      expect(inspect(error, { depth: 9 })).not.toContain(key);
    }
  });

  describe("with a policy", () => {
    const policy = { statements: [{ action: "browsers:use", resource: "projects/p1/*" }], conditions: {} };
    const { key: _key, ...record } = created;

    test("a policy change sends the whole policy alone, and is in doubt if the response has a different policy", async () => {
      const { client, server } = await startBench([
        json(200, { ...record, policy, created_at: "?" }),
        json(200, { ...record, policy: null }),
      ]);
      expect(await client.apiKeys.changePolicy(id, policy)).toMatchObject({ id, policy });
      expect(server.requests.map(bodyOf)).toEqual([{ policy }]);
      expect(await errorOf(client.apiKeys.changePolicy(id, policy))).toBeInstanceOf(OutcomeUnknownError);
    });

    test("a rotation corrects a new key whose policy is not the requested policy", async () => {
      const { client, server } = await startBench([
        json(201, { ...created, id: "k2" }),
        json(200, { ...record, id: "k2" }),
        json(200, { ...record, id: "k2", policy }),
      ]);
      expect(await client.apiKeys.rotate(id, { policy })).toMatchObject({ id: "k2", key, policy });
      expect(server.requests.map(({ method }) => method)).toEqual(["POST", "GET", "PATCH"]);
      expect(bodyOf(server.requests[2])).toEqual({ policy });
    });

    test("a rotation whose response only lacks the policy sends no correction", async () => {
      const { client, server } = await startBench([
        json(201, { ...created, id: "k2" }),
        json(200, { ...record, id: "k2", policy }),
      ]);
      expect(await client.apiKeys.rotate(id, { policy })).toMatchObject({ id: "k2", key, policy });
      expect(server.requests).toHaveLength(2);
    });

    test("a rotation hands out no key whose policy cannot be corrected", async () => {
      const { client } = await startBench([
        json(201, { ...created, id: "k2" }),
        json(200, { ...record, id: "k2" }),
        json(400, { code: "invalid_input", message: "name is required" }),
      ]);
      const error = await errorOf(client.apiKeys.rotate(id, { policy }));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.message).toMatch(/may have more rights.* name is required.* Delete the API key "k2"/);
      expect(inspect(error, { depth: 9 })).not.toContain(key);
    });
  });

  test("unknown members of a policy are read and sent unchanged", async () => {
    const statement = {
      action: "vaults:share",
      resource: "projects/p1/vaults/v1",
      source_ip: { in: ["::1"] },
    };
    const policy = { statements: [statement], conditions: [{ source_ip: null }] };
    const { client, server } = await startBench([
      json(200, { ...created, key: undefined, policy }),
      json(201, { ...created, policy: { ...policy, statements: [{ ...statement, id: "s1" }] } }),
      json(201, { ...created, policy: { ...policy, statements: [{ ...statement, source_ip: {} }] } }),
    ]);
    expect((await client.apiKeys.get(id)).policy).toEqual(policy);
    const sent = { statements: [{ ...statement, action: "vaults:read" }], conditions: policy.conditions };
    expect(await errorOf(client.apiKeys.create({ name: "ci", policy: sent }))).toBeInstanceOf(
      OutcomeUnknownError,
    );
    expect(bodyOf(server.requests[1])).toEqual({ name: "ci", policy: sent });
  });

  test.each<[string, string, Parameters<typeof callOf>[0]]>([
    ["a secret as its name", "name", { name: canaryKey }],
    ["an empty name", "name", { name: "" }],
    ["a lifetime of no days", "daysToExpire", { daysToExpire: 0 }],
    ["a lifetime of more than ten years", "daysToExpire", { daysToExpire: 3651 }],
    ["half a day", "daysToExpire", { daysToExpire: 0.5 }],
    ["an id of a project that no header can hold", "projectId", { projectId: "a b" }],
    ["a grace longer than its life", "keepOldKeyDays", { rotate: true, daysToExpire: 3, keepOldKeyDays: 4 }],
    ["two lifetimes", "expiresAt", { daysToExpire: 3, expiresAt: "2097-01-01T00:00:00Z" }],
    ["a time that is over", "expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
    ["a policy that allows nothing", "policy", { policy: { statements: [] } }],
    ["a negative grace", "keepOldKeyDays", { rotate: true, keepOldKeyDays: -1 }],
    ["a secret as its id", "id", { rotate: true, id: canaryKey }],
  ])(
    "the creation or rotation of a key with %s is refused before any request",
    async (_what, property, args) => {
      const { client, server } = await startBench([json(201, created)]);
      const error = await errorOf(callOf(args)(client.apiKeys));
      if (error instanceof InputError) {
        expect(error.property).toBe(property);
      } else {
        expect(error).toMatchObject({ code: "config_invalid" });
      }
      expect(inspect(error)).not.toContain(canaryKey);
      expect(server.connections()).toBe(0);
    },
  );
});

/** A creation with these arguments, or a rotation. */
function callOf({
  rotate = false,
  id: given = id,
  name = "ci",
  ...rest
}: {
  rotate?: boolean;
  id?: string;
  name?: string;
  daysToExpire?: number;
  keepOldKeyDays?: number;
  expiresAt?: string;
  policy?: ApiKeyPolicy;
  projectId?: string;
}) {
  return (apiKeys: Awaited<ReturnType<typeof startBench>>["client"]["apiKeys"]) =>
    rotate ? apiKeys.rotate(given, rest) : apiKeys.create({ name, ...rest });
}
