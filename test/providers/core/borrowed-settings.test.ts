import { errorOf } from "../../support/error-of.js";
import { LimitsProgram } from "../organization/limits.js";

const seven = { maxConcurrentSessions: 7 };
const nine = { maxConcurrentSessions: 9 };
const twenty = { maxConcurrentSessions: 20 };

/** Rules of all borrowed settings, shown with the limits of a project. */
describe("borrowed settings", () => {
  let program: LimitsProgram;
  let projectId: string;

  beforeEach(async () => {
    program = await LimitsProgram.start();
    ({ projectId } = program);
  });

  /** Deploys twice. The second deployment changes nothing. */
  async function settled(news: object): Promise<void> {
    await program.set(news);
    expect(await program.set(news)).toBe("same");
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

    test("restore the original also when everything is destroyed after such a deployment", async () => {
      await settled(seven);
      await errorOf(upAsButFails("other", seven));
      await program.destroy();
      expect(program.limits()).toEqual([3, 4]);
      expect(program.messages.join()).not.toContain("outside of this program");
    });

    test("leave alone what was set elsewhere before they were created", async () => {
      await settled(nine);
      program.setOutside({ maxConcurrentSessions: 50 });
      await upAs("other", { maxConcurrentSessions: 12 });
      await program.destroy();
      expect(program.limits()).toEqual([50, 4]);
    });
  });

  describe("of a deployment that was killed", () => {
    const both = { maxConcurrentSessions: 9, maxConcurrentInvocations: 7 };

    test('stay with onDelete "keep" when only its creation declared them', async () => {
      await program.upKilled({ projectId, ...both });
      await program.set({ ...nine, onDelete: "keep" });
      expect(program.limits()).toEqual([9, 7]);
    });

    test('stay with onDelete "keep" also when its update had changed them', async () => {
      await settled({ ...nine, onDelete: "keep" });
      await program.upKilled({ projectId, ...twenty, onDelete: "keep" });
      await program.destroy();
      await program.upWithout();
      expect(program.limits()).toEqual([20, 4]);
    });

    test('are known with what was before them to the second half of a replacement, also with onDelete "keep"', async () => {
      const keep = { projectId, ...nine, onDelete: "keep" };
      await settled(keep);
      await program.upKilled(keep, { replace: "agents" });
      await program.up(keep, { replace: "agents" });
      expect(program.stored.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      expect(program.limits()).toEqual([9, 4]);
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
