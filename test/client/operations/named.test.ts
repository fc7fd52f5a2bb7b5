import { type BrowserInfraClient, BrowserInfraError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { listOf } from "../list-server.js";
import { closeBenches, startBench, wireExtension } from "../test-client.js";
import { delicateNames, wireBrowserPool, wireProfile, wireProject, wireProxy } from "../wire-records.js";

afterEach(closeBenches);

const project = (id: string, name: string, status = "active") => ({ ...wireProject, id, name, status });

/** Projects of a service that finds the given rows for every name. */
async function projectsOf(...rows: readonly object[]) {
  const { client, server } = await startBench([listOf(...rows)]);
  return { projects: client.projects, server };
}

describe("getByName", () => {
  test.each(delicateNames)("getByName finds %j and sends the name unchanged", async (name) => {
    const { projects, server } = await projectsOf(project("p1", name));
    expect(await projects.getByName(name)).toMatchObject({ id: "p1", name });
    const { target = "" } = server.requests[0] ?? {};
    expect(new URL(target, server.url).searchParams.get("name")).toBe(name);
  });

  test("getByName finds the name that is equal byte for byte among names that differ in case, accent or form", async () => {
    const names = ["Caf\u00e9", "cafe", "caf\u00e9", "cafe\u0301", "caf\u00e9 "];
    const { projects } = await projectsOf(...names.map((name, at) => project(`p${at}`, name)));
    for (const [at, name] of names.entries()) {
      expect((await projects.getByName(name)).id).toBe(`p${at}`);
      expect((await projects.list({ name })).map(({ id }) => id)).toEqual([`p${at}`]);
    }
  });

  test.each<[string, object[], string, string]>([
    [
      "lists similar names with their ids, and escapes what the eye would miss",
      [project("p1", "Staging"), project("p2", "sta\u0301ging"), project("p3", "staging  ")],
      "name_not_found",
      'There is no project with the name "staging". Names must match exactly, including case, accents and spaces. The service found "Staging" (id p1), "sta\\u0301ging" (id p2), "staging\\u0020\\u0020" (id p3): use one of these names, or the id.',
    ],
    [
      "says that none has the name",
      [],
      "name_not_found",
      'There is no project with the name "staging". Check the name, and that this API key has access to it.',
    ],
    [
      "lists every id of a name that several have",
      [project("p1", "staging"), project("p2", "staging"), project("p3", "Staging")],
      "name_ambiguous",
      'There are 2 projects with the name "staging": "staging" (id p1), "staging" (id p2). Use the id.',
    ],
  ])("the error of getByName %s", async (_what, rows, code, message) => {
    const { projects } = await projectsOf(...rows);
    const error = await errorOf(projects.getByName("staging"));
    expect(error).toBeInstanceOf(BrowserInfraError);
    expect(error).toMatchObject({ code, message });
  });

  test("the error of getByName lists ten of many objects, and shortens long names", async () => {
    const long = `${"😀".repeat(90)}\u202e`;
    const { projects } = await projectsOf(...Array.from({ length: 12 }, (_, i) => project(`p${i}`, long)));
    const { message } = await errorOf(projects.getByName(long));
    expect(message).toContain(`There are 12 projects with the name "${"😀".repeat(40)}"…: `);
    expect(message).toContain("(id p9) and 2 more. Use the id.");
    expect(message).not.toContain("p10");
  });

  test("getByName finds an active project before archived projects of equal name, otherwise the archived project", async () => {
    const archived = project("p1", "web", "archived");
    const both = await projectsOf(archived, project("p2", "web"), project("p3", "web", "archived"));
    expect((await both.projects.getByName("web")).id).toBe("p2");
    const { projects } = await projectsOf(archived);
    expect((await projects.getByName("web")).id).toBe("p1");
  });
});

describe.each<
  [
    string,
    object,
    (
      client: BrowserInfraClient,
    ) => BrowserInfraClient["extensions" | "projects" | "browserPools" | "profiles" | "proxies"],
  ]
>([
  ["extension", wireExtension, ({ extensions }) => extensions],
  ["project", { ...wireProject, status: "archived" }, ({ projects }) => projects],
  ["browser pool", wireBrowserPool, ({ browserPools }) => browserPools],
  ["profile", wireProfile, ({ profiles }) => profiles],
  ["proxy", wireProxy, ({ proxies }) => proxies],
])("the holder of the name of an existing %s", (noun, record, nounOf) => {
  test("holderOf finds a name in any case and accents, an exactly equal name first", async () => {
    const rows = ["Ágents", "agents", "agents two"].map((name, at) => ({ ...record, id: `x${at}`, name }));
    const { client } = await startBench([listOf(...rows)]);
    const its = nounOf(client);
    expect((await its.holderOf("agents"))?.id).toBe("x1");
    expect((await its.holderOf("AGENTS"))?.id).toBe("x0");
    // A service that ignores the filter also returns records with different names.
    expect(await its.holderOf("other")).toBeUndefined();
    expect((await its.getByName("agents")).id).toBe("x1");
    expect((await errorOf(its.getByName("AGENTS"))).message).toContain(
      `There is no ${noun} with the name "AGENTS". Names must match exactly`,
    );
    expect(await errorOf(its.holderOf(""))).toMatchObject({ name: "InputError", property: "name" });
  });
});
