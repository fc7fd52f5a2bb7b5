import { lateRequestMs } from "../../../src/providers/core/entry.js";
import { shortenWaits } from "../../contract/shorter-waits.js";
import { errorOf } from "../../support/error-of.js";
import { main } from "../played-program.js";
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

  /** What was lost can no longer arrive. Only the date moves: timers and sockets stay real. */
  function passTime(): void {
    const now = Date.now() + lateRequestMs + 1;
    jest.spyOn(Date, "now").mockReturnValue(now);
  }

  describe("whose creation got no answer", () => {
    test.each([1, 2])("is deleted and created again at once, %d times", async (times) => {
      program.loseAnswers("POST", "/org/api_keys", times);
      await program.up(news);
      await program.expectOnly();
      expect(program.posts()).toHaveLength(times + 1);
      expect(program.messages).toContain(
        'The answer with API key "agents" was lost, and with it the key\'s secret. Another one is created, and that one deleted.',
      );
      await program.expectSettled(news);
    });

    test("exists once after the next deployment when every answer is lost", async () => {
      program.loseAnswers("POST", "/org/api_keys", 3);
      const error = await errorOf(program.up(news));
      expect(error).toMatchObject({ code: "outcome_unknown" });
      expect(error.message).toMatch(/got no answer.*Run "pulumi up" again: it deletes exactly that key/);
      expect(program.live()).toHaveLength(3);
      await program.up(news);
      await program.expectOnly();
      await program.expectSettled(news);
    });

    test("is deleted when it arrives after the next deployment has made another one", async () => {
      program.interrupt("POST", "before-reading");
      await errorOf(program.up(news));
      program.emulator.faults.clear();
      await program.up(news);
      const { keyId } = program;
      expect(program.journal).not.toEqual([]);
      let arrived = "";
      program.editCreations((creation) => {
        arrived = creation.id === undefined ? String(creation.key?.name) : arrived;
        return creation;
      });
      program.emulator.createApiKey({ name: arrived });
      passTime();
      await program.up(news);
      await program.expectOnly();
      expect(program.keyId).toBe(keyId);
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

  test("that a killed deployment created is deleted and created again, and a message says so", async () => {
    await program.upKilled(news);
    const [lost] = program.live();
    await program.up(news);
    expect(program.keyId).not.toBe(lost);
    await program.expectOnly();
    expect(program.messages).toEqual([
      expect.stringContaining(
        `Deleted API key "agents" (${lost}): an earlier request of this resource had created it`,
      ),
    ]);
  });

  test("that a killed deployment created, and the state has, stays until it is replaced", async () => {
    const { id: projectId } = program.emulator.createProject({ name: "shop" });
    // The process is killed when the state has it.
    program.engine.end("kill");
    await program.up(news);
    const { key } = program.stored.outputs;
    let status: number | undefined;
    // Until the engine deletes it, what uses it must work.
    const call = async () => {
      status = await program.statusWith(key);
    };
    program.emulator.faults.add({ method: "DELETE", at: "before-commit", action: { call } });
    await program.up({ ...news, projectId });
    expect(status).toBe(200);
    await program.expectOnly();
  });

  test("in the state stays if only its note could not be completed", async () => {
    await program.up(news);
    const { outputs } = program.stored;
    program.editCreations(({ id: _, ...unanswered }) => unanswered);
    await program.up(news);
    expect(program.stored.outputs).toEqual(outputs);
    await program.expectOnly();
    passTime();
    await program.up(news);
    expect(program.live()).toEqual([program.keyId]);
    await program.expectSettled(news);
  });

  test("is created again when the state has it after all, and a deployment of something else deleted it", async () => {
    program.engine.end("kill");
    await program.up(news);
    await program.upOther();
    expect(program.live()).toEqual([]);
    await program.up(news);
    await program.expectOnly();
  });

  test("whose rotation leaves an orphan that cannot be deleted is not rotated again, and the next deployment deletes that", async () => {
    await program.up(news);
    program.loseAnswers("POST", `/org/api_keys/${program.keyId}/rotate`);
    program.refuse("DELETE", 400);
    await program.up(newsToRotate);
    expect(program.live()).toHaveLength(3);
    expect(program.messages.at(-2)).toMatch(
      /could not be deleted\. The next deployment tries again\. .*refused by a fault/,
    );
    const { keyId } = program;
    await program.up(newsToRotate);
    expect(program.keyId).toBe(keyId);
    await program.expectOnly();
  });

  test("that a killed deployment deleted is created again also when the service refused the next deletion", async () => {
    await program.up(news);
    await program.destroy({ isKilled: true });
    program.refuse("DELETE");
    expect(await errorOf(program.destroy())).toMatchObject({ status: 403 });
    await program.up(news);
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
      /Looking for it failed as well: .+403.+ Run the same command again to find out\.$/,
    );
  });

  describe("of a deployment that completed, whose state was not written,", () => {
    describe("after its creation", () => {
      let lost: string;

      beforeEach(async () => {
        await program.upUnwritten(news);
        lost = String(program.live()[0]);
      });

      test.each([news, { ...news, name: "people" }, newsToRotate])(
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

      test("is named once when the program no longer declares it", async () => {
        for (const warnings of [1, 0]) {
          await program.upWithout();
          expect(program.warningsAbout(lost)).toHaveLength(warnings);
        }
        expect(program.live()).toEqual([lost]);
        expect(program.journal).toEqual([]);
      });
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

      test.each([newsToRotate, news, { ...newsToRotate, name: "people" }])(
        "is named, and another one has its place, under %j",
        async (next) => {
          await program.up(next);
          expect(program.keyId).not.toBe(lost);
          expect(await program.statusWith()).toBe(200);
          expect(program.live()).toContain(lost);
          expect(program.warningsAbout(lost)).toHaveLength(1);
          expect(program.stored.outputs.previousKeys).toMatchObject([
            { id: first, expiresAt: expect.any(String) },
          ]);
          await program.expectSettled(next);
        },
      );

      test("is named when the resource is destroyed", async () => {
        await program.destroy();
        expect(program.warningsAbout(lost)).toHaveLength(1);
        expect(program.live()).toEqual([lost]);
      });
    });

    test("is deleted by a forced replacement, without a warning afterwards", async () => {
      await program.up(news);
      await program.up(news, { replace: main });
      await program.expectOnly();
      await program.expectSettled(news);
    });
  });

  describe("that a killed deployment made, without the journal,", () => {
    test("is named also under the one-time name that it still has", async () => {
      program.interrupt("POST");
      await errorOf(program.up({}));
      program.emulator.faults.clear();
      const lost = program.records().find(({ name }) => name.startsWith("agents-"))?.id;
      program.engine.reset();
      await program.up({});
      expect(program.warningsAbout(lost)).toHaveLength(1);
    });

    test("gets no warning for a name that the program gives, or for what the state has", async () => {
      await program.upKilled({ name: "agents" });
      program.engine.reset();
      await program.up({ name: "agents" });
      expect(program.messages).toEqual([]);
      await program.up({});
      await program.up({ projectId: program.emulator.createProject({ name: "shop" }).id });
      expect(program.messages).toEqual([]);
    });
  });
});
