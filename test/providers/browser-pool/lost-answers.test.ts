import {
  type Emulator,
  type FaultAction,
  type FaultPoint,
  startEmulator,
} from "../../../src/emulator/index.js";
import { lateRequestMs } from "../../../src/providers/core/entry.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { errorOf } from "../../support/error-of.js";
import { PoolProgram } from "./pool-program.js";

/** The four points at which the answer to a write is lost. */
const points: readonly (readonly [what: string, at: FaultPoint, action: FaultAction])[] = [
  ["reset before the request is read", "before-reading", "reset"],
  ["reset after the commit", "after-commit", "reset"],
  ["answered 500 after the commit", "after-commit", { answer: { status: 500 } }],
  ["answered in part", "while-answering", { truncateAfterBytes: 0 }],
];

describe("a browser pool", () => {
  let emulator: Emulator;
  let program: PoolProgram;

  beforeEach(async () => {
    emulator = await startEmulator();
    program = new PoolProgram(emulator);
  });

  afterEach(() => emulator.close());

  const pools = () => emulator.browserPools.list();

  /** Loses the answer to the next such write. The person gives up at once where that is unclear. */
  function lose(method: string, at: FaultPoint, action: FaultAction): void {
    const rule = { method, path: "/browser_pools", at };
    if (at === "before-reading") {
      emulator.faults.add({ ...rule, action: { call: () => program.cancel() } });
    }
    emulator.faults.add({ ...rule, action });
  }

  test("leaves somebody else's pool alone when the program gives its name after a lost creation", async () => {
    const theirs = emulator.browserPools.create({ name: "agents", size: 1 });
    lose("POST", "before-reading", "reset");
    await program.up({ size: 2, name: "agents-new" }).catch(() => undefined);
    emulator.faults.clear();
    const error = await errorOf(program.up({ size: 2, name: "agents" }));
    expect(error).toMatchObject({ code: "name_taken" });
    expect(pools()).toMatchObject([{ id: theirs.id, size: 1 }]);
  });

  test("is replaced when the run that created it was killed, and its viewport has left the program", async () => {
    await program.upKilled({ size: 1, viewport: { width: 800, height: 600 } });
    await program.up({ size: 1 });
    expect(await program.up({ size: 1 })).toBe("replaced");
    expect(pools()).toHaveLength(1);
    expect(await program.up({ size: 1 })).toBe("unchanged");
  });

  describe.each([
    ["an automatic name", {}],
    ["a fixed name", { name: "agents" }],
  ])("with %s", (_name, named) => {
    test.each(points)("exists once when its creation was %s", async (_what, at, action) => {
      lose("POST", at, action);
      await program.up({ size: 2, ...named }).catch(() => undefined);
      emulator.faults.clear();
      await program.up({ size: 2, ...named });
      expect(pools()).toMatchObject([{ id: program.stored.id, size: 2 }]);
      expect(await program.up({ size: 2, ...named })).toBe("unchanged");
      expect(program.hasNotes).toBe(false);
    });

    test.each(points)("is as declared when its change was %s", async (_what, at, action) => {
      await program.up({ size: 2, ...named });
      lose("PATCH", at, action);
      await program.up({ size: 3, ...named }).catch(() => undefined);
      emulator.faults.clear();
      await program.up({ size: 3, ...named });
      expect(pools()).toMatchObject([{ id: program.stored.id, size: 3 }]);
      expect(await program.up({ size: 3, ...named })).toBe("unchanged");
      expect(program.hasNotes).toBe(false);
    });

    test.each(points)("is gone when its deletion was %s", async (_what, at, action) => {
      await program.up({ size: 2, ...named });
      lose("DELETE", at, action);
      await program.destroy().catch(() => undefined);
      emulator.faults.clear();
      if (program.state !== undefined) {
        await program.destroy();
      }
      expect(pools()).toEqual([]);
      await program.upWithoutPool();
      expect(program.hasNotes).toBe(false);
    });

    test("exists once when the run that created it was killed", async () => {
      await program.upKilled({ size: 2, ...named });
      expect(await program.up({ size: 3, ...named })).toBe("created");
      expect(pools()).toMatchObject([{ id: program.stored.id, size: 3 }]);
      await program.up({ size: 3, ...named });
      expect(program.hasNotes).toBe(false);
    });

    test("goes when the run that created it was killed, and the program no longer declares it", async () => {
      await program.upKilled({ size: 2, ...named });
      expect(pools()).toHaveLength(1);
      await program.upWithoutPool();
      expect(pools()).toEqual([]);
    });

    test("is as before when the run that changed it was killed, and the program went back", async () => {
      await program.up({ size: 2, ...named });
      await program.upKilled({ size: 3, ...named });
      expect(await program.up({ size: 2, ...named })).toBe("updated");
      expect(pools()).toMatchObject([{ id: program.stored.id, size: 2 }]);
      expect(await program.up({ size: 2, ...named })).toBe("unchanged");
      expect(program.hasNotes).toBe(false);
    });

    test("exists again when the run that deleted it was killed, and the program declares it", async () => {
      await program.up({ size: 2, ...named });
      await program.destroyKilled();
      expect(pools()).toEqual([]);
      expect(await program.up({ size: 2, ...named })).toBe("replaced");
      expect(program.messages).toContainEqual(expect.stringContaining("may have deleted browser pool"));
      expect(pools()).toMatchObject([{ id: program.stored.id, size: 2 }]);
      expect(await program.up({ size: 2, ...named })).toBe("unchanged");
    });
  });

  test.each([
    ["an automatic name", {}],
    ["a fixed name", { name: "agents" }],
  ])(
    "with %s keeps its leased browsers when its deletion is in doubt and the program declares it",
    async (_name, named) => {
      const news = { size: 1, forceDelete: true, ...named };
      await program.up(news);
      const { id } = program.stored;
      emulator.browserPools.fill(id);
      emulator.browserPools.acquire(id);
      lose("DELETE", "before-reading", "reset");
      await errorOf(program.destroy());
      emulator.faults.clear();
      expect(await program.up(news)).toBe("replaced");
      expect(program.messages).toContainEqual(expect.stringContaining(`Keeping browser pool ${id}`));
      expect(pools()).toMatchObject([{ id, acquiredCount: 1 }]);
      expect(await program.up(news)).toBe("unchanged");
      expect(program.hasNotes).toBe(false);
    },
  );

  test("with leased browsers is renamed when its deletion is in doubt and the program gives another name", async () => {
    await program.up({ size: 1, forceDelete: true, name: "first" });
    const { id } = program.stored;
    emulator.browserPools.fill(id);
    emulator.browserPools.acquire(id);
    lose("DELETE", "before-reading", "reset");
    await errorOf(program.destroy());
    emulator.faults.clear();
    expect(await program.up({ size: 1, forceDelete: true, name: "second" })).toBe("replaced");
    expect(pools()).toMatchObject([{ id, name: "second", acquiredCount: 1 }]);
  });

  test("with leased browsers is not dropped by a destroy with a refresh when an earlier deletion is in doubt", async () => {
    const news = { size: 1, name: "agents" };
    await program.up(news);
    const { id } = program.stored;
    emulator.browserPools.fill(id);
    const { sessionId } = emulator.browserPools.acquire(id);
    lose("DELETE", "before-reading", "reset");
    await errorOf(program.destroy());
    emulator.faults.clear();
    expect(await errorOf(program.destroyWithRefresh())).toMatchObject({ serviceCode: "pool_in_use" });
    expect(pools()).toMatchObject([{ id, acquiredCount: 1 }]);
    // That it is in use proves that it exists.
    expect(await program.up(news)).toBe("unchanged");
    emulator.browserPools.release(id, sessionId);
    await program.destroyWithRefresh();
    expect(pools()).toEqual([]);
  });

  test("whose change the service refused is unchanged when the program goes back", async () => {
    await program.up({ size: 2 });
    emulator.faults.add({ method: "PATCH", at: "before-commit", action: { answer: { status: 403 } } });
    expect(await errorOf(program.up({ size: 3 }))).toMatchObject({ status: 403 });
    expect(await program.up({ size: 2 })).toBe("unchanged");
  });

  test("is as before when a killed run changed it, the service refused the next change, and the program went back", async () => {
    await program.up({ size: 2 });
    await program.upKilled({ size: 3 });
    emulator.faults.add({ method: "PATCH", at: "before-commit", action: { answer: { status: 403 } } });
    expect(await errorOf(program.up({ size: 4 }))).toMatchObject({ status: 403 });
    expect(await program.up({ size: 2 })).toBe("updated");
    expect(pools()).toMatchObject([{ size: 2 }]);
  });

  test("is not said to be gone when the service does not find something that its new settings name", async () => {
    await program.up({ size: 1 });
    const answer = { status: 404, body: { code: "not_found", message: "no such proxy" } };
    emulator.faults.add({ method: "PATCH", at: "before-commit", action: { answer } });
    expect(await errorOf(program.up({ size: 1, proxyId: "proxy_1" }))).toMatchObject({
      status: 404,
      message: expect.stringContaining("no such proxy"),
    });
  });

  test("exists again when a killed run deleted it and the service refused the next deletion", async () => {
    await program.up({ size: 1 });
    await program.destroyKilled();
    emulator.faults.add({ method: "DELETE", at: "before-commit", action: { answer: { status: 403 } } });
    expect(await errorOf(program.destroy())).toMatchObject({ status: 403 });
    expect(await program.up({ size: 1 })).toBe("replaced");
    expect(pools()).toMatchObject([{ id: program.stored.id }]);
  });

  test("of an interrupted run with another name is reused and renamed, also when its browsers are leased", async () => {
    await program.upKilled({ size: 2, name: "first" });
    const [{ id } = { id: "" }] = pools();
    emulator.browserPools.fill(id);
    emulator.browserPools.acquire(id);
    await program.up({ size: 2, name: "second" });
    expect(program.stored.id).toBe(id);
    expect(pools()).toMatchObject([{ id, name: "second", acquiredCount: 1 }]);
  });

  test("of an interrupted run in another project goes when one with its name is created in this one", async () => {
    const { id: projectId } = emulator.createProject({ name: "Other" });
    await program.upKilled({ size: 1, name: "agents", projectId });
    await program.up({ size: 1, name: "agents" });
    expect(emulator.browserPools.list(projectId)).toEqual([]);
    expect(pools()).toMatchObject([{ id: program.stored.id }]);
  });

  test("that a killed run created in another project goes with a destroy, whose state has the former one", async () => {
    const { id: projectId } = emulator.createProject({ name: "Other" });
    await program.up({ size: 1, name: "agents" });
    await program.upKilled({ size: 1, name: "agents", projectId });
    expect(emulator.browserPools.list(projectId)).toHaveLength(1);
    await program.destroy();
    expect(emulator.browserPools.list(projectId)).toEqual([]);
  });

  test("whose creation arrives after the next deployment has looked for it goes with the one after that", async () => {
    lose("POST", "before-reading", "reset");
    await program.up({ size: 1, name: "first" }).catch(() => undefined);
    emulator.faults.clear();
    await program.up({ size: 1, name: "second" });
    const { id } = emulator.browserPools.create({ name: "first", size: 1 });
    program.editNotes((creation) => ({ ...creation, sentAt: creation.sentAt - lateRequestMs - 1 }));
    expect(await program.up({ size: 1, name: "second" })).toBe("updated");
    expect(program.messages).toContainEqual(
      expect.stringContaining(`Deleted the browser pool "first" (${id})`),
    );
    expect(pools()).toMatchObject([{ id: program.stored.id, name: "second" }]);
  });

  test("stays when it is in the state and only the note of its creation could not be completed", async () => {
    await program.up({ size: 1, name: "agents" });
    const { id } = program.stored;
    program.editNotes(({ id: _, ...unanswered }) => unanswered);
    await program.up({ size: 1, name: "agents" });
    expect(pools()).toMatchObject([{ id }]);
  });

  test("that another resource of the program has imported since a killed run stays", async () => {
    await program.upKilled({ size: 1, name: "agents" });
    const [{ id } = { id: "" }] = pools();
    const other = new PoolProgram(emulator, "crew", program);
    await other.import(id);
    expect(await other.up({ size: 1, name: "agents" })).toBe("unchanged");
    expect(pools()).toMatchObject([{ id }]);
  });

  test("of an interrupted run in another project whose browsers are leased is left with a warning, and goes once they are released", async () => {
    const { id: projectId } = emulator.createProject({ name: "Other" });
    await program.upKilled({ size: 1, name: "first", projectId });
    const [orphan] = emulator.browserPools.list(projectId);
    const id = orphan?.id ?? "";
    emulator.browserPools.fill(id);
    const { sessionId } = emulator.browserPools.acquire(id);
    expect(await program.up({ size: 2, name: "second" })).toBe("created");
    const warning = `Browser pool "first" (${id}) was left in place: an interrupted deployment of this resource had created it`;
    expect(program.messages).toContainEqual(expect.stringContaining(warning));

    expect(await program.up({ size: 3, name: "second" })).toBe("updated");
    expect(program.messages).toContainEqual(expect.stringContaining(warning));
    expect(emulator.browserPools.list(projectId)).toMatchObject([{ id }]);

    emulator.browserPools.release(id, sessionId);
    expect(await program.up({ size: 3, name: "second" })).toBe("updated");
    expect(emulator.browserPools.list(projectId)).toEqual([]);
    expect(pools()).toMatchObject([{ id: program.stored.id, size: 3 }]);
    expect(await program.up({ size: 3, name: "second" })).toBe("unchanged");
    expect(program.hasNotes).toBe(false);
  });

  test("leaves no note when a killed run deleted it, a refresh found that, and the next deployment created another", async () => {
    await program.up({ size: 1, name: "agents" });
    await program.destroyKilled();
    await program.refresh();
    expect(program.state).toBeUndefined();
    expect(await program.up({ size: 1, name: "agents" })).toBe("created");
    expect(await program.up({ size: 1, name: "agents" })).toBe("unchanged");
    expect(program.hasNotes).toBe(false);
  });

  describe("whose answered write the engine could not write to its state", () => {
    /** `pulumi up` that ends in order, with the state of before. */
    async function upUnwritten(news: PropertyMap): Promise<void> {
      const { state } = program;
      await program.up(news);
      program.state = state;
    }

    test("is reused when it was created, also with other settings and another name", async () => {
      await upUnwritten({ size: 1, name: "agents" });
      const [{ id } = { id: "" }] = pools();
      await upUnwritten({ size: 1, name: "agents" });
      expect(await program.up({ size: 2, name: "crew" })).toBe("created");
      expect(pools()).toMatchObject([{ id, size: 2, name: "crew" }]);
      expect(await program.up({ size: 2, name: "crew" })).toBe("unchanged");
      expect(program.hasNotes).toBe(false);
    });

    test("is told with its id and the command, and stays, when it was created and left the program", async () => {
      await upUnwritten({ size: 1, name: "agents" });
      const [{ id } = { id: "" }] = pools();
      await program.upWithoutPool();
      expect(program.messages).toEqual([expect.stringContaining(`"browser-infra pools delete ${id}"`)]);
      await program.upWithoutPool();
      expect(program.messages).toEqual([]);
      expect(pools()).toMatchObject([{ id }]);
      expect(program.hasNotes).toBe(false);
    });

    test("is told, and stays, when the next deployment creates one in another project", async () => {
      const { id: projectId } = emulator.createProject({ name: "Other" });
      await upUnwritten({ size: 1, name: "agents", projectId });
      const [{ id } = { id: "" }] = emulator.browserPools.list(projectId);
      expect(await program.up({ size: 1, name: "agents" })).toBe("created");
      const command = `"browser-infra pools delete ${id} --project ${projectId}"`;
      expect(program.messages).toEqual([expect.stringContaining(command)]);
      expect(emulator.browserPools.list(projectId)).toMatchObject([{ id }]);
    });

    test("stays when its resource was removed from the state, and got another pool since", async () => {
      await program.up({ size: 1, name: "agents" });
      const { id } = program.stored;
      program.state = undefined;
      await program.import(emulator.browserPools.create({ name: "crew", size: 1 }).id);
      await program.up({ size: 1, name: "crew" });
      expect(program.messages).toEqual([expect.stringContaining(`"browser-infra pools delete ${id}"`)]);
      expect(pools()).toContainEqual(expect.objectContaining({ id }));
    });

    test("is as the program says when it was changed, and the program went back", async () => {
      await program.up({ size: 1, name: "agents" });
      await upUnwritten({ size: 2, name: "agents" });
      expect(await program.up({ size: 1, name: "agents" })).toBe("updated");
      expect(pools()).toMatchObject([{ id: program.stored.id, size: 1 }]);
      expect(await program.up({ size: 1, name: "agents" })).toBe("unchanged");
    });

    test("leaves no note when it was deleted, and left the program for good", async () => {
      await program.up({ size: 1, name: "agents" });
      await program.destroy();
      await program.upWithoutPool();
      expect(program.hasNotes).toBe(false);
    });

    test("exists when it was deleted, and the program declares it again", async () => {
      await program.up({ size: 1, name: "agents" });
      const { state } = program;
      await program.destroy();
      program.state = state;
      expect(await program.up({ size: 1, name: "agents" })).toBe("replaced");
      expect(pools()).toMatchObject([{ id: program.stored.id }]);
    });
  });

  test("of a stack with the same name in another backend is told in the preview and in the deployment", async () => {
    await program.up({ size: 1 });
    const { id } = program.stored;
    const other = new PoolProgram(emulator);
    const warning = new RegExp(
      `^Browser pool "agents-[0-9a-f]{7}" \\(${id}\\) already exists, and no note says that this resource created it\\. .+ in another backend`,
    );
    expect(await other.refusals({ size: 1 }, true)).toEqual([]);
    expect(other.messages).toEqual([expect.stringMatching(warning)]);
    expect(pools()).toHaveLength(1);
    expect(await other.up({ size: 1 })).toBe("created");
    expect(other.messages).toContainEqual(expect.stringMatching(warning));
    expect(other.stored.id).toBe(id);

    expect(await program.refusals({ size: 1 }, true)).toEqual([]);
    expect(program.messages).toEqual([]);
  });

  test("of somebody else is named in the preview also when a killed run created its namesake in another project", async () => {
    const { id: projectId } = emulator.createProject({ name: "Other" });
    await program.upKilled({ size: 1, name: "agents", projectId });
    const { id } = emulator.browserPools.create({ name: "agents", size: 1 });
    await program.refusals({ size: 1, name: "agents" }, true);
    expect(program.messages).toEqual([expect.stringContaining(`"agents" is taken by browser pool ${id}`)]);
  });

  test("that a killed run created is no surprise in the preview nor in the deployment", async () => {
    await program.upKilled({ size: 1 });
    await program.refusals({ size: 1 }, true);
    expect(program.messages).toEqual([]);
    await program.up({ size: 1 });
    expect(program.messages).toEqual([
      expect.stringContaining("An earlier deployment of this resource created it."),
    ]);
  });

  test("of somebody else with the fixed name is never taken for ours", async () => {
    const theirs = emulator.browserPools.create({ name: "agents", size: 1 });
    await errorOf(program.up({ size: 2, name: "agents" }));
    await program.upWithoutPool();
    expect(pools()).toMatchObject([{ id: theirs.id, size: 1 }]);
  });

  test("of somebody else, whose name differs in case, is not what a creation became whose answer was lost", async () => {
    let theirs = "";
    const look = { method: "GET", path: "/browser_pools", at: "before-commit", nth: 2 } as const;
    const call = () => {
      theirs = emulator.browserPools.create({ name: "AGENTS", size: 1 }).id;
      emulator.faults.add({ ...look, action: { call: () => program.cancel() } });
    };
    emulator.faults.add({ method: "POST", at: "before-reading", action: { call } });
    emulator.faults.add({ method: "POST", at: "before-reading", action: "reset" });
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({
      name: "OutcomeUnknownError",
    });
    expect(pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("may exist, the error says, when looking for it after a lost answer is refused", async () => {
    const refuse = { method: "GET", at: "before-commit", action: { answer: { status: 403 } } } as const;
    const call = () => void emulator.faults.add(refuse);
    emulator.faults.add({ method: "POST", at: "after-commit", action: { call } });
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    expect(await errorOf(program.up({ size: 1, name: "agents" }))).toMatchObject({
      name: "OutcomeUnknownError",
      message: expect.stringContaining("it looks for this pool first and creates nothing twice"),
    });
    await program.up({ size: 1, name: "agents" });
    expect(pools()).toMatchObject([{ id: program.stored.id }]);
  });

  test("is not created without a note, and the error says where it should be", async () => {
    const { context } = program;
    const environment = { ...context.environment, BROWSER_INFRA_JOURNAL_DIR: "/dev/null/notes" };
    const lifecycle = program.begin();
    const { inputs } = await lifecycle.check(
      { olds: undefined, news: { size: 1 }, memo: undefined },
      context,
    );
    expect(await errorOf(lifecycle.create(inputs, { ...context, environment }))).toMatchObject({
      code: "journal_unwritable",
    });
    expect(pools()).toEqual([]);
  });

  test("says after Ctrl-C what may have happened, and to run the command again", async () => {
    const interrupt = (method: string) => {
      const rule = { method, path: "/browser_pools", at: "after-commit" as const };
      emulator.faults.add({ ...rule, action: { call: () => program.cancel() } });
      emulator.faults.add({ ...rule, action: "hang" });
    };
    interrupt("POST");
    expect((await errorOf(program.up({ size: 1, name: "agents" }))).message).toBe(
      'The creation of browser pool "agents" was interrupted, and the pool may exist now or appear later. Run "pulumi up" again: it looks for this pool first and creates nothing twice.',
    );
    await program.up({ size: 1, name: "agents" });
    expect(await program.up({ size: 1, name: "agents" })).toBe("unchanged");
    const { id } = program.stored;
    interrupt("PATCH");
    expect((await errorOf(program.up({ size: 2, name: "agents" }))).message).toBe(
      `The change of browser pool ${id} was interrupted, and the pool has its old settings or the new ones. Run the same command again: it continues from there.`,
    );
    expect(await program.up({ size: 2, name: "agents" })).toBe("updated");
    expect(await program.up({ size: 2, name: "agents" })).toBe("unchanged");
    interrupt("DELETE");
    expect((await errorOf(program.destroy())).message).toBe(
      `The deletion of browser pool ${id} was interrupted, and the pool may be gone. Run the same command again to find out.`,
    );
  });
});
