import { useEmulator } from "../../../support/emulator.js";
import { call, json, refusal, send, upload } from "../../calls.js";

interface WirePool {
  readonly id: string;
  readonly extension_ids: readonly string[];
  readonly browser_pool_config: Readonly<Record<string, unknown>>;
}

describe("emulator: refusals of browser pools, and of objects in use by browser pools", () => {
  const emulator = useEmulator();
  const create = (body: object, headers = {}) => send(emulator, "POST", "/browser_pools", body, headers);
  const change = (id: string, body: object) => send(emulator, "PATCH", `/browser_pools/${id}`, body);
  const inProject = (id: string) => ({ "x-kernel-project-id": id });

  test("a rename of a browser pool to an invalid name gets 400, and the pool keeps the old name", async () => {
    const { id } = await json<WirePool>(create({ name: "agents", size: 1 }), 201);
    const refused = await refusal(await change(id, { name: "a b" }));
    expect(refused).toMatchObject({ status: 400, code: "bad_request" });
    expect(refused.message).toContain("name must be 1 to 255 of the characters");
    expect(emulator.browserPools.get(id).name).toBe("agents");
  });

  test("an acquire request with more than 50 tags gets 400, and a request with 50 tags gets a browser", async () => {
    emulator.browserPools.create({ id: "p", size: 1 });
    emulator.browserPools.fill("p");
    const tagged = (count: number) => {
      const tags = Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag-${index}`, "x"]));
      return send(emulator, "POST", "/browser_pools/p/acquire", { tags });
    };
    expect(await refusal(await tagged(51))).toMatchObject({
      status: 400,
      message: expect.stringContaining("tags must be an object with at most 50 strings"),
    });
    expect((await tagged(50)).status).toBe(200);
  });

  test("a browser pool may have a policy of almost 5 MiB, and a body of more than 8 MiB gets 413", async () => {
    const blocked = Array.from({ length: 5 }, () => "x".repeat(1_000_000));
    await json(create({ size: 1, chrome_policy: { URLBlocklist: blocked } }), 201);
    expect((await create({ size: 1, padding: "x".repeat(8_388_608) })).status).toBe(413);
  });

  test("a pool cannot load an extension of another project, and an extension without a pool can be deleted", async () => {
    const other = emulator.createProject({ name: "other" });
    const { id } = await json<{ id: string }>(upload(emulator, { name: "ad-blocker" }), 201);
    expect((await create({ size: 1, extensions: [{ id }] }, inProject(other.id))).status).toBe(400);
    expect((await call(emulator, "DELETE", `/extensions/${id}`)).status).toBe(204);
  });

  test("an extension in use by browser pools cannot be deleted, and the refusal names the pools", async () => {
    const { id } = await json<{ id: string }>(upload(emulator, { name: "ad-blocker" }), 201);
    const named = await json<WirePool>(create({ name: "agents", size: 1, extensions: [{ id }] }), 201);
    const unnamed = await json<WirePool>(create({ size: 1, extensions: [{ name: "AD-blocker" }] }), 201);
    expect([named.extension_ids, unnamed.extension_ids]).toEqual([[id], [id]]);
    expect(await refusal(await call(emulator, "DELETE", "/extensions/ad-blocker"))).toMatchObject({
      status: 400,
      code: "resource_in_use",
      message: `The extension is used by the browser pools "agents" (id ${named.id}), ${unnamed.id}.`,
    });
    await json(change(named.id, { extensions: [] }));
    expect((await call(emulator, "DELETE", "/extensions/ad-blocker")).status).toBe(400);
    expect((await call(emulator, "DELETE", `/browser_pools/${unnamed.id}`)).status).toBe(204);
    expect((await call(emulator, "DELETE", "/extensions/ad-blocker")).status).toBe(204);
  });

  test("names of browser pools are unique in a project in any case, and free in other projects", async () => {
    const other = emulator.createProject({ name: "other" });
    const { id } = await json<WirePool>(create({ name: "agents", size: 1 }), 201);
    expect(await refusal(await create({ name: "AGENTS", size: 1 }))).toMatchObject({
      status: 409,
      code: "conflict",
      message: expect.stringContaining(`A browser pool named "agents" (id ${id}) already exists`),
    });
    await json(create({ name: "agents", size: 1 }, inProject(other.id)), 201);
    const { id: second } = await json<WirePool>(create({ name: "crew", size: 1 }), 201);
    expect((await change(second, { name: "Agents" })).status).toBe(409);
    await json(change(id, { name: "Agents" }));
    expect(emulator.browserPools.get(id).name).toBe("Agents");
  });

  test("browser pools reserve no more browsers than the project and the organization allow", async () => {
    const small = emulator.createProject({ name: "small", limits: { maxConcurrentSessions: 5 } });
    const { id } = await json<WirePool>(create({ size: 3 }, inProject(small.id)), 201);
    expect(await refusal(await create({ size: 3 }, inProject(small.id)))).toMatchObject({
      status: 403,
      code: "limit_exceeded",
      message:
        "The project allows 5 concurrent sessions. Its browser pools reserve 3, so 3 more are too many.",
    });
    const grow = (size: number) =>
      send(emulator, "PATCH", `/browser_pools/${id}`, { size }, inProject(small.id));
    expect((await grow(6)).status).toBe(403);
    await json(grow(5));
    await json(create({ size: 95 }), 201);
    expect(await refusal(await create({ size: 1 }))).toMatchObject({
      code: "limit_exceeded",
      message: expect.stringContaining("The organization allows 100 concurrent sessions"),
    });
    expect(await json(call(emulator, "GET", "/org/limits"))).toMatchObject({
      concurrent_sessions_used: 100,
      concurrent_sessions_available: 0,
    });
    await json(grow(4));
    await json(create({ size: 1 }), 201);
  });

  test("the default limit applies to pools of a project without a limit, and a lower limit removes no pool", async () => {
    await json(send(emulator, "PATCH", "/org/limits", { default_project_max_concurrent_sessions: 4 }));
    const { id } = await json<WirePool>(create({ size: 4 }), 201);
    expect((await create({ size: 1 })).status).toBe(403);
    emulator.projects.setLimits(emulator.defaultProject.id, { maxConcurrentSessions: 2 });
    await json(change(id, { stealth: true }));
    await json(change(id, { size: 3 }));
  });

  test("a project with a browser pool gets 409 on deletion, and projects.remove deletes the project anyway", async () => {
    const other = emulator.createProject({ name: "other" });
    await json(create({ size: 1 }, inProject(other.id)), 201);
    expect(await refusal(await call(emulator, "DELETE", "/org/projects/other"))).toMatchObject({
      status: 409,
      code: "project_not_empty",
    });
    emulator.projects.remove(other.id);
    expect((await call(emulator, "GET", "/org/projects/other")).status).toBe(404);
  });

  test("emulator.browserPools throws an InputError for taken names and missing objects", () => {
    const bad = expect.objectContaining({ name: "InputError" });
    const { browserPools } = emulator;
    browserPools.create({ id: "p", name: "agents", size: 1 });
    expect(() => browserPools.create({ name: "agents", size: 1 })).toThrow(bad);
    expect(() => browserPools.create({ size: 1, extensions: [{ name: "none" }] })).toThrow(bad);
    expect(() => browserPools.create({ size: 1, projectId: "none" })).toThrow(bad);
    for (const act of ["get", "fill", "browsers", "acquire", "remove"] as const) {
      expect(() => browserPools[act]("none")).toThrow(bad);
    }
    browserPools.acquire("p");
    expect(() => browserPools.acquire("p")).toThrow(bad);
    expect(() => browserPools.release("p", "none")).toThrow(bad);
    expect(browserPools.list().map(({ id }) => id)).toEqual(["p"]);
  });
});
