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

  describe("after an unanswered creation", () => {
    test("after a creation without any response, the next deployment leaves exactly one key", async () => {
      program.loseAnswers("POST", "/org/api_keys", 3);
      const error = await errorOf(program.up(news));
      expect(error).toMatchObject({ code: "outcome_unknown" });
      expect(error.message).toMatch(/got no response.*Run "pulumi up" again: it deletes exactly that key/);
      expect(program.live()).toHaveLength(1);
      await program.up(news);
      await program.expectOnly();
      await program.expectSettled(news);
    });

    test("an unanswered creation leaves namesakes alone: older, newer and in a different project", async () => {
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

  test("the error about an unanswered deletion contains the reason why the lookup failed", async () => {
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

  test("a key missing in the state is named with its delete command, and not deleted", async () => {
    await program.upUnwritten(news);
    const lost = String(program.live()[0]);
    await program.up(news);
    expect(program.keyId).not.toBe(lost);
    expect(program.warningsAbout(lost)).toEqual([expect.stringContaining("check that it is not in use")]);
    expect(program.live()).toContain(lost);
    await program.expectSettled(news);
  });

  describe("after a killed deployment", () => {
    test("a key of a killed deployment is also named under its one-time name", async () => {
      program.interrupt("POST");
      await errorOf(program.up({}));
      program.emulator.faults.clear();
      const lost = program.records().find(({ name }) => name.startsWith("agents-"))?.id;
      program.engine.reset();
      await program.up({});
      expect(program.warningsAbout(lost)).toHaveLength(1);
    });

    test.each([
      [1, /^API key .+ was found, and has the same name.+ manages it\..+ delete it with "[^,]+"\.$/],
      [
        2,
        /^API key .+, API key .+ were found, and have the same name.+ manages them\..+ delete them with ".+", ".+"\.$/,
      ],
    ])(
      "keys with the name of a new key (%i) are named in a warning, with the commands that delete the keys",
      async (count, warning) => {
        for (let created = 0; created < count; created++) {
          program.emulator.createApiKey({ name: "agents" });
        }
        await program.up(news);
        expect(program.warnings).toEqual([expect.stringMatching(warning)]);
      },
    );

    test("a replaced key that the state contained causes no warning", async () => {
      await program.up({});
      await program.up({ projectId: program.emulator.createProject({ name: "shop" }).id });
      expect(program.messages).toEqual([]);
    });
  });
});
