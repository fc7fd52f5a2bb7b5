import { lateRequestMs } from "../../../src/providers/core/entry.js";
import { shortenWaits } from "../../contract/shorter-waits.js";
import { errorOf } from "../../support/error-of.js";
import { PoolProgram } from "./pools.js";

describe("a browser pool", () => {
  let program: PoolProgram;

  shortenWaits();

  beforeEach(async () => {
    program = await PoolProgram.ofSpeed();
  });

  const newProject = () => program.emulator.createProject({ name: "Other" }).id;

  /** A destroy whose deletion never arrives, and gets no answer. */
  async function destroyInVain(): Promise<void> {
    program.interrupt("DELETE", "before-reading");
    await errorOf(program.destroy());
    program.emulator.faults.clear();
  }

  describe("with leased browsers, whose deletion is uncertain,", () => {
    test.each([{}, { name: "agents" }])("is kept when the program declares it with %j", async (named) => {
      const news = { size: 1, forceDelete: true, ...named };
      await program.up(news);
      const { id } = program.stored;
      program.lease();
      await destroyInVain();
      expect(await program.up(news)).toBe("replace");
      expect(program.messages).toContainEqual(expect.stringContaining(`Keeping browser pool ${id}`));
      expect(program.pools()).toMatchObject([{ id, acquiredCount: 1 }]);
      expect(await program.up(news)).toBe("same");
      expect(program.journal).toEqual([]);
    });

    test("is renamed when the program gives another name", async () => {
      await program.up({ size: 1, forceDelete: true, name: "first" });
      const { id } = program.stored;
      program.lease();
      await destroyInVain();
      expect(await program.up({ size: 1, forceDelete: true, name: "second" })).toBe("replace");
      expect(program.pools()).toMatchObject([{ id, name: "second", acquiredCount: 1 }]);
    });

    test("is not dropped by a destroy with a refresh", async () => {
      const news = { size: 1, name: "agents" };
      await program.up(news);
      const { id } = program.stored;
      const session = program.lease();
      await destroyInVain();
      expect(await errorOf(program.destroy({ refresh: true }))).toMatchObject({
        serviceCode: "pool_in_use",
      });
      expect(program.pools()).toMatchObject([{ id, acquiredCount: 1 }]);
      // That it is in use proves that it exists.
      expect(await program.up(news)).toBe("same");
      program.emulator.browserPools.release(id, session);
      await program.destroy({ refresh: true });
      expect(program.pools()).toEqual([]);
    });
  });

  describe("whose change the service refused", () => {
    test("is unchanged when the program goes back", async () => {
      await program.up({ size: 2 });
      program.refuse("PATCH");
      expect(await errorOf(program.up({ size: 3 }))).toMatchObject({ status: 403 });
      expect(await program.up({ size: 2 })).toBe("same");
    });

    test("is as before when a killed run had changed it, and the program goes back", async () => {
      await program.up({ size: 2 });
      await program.upKilled({ size: 3 });
      program.refuse("PATCH");
      expect(await errorOf(program.up({ size: 4 }))).toMatchObject({ status: 403 });
      expect(await program.up({ size: 2 })).toBe("update");
      expect(program.pools()).toMatchObject([{ size: 2 }]);
    });

    test("is not said to be gone when what was not found is something that the settings name", async () => {
      await program.up({ size: 1 });
      program.refuse("PATCH", 404);
      expect(await errorOf(program.up({ size: 1, proxyId: "proxy_1" }))).toMatchObject({
        status: 404,
        message: expect.stringContaining("refused by a fault"),
      });
    });
  });

  describe("that a killed run created", () => {
    test("is reused and renamed, also when its browsers are leased", async () => {
      await program.upKilled({ size: 2, name: "first" });
      const id = program.only();
      program.lease(id);
      await program.up({ size: 2, name: "second" });
      expect(program.stored.id).toBe(id);
      expect(program.pools()).toMatchObject([{ id, name: "second", acquiredCount: 1 }]);
    });

    test("is no surprise in the preview nor in the deployment", async () => {
      await program.upKilled({ size: 1 });
      expect((await program.preview({ size: 1 })).warnings).toEqual([]);
      await program.up({ size: 1 });
      expect(program.messages).toEqual([
        expect.stringContaining("An earlier deployment of this resource created it."),
      ]);
    });

    test("keeps a viewport that has left the program since, and says so", async () => {
      await program.upKilled({ size: 1, viewport: { width: 800, height: 600 } });
      await program.up({ size: 1 });
      expect(program.messages).toContainEqual(expect.stringMatching(/and keeps them: viewport\.$/));
      expect(await program.up({ size: 1 })).toBe("same");
    });

    test("in another project goes when one with its name is created in this one", async () => {
      const projectId = newProject();
      await program.upKilled({ size: 1, name: "agents", projectId });
      await program.up({ size: 1, name: "agents" });
      expect(program.pools(projectId)).toEqual([]);
      expect(program.only()).toBe(program.stored.id);
    });

    test("in another project goes with a destroy, whose state has the former one", async () => {
      const projectId = newProject();
      await program.up({ size: 1, name: "agents" });
      const before = program.engine.state.map((entry) => ({ ...entry }));
      expect(before).toHaveLength(1);
      // The creation of the replacement is answered, and the state has neither.
      const call = () => program.engine.killAfterCall();
      program.emulator.faults.add({ method: "POST", at: "after-commit", action: { call } });
      await program
        .up({ size: 1, name: "agents", projectId }, { deleteBeforeReplace: false })
        .catch(() => undefined);
      program.only(projectId);
      await program.destroy();
      expect(program.pools(projectId)).toEqual([]);
    });

    test("in another project, whose browsers are leased, is left with a warning, and goes once they are released", async () => {
      const projectId = newProject();
      await program.upKilled({ size: 1, name: "first", projectId });
      const id = program.only(projectId);
      const session = program.lease(id);
      const warning = `Browser pool "first" (${id}) was left in place: an interrupted deployment of this resource had created it`;
      for (const [size, step] of [
        [2, "create"],
        [3, "update"],
      ] as const) {
        expect(await program.up({ size, name: "second" })).toBe(step);
        expect(program.messages).toContainEqual(expect.stringContaining(warning));
        expect(program.only(projectId)).toBe(id);
      }
      program.emulator.browserPools.release(id, session);
      expect(await program.up({ size: 3, name: "second" })).toBe("update");
      expect(program.pools(projectId)).toEqual([]);
      expect(program.pools()).toMatchObject([{ id: program.stored.id, size: 3 }]);
      expect(await program.up({ size: 3, name: "second" })).toBe("same");
      expect(program.journal).toEqual([]);
    });
  });

  test("that a killed run deleted exists again also when the service refused the next deletion", async () => {
    await program.up({ size: 1 });
    await program.destroy({ isKilled: true });
    program.refuse("DELETE");
    expect(await errorOf(program.destroy())).toMatchObject({ status: 403 });
    expect(await program.up({ size: 1 })).toBe("replace");
    expect(program.messages).toContainEqual(expect.stringContaining("may have deleted browser pool"));
    expect(program.only()).toBe(program.stored.id);
  });

  test("that a killed run deleted leaves no note when a refresh found that, and another was created", async () => {
    await program.up({ size: 1, name: "agents" });
    await program.destroy({ isKilled: true });
    await program.refresh();
    expect(await program.up({ size: 1, name: "agents" })).toBe("create");
    expect(await program.up({ size: 1, name: "agents" })).toBe("same");
    expect(program.journal).toEqual([]);
  });

  test("whose creation arrives after the next deployment has looked for it goes with the one after that", async () => {
    program.interrupt("POST", "before-reading");
    await errorOf(program.up({ size: 1, name: "first" }));
    program.emulator.faults.clear();
    await program.up({ size: 1, name: "second" });
    const { id } = program.emulator.browserPools.create({ name: "first", size: 1 });
    program.editCreations((creation) => ({ ...creation, sentAt: creation.sentAt - lateRequestMs - 1 }));
    expect(await program.up({ size: 1, name: "second" })).toBe("update");
    expect(program.messages).toContainEqual(
      expect.stringContaining(`Deleted the browser pool "first" (${id})`),
    );
    expect(program.pools()).toMatchObject([{ id: program.stored.id, name: "second" }]);
  });

  test("in the state stays when only the note of its creation could not be completed", async () => {
    await program.up({ size: 1, name: "agents" });
    const { id } = program.stored;
    program.editCreations(({ id: _, ...unanswered }) => unanswered);
    await program.up({ size: 1, name: "agents" });
    expect(program.only()).toBe(id);
  });

  describe("that was created, and whose engine could not write the state,", () => {
    test("is reused, also with other settings and another name", async () => {
      await program.upUnwritten({ size: 1, name: "agents" });
      const id = program.only();
      await program.upUnwritten({ size: 1, name: "agents" });
      expect(await program.up({ size: 2, name: "crew" })).toBe("create");
      expect(program.pools()).toMatchObject([{ id, size: 2, name: "crew" }]);
      expect(await program.up({ size: 2, name: "crew" })).toBe("same");
      expect(program.journal).toEqual([]);
    });

    test("stays, and a warning names it, when the next deployment creates one in another project", async () => {
      const projectId = newProject();
      await program.upUnwritten({ size: 1, name: "agents", projectId });
      const id = program.only(projectId);
      expect(await program.up({ size: 1, name: "agents" })).toBe("create");
      const command = `"browser-infra pools delete ${id} --project ${projectId}"`;
      expect(program.messages).toEqual([expect.stringContaining(command)]);
      expect(program.only(projectId)).toBe(id);
    });
  });

  test("stays, and a warning names it, when its resource was removed from the state, and got another pool since", async () => {
    await program.up({ size: 1, name: "agents" });
    const { id } = program.stored;
    program.forget();
    await program.import(program.emulator.browserPools.create({ name: "crew", size: 1 }).id);
    await program.up({ size: 1, name: "crew" });
    expect(program.messages).toEqual([expect.stringContaining(`"browser-infra pools delete ${id}"`)]);
    expect(program.pools()).toContainEqual(expect.objectContaining({ id }));
  });

  test("may exist, the error says, when looking for it after a lost answer is refused", async () => {
    const refuse = { method: "GET", at: "before-commit", action: { answer: { status: 403 } } } as const;
    const call = () => void program.emulator.faults.add(refuse);
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: { call } });
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    expect(await errorOf(program.up({ size: 1, name: "agents" }))).toMatchObject({
      code: "outcome_unknown",
      message: expect.stringContaining("it looks for this pool first and creates nothing twice"),
    });
    await program.up({ size: 1, name: "agents" });
    expect(program.only()).toBe(program.stored.id);
  });

  test("is not created without a note, and the error says where it should be", async () => {
    program.environment.BROWSER_INFRA_JOURNAL_DIR = "/dev/null/notes";
    expect(await errorOf(program.up({ size: 1 }))).toMatchObject({ code: "journal_unwritable" });
    expect(program.pools()).toEqual([]);
  });
});
