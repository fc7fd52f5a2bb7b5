import { shortenWaits } from "../../../contract/rows/shorter-waits.js";
import { errorOf } from "../../../support/error-of.js";
import { KeyProgram } from "./keys.js";

const news = { name: "agents", triggers: ["1"] };

describe("an API key", () => {
  let program: KeyProgram;

  shortenWaits();

  beforeEach(async () => {
    program = await KeyProgram.start();
  });

  afterEach(() => jest.restoreAllMocks());

  describe("whose creation got no answer", () => {
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

  test("that the state does not have is named, with the command that deletes it, and not deleted", async () => {
    await program.upUnwritten(news);
    const lost = String(program.live()[0]);
    await program.up(news);
    expect(program.keyId).not.toBe(lost);
    expect(program.warningsAbout(lost)).toEqual([expect.stringContaining("check that it is not in use")]);
    expect(program.live()).toContain(lost);
    await program.expectSettled(news);
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

    test("causes no warning about what the state has", async () => {
      await program.up({});
      await program.up({ projectId: program.emulator.createProject({ name: "shop" }).id });
      expect(program.messages).toEqual([]);
    });
  });
});
