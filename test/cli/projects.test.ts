import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { type Play, play } from "./played-terminal.js";

describe("browser-infra projects", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({
      now: () => new Date("2026-11-21T10:00:00Z"),
      seed: {
        defaultProject: { id: "default", name: "Default" },
        projects: [
          { id: "trial", name: "Trial", status: "archived" },
          { id: "live", name: "本番", limits: { maxConcurrentSessions: 40, maxPooledSessions: 3 } },
          { id: "evil", name: "a\u001b[31m\u009b\u202eb" },
        ],
      },
    });
  });
  afterAll(() => emulator.close());

  const projects = (args: string, options?: Play) =>
    play(emulator, ["projects", ...args.split(" ")], options);

  test("list shows every project in a table", async () => {
    expect(await projects("list")).toEqual({
      exitCode: 0,
      out: [
        "ID       NAME                      STATUS    CREATED\n",
        "evil     a\\u001b[31m\\u009b\\u202eb  active    2026-11-21\n",
        "live     本番                      active    2026-11-21\n",
        "trial    Trial                     archived  2026-11-21\n",
        "default  Default                   active    2026-11-21\n",
      ].join(""),
      err: "",
    });
  });

  test("list --json is one array with our own member names, and no character in it can steer a terminal", async () => {
    const { exitCode, out, err } = await projects("list --json --limit 1");
    expect([exitCode, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual([
      {
        id: "evil",
        name: "a\u001b[31m\u009b\u202eb",
        status: "active",
        createdAt: "2026-11-21T10:00:00.000Z",
        updatedAt: "2026-11-21T10:00:00.000Z",
      },
    ]);
    expect(out).not.toMatch(/[^\x20-\x7e\n]/);
  });

  test.each([
    ["--query ria", ["trial"]],
    ["--name Trial", ["trial"]],
    ["--name trial", []],
    ["--status archived", ["trial"]],
    ["--status active --limit 2", ["evil", "live"]],
    ["--status active --offset 1 --limit 1", ["live"]],
    ["--offset 3", ["default"]],
    ["--offset 9", []],
  ])("list %s", async (filter, ids) => {
    const { out } = await projects(`list --json ${filter}`);
    expect((JSON.parse(out) as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });

  test("an empty list is reported on standard error and ends with exit code 0", async () => {
    expect(await projects("list --query nothing")).toEqual({ exitCode: 0, out: "", err: "No projects.\n" });
    expect(await projects("list --query nothing --json")).toEqual({ exitCode: 0, out: "[]\n", err: "" });
  });

  test("only terminals get colors, and never with NO_COLOR", async () => {
    const colored = await projects("list --name Trial", { terminal: 80 });
    expect(colored.out).toContain("\u001b[1mID\u001b[22m");
    expect(colored.out).toContain("\u001b[33marchived\u001b[39m");
    for (const options of [
      { terminal: 80, env: { NO_COLOR: "1", FORCE_COLOR: "3" } },
      { env: { FORCE_COLOR: "3" } },
    ]) {
      expect((await projects("list --name Trial", options)).out).not.toContain("\u001b");
    }
    expect((await projects("list --name Trial", { terminal: 80, env: { NO_COLOR: "" } })).out).toContain(
      "\u001b",
    );
  });

  test.each(["live", "本番"])("get finds %s", async (idOrName) => {
    expect(await projects(`get ${idOrName}`)).toMatchObject({
      exitCode: 0,
      out: "ID       live\nNAME     本番\nSTATUS   active\nCREATED  2026-11-21 10:00:00 UTC\nUPDATED  2026-11-21 10:00:00 UTC\n",
    });
    expect(JSON.parse((await projects(`get ${idOrName} --json`)).out)).toMatchObject({ id: "live" });
  });

  test.each(["none", "trial/none", "TRIAL "])(
    "get of %j, which is neither an id nor an exact name, ends with exit code 3",
    async (name) => {
      const { exitCode, out, err } = await play(emulator, ["projects", "get", name]);
      expect([exitCode, out]).toEqual([3, ""]);
      expect(err).toContain(`error: There is no project with the name`);
    },
  );

  test("limits says which cap is not set, and what applies instead", async () => {
    expect((await projects("limits 本番")).out).toBe(
      [
        "PROJECT                       本番\n",
        "ID                            live\n",
        "CONCURRENT SESSIONS           40\n",
        "CONCURRENT INVOCATIONS        not set; the organization's limit applies\n",
        "POOLED SESSIONS (DEPRECATED)  3\n",
      ].join(""),
    );
    expect((await projects("limits default")).out).not.toContain("POOLED");
    expect(JSON.parse((await projects("limits live --json")).out)).toEqual({
      projectId: "live",
      projectName: "本番",
      maxConcurrentSessions: 40,
      maxConcurrentInvocations: null,
      maxPooledSessions: 3,
    });
  });

  test("an archived project in the settings does not prevent listing projects", async () => {
    const { exitCode } = await projects("list", { env: { BROWSER_INFRA_PROJECT_ID: "trial" } });
    expect(exitCode).toBe(0);
  });

  test.each([
    ["list --limit 0", "whole number of at least 1"],
    ["list --limit x", "whole number of at least 1"],
    ["list --offset -1", "whole number of at least 0"],
    ["list --status gone", "Allowed choices are active, archived."],
    ["list --bogus", "unknown option '--bogus'"],
    ["get", "missing required argument"],
    ["gt", "Did you mean get?"],
    ["list extra", "too many arguments"],
  ])("%s is wrong usage: exit code 2", async (args, reason) => {
    const { exitCode, out, err } = await projects(args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(reason);
  });

  test("an empty filter is refused before any request", async () => {
    const sent = emulator.requests.length;
    const { exitCode, err } = await play(emulator, ["projects", "list", "--name", ""]);
    expect([exitCode, emulator.requests.length]).toEqual([2, sent]);
    expect(err).toContain('"name" must be a string of 1 to 255 characters');
  });

  test("help lists the exit codes and where the settings come from", async () => {
    const { exitCode, out } = await play(emulator, ["projects", "--help"]);
    expect(exitCode).toBe(0);
    for (const text of ["BROWSER_INFRA_API_KEY", "3    not found", "list", "limits"]) {
      expect(out).toContain(text);
    }
  });

  test("a missing setting is named, with the variable that provides it", async () => {
    const { exitCode, err } = await projects("list", { env: { BROWSER_INFRA_API_KEY: undefined } });
    expect([exitCode, err]).toEqual([2, "error: No API key. Set BROWSER_INFRA_API_KEY.\n"]);
  });
});
