import { BrowserInfraClient } from "../../../src/client/index.js";
import { shortenWaits } from "../../contract/rows/shorter-waits.js";
import { errorOf } from "../../support/error-of.js";
import { PoolProgram } from "../browsers/browser-pool/pools.js";
import { PlayedProgram } from "../played-program.js";

async function interrupted(
  program: PlayedProgram,
  news: Parameters<PlayedProgram["up"]>[0],
  at: "before-reading" | "after-commit",
) {
  program.interrupt("POST", at);
  expect(await errorOf(program.up(news))).toMatchObject({ code: "outcome_unknown" });
  program.emulator.faults.clear();
}
const deletions = (program: PlayedProgram) => program.writes.filter((method) => method === "DELETE");

describe("proof", () => {
  shortenWaits();

  test("an own pool is kept and finished, and loses a setting of the interrupted creation", async () => {
    const program = await PoolProgram.ofSpeed();
    await interrupted(program, { size: 1, name: "crew", startUrl: "https://a.example/" }, "after-commit");
    const [made] = program.pools();
    await program.up({ size: 2, name: "crew" });
    expect(program.pools()).toMatchObject([{ id: made?.id, size: 2, startUrl: null }]);
    expect(deletions(program)).toEqual([]);
  });

  test("an own pool in another region is deleted and made again", async () => {
    const program = await PoolProgram.ofSpeed();
    await interrupted(program, { size: 1, name: "crew" }, "after-commit");
    const [made] = program.pools();
    await program.up({ size: 1, name: "crew", region: "eu-west" });
    expect(program.pools()).toMatchObject([{ region: "eu-west" }]);
    expect(program.pools()[0]?.id).not.toBe(made?.id);
  });

  test("a pool with a viewport of the interrupted creation", async () => {
    const program = await PoolProgram.ofSpeed();
    await interrupted(
      program,
      { size: 1, name: "crew", viewport: { width: 1280, height: 800 } },
      "after-commit",
    );
    await program.up({ size: 1, name: "crew" });
    expect(program.pools()).toMatchObject([{ viewport: null }]);
  });

  test.each([
    [0, "kept"],
    [2_500, "refused"],
  ])("a stranger's profile %i ms after the giving up is %s", async (ms, what) => {
    const program = await PlayedProgram.start("Profile");
    await interrupted(program, { name: "buyer" }, "before-reading");
    program.emulator.clock.advance(ms);
    const stranger = new BrowserInfraClient({
      baseUrl: program.emulator.url,
      apiKey: String(program.emulator.apiKeys[0]),
    });
    const { id } = await stranger.profiles.create({ name: "buyer" });
    const failure = await program.up({ name: "buyer" }).then(
      () => "kept",
      (error: Error) => error.message,
    );
    expect(failure).toMatch(what === "kept" ? "kept" : /not at the time of the request/);
    await program.destroy().catch(() => {});
    expect(program.emulator.profiles.list().map((each) => each.id)).toEqual(what === "kept" ? [] : [id]);
  });

  test.each([20, -20])("an own profile with clocks that differ by %i minutes", async (minutes) => {
    const program = await PlayedProgram.start("Profile");
    program.emulator.clock.advance(minutes * 60_000);
    await interrupted(program, { name: "buyer" }, "after-commit");
    await program.up({ name: "buyer" });
    expect(program.emulator.profiles.list()).toHaveLength(1);
    expect(deletions(program)).toEqual([]);
  });

  test("a connection of an interrupted creation, kept; the service tells no time", async () => {
    const program = await PlayedProgram.start("AuthConnection");
    await interrupted(program, { domain: "shop.example", profileName: "buyer" }, "after-commit");
    await program.up({ domain: "shop.example", profileName: "buyer" });
    expect(deletions(program)).toEqual([]);
  });

  test("a credential of an interrupted creation, kept, and its values are sent again", async () => {
    const program = await PlayedProgram.start("Credential");
    const news = { name: "cred", domain: "one.example", values: { password: "secret-one" } };
    await interrupted(program, news, "after-commit");
    await program.up(news);
    expect(program.writes).toEqual(["POST", "PATCH"]);
  });

  test("destroy deletes what is proved, and names the rest", async () => {
    const program = await PoolProgram.ofSpeed();
    await interrupted(program, { size: 1, name: "crew" }, "before-reading");
    program.emulator.browserPools.create({ name: "crew", size: 9 });
    await program.destroy();
    expect(program.pools()).toHaveLength(1);
    expect(program.warnings.join()).toContain("its size differs from what was sent");
  });
});
