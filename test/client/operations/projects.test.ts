import {
  ApiError,
  BrowserInfraError,
  ContractError,
  InputError,
  isNotFound,
} from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, type Script } from "../fault-server.js";
import { offsetsOf, serveList } from "../list-server.js";
import { closeBenches, startBench } from "../test-client.js";
import { astralName, delicateNames, wireProject } from "../wire-records.js";

afterEach(closeBenches);

const project = (id: string, name = id, status = "active") => ({ ...wireProject, id, name, status });
const listOf = (...rows: object[]) => json(200, rows, { "x-has-more": "false", "x-next-offset": "0" });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const queryOf = (target = "") => Object.fromEntries(new URL(target, "http://service.invalid").searchParams);

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

  test("an unknown status is kept, and unknown members are ignored", async () => {
    const { client } = await startBench([json(200, { ...wireProject, status: "frozen", color: "blue" })]);
    const read = await client.projects.get(wireProject.id);
    expect(read.status).toBe("frozen");
    expect(read).not.toHaveProperty("color");
  });

  test("a list sends name, search text and paging, and drops nothing else", async () => {
    const { client, server } = await startBench([
      listOf(project("a", "web"), project("b", "web", "archived")),
    ]);
    expect(ids(await client.projects.list({ name: "web", query: "WE" }))).toEqual(["a", "b"]);
    expect(server.requests[0]?.target).toBe("/org/projects?limit=100&offset=0&name=web&query=WE");
  });

  test("a status is filtered here, over every page, and not sent", async () => {
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

  test.each([100, 20])(
    "250 projects in pages of %i are listed while projects are created and deleted between pages",
    async (pageRowsMax) => {
      const lasting = Array.from({ length: 250 }, (_, i) => project(`lasting${i}`));
      const rows = (request: number) => [
        ...Array.from({ length: (request * 37) % 90 }, (_, i) => project(`newer${i}`)),
        ...lasting.slice(0, 120),
        ...(request < 2 ? Array.from({ length: 80 }, (_, i) => project(`gone${i}`)) : []),
        ...lasting.slice(120),
      ];
      const { client } = await startBench([serveList({ rows, pageRowsMax })]);
      const listed: string[] = [];
      for await (const { id } of client.projects.iterate()) {
        listed.push(id);
      }
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed.filter((id) => id.startsWith("lasting"))).toHaveLength(250);
    },
  );

  test.each(delicateNames)("a project named %j is found by exactly that name", async (name) => {
    const { client, server } = await startBench([listOf(project("p1", name))]);
    expect(await client.projects.getByName(name)).toMatchObject({ id: "p1", name });
    expect(queryOf(server.requests[0]?.target).name).toBe(name);
  });

  test("percent signs, slashes and spaces of a name are encoded in the query", async () => {
    const { client, server } = await startBench([listOf(project("p1", "a/b 100%"))]);
    await client.projects.getByName("a/b 100%");
    expect(server.requests[0]?.target).toBe("/org/projects?limit=100&offset=0&name=a%2Fb%20100%25");
  });

  test("among names that differ only by case, accent or form, the one that is equal byte for byte is found", async () => {
    const twins = [
      project("p1", "Caf\u00e9"),
      project("p2", "cafe"),
      project("p3", "caf\u00e9"),
      project("p4", "cafe\u0301"),
      project("p5", "caf\u00e9 "),
    ];
    const { client } = await startBench([listOf(...twins)]);
    for (const { id, name } of twins) {
      expect((await client.projects.getByName(name)).id).toBe(id);
    }
    expect(ids(await client.projects.list({ name: "cafe\u0301" }))).toEqual(["p4"]);
  });

  test("when only similar names exist, each is listed with its id, and what the eye would miss is escaped", async () => {
    const { client } = await startBench([
      listOf(project("p1", "Staging"), project("p2", "sta\u0301ging"), project("p3", "staging  ")),
    ]);
    const error = await errorOf(client.projects.getByName("staging"));
    expect(error).toBeInstanceOf(BrowserInfraError);
    expect(error).toMatchObject({ code: "name_not_found" });
    expect(error.message).toBe(
      'There is no project with the name "staging". Names must match exactly, including case, accents and spaces. The service found "Staging" (id p1), "sta\\u0301ging" (id p2), "staging\\u0020\\u0020" (id p3): use one of these names, or the id.',
    );
  });

  test("a name that no project has is an error that says so", async () => {
    const { client } = await startBench([listOf()]);
    expect(await errorOf(client.projects.getByName("staging"))).toMatchObject({
      code: "name_not_found",
      message:
        'There is no project with the name "staging". Check the name, and that this API key has access to it.',
    });
  });

  test("several projects with exactly the same name are an error that lists every id", async () => {
    const { client } = await startBench([
      listOf(project("p1", "web"), project("p2", "web"), project("p3", "Web")),
    ]);
    const error = await errorOf(client.projects.getByName("web"));
    expect(error).toMatchObject({ code: "name_ambiguous" });
    expect(error.message).toBe(
      'There are 2 projects with the name "web": "web" (id p1), "web" (id p2). Use the id.',
    );
  });

  test("a message lists ten of many projects, and shortens long names", async () => {
    const long = `${"😀".repeat(90)}\u202e`;
    const rows = Array.from({ length: 12 }, (_, i) => project(`p${i}`, long));
    const { client } = await startBench([listOf(...rows)]);
    const { message } = await errorOf(client.projects.getByName(long));
    expect(message).toContain(`There are 12 projects with the name "${"😀".repeat(40)}"…: `);
    expect(message).toContain("(id p9) and 2 more. Use the id.");
    expect(message).not.toContain("p10");
  });

  test("an active project is found before archived ones with the same name", async () => {
    const { client } = await startBench([
      listOf(project("p1", "web", "archived"), project("p2", "web"), project("p3", "web", "archived")),
    ]);
    expect((await client.projects.getByName("web")).id).toBe("p2");
  });

  test("an archived project is found by name when no other has it", async () => {
    const { client } = await startBench([listOf(project("p1", "web", "archived"))]);
    expect((await client.projects.getByName("web")).status).toBe("archived");
  });

  test("an answer about another project, as newer services give for a name, is a contract error", async () => {
    const { client } = await startBench([json(200, wireProject)]);
    const error = await errorOf(client.projects.get("staging"));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(
      'Reading the project "staging" got an unexpected response: it describes another project, as when a name is given for the id.',
    );
  });

  test("limits are read by id, and a cap that is null or absent is null", async () => {
    const { client, server } = await startBench([
      json(200, { max_concurrent_sessions: 12, max_concurrent_invocations: null }),
      json(200, {}),
      json(200, {
        max_concurrent_sessions: 0,
        max_concurrent_invocations: 1,
        max_pooled_sessions: 2,
        new: "x",
      }),
    ]);
    const limits = () => client.projects.limits(wireProject.id);
    expect(await limits()).toEqual({
      maxConcurrentSessions: 12,
      maxConcurrentInvocations: null,
      maxPooledSessions: null,
    });
    expect(await limits()).toEqual({
      maxConcurrentSessions: null,
      maxConcurrentInvocations: null,
      maxPooledSessions: null,
    });
    expect(await limits()).toEqual({
      maxConcurrentSessions: 0,
      maxConcurrentInvocations: 1,
      maxPooledSessions: 2,
    });
    expect(server.requests[0]?.target).toBe(`/org/projects/${wireProject.id}/limits`);
  });

  test.each([
    ["max_concurrent_sessions", "12", "a number, got a string of 2 characters"],
    ["max_concurrent_invocations", 1.5, "a whole number, got the number 1.5"],
    ["max_pooled_sessions", -1, "at least 0, got the number -1"],
    ["max_concurrent_sessions", [], "a number, got an array"],
  ])("a limit %s of %j is a contract error with its path", async (member, value, expected) => {
    const { client } = await startBench([json(200, { [member]: value })]);
    const error = await errorOf(client.projects.limits("p1"));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(`"${member}" should be ${expected}`);
  });

  test.each([
    ["id", undefined, "a string, got nothing"],
    ["id", "", "at least 1 character"],
    ["name", null, "a string, got null"],
    ["status", 7, "a string, got the number 7"],
    ["id", "a b", "visible ASCII characters"],
    ["status", "", "at least 1 character"],
  ])("a project whose %s is %j is a contract error with its path", async (member, value, expected) => {
    const wrong = { ...wireProject, [member]: value };
    const { client } = await startBench([json(200, wrong), listOf(wireProject, wrong)]);
    expect((await errorOf(client.projects.get(wireProject.id))).message).toContain(
      `"${member}" should be ${expected}`,
    );
    const error = await errorOf(client.projects.list());
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(`Listing projects got an unexpected response: "[1].${member}" should be`);
  });

  test.each<[Script, string]>([
    [
      json(401, { code: "unauthorized", message: "Invalid token" }),
      "failed: 401 unauthorized, Invalid token. Check the API key: it may be mistyped, expired or deleted.",
    ],
    [
      json(403, { code: "forbidden", message: "Not yours" }),
      "failed: 403 forbidden, Not yours. Check that the API key has access to this project",
    ],
    [
      json(404, { code: "not_found", message: "Project not found" }),
      "failed: 404 not_found, Project not found. Check the project's id (a name is not an id; getByName finds by name)",
    ],
    [
      json(404, { code: "projects_disabled", message: "Projects are not enabled" }),
      "failed: 404 projects_disabled, Projects are not enabled. This organization has no projects: leave out the project id, and do not list or read projects.",
    ],
  ])("a refusal says what to do (%#)", async (script, expected) => {
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

  test("a list in an organization without projects says so", async () => {
    const { client } = await startBench([json(404, { code: "projects_disabled", message: "Not enabled" })]);
    expect(await errorOf(client.projects.list())).toMatchObject({
      code: "projects_disabled",
      message:
        "Listing projects failed: 404 projects_disabled, Not enabled. This organization has no projects: leave out the project id, and do not list or read projects.",
    });
  });

  test.each(["", "..", "a/b", "a%2fb", "a?b", "a\nb", astralName])(
    "X8: an id of %j is refused before any request",
    async (id) => {
      const { client, server } = await startBench([json(200, wireProject)]);
      for (const act of [client.projects.get(id), client.projects.limits(id)]) {
        const error = await errorOf(act);
        expect(error).toBeInstanceOf(InputError);
        expect(error).toMatchObject({ code: "id_invalid", property: "id" });
        expect(error.message).toContain("Pass the project's id as the service shows it.");
      }
      expect(server.connections()).toBe(0);
    },
  );

  test.each([
    ["status", ""],
    ["name", `${astralName}x`],
    ["query", "\ud800"],
  ])("a list by %s %j is refused before any request", async (property, value) => {
    const { client, server } = await startBench([listOf()]);
    expect(await errorOf(client.projects.list({ [property]: value }))).toMatchObject({
      name: "InputError",
      property,
    });
    expect(server.connections()).toBe(0);
  });

  test("the holder of a name is found whatever its case, an equal name first, and nothing else is", async () => {
    const extension = (id: string, name: string | null) => ({
      id,
      name,
      size_bytes: 1,
      created_at: "2026-05-01T08:00:00Z",
    });
    const rows = [extension("e0", null), extension("e1", "Ad-Blocker"), extension("e2", "ad-blocker")];
    const { client } = await startBench([listOf(...rows), listOf(...rows), listOf(...rows)]);
    expect((await client.extensions.holderOf("ad-blocker"))?.id).toBe("e2");
    expect((await client.extensions.holderOf("AD-BLOCKER"))?.id).toBe("e1");
    // A service that ignores the filter shows extensions with other names.
    expect(await client.extensions.holderOf("other")).toBeUndefined();
    expect(await errorOf(client.extensions.holderOf(""))).toMatchObject({
      name: "InputError",
      property: "name",
    });
  });

  test("an extension is found by its exact name, where get accepts any case", async () => {
    const extension = (id: string, name: string) => ({
      id,
      name,
      size_bytes: 1,
      created_at: "2026-05-01T08:00:00Z",
    });
    const { client } = await startBench([
      listOf(extension("e1", "Ad-Blocker"), extension("e2", "ad-blocker")),
    ]);
    expect((await client.extensions.getByName("ad-blocker")).id).toBe("e2");
    expect((await errorOf(client.extensions.getByName("AD-BLOCKER"))).message).toContain(
      'There is no extension with the name "AD-BLOCKER". Names must match exactly, including case, accents and spaces. The service found "Ad-Blocker" (id e1), "ad-blocker" (id e2)',
    );
  });
});
