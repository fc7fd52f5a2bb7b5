import { shortenWaits } from "../../contract/rows/shorter-waits.js";
import { errorOf } from "../../support/error-of.js";
import { LimitsProgram } from "../organization/limits.js";
import { ProviderRuns } from "../provider-runs.js";

const seven = { maxConcurrentSessions: 7 };
const nine = { maxConcurrentSessions: 9 };
const twenty = { maxConcurrentSessions: 20 };

/** Rules of all borrowed settings, shown with the limits of a project. */
describe("borrowed settings", () => {
  let program: LimitsProgram;
  let projectId: string;

  shortenWaits();

  beforeEach(async () => {
    program = await LimitsProgram.start();
    ({ projectId } = program);
  });

  /** Deploys twice. The second deployment changes nothing. */
  async function settled(news: object): Promise<void> {
    await program.set(news);
    expect(await program.set(news)).toBe("same");
  }

  describe("changed elsewhere", () => {
    test.each(["without a refresh", "after a refresh"])(
      "settings changed elsewhere are not restored by a destroy %s, and a message says so",
      async (when) => {
        await program.set({ maxConcurrentSessions: 9, maxConcurrentInvocations: 9 });
        program.setOutside({ maxConcurrentSessions: 50 });
        if (when === "after a refresh") {
          await program.refresh();
        }
        await program.destroy();
        expect(program.limits()).toEqual([50, 4]);
        expect(program.messages.join()).toMatch(
          /from maxConcurrentSessions 9 to maxConcurrentSessions 50.+ 3.+not restored/,
        );
      },
    );

    test("a destroy restores the original settings once the program has declared a value that was set elsewhere", async () => {
      await settled(nine);
      program.setOutside({ maxConcurrentSessions: 50 });
      await program.refresh();
      await program.set({ maxConcurrentSessions: 50 });
      expect(program.stored.outputs.set).toBeUndefined();
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
    });

    test("settings changed elsewhere after a destroy are the previous values of the next resource, without a warning", async () => {
      await settled({ ...nine, maxConcurrentInvocations: 8 });
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
      program.setOutside({ maxConcurrentSessions: 9, maxConcurrentInvocations: 50 });
      await program.set({ maxConcurrentSessions: 12 });
      expect(program.messages).toEqual([]);
      await program.destroy();
      expect(program.limits()).toEqual([9, 50]);
    });

    test("a second destroy, after a destroy whose state was lost, leaves settings changed elsewhere since", async () => {
      await settled(nine);
      await program.destroy({ losesState: true });
      program.setOutside({ maxConcurrentSessions: 50 });
      await program.destroy();
      expect(program.limits()).toEqual([50, 4]);
    });
  });

  test("a refused change of settings is not followed by a further request", async () => {
    await settled(nine);
    program.refuse("PATCH", 400);
    expect(await errorOf(program.set(twenty))).toMatchObject({ status: 400 });
    expect(program.emulator.requests.at(-1)?.method).toBe("PATCH");
  });

  test("a destroy whose restore gets no response looks whether the settings are restored", async () => {
    await settled(nine);
    const always = { times: Number.POSITIVE_INFINITY, action: "reset" } as const;
    program.emulator.faults.add({ method: "PATCH", at: "after-commit", ...always });
    await program.destroy();
    expect(program.limits()).toEqual([3, 4]);
    expect(program.messages).toEqual([expect.stringContaining("has its previous limits again")]);
  });

  test("a destroy whose restore never arrives fails, and the next destroy restores the settings", async () => {
    await settled(nine);
    const always = { times: Number.POSITIVE_INFINITY, action: "reset" } as const;
    program.emulator.faults.add({ method: "PATCH", at: "before-reading", ...always });
    expect(await errorOf(program.destroy())).toMatchObject({ code: "outcome_unknown" });
    program.emulator.faults.clear();
    await program.destroy();
    expect(program.limits()).toEqual([3, 4]);
  });

  test("a destroy after two changes without a response restores the original cap, if only the first was carried out", async () => {
    await settled(nine);
    program.interrupt("PATCH");
    await errorOf(program.set({ maxConcurrentSessions: null }));
    program.emulator.faults.clear();
    program.interrupt("PATCH", "before-reading");
    await errorOf(program.set({ maxConcurrentSessions: 12 }));
    program.emulator.faults.clear();
    expect(program.limits()).toEqual([null, 4]);
    await program.destroy();
    expect(program.limits()).toEqual([3, 4]);
    expect(program.warnings).toEqual([]);
  });

  describe("under a different logical name", () => {
    /** The program declares the resource under a new name, without an alias. */
    const upAs = (logicalName: string, news: object, options = {}) =>
      program.up(undefined, { others: { [logicalName]: { projectId, ...news } }, ...options });
    /** A different resource fails, so the engine does not delete the undeclared resource. */
    const failing = {
      type: "ApiKeyName",
      properties: { keyId: "nowhere", name: "ci" },
    } as const;
    const upAsButFails = (logicalName: string, news: object) =>
      program.up(undefined, { others: { [logicalName]: { projectId, ...news }, failing } });

    test("a destroy restores the original settings also after a move to a different logical name", async () => {
      await settled(seven);
      await errorOf(upAsButFails("other", seven));
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
      expect(program.messages.join()).not.toContain("outside of this program");
    });

    test("a resource under a new logical name leaves values that were set elsewhere", async () => {
      await settled(nine);
      program.setOutside({ maxConcurrentSessions: 50 });
      await upAs("other", { maxConcurrentSessions: 12 });
      await program.destroy();
      expect(program.limits()).toEqual([50, 4]);
    });
  });

  test("a resource under a new logical name keeps its settings when both resources are at work at once", async () => {
    const runs = new ProviderRuns(program.emulator);
    const [before] = await runs.createAll("ProjectLimits", [{ projectId, ...nine }]);
    runs.begin();
    const [old, next] = [runs.context("ProjectLimits", 0), runs.context("ProjectLimits", 1)];
    const lifecycle = runs.of("ProjectLimits");
    const request = { news: { projectId, ...twenty }, olds: undefined, memo: undefined };
    const { inputs } = await lifecycle.check(request, next);
    await Promise.all([
      lifecycle.create(inputs, next),
      lifecycle.delete({ id: before?.id ?? "", state: before?.outputs ?? {} }, old),
    ]);
    expect(program.limits()).toEqual([20, 4]);
    expect(runs.warnings).toEqual([expect.stringContaining("Nothing was restored")]);
  });

  describe("after a killed deployment", () => {
    const both = { maxConcurrentSessions: 9, maxConcurrentInvocations: 7 };

    test('settings of a killed creation stay with onDelete "keep" when the program no longer declares them', async () => {
      await program.upKilled({ projectId, ...both });
      await program.set({ ...nine, onDelete: "keep" });
      expect(program.limits()).toEqual([9, 7]);
    });

    test('settings of a killed update stay with onDelete "keep" after a destroy', async () => {
      await settled({ ...nine, onDelete: "keep" });
      await program.upKilled({ projectId, ...twenty, onDelete: "keep" });
      await program.destroy();
      await program.upWithout();
      expect(program.limits()).toEqual([20, 4]);
    });

    test('the previous values survive a replacement that was killed halfway, also with onDelete "keep"', async () => {
      const keep = { projectId, ...nine, onDelete: "keep" };
      await settled(keep);
      await program.upKilled(keep, { replace: "agents" });
      await program.up(keep, { replace: "agents" });
      expect(program.stored.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      expect(program.limits()).toEqual([9, 4]);
    });
  });

  test.each(["restore", "keep"])(
    "the previous values survive a forced replacement of the resource, with onDelete %j",
    async (onDelete) => {
      const news = { projectId, ...nine, onDelete };
      await program.up(news);
      await program.up(news, { replace: "agents" });
      // The deletion restores, also with "keep": a run killed before the creation leaves the previous values.
      expect(program.writes).toEqual(["PATCH", "PATCH", "PATCH"]);
      expect(program.stored.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      expect(program.limits()).toEqual([9, 4]);
    },
  );
});
