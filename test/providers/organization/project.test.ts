import { shortenWaits } from "../../contract/rows/shorter-waits.js";
import { errorOf } from "../../support/error-of.js";
import { main, PlayedProgram } from "../played-program.js";

const automatic = /^agents-[0-9a-f]{7}$/;

describe("a project", () => {
  let program: PlayedProgram;

  shortenWaits();

  beforeEach(async () => {
    program = await PlayedProgram.start("Project");
  });

  const up = (...args: Parameters<PlayedProgram["up"]>) => program.up(...args);
  const projects = () => program.emulator.projects.list();
  const find = (id = program.stored.id) => projects().find((project) => project.id === id);
  const createTheirs = (name: string) => program.emulator.createProject({ name });

  /** Automatic name, as shown in a preview. */
  async function autoNameOf(): Promise<string> {
    program.declare({});
    const [check] = await program.engine.checks(main);
    return String(check?.inputs.name);
  }

  test("a project is created with its name, and the outputs have the record of the project", async () => {
    await up({ name: "Größe & Co" });
    expect(find()).toMatchObject({ name: "Größe & Co", status: "active" });
    expect(program.stored.outputs).toEqual({
      name: "Größe & Co",
      status: "active",
      onDelete: "delete",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  test("a project is renamed in place, also by case alone, and to its automatic name", async () => {
    await up({ name: "web" });
    const { id } = program.stored;
    for (const [news, name] of [
      [{ name: "Web" }, "Web"],
      [{}, expect.stringMatching(automatic)],
    ] as const) {
      expect(await program.preview(news)).toMatchObject({ steps: ["update agents"], failures: [] });
      await up(news);
      expect(program.stored).toMatchObject({ id, outputs: { name } });
      expect(find()?.name).toEqual(name);
    }
  });

  test("a refresh reports an outside rename and an outside archiving, and the next deployment corrects both", async () => {
    await up({ name: "web" });
    await up({ name: "web" });
    const { id } = program.stored;
    program.emulator.projects.rename(id, "drifted");
    program.emulator.archiveProject(id);
    await program.refresh();
    expect(program.stored.inputs).toMatchObject({ name: "drifted", status: "archived", onDelete: "delete" });
    expect(program.messages).toEqual([
      expect.stringContaining('was renamed outside of this program: from "web" to "drifted"'),
      expect.stringContaining('The next "pulumi up" makes it active again; this one, if it refreshes.'),
    ]);
    await up({ name: "web" });
    expect(program.stored.outputs).toMatchObject({ name: "web", status: "active" });
    expect(find()).toMatchObject({ name: "web", status: "active" });
  });

  test.each([
    ["delete", undefined],
    ["archive", "archived"],
    ["keep", "active"],
  ])("a destroy follows onDelete, whose change sends no write: %s", async (onDelete, status) => {
    await up({ name: "web" });
    const { writes } = program;
    await up({ name: "web", onDelete });
    expect(program.writes).toEqual(writes);
    const { id } = program.stored;
    await program.destroy();
    expect(find(id)?.status).toBe(status);
  });

  test("a project that owns objects cannot be deleted, and the error lists the objects that the service lists", async () => {
    await up({ name: "web" });
    const { id: projectId } = program.stored;
    program.emulator.authConnections.create({ domain: "example.com", profileName: "work", projectId });
    program.emulator.browserPools.create({ projectId, name: "agents", size: 1 });
    const error = await errorOf(program.destroy());
    expect(error).toMatchObject({ name: "ConflictError", code: "project_not_empty" });
    expect(error.message).toContain(
      'it has 1 profile ("work") and 1 browser pool ("agents") and 1 auth connection ("example.com")',
    );
    expect(error.message).toContain('set "onDelete" to "archive" or "keep"');
    const unanswered = { method: "GET", path: "/auth/connections", at: "before-commit" } as const;
    program.emulator.faults.add({ ...unanswered, action: { answer: { status: 404 } } });
    expect((await errorOf(program.destroy())).message).toContain(
      'it is not empty: it has 1 profile ("work") and 1 browser pool ("agents"). An auth connection makes a profile that does not exist, and leaves the profile behind. Delete',
    );
    expect(find()?.status).toBe("active");
  });

  test.each(["delete", "archive"])(
    "the last active project stays at a destroy with onDelete %s, and the error explains the refusal",
    async (onDelete) => {
      await up({ name: "web", onDelete });
      program.emulator.projects.remove(program.emulator.defaultProject.id);
      const error = await errorOf(program.destroy());
      expect(error).toMatchObject({ name: "ConflictError", code: "project_last_active" });
      expect(error.message).toContain("last active project");
      expect(find()?.status).toBe("active");
    },
  );

  test("every mistake in the inputs of a project is found at once, before any request", async () => {
    const failures = await program.failures({ name: "a/b", onDelete: "x", status: "archived", nmae: "x" });
    expect(failures.map((failure) => failure.split(":")[0])).toEqual(["", "onDelete", "name", "status"]);
    for (const name of ["", " web", "x".repeat(256), 5]) {
      expect(await program.failures({ name })).toEqual([expect.stringMatching(/^name: /)]);
    }
    expect(program.emulator.requests).toEqual([]);
  });

  test("a project is imported by its id, and the program may omit the current name", async () => {
    await program.import(createTheirs("theirs").id);
    expect(program.stored.inputs).toMatchObject({ name: "theirs", status: "active", onDelete: "delete" });
    expect(program.stored.outputs).toMatchObject({ name: "theirs", onDelete: "delete" });
    expect(await up({})).toBe("same");
    expect(await up({ name: "theirs" })).toBe("same");
  });

  test("the rename of a project that was deleted outside fails with advice", async () => {
    await up({ name: "web" });
    program.emulator.projects.remove(program.stored.id);
    const error = await errorOf(up({ name: "shop" }));
    expect(error).toMatchObject({ code: "project_gone" });
    expect(error.message).toContain('Run "pulumi up --refresh"');
  });

  test("a project is not renamed to a name that is taken, fixed or automatic, and the preview shows the advice", async () => {
    const names = { fixed: { name: "web" }, automatic: {} };
    const theirs = [createTheirs("Web"), createTheirs(await autoNameOf())];
    await up({ name: "mine" });
    for (const [at, news] of Object.values(names).entries()) {
      const { failures } = await program.preview(news);
      expect(failures).toEqual([expect.stringContaining(theirs[at]?.id ?? "no id")]);
      expect(await errorOf(up(news))).toMatchObject({
        code: "name_taken",
        message: expect.stringContaining("use two deployments"),
      });
    }
    expect(find()?.name).toBe("mine");
  });

  test("two projects of the program may not share a name that differs only in case and accents", async () => {
    const others = { other: { name: "grosse" }, twin: { name: "GRÖSSE" } };
    const { failures } = await program.preview({ name: "Größe" }, { others });
    expect(failures).toEqual([expect.stringMatching(/^twin: Two projects/)]);
  });

  test("an archived project of an earlier destroy is reused under its automatic name and made active", async () => {
    await up({ onDelete: "archive" });
    const { id } = program.stored;
    await program.destroy();
    expect(await program.preview({})).toMatchObject({ failures: [], warnings: [] });
    await up({});
    expect(program.stored.id).toBe(id);
    expect(find()?.status).toBe("active");
    expect(program.messages).toEqual([expect.stringContaining("already exists and is archived; reusing it")]);
  });

  test("a project of an interrupted creation stays if a different resource has imported the project since", async () => {
    program.interrupt("POST");
    expect(await errorOf(up({ name: "web" }))).toMatchObject({ code: "outcome_unknown" });
    program.emulator.faults.clear();
    const { id = "" } = projects().find(({ name }) => name === "web") ?? {};
    await program.import(id, "other");
    // The engine now deletes what the interrupted creation may have left.
    await up(undefined, { others: { other: { name: "web" } } });
    expect(find(id)).toBeDefined();
    expect(program.engine.find(main)).toBeUndefined();
  });

  describe("with onDelete archive", () => {
    const news = { name: "web", onDelete: "archive" };

    test.each([
      ["before-reading", "reset"],
      ["after-commit", "reset"],
      ["after-commit", { answer: { status: 500 } }],
      ["while-answering", { truncateAfterBytes: 0 }],
    ] as const)("a project is archived once although the response is lost %s with %j", async (at, action) => {
      await up(news);
      const { id } = program.stored;
      const lost = program.emulator.faults.add({ method: "PATCH", at, action });
      await program.destroy().catch(() => program.destroy());
      expect(lost.hits).toBe(1);
      expect(find(id)?.status).toBe("archived");
    });
  });
});
