import { useEmulator } from "../../support/emulator.js";
import { call, json, refusal, send, type WireApiKey } from "../calls.js";

const day = 86_400_000;

describe("emulator: API keys", () => {
  let now: number;
  beforeEach(() => {
    now = Date.parse("2026-01-01T00:00:00Z");
  });
  const emulator = useEmulator({
    now: () => new Date(now),
    seed: { projects: [{ id: "staging-id", name: "Staging" }] },
  });

  const create = (body: object, headers = {}) =>
    json<WireApiKey & { key: string }>(send(emulator, "POST", "/org/api_keys", body, headers), 201);
  const read = (id: string, query = "") =>
    json<WireApiKey>(call(emulator, "GET", `/org/api_keys/${id}${query}`));
  const rename = (id: string, name: unknown) => send(emulator, "PATCH", `/org/api_keys/${id}`, { name });
  const rotate = (id: string, body: object = {}) =>
    json<WireApiKey & { key: string }>(send(emulator, "POST", `/org/api_keys/${id}/rotate`, body), 201);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const statusWith = async (key: string) =>
    (await call(emulator, "GET", "/org/api_keys", bearer(key))).status;
  const names = async (query: string, headers: Record<string, string> = {}) =>
    (await json<WireApiKey[]>(call(emulator, "GET", `/org/api_keys${query}`, headers))).map(
      ({ name }) => name,
    );

  test("a new API key has all fields, shows the secret once, works, and is read masked", async () => {
    const { key, ...record } = await create({ name: "ci", days_to_expire: 30, project_id: "staging-id" });
    expect(record).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{24}$/),
      name: "ci",
      masked_key: `${key.slice(0, 7)}...${key.slice(-4)}`,
      project_id: "staging-id",
      project_name: "Staging",
      created_at: "2026-01-01T00:00:00.000Z",
      created_by: { id: expect.any(String), email: "emulator@example.com", name: "Emulator" },
      expires_at: "2026-01-31T00:00:00.000Z",
      last_used_at: null,
      deleted_at: null,
    });
    expect(key).toMatch(/^sk_[a-z0-9]{32}$/);
    expect(await read(record.id)).toEqual(record);
    expect(await statusWith(key)).toBe(200);
    expect(await create({ name: "forever", days_to_expire: null, project_id: null })).toMatchObject({
      project_id: null,
      project_name: null,
      expires_at: null,
    });
  });

  test("a key has the time of the last request with the key, and a list is sorted by the times", async () => {
    const { id, key } = await create({ name: "used" });
    await create({ name: "unused" });
    now += day;
    await statusWith(key);
    now += day;
    expect(await read(id)).toMatchObject({ last_used_at: "2026-01-02T00:00:00.000Z" });
    expect(await names("?sort_by=last_used_at&sort_direction=asc")).toEqual([
      "unused",
      "used",
      "Given at start",
    ]);
  });

  test("an API key gets the requested expires_at in UTC, and an expires_at outside of the bounds is refused", async () => {
    const key = await create({ name: "ci", expires_at: "2026-01-03T01:00:00+01:00" });
    expect(key.expires_at).toBe("2026-01-03T00:00:00.000Z");
    expect(await create({ name: "forever", expires_at: null })).toMatchObject({ expires_at: null });
    now += 2 * day;
    expect(await statusWith(key.key)).toBe(401);
    for (const [body, message] of [
      [{ expires_at: "2026-01-02T00:00:00Z" }, "must be in the future"],
      [{ expires_at: "2037-01-01T00:00:00Z" }, "at most 3650 days"],
      [{ expires_at: "soon" }, "expires_at must be a date-time"],
      [{ expires_at: "2026-06-01T00:00:00Z", days_to_expire: 3 }, "Give days_to_expire or expires_at"],
    ] as const) {
      const answer = await refusal(await send(emulator, "POST", "/org/api_keys", { name: "x", ...body }));
      expect(answer).toMatchObject({ status: 400, code: "bad_request", inner: "invalid_input" });
      expect(answer.message).toContain(message);
    }
    expect(await names("?name=x")).toEqual([]);
  });

  test("an API key that expires cannot create an API key that expires later", async () => {
    const issuer = bearer((await create({ name: "issuer", days_to_expire: 10 })).key);
    for (const body of [{}, { days_to_expire: 11 }, { expires_at: "2026-01-11T00:00:01Z" }]) {
      const answer = await send(emulator, "POST", "/org/api_keys", { name: "x", ...body }, issuer);
      expect(await refusal(answer)).toMatchObject({
        status: 400,
        message: expect.stringContaining("must not outlive"),
      });
    }
    expect((await create({ name: "x", expires_at: "2026-01-11T00:00:00Z" }, issuer)).name).toBe("x");
  });

  test("a request for an API key with several mistakes gets every mistake as a detail", async () => {
    const response = await send(emulator, "POST", "/org/api_keys", { name: "", days_to_expire: 0 });
    const first = "The request body is invalid: name must have 1 to 255 characters, and not only whitespace.";
    const second = "The request body is invalid: days_to_expire must be a whole number from 1 to 3650.";
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        code: "bad_request",
        message: first,
        inner_error: { code: "invalid_input", message: first },
        details: [
          { code: "invalid_input", message: first },
          { code: "invalid_input", message: second },
        ],
      },
    ]);
    const one = await send(emulator, "POST", "/org/api_keys", { name: "" });
    expect(Object.keys((await one.json()) as object)).toEqual(["code", "message", "inner_error"]);
  });

  test("a short API key is masked so that the shown characters do not reveal the key", async () => {
    const [given] = await json<WireApiKey[]>(call(emulator, "GET", "/org/api_keys?name=given%20at%20start"));
    expect(given).toMatchObject({ masked_key: "sk...r", name: "Given at start" });
  });

  test("an API key is renamed, even by a request with the renamed key, and the new name is trimmed", async () => {
    const { id, key } = await create({ name: "ci" });
    expect(await json(rename(id, "  ci 2\t"))).toMatchObject({ id, name: "ci 2" });
    const own = send(emulator, "PATCH", `/org/api_keys/${id}`, { name: "own" }, bearer(key));
    expect(await json(own)).toMatchObject({ name: "own" });
    expect(await read(id)).toMatchObject({ name: "own" });
    await create({ name: "own" });
    expect(await names("?name=OWN")).toEqual(["own", "own"]);
  });

  test("the name of an API key may have 1 to 255 code points, in either Unicode normal form", async () => {
    const { id } = await create({ name: "ci" });
    for (const name of ["𝒳".repeat(255), "\u00e9", "e\u0301", "a/b%2F", id]) {
      expect(await json(rename(id, name))).toMatchObject({ name });
    }
    for (const name of ["", " \t ", "𝒳".repeat(256), 5, null]) {
      expect(await refusal(await rename(id, name))).toMatchObject({ status: 400, inner: "invalid_input" });
    }
    expect(await read(id)).toMatchObject({ name: id });
    expect(await refusal(await rename("none", "new"))).toMatchObject({ status: 404, code: "not_found" });
  });

  test.each([
    [{}, "name must be a string"],
    [{ name: "x", days_to_expire: 0 }, "days_to_expire must be a whole number from 1 to 3650"],
    [{ name: "x", days_to_expire: 3651 }, "days_to_expire must"],
    [{ name: "x", days_to_expire: 1.5 }, "days_to_expire must"],
    [{ name: "x", project_id: "" }, "project_id must not be empty"],
  ])("a request for the API key %j is refused with 400", async (body, reason) => {
    const answer = await refusal(await send(emulator, "POST", "/org/api_keys", body));
    expect(answer).toMatchObject({ status: 400, code: "bad_request" });
    expect(answer.message).toContain(reason);
  });

  test("an API key for an unknown or archived project is not created", async () => {
    emulator.archiveProject("staging-id");
    for (const project_id of ["none", "staging-id"]) {
      const answer = await send(emulator, "POST", "/org/api_keys", { name: "x", project_id });
      expect(await refusal(answer)).toMatchObject({ status: 404, code: "not_found" });
    }
  });

  test("a deleted API key is refused, and the record is read only on request", async () => {
    const { id, key } = await create({ name: "ci" });
    expect((await call(emulator, "DELETE", `/org/api_keys/${id}`)).status).toBe(204);
    expect(await statusWith(key)).toBe(401);
    const gone = { status: 404, code: "not_found" };
    expect(await refusal(await call(emulator, "GET", `/org/api_keys/${id}`))).toMatchObject(gone);
    expect(await refusal(await call(emulator, "DELETE", `/org/api_keys/${id}`))).toMatchObject(gone);
    expect(await refusal(await rename(id, "new"))).toMatchObject(gone);
    expect(await refusal(await send(emulator, "POST", `/org/api_keys/${id}/rotate`, {}))).toMatchObject(gone);
    expect(await read(id, "?include_deleted=true")).toMatchObject({
      name: "ci",
      deleted_at: "2026-01-01T00:00:00.000Z",
    });
    expect(await names("")).toEqual(["Given at start"]);
    expect(await names("?status=deleted")).toEqual(["ci"]);
    expect(await names("?status=all")).toEqual(["ci", "Given at start"]);
    expect(await names("?include_deleted=true")).toEqual(["ci", "Given at start"]);
    expect(await names("?include_deleted=true&status=active")).toEqual(["Given at start"]);
  });

  test("an API key cannot delete itself", async () => {
    const { id, key } = await create({ name: "ci" });
    const answer = await call(emulator, "DELETE", `/org/api_keys/${id}`, bearer(key));
    expect(await refusal(answer)).toMatchObject({ status: 400, code: "cannot_delete_current_key" });
    expect(await statusWith(key)).toBe(200);
  });

  test("an expired API key is refused, and stays in lists and reads", async () => {
    const { id, key } = await create({ name: "ci", days_to_expire: 1 });
    now += day - 1;
    expect(await statusWith(key)).toBe(200);
    now += 1;
    expect(await statusWith(key)).toBe(401);
    expect(await names("")).toEqual(["ci", "Given at start"]);
    expect(await read(id)).toMatchObject({ expires_at: new Date(now).toISOString(), deleted_at: null });
  });

  test("a rotation creates a key of equal name, project and lifetime, and the old key works for seven more days", async () => {
    const old = await create({ name: "ci", project_id: "staging-id", days_to_expire: 30 });
    now += day;
    const successor = await rotate(old.id);
    expect(successor).toMatchObject({
      name: "ci",
      project_id: "staging-id",
      expires_at: new Date(now + 30 * day).toISOString(),
    });
    expect(successor.id).not.toBe(old.id);
    expect([await statusWith(old.key), await statusWith(successor.key)]).toEqual([200, 200]);
    expect(await read(old.id)).toMatchObject({ expires_at: new Date(now + 7 * day).toISOString() });
    expect(await names("?name=ci")).toEqual(["ci", "ci"]);
    now += 7 * day;
    expect([await statusWith(old.key), await statusWith(successor.key)]).toEqual([401, 200]);
  });

  test("a rotation accepts a lifetime and a grace period, may end the old key at once, and never extends the old key", async () => {
    const old = await create({ name: "ci", days_to_expire: 3 });
    const first = await rotate(old.id, { days_to_expire: 10, expire_in_days: 5 });
    expect(first.expires_at).toBe(new Date(now + 10 * day).toISOString());
    expect((await read(old.id)).expires_at).toBe(new Date(now + 3 * day).toISOString());
    await rotate(first.id, { expire_in_days: 0 });
    expect(await statusWith(first.key)).toBe(401);
    const forever = await create({ name: "forever" });
    expect(await rotate(forever.id, { days_to_expire: null })).toMatchObject({ expires_at: null });
    for (const body of [
      { days_to_expire: 5, expire_in_days: 6 },
      { days_to_expire: 6 },
      { days_to_expire: 0 },
      { expire_in_days: -1 },
      { expire_in_days: 3651 },
    ]) {
      const answer = await send(emulator, "POST", `/org/api_keys/${forever.id}/rotate`, body);
      expect(await refusal(answer)).toMatchObject({ status: 400 });
    }
    const bare = await call(emulator, "POST", `/org/api_keys/${forever.id}/rotate`);
    expect(bare.status).toBe(201);
  });

  test("the list of API keys sorts in each order, searches name, creator, project, id and mask, and has pages", async () => {
    emulator.createApiKey({
      name: "Bravo",
      expiresAt: new Date(now + day),
      createdBy: { email: "ann@example.com" },
    });
    now += 1;
    const { id, maskedKey } = emulator.createApiKey({
      name: "alpha",
      projectId: "staging-id",
      expiresAt: new Date(now + 2 * day),
    });
    expect(await names("")).toEqual(["alpha", "Bravo", "Given at start"]);
    expect(await names("?sort_direction=asc")).toEqual(["Given at start", "Bravo", "alpha"]);
    expect(await names("?sort_by=name&sort_direction=asc")).toEqual(["alpha", "Bravo", "Given at start"]);
    expect(await names("?sort_by=expires_at")).toEqual(["alpha", "Bravo", "Given at start"]);
    expect(await names("?query=RAV")).toEqual(["Bravo"]);
    expect(await names("?query=ANN%40")).toEqual(["Bravo"]);
    expect(await names("?query=staging")).toEqual(["alpha"]);
    expect(await names(`?query=${id.slice(0, 9)}`)).toEqual(["alpha"]);
    expect(await names(`?query=${id.slice(1)}`)).toEqual([]);
    expect(await names(`?query=${maskedKey}`)).toEqual(["alpha"]);
    const response = await call(emulator, "GET", "/org/api_keys?limit=2");
    expect([response.headers.get("x-has-more"), response.headers.get("x-next-offset")]).toEqual([
      "true",
      "2",
    ]);
    for (const query of [
      "sort_by=id",
      "sort_direction=up",
      "status=gone",
      "include_deleted=1",
      "limit=101",
    ]) {
      expect(await refusal(await call(emulator, "GET", `/org/api_keys?${query}`))).toMatchObject({
        status: 400,
      });
    }
  });

  test("a project's key reads, renames, creates, rotates and deletes only API keys of that project", async () => {
    const wide = await create({ name: "wide" });
    const other = await create({ name: "other", project_id: emulator.defaultProject.id });
    const own = await create({ name: "own", project_id: "staging-id" });
    const headers = bearer(own.key);
    expect(await names("?status=all", headers)).toEqual(["own"]);
    const second = await create({ name: "second", project_id: "staging-id" }, headers);
    for (const { id } of [wide, other]) {
      for (const answer of [
        call(emulator, "GET", `/org/api_keys/${id}`, headers),
        send(emulator, "PATCH", `/org/api_keys/${id}`, { name: "x" }, headers),
        send(emulator, "POST", `/org/api_keys/${id}/rotate`, {}, headers),
        call(emulator, "DELETE", `/org/api_keys/${id}`, headers),
      ]) {
        expect(await refusal(await answer)).toMatchObject({ status: 404, code: "not_found" });
      }
    }
    const elsewhere = { name: "x", project_id: emulator.defaultProject.id };
    expect(await refusal(await send(emulator, "POST", "/org/api_keys", elsewhere, headers))).toMatchObject({
      status: 404,
    });
    for (const project_id of [undefined, null]) {
      expect(
        await refusal(await send(emulator, "POST", "/org/api_keys", { name: "x", project_id }, headers)),
      ).toMatchObject({
        status: 400,
      });
    }
    expect((await call(emulator, "DELETE", `/org/api_keys/${second.id}`, headers)).status).toBe(204);
  });

  test("GET /auth/context returns the API key of the request and the scope of the key", async () => {
    const { id, key } = await create({ name: "ci", project_id: "staging-id" });
    const context = (headers = {}) => json(call(emulator, "GET", "/auth/context", headers));
    const confined = { project_id: "staging-id" };
    const wide = { project_id: null };
    const organization = { id: expect.stringMatching(/^[a-z0-9]{24}$/) };
    expect(await context(bearer(key))).toEqual({
      authentication: { method: "api_key", source: "api_key", credential_id: id },
      authorization: { credential_scope: confined, effective_scope: confined },
      organization,
      principal: { id, type: "api_key" },
    });
    expect(await context()).toMatchObject({
      authorization: { credential_scope: wide, effective_scope: wide },
    });
    expect(await context({ "x-kernel-project": "Staging" })).toMatchObject({
      authorization: { credential_scope: wide, effective_scope: confined },
    });
  });
});

