import { useEmulator } from "../../support/emulator.js";
import { call, json, refusal, send, stored, type WireProject } from "../calls.js";

describe("emulator: projects", () => {
  let now: number;
  beforeEach(() => {
    now = Date.parse("2026-01-01T00:00:00Z");
  });
  const emulator = useEmulator({ now: () => new Date(now) });

  const create = (name: string) => json<WireProject>(send(emulator, "POST", "/org/projects", { name }), 201);
  const at = (project: string) => `/org/projects/${encodeURIComponent(project)}`;
  const read = (project: string) => json<WireProject>(call(emulator, "GET", at(project)));
  const names = async (query: string, headers: Record<string, string> = {}) =>
    (await json<WireProject[]>(call(emulator, "GET", `/org/projects${query}`, headers))).map(
      ({ name }) => name,
    );
  const confinedTo = (projectId: string) => ({
    authorization: `Bearer ${emulator.createApiKey({ projectId }).key}`,
  });

  test("a project is created, read by id and by name, renamed, archived, activated again and deleted", async () => {
    const made = await create("staging");
    expect(made).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{24}$/),
      name: "staging",
      status: "active",
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    });
    expect(await read(made.id)).toEqual(made);
    expect(await read("staging")).toEqual(made);
    now += 60_000;
    const renamed = { ...made, name: "Staging", updated_at: "2026-01-01T00:01:00.000Z" };
    expect(await json(send(emulator, "PATCH", at(made.id), { name: "Staging" }))).toEqual(renamed);
    expect(await json(send(emulator, "PATCH", at("Staging"), { status: "archived" }))).toEqual({
      ...renamed,
      status: "archived",
    });
    expect(await read(made.id)).toMatchObject({ status: "archived" });
    expect(await names("")).toEqual(["Staging", "Default"]);
    expect(await json(send(emulator, "PATCH", at(made.id), { status: "active" }))).toEqual(renamed);
    expect((await call(emulator, "DELETE", at(made.id))).status).toBe(204);
    expect(await refusal(await call(emulator, "GET", at(made.id)))).toMatchObject({
      status: 404,
      code: "not_found",
    });
    expect(await refusal(await call(emulator, "DELETE", at(made.id)))).toMatchObject({
      status: 404,
      code: "not_found",
    });
    expect(await names("")).toEqual(["Default"]);
    expect((await create("Staging")).id).not.toBe(made.id);
  });

  test("an empty change of a project returns the unchanged project", async () => {
    const made = await create("staging");
    now += 60_000;
    expect(await json(send(emulator, "PATCH", at(made.id), {}))).toEqual(made);
    expect(await json(send(emulator, "PATCH", at(made.id), { name: "staging", status: "active" }))).toEqual(
      made,
    );
  });

  test("project names are unique in any case and with any accents, and a conflict names the holder", async () => {
    const holder = await create("Stäging");
    const other = await create("other");
    const taken = {
      status: 409,
      code: "conflict",
      message: `A project named "Stäging" (id ${holder.id}) already exists in this organization. Case and accents of a name do not count.`,
    };
    for (const name of ["Stäging", "staging", "STAGING", "sta\u0308ging"]) {
      expect(await refusal(await send(emulator, "POST", "/org/projects", { name }))).toMatchObject(taken);
      expect(await refusal(await send(emulator, "PATCH", at(other.id), { name }))).toMatchObject(taken);
      expect(await read(name)).toEqual(holder);
      expect(await names(`?name=${encodeURIComponent(name)}`)).toEqual(["Stäging"]);
      expect(() => emulator.createProject({ name })).toThrow("already exists");
    }
    expect(await names("", { "x-kernel-project": "STAGING" })).toHaveLength(3);
    // The project's own name in a different case is no conflict.
    expect(await json(send(emulator, "PATCH", at(holder.id), { name: "staging" }))).toMatchObject({
      id: holder.id,
      name: "staging",
    });
  });

  test("a project name may have 255 code points, and only older projects have names with / or %", async () => {
    const longest = "𝒳".repeat(255);
    const { id } = await create(longest);
    for (const name of ["", "  ", `${longest}y`, "a/b", "100%", "\ud800", "nul\0", 5, null, undefined]) {
      const answer = await refusal(await send(emulator, "POST", "/org/projects", { name }));
      expect(answer).toMatchObject({ status: 400, code: "bad_request", inner: "invalid_input" });
      expect(answer.message).toContain(": name must");
      if (name !== undefined) {
        expect(await refusal(await send(emulator, "PATCH", at(id), { name }))).toEqual(answer);
      }
    }
    expect(await read(id)).toMatchObject({ name: longest });
    for (const name of ["a/b", "100%", "%2F", "a b?c#d", "größe", " padded "]) {
      const { id } = emulator.createProject({ name });
      expect(await read(name)).toMatchObject({ id, name });
    }
  });

  test("a path with a project's id finds the project, even if another project has the id as name", async () => {
    const { id } = await create("first");
    const twin = await create(id);
    expect(await read(id)).toMatchObject({ name: "first" });
    expect(await read(twin.id)).toMatchObject({ name: id });
  });

  test("the list of projects filters by name and query, and every page has the offset of the next page", async () => {
    for (let index = 0; index < 21; index += 1) {
      emulator.createProject({ name: `Web ${index}` });
    }
    emulator.createProject({ name: "Größe" });
    const page = async (query: string) => {
      const response = await call(emulator, "GET", `/org/projects${query}`);
      const header = (name: string) => response.headers.get(name);
      return [(await json<[]>(response)).length, header("x-has-more"), header("x-next-offset")];
    };
    expect(await page("")).toEqual([20, "true", "20"]);
    expect(await page("?offset=20")).toEqual([3, "false", "0"]);
    expect(await page("?limit=100")).toEqual([23, "false", "0"]);
    expect(await page("?query=WEB&limit=7&offset=14")).toEqual([7, "false", "0"]);
    expect(await names("?name=grosse")).toEqual([]);
    expect(await names("?name=GROße")).toEqual(["Größe"]);
    expect(await names("?query=GRÖ")).toEqual(["Größe"]);
    expect(await names("?query=gro")).toEqual([]);
    expect(await names("?query=eb%202")).toEqual(["Web 20", "Web 2"]);
    for (const query of ["limit=101", "limit=0", "offset=-1"]) {
      expect((await call(emulator, "GET", `/org/projects?${query}`)).status).toBe(400);
    }
  });

  test("the refusal to delete a project names every kind of object that blocks the deletion", async () => {
    const { id } = await create("staging");
    emulator.profiles.ensure("work", id);
    const { message } = await refusal(await call(emulator, "DELETE", at(id)));
    expect(message).toBe(
      "The project is not empty. Delete its browser pools, auth connections, extensions, profiles, proxies and credentials first.",
    );
  });

  test("neither a project that owns an extension nor the last active project is deleted", async () => {
    const { id } = await create("staging");
    await stored(emulator, { name: "ad-blocker", headers: { "x-kernel-project-id": id } });
    expect(await refusal(await call(emulator, "DELETE", at(id)))).toMatchObject({
      status: 409,
      code: "project_not_empty",
    });
    const last = { status: 409, code: "last_active_project" };
    expect((await send(emulator, "PATCH", at("Default"), { status: "archived" })).status).toBe(200);
    expect(await refusal(await send(emulator, "PATCH", at(id), { status: "archived" }))).toMatchObject(last);
    await call(emulator, "DELETE", "/extensions/ad-blocker", { "x-kernel-project-id": id });
    expect(await refusal(await call(emulator, "DELETE", at(id)))).toMatchObject(last);
    expect((await call(emulator, "DELETE", at("Default"))).status).toBe(204);
  });

  test("requests for extensions of an archived default project fail, and the oldest project replaces a deleted default", async () => {
    const { id } = await create("staging");
    await create("production");
    await send(emulator, "PATCH", at("Default"), { status: "archived" });
    expect(await refusal(await call(emulator, "GET", "/extensions"))).toMatchObject({
      code: "project_not_found",
    });
    expect(await names("")).toHaveLength(3);
    await call(emulator, "DELETE", at("Default"));
    expect(emulator.defaultProject).toMatchObject({ id, name: "staging" });
    expect((await call(emulator, "GET", "/extensions")).status).toBe(200);
  });

  test("a project's key reads and renames only that project, and may not create, archive or delete projects", async () => {
    const { id } = await create("staging");
    const headers = confinedTo(id);
    expect(await names("", headers)).toEqual(["staging"]);
    expect(await names("?query=default", headers)).toEqual([]);
    expect(await json(call(emulator, "GET", at("staging"), headers))).toMatchObject({ id });
    expect(await refusal(await call(emulator, "GET", at("Default"), headers))).toMatchObject({ status: 404 });
    expect(await json(send(emulator, "PATCH", at(id), { name: "mine" }, headers))).toMatchObject({
      name: "mine",
    });
    const others = await send(emulator, "PATCH", at("Default"), { name: "not mine" }, headers);
    expect(await refusal(others)).toMatchObject({ status: 404, code: "not_found" });
    const forbidden = { status: 403, code: "forbidden" };
    for (const answer of [
      send(emulator, "POST", "/org/projects", { name: "new" }, headers),
      send(emulator, "PATCH", at(id), { status: "archived" }, headers),
      call(emulator, "DELETE", at(id), headers),
    ]) {
      expect(await refusal(await answer)).toMatchObject(forbidden);
    }
    expect(emulator.projects.list()).toMatchObject([{ name: "mine", status: "active" }, { name: "Default" }]);
  });

  test("a project header is checked, and does not confine the list of projects", async () => {
    const { id } = await create("staging");
    expect(await names("", { "x-kernel-project-id": id })).toEqual(["staging", "Default"]);
    const unknown = await call(emulator, "GET", "/org/projects", { "x-kernel-project-id": "none" });
    expect(await refusal(unknown)).toMatchObject({ status: 404, code: "project_not_found" });
    const headers = confinedTo(id);
    const other = await call(emulator, "GET", "/org/projects", {
      ...headers,
      "x-kernel-project-id": emulator.defaultProject.id,
    });
    expect(await refusal(other)).toMatchObject({ status: 403 });
    expect(emulator.requests.map(({ project }) => project)).toEqual([null, id, null, null]);
  });

  test("a request body that is not a JSON object gets 400, and a too large request body gets 413", async () => {
    const post = (body: string | Uint8Array<ArrayBuffer>) =>
      fetch(`${emulator.url}/org/projects`, {
        method: "POST",
        body,
        headers: { authorization: "Bearer sk_emulator" },
      });
    const bad = { status: 400, code: "bad_request", inner: "invalid_input" };
    for (const body of ["{", "[]", '"x"', "null", "", new Uint8Array([0x7b, 0xff, 0x7d])]) {
      expect(await refusal(await post(body))).toMatchObject(bad);
    }
    expect(await refusal(await post(" ".repeat(1_048_577)))).toMatchObject({ status: 413 });
  });
});

