import {
  type Emulator,
  type FaultAction,
  type FaultPoint,
  startEmulator,
} from "../../../src/emulator/index.js";
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

  test("of an interrupted run with another name goes when the next one is created", async () => {
    await program.upKilled({ size: 2, name: "first" });
    await program.up({ size: 2, name: "second" });
    expect(pools()).toMatchObject([{ id: program.stored.id, name: "second" }]);
  });

  test("of somebody else with the fixed name is never taken for ours", async () => {
    const theirs = emulator.browserPools.create({ name: "agents", size: 1 });
    await errorOf(program.up({ size: 2, name: "agents" }));
    await program.upWithoutPool();
    expect(pools()).toMatchObject([{ id: theirs.id, size: 1 }]);
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
      'The creation of a browser pool was interrupted. A browser pool "agents" may exist now or appear later. Run "pulumi up" again: it looks for exactly that pool first and creates nothing twice.',
    );
    await program.up({ size: 1, name: "agents" });
    const { id } = program.stored;
    interrupt("PATCH");
    expect((await errorOf(program.up({ size: 2, name: "agents" }))).message).toBe(
      `The change of browser pool ${id} was interrupted, and the pool has its old settings or the new ones. Run the same command again: it continues from there.`,
    );
    interrupt("DELETE");
    expect((await errorOf(program.destroy())).message).toBe(
      `The deletion of browser pool ${id} was interrupted, and the pool may be gone. Run the same command again: it finds out.`,
    );
  });
});