describe("emulator: API keys, without a client", () => {
  const emulator = useEmulator();

  test("a test creates API keys of every kind, and renames, expires and deletes API keys", async () => {
    const { id, key, ...more } = emulator.createApiKey({
      id: "key-1",
      key: "sk_fixed",
      name: " padded ",
      createdBy: { id: "user-1", email: "ann@example.com" },
      expiresAt: "2999-01-31T01:00:00+01:00",
    });
    expect([id, key]).toEqual(["key-1", "sk_fixed"]);
    expect(more).toMatchObject({
      name: " padded ",
      createdBy: { id: "user-1", email: "ann@example.com", name: null },
      expiresAt: "2999-01-31T00:00:00.000Z",
    });
    const status = async () =>
      (await call(emulator, "GET", "/extensions", { authorization: `Bearer ${key}` })).status;
    expect(await status()).toBe(200);
    expect(emulator.apiKeyRecords.rename(id, "outside")).toMatchObject({ name: "outside" });
    expect(await json(call(emulator, "GET", `/org/api_keys/${id}`))).toMatchObject({ name: "outside" });
    emulator.apiKeyRecords.setExpiry(id, new Date(0));
    expect(await status()).toBe(401);
    emulator.apiKeyRecords.setExpiry(id, null);
    expect(await status()).toBe(200);
    emulator.apiKeyRecords.remove(id);
    expect(await status()).toBe(401);
    expect(emulator.apiKeyRecords.list()).toMatchObject([
      { id, deletedAt: expect.any(String) },
      { deletedAt: null },
    ]);
    expect(emulator.createApiKey({ key }).id).not.toBe(id);
    expect(await status()).toBe(200);
  });

  test("an organization-wide key created later works beside the keys given at start", async () => {
    emulator.createApiKey({ key: "sk_second" });
    for (const key of ["sk_second", "sk_emulator"]) {
      const { status } = await call(emulator, "GET", "/extensions", { authorization: `Bearer ${key}` });
      expect([key, status]).toEqual([key, 200]);
    }
  });

  test("createApiKey and apiKeyRecords refuse bad values with the property at fault, without the secret", () => {
    const { id } = emulator.createApiKey({ id: "key-1", key: "sk_fixed" });
    const refusing = (property: string) => expect.objectContaining({ name: "InputError", property });
    expect(() => emulator.createApiKey({ id: "a b" })).toThrow(refusing("id"));
    expect(() => emulator.createApiKey({ id })).toThrow(refusing("id"));
    expect(() => emulator.createApiKey({ key: "sk fixed" })).toThrow(refusing("key"));
    for (const key of ["sk_fixed", "sk_emulator"]) {
      expect(() => emulator.createApiKey({ key })).toThrow(refusing("key"));
    }
    expect(() => emulator.createApiKey({ projectId: "none" })).toThrow(refusing("projectId"));
    expect(() => emulator.createApiKey({ name: "" })).toThrow(refusing("name"));
    expect(() => emulator.createApiKey({ expiresAt: "soon" })).toThrow(refusing("expiresAt"));
    expect(() => emulator.createApiKey({ expiresAt: new Date(8.64e15) })).toThrow(refusing("expiresAt"));
    expect(() => emulator.apiKeyRecords.rename("none", "x")).toThrow(refusing("id"));
    expect(() => emulator.createApiKey({ key: "sk_fixed" })).toThrow(/^(?!.*sk_fixed)/);
    emulator.apiKeyRecords.remove(id);
    expect(() => emulator.apiKeyRecords.remove(id)).toThrow(refusing("id"));
  });
});