describe("emulator: projects, without a client", () => {
  const emulator = useEmulator();

  test("a test creates, activates, renames, limits and removes projects, and a key of a removed project gets 404", async () => {
    const { id } = emulator.createProject({
      name: "staging",
      status: "archived",
      limits: { maxConcurrentSessions: 5 },
    });
    expect(emulator.projects.list()[0]).toMatchObject({
      id,
      status: "archived",
      limits: { maxConcurrentSessions: 5 },
    });
    expect(emulator.projects.activate(id)).toMatchObject({ status: "active" });
    expect(emulator.projects.rename(id, "a/b")).toMatchObject({ name: "a/b" });
    expect(emulator.projects.setLimits(id, { maxPooledSessions: 2 }).limits).toEqual({
      maxConcurrentSessions: 5,
      maxConcurrentInvocations: null,
      maxPooledSessions: 2,
    });
    const { key } = emulator.createApiKey({ projectId: id });
    const headers = { authorization: `Bearer ${key}` };
    await stored(emulator, { name: "gone-with-it", headers });
    emulator.projects.remove(id);
    expect(await refusal(await call(emulator, "GET", "/extensions", headers))).toMatchObject({
      status: 404,
      code: "project_not_found",
    });
    expect(emulator.apiKeyRecords.list()).toMatchObject([{ projectId: id, projectName: null }, {}]);
    expect(emulator.projects.list()).toHaveLength(1);
  });

  test("createProject, archiveProject, emulator.projects and extensions.list refuse bad values with the property at fault", () => {
    const { id } = emulator.createProject({ name: "staging" });
    const refusing = (property: string) => expect.objectContaining({ name: "InputError", property });
    expect(() => emulator.createProject({ name: "staging" })).toThrow(refusing("name"));
    expect(() => emulator.createProject({ name: " " })).toThrow(refusing("name"));
    expect(() => emulator.createProject({ id: "a b", name: "new" })).toThrow(refusing("id"));
    expect(() => emulator.archiveProject("none")).toThrow(refusing("projectId"));
    expect(() => emulator.extensions.list("none")).toThrow(refusing("projectId"));
    expect(() => emulator.projects.rename(id, "Default")).toThrow(refusing("name"));
    expect(() => emulator.projects.rename(id, "")).toThrow(refusing("name"));
    expect(() => emulator.projects.rename("none", "new")).toThrow(refusing("projectId"));
    expect(() => emulator.projects.setLimits(id, { maxConcurrentSessions: 0 })).toThrow(
      refusing("maxConcurrentSessions"),
    );
    expect(() => emulator.createProject({ name: "new", limits: { maxPooledSessions: 1.5 } })).toThrow(
      refusing("maxPooledSessions"),
    );
    emulator.projects.remove(id);
    expect(() => emulator.projects.remove(id)).toThrow(refusing("projectId"));
    expect(() => emulator.projects.remove(emulator.defaultProject.id)).toThrow(refusing("id"));
  });
});
