import { BrowserInfraClient } from "../../../src/client/index.js";
import { shortenWaits } from "../../contract/rows/shorter-waits.js";
import { errorOf } from "../../support/error-of.js";
import { PoolProgram } from "../browsers/browser-pool/pools.js";
import { PlayedProgram } from "../played-program.js";

type News = Parameters<PlayedProgram["up"]>[0];

/** Deploys, and interrupts the creation before the service reads the request, or after the commit. */
async function interrupted(program: PlayedProgram, news: News, at: "before-reading" | "after-commit") {
  program.interrupt("POST", at);
  expect(await errorOf(program.up(news))).toMatchObject({ code: "outcome_unknown" });
  program.emulator.faults.clear();
}

/** Client of somebody else. */
function stranger({ emulator }: PlayedProgram): BrowserInfraClient {
  return new BrowserInfraClient({ baseUrl: emulator.url, apiKey: String(emulator.apiKeys[0]) });
}

describe("an interrupted creation that succeeded", () => {
  shortenWaits();

  test("the pool is kept and finished, loses a setting that left the program, and the row names the evidence", async () => {
    const program = await PoolProgram.ofSpeed();
    await interrupted(program, { size: 1, name: "crew", startUrl: "https://a.example/" }, "after-commit");
    const [made] = program.pools();
    await program.up({ size: 2, name: "crew" });
    expect(program.pools()).toMatchObject([{ id: made?.id, size: 2, startUrl: null }]);
    expect(program.writes).toEqual(["POST", "PATCH"]);
    expect(program.messages).toContainEqual(
      `Browser pool "crew" (${made?.id}) is the result of the interrupted creation of this resource: every setting that the service shows is as sent, and the service created it while the request was in progress. Finishing the pool.`,
    );
  });

  test("a pool in a region that left the program is deleted and created again", async () => {
    const program = await PoolProgram.ofSpeed();
    await interrupted(program, { size: 1, name: "crew" }, "after-commit");
    const [made] = program.pools();
    await program.up({ size: 1, name: "crew", region: "eu-west" });
    expect(program.pools()).toMatchObject([{ region: "eu-west" }]);
    expect(program.pools()[0]?.id).not.toBe(made?.id);
  });

  test("a pool whose name left the program is deleted", async () => {
    const program = await PoolProgram.ofSpeed();
    await interrupted(program, { size: 1, name: "crew" }, "after-commit");
    await program.up({ size: 1, name: "team" });
    expect(program.pools()).toMatchObject([{ name: "team" }]);
  });

  test("a viewport of the interrupted creation that left the program is removed", async () => {
    const program = await PoolProgram.ofSpeed();
    const viewport = { width: 1280, height: 800 };
    await interrupted(program, { size: 1, name: "crew", viewport }, "after-commit");
    await program.up({ size: 1, name: "crew" });
    expect(program.pools()).toMatchObject([{ viewport: null }]);
  });

  test("the values of a credential, which no read shows, are sent again", async () => {
    const program = await PlayedProgram.start("Credential");
    const news = { name: "cred", domain: "one.example", values: { password: "secret-one" } };
    await interrupted(program, news, "after-commit");
    await program.up(news);
    expect(program.writes).toEqual(["POST", "PATCH"]);
  });

  test("a setting that left the program is off even if the finishing change is interrupted, too", async () => {
    const program = await PoolProgram.ofSpeed();
    await interrupted(program, { size: 1, name: "crew", startUrl: "https://a.example/" }, "after-commit");
    program.interrupt("PATCH", "before-reading");
    expect(await errorOf(program.up({ size: 2, name: "crew" }))).toMatchObject({ code: "outcome_unknown" });
    program.emulator.faults.clear();
    await program.up({ size: 2, name: "crew" });
    expect(program.pools()).toMatchObject([{ size: 2, startUrl: null }]);
  });

  test.each(["GET", "PATCH"])(
    "the record stays if the finishing up fails at a %s, and a destroy deletes the pool",
    async (method) => {
      const program = await PoolProgram.ofSpeed();
      await interrupted(program, { size: 1, name: "crew" }, "after-commit");
      program.refuse(method, 403);
      expect((await errorOf(program.up({ size: 2, name: "crew" }))).message).toContain("403 refused");
      program.emulator.faults.clear();
      await program.destroy();
      expect(program.pools()).toEqual([]);
    },
  );

  test("a project with onDelete keep stays after a destroy", async () => {
    const program = await PlayedProgram.start("Project");
    await interrupted(program, { name: "shop", onDelete: "keep" }, "after-commit");
    await program.destroy();
    expect(program.writes).toEqual(["POST"]);
  });

  test("an auth connection, which has no creation time, is kept if no login was made", async () => {
    const program = await PlayedProgram.start("AuthConnection");
    const news = { domain: "shop.example", profileName: "buyer" };
    await interrupted(program, news, "after-commit");
    await program.up(news);
    expect(program.writes).toEqual(["POST"]);
  });

  test.each([20, -20])("a profile is kept with clocks that differ by %i minutes", async (minutes) => {
    const program = await PlayedProgram.start("Profile");
    program.emulator.clock.advance(minutes * 60_000);
    await interrupted(program, { name: "buyer" }, "after-commit");
    await program.up({ name: "buyer" });
    expect(program.writes).toEqual(["POST"]);
    expect(program.emulator.profiles.list()).toHaveLength(1);
  });

  test("a profile is left alone if no response has told the time of the service, and the error says so", async () => {
    const program = await PlayedProgram.start("Profile");
    await interrupted(program, { name: "buyer" }, "after-commit");
    const { sentAt, ...lost } = program.stored.outputs.lost as Record<string, unknown>;
    Object.assign(program.stored.outputs, { lost });
    expect(await errorOf(program.up({ name: "buyer" }))).toMatchObject({
      code: "name_taken",
      message: expect.stringContaining("the time of its creation cannot be compared"),
    });
    expect(program.writes).toEqual(["POST"]);
  });
});

