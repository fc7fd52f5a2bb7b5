import { statSync, writeFileSync } from "node:fs";
import { errorOf } from "../../support/error-of.js";
import { LimitsProgram } from "../limits.js";

const seven = { maxConcurrentSessions: 7 };
const nine = { maxConcurrentSessions: 9 };
const twenty = { maxConcurrentSessions: 20 };

/** What is true of all borrowed settings, shown with the limits of a project. */
describe("borrowed settings", () => {
  let program: LimitsProgram;
  let projectId: string;

  beforeEach(async () => {
    program = await LimitsProgram.start();
    ({ projectId } = program);
  });

  /** An unchanged deployment has seen the state, so that nothing is noted of it any more. */
  async function settled(news: object): Promise<void> {
    await program.set(news);
    expect(await program.set(news)).toBe("same");
    expect(program.journal).toEqual([]);
  }

  describe("that were changed elsewhere", () => {
    test.each(["", "and a refresh has seen"])("%s are not restored, and that is said", async (refresh) => {
      await program.set({ maxConcurrentSessions: 9, maxConcurrentInvocations: 9 });
      program.setOutside({ maxConcurrentSessions: 50 });
      if (refresh !== "") {
        await program.refresh();
      }
      await program.destroy();
      expect(program.limits()).toEqual([50, 4]);
      expect(program.messages.join()).toMatch(
        /from maxConcurrentSessions 9 to maxConcurrentSessions 50.+ 3.+not restored/,
      );
    });

    test("are the resource's own once the program declares them", async () => {
      await settled(nine);
      program.setOutside({ maxConcurrentSessions: 50 });
      await program.refresh();
      await program.set({ maxConcurrentSessions: 50 });
      expect(program.stored.outputs.set).toBeUndefined();
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
    });

    test("after a destroy are the previous ones of the next resource, without a warning", async () => {
      await settled({ ...nine, maxConcurrentInvocations: 8 });
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
      program.setOutside({ maxConcurrentSessions: 9, maxConcurrentInvocations: 50 });
      await program.set({ maxConcurrentSessions: 12 });
      expect(program.messages).toEqual([]);
      await program.destroy();
      expect(program.limits()).toEqual([9, 50]);
    });

    test("since a deletion that the state does not have stay as they are", async () => {
      await settled(nine);
      await program.destroy({ losesState: true });
      program.setOutside({ maxConcurrentSessions: 50 });
      await program.destroy();
      expect(program.limits()).toEqual([50, 4]);
    });
  });

  describe("under another logical name", () => {
    /** The program has the resource under another name, without an alias. */
    const upAs = (logicalName: string, news: object, options = {}) =>
      program.up(undefined, { others: { [logicalName]: { projectId, ...news } }, ...options });
    /** Something else fails, so the engine does not delete what left the program. */
    const failing = {
      type: "ApiKeyName",
      properties: { keyId: "nowhere", name: "ci" },
    } as const;
    const upAsButFails = (logicalName: string, news: object) =>
      program.up(undefined, { others: { [logicalName]: { projectId, ...news }, failing } });

    test("restore what was before them, which the old resource hands on when it goes", async () => {
      await settled({ ...nine, maxConcurrentInvocations: 8 });
      await upAs("other", nine);
      // The next run learns what was before, and that the program no longer declares the other cap.
      await upAs("other", nine);
      expect(program.storedAs("other").outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      expect(program.limits()).toEqual([9, 4]);
      await upAs("other", nine);
      expect(program.journal).toEqual([]);
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
    });

    test("restore it also when they go at once", async () => {
      await settled(nine);
      await upAs("other", nine);
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
      await program.upWithout();
      await program.upWithout();
      expect(program.journal).toEqual([]);
    });

    test("and with another setting restore what only the old resource had, also after a lost answer", async () => {
      await settled({ maxConcurrentInvocations: 9 });
      const lost = { method: "PATCH", at: "after-commit", action: "hang" } as const;
      program.emulator.faults.add({ ...lost, action: { call: () => program.engine.end("cancel") } });
      program.emulator.faults.add(lost);
      expect(await errorOf(upAs("other", seven))).toMatchObject({ code: "outcome_unknown" });
      await upAs("other", { maxConcurrentSessions: 8 });
      await upAs("other", { maxConcurrentSessions: 8 });
      expect(program.limits()).toEqual([8, 4]);
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
    });

    test("are handed on also if the engine could not write that, and the program goes back", async () => {
      await settled({ maxConcurrentInvocations: 9 });
      await upAs("other", { maxConcurrentSessions: 8 }, { losesState: true });
      await program.set(twenty);
      expect(program.stored.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      expect(program.limits()).toEqual([20, 4]);
    });

    test("are changed after a deployment that failed in between, and the original is restored at the end", async () => {
      await settled(seven);
      await errorOf(upAsButFails("other", seven));
      await upAs("other", { maxConcurrentSessions: 8 });
      expect(program.limits()).toEqual([8, 4]);
      await upAs("other", { maxConcurrentSessions: 8 });
      expect(program.storedAs("other").outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
    });

    test("restore the original also when everything is destroyed after such a deployment", async () => {
      await settled(seven);
      await errorOf(upAsButFails("other", seven));
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
      expect(program.messages.join()).not.toContain("outside of this program");
    });

    test("inherit nothing any more when a refresh finds the object gone", async () => {
      await settled(nine);
      await upAs("other", nine);
      expect(program.journal).not.toEqual([]);
      program.emulator.projects.remove(projectId);
      await program.refresh();
      expect(program.engine.find("other")).toBeUndefined();
      expect(program.journal).toEqual([]);
    });

    test("leave alone what was set elsewhere before they were created", async () => {
      await settled(nine);
      program.setOutside({ maxConcurrentSessions: 50 });
      await upAs("other", { maxConcurrentSessions: 12 });
      await program.destroy();
      expect(program.limits()).toEqual([50, 4]);
    });

    test("hand on what they inherited also to their own replacement that is made first", async () => {
      await settled(nine);
      await upAs("other", nine);
      await upAs("other", nine);
      await upAs("other", nine, { replace: "other", deleteBeforeReplace: false });
      await upAs("other", nine);
      expect(program.storedAs("other").outputs.previous).toEqual({ maxConcurrentSessions: 3 });
    });
  });

  describe("that an answered deployment has set, whose state was not written,", () => {
    test("stay when they left the program, and are reported once until they change", async () => {
      await program.upUnwritten({ projectId, ...nine });
      await program.upWithout();
      expect(program.limits()).toEqual([9, 4]);
      expect(program.messages).toEqual([
        expect.stringMatching(`limits of project ${projectId}.*maxConcurrentSessions 3`),
      ]);
      await program.upWithout();
      expect(program.messages).toEqual([]);
      await program.upUnwritten({ projectId, ...twenty });
      program.setOutside({ maxConcurrentSessions: 50 });
      await program.upWithout();
      expect(program.messages).toEqual([]);
      expect(program.journal).toEqual([]);
    });

    test("are remembered with what was before them when the program declares them after that", async () => {
      await program.upUnwritten({ projectId, ...nine });
      await program.upWithout();
      await program.upWithout();
      await program.set(twenty);
      expect(program.stored.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
    });

    test("are restored also after a refresh has read them", async () => {
      await settled(nine);
      await program.upUnwritten({ projectId, ...twenty });
      await program.refresh();
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
    });
  });

  test("of forty resources leave one small file after a destroy, and none after the next update", async () => {
    const ids = Array.from(
      { length: 40 },
      (_, at) => program.emulator.createProject({ name: `web ${at}` }).id,
    );
    const others = Object.fromEntries(ids.map((id) => [id, { projectId: id, ...nine }]));
    await program.up(undefined, { others });
    await program.destroy();
    expect(program.journal).toHaveLength(1);
    expect(statSync(program.journal[0] ?? "").size).toBeLessThan(4_096);
    await program.upWithout();
    await program.upWithout();
    expect(program.journal).toEqual([]);
  });

  test("are neither changed nor restored with a journal that cannot be read, which says what to do", async () => {
    await program.set(nine);
    const [file = ""] = program.journal;
    writeFileSync(file, "{");
    const { writes } = program;
    for (const run of [() => program.set(twenty), () => program.destroy()]) {
      const error = await errorOf(run());
      expect(error).toMatchObject({ name: "LocalError", code: "journal_unreadable" });
      expect(error.message).toContain(file);
      expect(error.message).toContain("Restore the file");
    }
    expect(program.writes).toEqual(writes);
  });

  describe("of a deployment that was killed", () => {
    const both = { maxConcurrentSessions: 9, maxConcurrentInvocations: 7 };

    /** Changes are not carried out, without an error. */
    async function failsWithoutAnswer(news: object): Promise<void> {
      program.interrupt("PATCH", "before-reading");
      expect(await errorOf(program.set(news))).toMatchObject({ code: "outcome_unknown" });
      program.emulator.faults.clear();
    }

    test("are restored when only its creation declared them", async () => {
      await program.upKilled({ projectId, ...both });
      await settled(nine);
      expect(program.limits()).toEqual([9, 4]);
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
    });

    test('stay with onDelete "keep" when only its creation declared them', async () => {
      await program.upKilled({ projectId, ...both });
      await program.set({ ...nine, onDelete: "keep" });
      expect(program.limits()).toEqual([9, 7]);
    });

    test("are restored when only its creation declared them, also when the next one has failed", async () => {
      await program.upKilled({ projectId, ...both });
      await failsWithoutAnswer(nine);
      await program.upWithout();
      expect(program.limits()).toEqual([3, 4]);
    });

    test("are restored when only its update declared them, also when the next one has failed", async () => {
      await settled(nine);
      await program.upKilled({ projectId, ...both });
      await failsWithoutAnswer(nine);
      await program.set(nine);
      expect(program.limits()).toEqual([9, 4]);
    });

    test("are restored when its resource is gone, also when the service refused the next creation", async () => {
      await program.upKilled({ projectId, ...nine });
      program.refuse("PATCH", 400);
      expect(await errorOf(program.set({ maxConcurrentSessions: 12 }))).toMatchObject({ status: 400 });
      await program.upWithout();
      expect(program.limits()).toEqual([3, 4]);
    });

    test('stay with onDelete "keep" also when its update had changed them', async () => {
      await settled({ ...nine, onDelete: "keep" });
      await program.upKilled({ projectId, ...twenty, onDelete: "keep" });
      await program.destroy();
      await program.upWithout();
      expect(program.limits()).toEqual([20, 4]);
      expect(program.journal).toEqual([]);
    });

    test('are known with what was before them to the second half of a replacement, also with onDelete "keep"', async () => {
      const keep = { projectId, ...nine, onDelete: "keep" };
      await settled(keep);
      await program.upKilled(keep, { replace: "agents" });
      await program.up(keep, { replace: "agents" });
      expect(program.stored.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      expect(program.limits()).toEqual([9, 4]);
    });

    test("are forgotten when their object is gone", async () => {
      await program.upKilled({ projectId, ...nine });
      program.emulator.projects.remove(projectId);
      await program.upWithout();
      expect(program.journal).toEqual([]);
    });
  });

  test.each(["restore", "keep"])(
    "keep what was before them when they replace themselves, with onDelete %j",
    async (onDelete) => {
      const news = { projectId, ...nine, onDelete };
      await program.up(news);
      await program.up(news, { replace: "agents" });
      expect(program.stored.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      expect(program.limits()).toEqual([9, 4]);
    },
  );
});
