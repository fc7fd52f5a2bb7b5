import { shortenWaits } from "../../../contract/rows/shorter-waits.js";
import { errorOf } from "../../../support/error-of.js";
import { main } from "../../played-program.js";
import { KeyProgram } from "./keys.js";

const news = { name: "agents", triggers: ["1"] };
const newsToRotate = { name: "agents", triggers: ["2"] };

describe("an API key", () => {
  let program: KeyProgram;

  shortenWaits();

  beforeEach(async () => {
    program = await KeyProgram.start();
  });

  afterEach(() => jest.restoreAllMocks());

  describe("whose creation got no answer", () => {
    test.each([1, 2])("is deleted and created again at once, %d times", async (times) => {
      program.loseAnswers("POST", "/org/api_keys", times);
      await program.up(news);
      await program.expectOnly();
      expect(program.posts()).toHaveLength(times + 1);
      expect(program.messages).toContain(
        'The answer with API key "agents" was lost, and with it the key\'s secret. The provider creates a new key and deletes the useless key.',
      );
      await program.expectSettled(news);
    });

    test("exists once after the next deployment when every answer is lost", async () => {
      program.loseAnswers("POST", "/org/api_keys", 3);
      const error = await errorOf(program.up(news));
      expect(error).toMatchObject({ code: "outcome_unknown" });
      expect(error.message).toMatch(/got no answer.*Run "pulumi up" again: it deletes exactly that key/);
      expect(program.live()).toHaveLength(1);
      await program.up(news);
      await program.expectOnly();
      await program.expectSettled(news);
    });

    test("leaves alone what had the name before, what is created elsewhere later, and what is in another project", async () => {
      const before = program.emulator.createApiKey({ name: "agents" });
      program.interrupt("POST");
      await errorOf(program.up(news));
      program.emulator.faults.clear();
      const later = program.emulator.createApiKey({ name: "agents" });
      await program.up(news);
      expect(program.live()).toEqual([before.id, later.id, program.keyId].sort());
      const { id: projectId } = program.emulator.createProject({ name: "shop" });
      program.loseAnswers("POST");
      await program.up({ ...news, projectId });
      expect(program.live()).toEqual([before.id, later.id, program.keyId].sort());
    });
  });

  test("that a killed deployment created, and the state has, stays until it is replaced", async () => {
    const { id: projectId } = program.emulator.createProject({ name: "shop" });
    // The process is killed after the state contains the key.
    program.engine.end("kill");
    await program.up(news);
    const { key } = program.stored.outputs;
    let status: number | undefined;
    // Users of the old key must work until the engine deletes the key.
    const call = async () => {
      status = await program.statusWith(key);
    };
    program.emulator.faults.add({ method: "DELETE", at: "before-commit", action: { call } });
    await program.up({ ...news, projectId });
    expect(status).toBe(200);
    await program.expectOnly();
  });

  test("whose deletion got no answer may still exist, and the error says why looking did not help", async () => {
    await program.up(news);
    const refuseLooks = () => program.refuse("GET", 403, Number.POSITIVE_INFINITY);
    program.emulator.faults.add({ method: "DELETE", at: "before-commit", action: { call: refuseLooks } });
    program.emulator.faults.add({ method: "DELETE", at: "after-commit", action: "reset" });
    const error = await errorOf(program.destroy());
    expect(error).toMatchObject({ code: "outcome_unknown" });
    expect(error.message).toMatch(
      /Looking for it failed as well: .+403.+ Run the same command again with "--refresh" to find out\.$/,
    );
  });

  describe("of a deployment that completed, whose state was not written,", () => {
    describe("after its creation", () => {
      let lost: string;

      beforeEach(async () => {
        await program.upUnwritten(news);
        lost = String(program.live()[0]);
      });

      test.each([news, newsToRotate])(
        "is named with the command that deletes it, and never deleted, under %j",
        async (next) => {
          await program.up(next);
          expect(program.keyId).not.toBe(lost);
          expect(program.warningsAbout(lost)).toEqual([
            expect.stringContaining("check that it is not in use"),
          ]);
          expect(program.live()).toContain(lost);
          await program.expectSettled(next);
        },
      );
    });

    describe("after its rotation", () => {
      let first: string;
      let lost: string;

      beforeEach(async () => {
        await program.up(news);
        first = program.keyId;
        await program.upUnwritten(newsToRotate);
        lost = String(program.live().find((id) => id !== first));
      });

      test.each([newsToRotate, news])("is named, and another one has its place, under %j", async (next) => {
        await program.up(next);
        expect(program.keyId).not.toBe(lost);
        expect(await program.statusWith()).toBe(200);
        expect(program.live()).toContain(lost);
        expect(program.warningsAbout(lost)).toHaveLength(1);
        expect(program.stored.outputs.previousKeys).toMatchObject([
          { id: first, expiresAt: expect.any(String) },
        ]);
        await program.expectSettled(next);
      });
    });

    test("is deleted by a forced replacement, without a warning afterwards", async () => {
      await program.up(news);
      await program.up(news, { replace: main });
      await program.expectOnly();
      await program.expectSettled(news);
    });
  });

  describe("that a killed deployment made", () => {
    test("is named also under the one-time name that it still has", async () => {
      program.interrupt("POST");
      await errorOf(program.up({}));
      program.emulator.faults.clear();
      const lost = program.records().find(({ name }) => name.startsWith("agents-"))?.id;
      program.engine.reset();
      await program.up({});
      expect(program.warningsAbout(lost)).toHaveLength(1);
    });

    test("is named under a name that the program gives", async () => {
      await program.upKilled({ name: "agents" });
      const [lost] = program.live();
      await program.up({ name: "agents" });
      expect(program.warningsAbout(lost)).toHaveLength(1);
    });

    test("causes no warning about what the state has", async () => {
      await program.up({});
      await program.up({ projectId: program.emulator.createProject({ name: "shop" }).id });
      expect(program.messages).toEqual([]);
    });
  });
});
