import { useEmulator } from "../../support/emulator.js";
import { type Play, play } from "../played-terminal.js";

const secret = "sk_0123456789abcdefghij";

describe("browser-infra projects", () => {
  const emulator = useEmulator({
    apiKeys: [secret],
    seed: {
      defaultProject: { id: "default", name: "Default" },
      projects: [
        { id: "trial", name: "Trial", status: "archived" },
        { id: "live", name: "Live", limits: { maxConcurrentSessions: 40, maxPooledSessions: 3 } },
      ],
    },
  });

  const projects = (args: readonly string[], options?: Play) =>
    play(emulator, ["projects", ...args], options);
  const find = (id: string) => emulator.projects.list().find((project) => project.id === id);
  const writes = () => emulator.requests.filter(({ method }) => method !== "GET").length;

  test("projects list prints colors only in a terminal, and never with NO_COLOR", async () => {
    const colored = await projects(["list", "--name", "Trial"], { terminal: 80 });
    expect(colored.out).toContain("\u001b[1mID\u001b[22m");
    expect(colored.out).toContain("\u001b[33marchived\u001b[39m");
    for (const options of [
      { terminal: 80, env: { NO_COLOR: "1", FORCE_COLOR: "3" } },
      { env: { FORCE_COLOR: "3" } },
    ]) {
      expect((await projects(["list", "--name", "Trial"], options)).out).not.toContain("\u001b");
    }
    expect(
      (await projects(["list", "--name", "Trial"], { terminal: 80, env: { NO_COLOR: "" } })).out,
    ).toContain("\u001b");
  });

  test("projects limits reports a cap that is not set, and the limit that applies instead", async () => {
    expect((await projects(["limits", "Live"])).out).toBe(
      [
        "PROJECT                       Live\n",
        "ID                            live\n",
        "CONCURRENT SESSIONS           40\n",
        "CONCURRENT INVOCATIONS        not set; the organization's limit applies\n",
        "POOLED SESSIONS (DEPRECATED)  3\n",
      ].join(""),
    );
    expect((await projects(["limits", "default"])).out).not.toContain("POOLED");
    expect(JSON.parse((await projects(["limits", "live", "--json"])).out)).toEqual({
      projectId: "live",
      projectName: "Live",
      maxConcurrentSessions: 40,
      maxConcurrentInvocations: null,
      maxPooledSessions: 3,
    });
  });

  test("projects create prints the new id, and with --json the whole record", async () => {
    const { exitCode, out, err } = await projects(["create", "Größe 1"]);
    expect([exitCode, err]).toEqual([0, ""]);
    const [, id = ""] = /^Created project "Größe 1" \(id (\w+)\)\.\n$/.exec(out) ?? [];
    expect(find(id)).toMatchObject({ name: "Größe 1", status: "active" });
    const record = JSON.parse((await projects(["create", "two", "--json"])).out);
    expect(record).toMatchObject({ id: expect.any(String), name: "two", status: "active" });
  });

  test("projects create refuses a name that already exists, with the reason", async () => {
    const { exitCode, err } = await projects(["create", "LIVE"]);
    expect(exitCode).not.toBe(0);
    expect(err).toContain("Project names are unique in the organization");
  });

  test.each(["", "a/b", "x".repeat(256), secret])(
    "projects create refuses the name %j before any change, and does not print a secret",
    async (name) => {
      const { exitCode, out, err } = await projects(["create", name]);
      expect([exitCode, out]).toEqual([2, ""]);
      expect(err).not.toContain(secret);
      expect(writes()).toBe(0);
    },
  );

  test("projects archive asks for confirmation, and changes nothing without a yes", async () => {
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

  test("projects activate makes an archived project active, by id or name, and a second time changes nothing", async () => {
    const record = JSON.parse((await projects(["activate", "trial", "--json"])).out);
    expect(record).toMatchObject({ id: "trial", name: "Trial", status: "active" });
    expect([find("trial")?.status, writes()]).toEqual(["active", 1]);
    expect(await projects(["activate", "Trial"])).toEqual({
      exitCode: 0,
      out: 'The project "Trial" (id trial) is already active.\n',
      err: "",
    });
    expect(writes()).toBe(1);
    await projects(["archive", "trial", "--yes"]);
    expect((await projects(["activate", "Trial"])).out).toBe('Made project "Trial" (id trial) active.\n');
  });

  test("projects activate ends with exit code 3 for a project that does not exist, and with 5 when no response arrives", async () => {
    expect(await projects(["activate", "nobody"])).toMatchObject({ exitCode: 3, out: "" });
    emulator.faults.add({ method: "PATCH", at: "after-commit", action: "reset", times: 9 });
    expect(await projects(["activate", "trial"])).toMatchObject({ exitCode: 5, out: "" });
  });

  test("projects archive refuses the last active project, with the reason", async () => {
    await projects(["archive", "live", "--yes"]);
    const { exitCode, err } = await projects(["archive", emulator.defaultProject.id, "--yes"]);
    expect(exitCode).not.toBe(0);
    expect(err).toContain("An organization keeps at least one active project.");
  });

  test("projects delete refuses a project that is not empty", async () => {
    emulator.browserPools.create({ size: 1, projectId: "live" });
    expect(await projects(["delete", "live", "--yes"])).toMatchObject({ exitCode: 1, out: "" });
    expect(find("live")).toBeDefined();
  });

  test("projects create ends with exit code 5 when the response is lost, and sends the request only once", async () => {
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    const { exitCode, err } = await projects(["create", "web"]);
    expect(exitCode).toBe(5);
    expect(err).toContain("Look for a project with this name");
    expect(writes()).toBe(1);
  });
});