describe("an interrupted creation that never arrived", () => {
  shortenWaits();

  test("a stranger's profile from after the giving up is left alone, and the error names time and commands", async () => {
    const program = await PlayedProgram.start("Profile");
    await interrupted(program, { name: "buyer" }, "before-reading");
    program.emulator.clock.advance(2_500);
    const { id } = await stranger(program).profiles.create({ name: "buyer" });
    const { message } = await errorOf(program.up({ name: "buyer" }));
    expect(message).toContain("it was created at ");
    expect(message).toContain(`import it by its id, ${id}`);
    expect(message).toContain(`"browser-infra profiles delete ${id}"`);
    await program.destroy();
    expect(program.emulator.profiles.list().map((each) => each.id)).toEqual([id]);
  });

  test("a stranger's credential with a further value is left alone, and the error names the value", async () => {
    const program = await PlayedProgram.start("Credential");
    const news = { name: "cred", domain: "one.example", values: { password: "secret-one" } };
    await interrupted(program, news, "before-reading");
    const values = { password: "theirs", pin: "1234" };
    await stranger(program).credentials.create({ name: "cred", domain: "one.example", values });
    const { message } = await errorOf(program.up(news));
    expect(message).toContain("it has values that were not sent: pin");
  });

  test("a stranger's pool of another size is left alone by an up and by a destroy, and both name the size", async () => {
    const program = await PoolProgram.ofSpeed();
    const news = { size: 1, name: "crew" };
    await interrupted(program, news, "before-reading");
    program.emulator.browserPools.create({ name: "crew", size: 9 });
    expect((await errorOf(program.up(news))).message).toContain("it differs from what was sent in size");
    expect(program.pools()).toMatchObject([{ size: 9 }]);
    await interrupted(program, { size: 1, name: "team" }, "before-reading");
    program.emulator.browserPools.create({ name: "team", size: 9 });
    await program.destroy();
    expect(program.pools()).toHaveLength(2);
    expect(program.warnings.join()).toContain("it differs from what was sent in size");
  });
});
