import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { type Play, play } from "./played-terminal.js";

const secret = "sk_0123456789abcdefghij";

describe("browser-infra projects create, rename, archive and delete", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ apiKeys: [secret], seed: { projects: [{ id: "live", name: "Live" }] } });
  });
  afterEach(() => emulator.close());

  const projects = (args: readonly string[], options?: Play) =>
    play(emulator, ["projects", ...args], options);
  const find = (id: string) => emulator.projects.list().find((project) => project.id === id);
  const writes = () => emulator.requests.filter(({ method }) => method !== "GET").length;

  test("create prints the new id, and with --json the whole record", async () => {
    const { exitCode, out, err } = await projects(["create", "Größe 1"]);
    expect([exitCode, err]).toEqual([0, ""]);
    const [, id = ""] = /^Created project "Größe 1" \(id (\w+)\)\.\n$/.exec(out) ?? [];
    expect(find(id)).toMatchObject({ name: "Größe 1", status: "active" });
    const record = JSON.parse((await projects(["create", "two", "--json"])).out);
    expect(record).toMatchObject({ id: expect.any(String), name: "two", status: "active" });
  });

  test("create of a name that exists is refused, and says why", async () => {
    const { exitCode, err } = await projects(["create", "LIVE"]);
    expect(exitCode).not.toBe(0);
    expect(err).toContain("Project names are unique in the organization");
  });

  test.each(["", "a/b", "x".repeat(256), secret])(
    "a name such as %j is refused before anything is changed, and a secret is not shown",
    async (name) => {
      for (const args of [
        ["create", name],
        ["rename", "live", name],
      ]) {
        const { exitCode, out, err } = await projects(args);
        expect([exitCode, out]).toEqual([2, ""]);
        expect(err).not.toContain(secret);
      }
      expect(writes()).toBe(0);
    },
  );

  test("rename prints the previous name, so that it can be undone", async () => {
    expect(await projects(["rename", "Live", "live\u001b 2"])).toEqual({
      exitCode: 0,
      out: 'Renamed project live from "Live" to "live\\u001b 2".\n',
      err: "",
    });
    const record = JSON.parse((await projects(["rename", "live", "Live", "--json"])).out);
    expect(record).toMatchObject({ id: "live", name: "Live", previousName: "live\u001b 2" });
  });

  test("a project that does not exist ends with exit code 3", async () => {
    expect(await projects(["rename", "nowhere", "new"])).toMatchObject({ exitCode: 3 });
    expect(await projects(["archive", "nowhere", "--yes"])).toMatchObject({ exitCode: 3 });
  });

  test("archive asks first, and does nothing without a yes", async () => {
    const declined = await projects(["archive", "live"], { terminal: 80, answer: "n\n" });
    expect(declined.exitCode).not.toBe(0);
    expect(declined.err).toContain('Archive project "Live" (id live)?');
    expect(find("live")?.status).toBe("active");
    expect(await projects(["archive", "live"])).toMatchObject({ exitCode: 2, out: "" });
    expect(writes()).toBe(0);
    const done = await projects(["archive", "live"], { terminal: 80, answer: "y\n" });
    expect(done.out).toBe('Archived project "Live" (id live).\n');
    expect(find("live")?.status).toBe("archived");
    expect((await projects(["archive", "live", "--yes"])).out).toContain("is already archived");
  });

  test("the last active project cannot be archived, and the error says so", async () => {
    await projects(["archive", "live", "--yes"]);
    const { exitCode, err } = await projects(["archive", emulator.defaultProject.id, "--yes"]);
    expect(exitCode).not.toBe(0);
    expect(err).toContain("An organization keeps at least one active project.");
  });

  test("delete asks first, and refuses a project that is not empty", async () => {
    const declined = await projects(["delete", "live"], { terminal: 80, answer: "n\n" });
    expect(declined.err).toContain('Delete project "Live" (id live)?');
    expect(await projects(["delete", "live"])).toMatchObject({ exitCode: 2, out: "" });
    expect(writes()).toBe(0);
    const pool = emulator.browserPools.create({ size: 1, projectId: "live" });
    expect(await projects(["delete", "Live", "--yes"])).toMatchObject({ exitCode: 1, out: "" });
    emulator.browserPools.remove(pool.id);
    expect((await projects(["delete", "Live", "--yes"])).out).toBe('Deleted project "Live" (id live).\n');
    expect(find("live")).toBeUndefined();
    expect(await projects(["delete", "live", "--yes"])).toMatchObject({ exitCode: 3 });
  });

  test("a creation ends with exit code 5 when its answer is lost, and is not sent twice", async () => {
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    const { exitCode, err } = await projects(["create", "web"]);
    expect(exitCode).toBe(5);
    expect(err).toContain("Look for a project with this name");
    expect(writes()).toBe(1);
  });
});
