import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stored } from "../emulator/calls.js";
import { useEmulator } from "../support/emulator.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { type Play, play } from "./played-terminal.js";

const id = "ckv9w8q2f000001l5r3j7k9m";

describe("the project of a command", () => {
  const emulator = useEmulator({
    seed: {
      projects: [
        { id, name: "Live" },
        { id: "proj_team", name: "QA/100%" },
        { id: "gone", name: "Trial", status: "archived" },
      ],
    },
  });
  beforeEach(async () => {
    await stored(emulator, { name: "of-live", headers: { "x-kernel-project-id": id } });
    await stored(emulator, { name: "of-team", headers: { "x-kernel-project-id": "proj_team" } });
    await stored(emulator, { name: "of-default" });
  });

  const listed = async (args: readonly string[], env: Play["env"] = {}) => {
    const { exitCode, out, err } = await play(emulator, ["extensions", "list", "--json", ...args], { env });
    expect([exitCode, err]).toEqual([0, ""]);
    return (JSON.parse(out) as { name: string }[]).map(({ name }) => name);
  };

  test.each<[string, readonly string[], Record<string, string>, string]>([
    ["--project takes an id", ["--project", id], {}, "of-live"],
    ["--project takes an exact name", ["--project", "Live"], {}, "of-live"],
    [
      "--project takes a name with characters that a path cannot contain",
      ["--project", "QA/100%"],
      {},
      "of-team",
    ],
    ["--project takes an id of another form", ["--project", "proj_team"], {}, "of-team"],
    ["KERNEL_PROJECT takes an id", [], { KERNEL_PROJECT: id }, "of-live"],
    ["KERNEL_PROJECT takes a name", [], { KERNEL_PROJECT: "Live" }, "of-live"],
    [
      "--project wins over BROWSER_INFRA_PROJECT_ID",
      ["--project", "QA/100%"],
      { BROWSER_INFRA_PROJECT_ID: id },
      "of-team",
    ],
    [
      "the variables for project ids win over KERNEL_PROJECT",
      [],
      { KERNEL_PROJECT_ID: id, KERNEL_PROJECT: "QA/100%" },
      "of-live",
    ],
    ["an empty KERNEL_PROJECT counts as not set", [], { KERNEL_PROJECT: " " }, "of-default"],
  ])("%s", async (_what, args, env, name) => {
    expect(await listed(args, env)).toEqual([name]);
  });

  test("extensions upload acts in the project that KERNEL_PROJECT names, not in the default project", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "source"));
    writeFileSync(
      join(folder, "source/manifest.json"),
      '{ "manifest_version": 3, "name": "x", "version": "1" }',
    );
    const args = ["extensions", "upload", "source", "--name", "new"];
    const { exitCode } = await play(emulator, args, { cwd: folder, env: { KERNEL_PROJECT: "Live" } });
    const names = emulator.extensions.list(id).map(({ name }) => name);
    expect([exitCode, names.includes("new")]).toEqual([0, true]);
  });

  test("--project looks up a name, and sends a value in the form of an id without a lookup", async () => {
    const before = emulator.requests.length;
    await listed(["--project", id]);
    expect(emulator.requests.slice(before).map(({ path }) => path)).toEqual(["/extensions"]);
    await listed(["--project", "Live"]);
    expect(emulator.requests.some(({ path }) => path === "/org/projects")).toBe(true);
  });

  test.each<[readonly string[], Record<string, string>, string]>([
    [
      ["--project", "live"],
      {},
      'The project (option --project) was not found. There is no project with the name "live". Names must match exactly',
    ],
    [[], { KERNEL_PROJECT: "nobody" }, "The project (environment variable KERNEL_PROJECT) was not found. "],
    [
      ["--project", "Trial"],
      {},
      'Project "Trial" (id gone) is archived. To make it active: "browser-infra projects activate gone".\n',
    ],
    [
      ["--project", "ckp0000000000000000000ab"],
      {},
      "Check the project id (option --project): it is unknown or archived.",
    ],
  ])(
    "a project that does not exist is a failure that names the origin of the setting: %j %j",
    async (args, env, reason) => {
      const { exitCode, out, err } = await play(emulator, ["extensions", "list", ...args], { env });
      expect([exitCode, out]).toEqual([1, ""]);
      expect(err).toContain(reason);
    },
  );

  test("a command of the organization ignores the project setting, even if the project does not exist", async () => {
    const before = emulator.requests.length;
    const { exitCode } = await play(emulator, ["projects", "list"], { env: { KERNEL_PROJECT: "nobody" } });
    expect(exitCode).toBe(0);
    expect(emulator.requests.slice(before)).toHaveLength(1);
  });

  test("whoami prints the name of the project, the origin of the setting, and the id of the project", async () => {
    const env = { KERNEL_PROJECT: "Live" };
    const { out } = await play(emulator, ["whoami"], { env });
    expect(out).toMatch(/^project +Live +environment variable KERNEL_PROJECT$/m);
    expect(out).toContain(`ACTS IN       project "Live" (${id})`);
    const json = await play(emulator, ["whoami", "--json"], { env });
    expect(JSON.parse(json.out)).toMatchObject({ project: "Live", projectId: id, accepted: true });
    const wrong = await play(emulator, ["whoami", "--json", "--project", "nobody"]);
    expect(wrong.exitCode).toBe(1);
    expect(JSON.parse(wrong.out)).toMatchObject({ project: "nobody", projectId: null, accepted: false });
  });

  test("an import file contains the id of a project that was given by name", async () => {
    const args = ["import", "extensions", "of-live", "--project", "Live", "--output", "-"];
    const { exitCode, out } = await play(emulator, args);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).resources[0].inputs).toMatchObject({ name: "of-live", projectId: id });
  });

  test.each([[""], ["a\nb"], ["x".repeat(256)]])(
    "--project %j is wrong usage, and nothing is sent",
    async (project) => {
      const before = emulator.requests.length;
      const { exitCode, out, err } = await play(emulator, ["extensions", "list", "--project", project]);
      expect([exitCode, out, emulator.requests.length]).toEqual([2, "", before]);
      expect(err).toContain("The project from option --project ");
    },
  );
});
