import { shortenWaits } from "../../contract/rows/shorter-waits.js";
import { errorOf } from "../../support/error-of.js";
import { PoolProgram } from "../browsers/browser-pool/pools.js";
import { KeyProgram } from "../organization/api-key/keys.js";

describe("a mark in the state", () => {
  shortenWaits();

  test("a mark of an unknown form in the state stops the deployment before any request", async () => {
    const program = await PoolProgram.ofSpeed();
    await program.up({ size: 1 });
    Object.assign(program.stored.outputs, { unfinished: { reason: "…", since: "a newer version" } });
    const { length } = program.emulator.requests;
    expect(await errorOf(program.up({ size: 2 }))).toMatchObject({ code: "state_unreadable" });
    expect(program.emulator.requests).toHaveLength(length);
  });

  test.each([
    [600_000, "deleted"],
    [600_001, "not deleted"],
    [-900_000, "deleted"],
    [-900_001, "not deleted"],
  ])(
    "a pool whose deployment gave up %i ms after the creation is %s by the next deployment",
    async (gaveUpAfterMs, what) => {
      const program = await PoolProgram.ofSpeed();
      program.interrupt("POST");
      expect(await errorOf(program.up({ size: 1 }))).toMatchObject({ code: "outcome_unknown" });
      program.emulator.faults.clear();
      const [pool] = program.pools();
      const lost = program.stored.outputs.lost as object;
      const gaveUpAt = Date.parse(String(pool?.createdAt)) + gaveUpAfterMs;
      Object.assign(program.stored.outputs, { lost: { ...lost, gaveUpAt } });
      await program.destroy();
      expect(program.pools()).toHaveLength(what === "deleted" ? 0 : 1);
    },
  );

  test("a mark of a lost key leads to exactly that key, also with clocks that differ by 20 minutes", async () => {
    const program = await KeyProgram.start();
    program.emulator.clock.advance(20 * 60_000);
    program.interrupt("POST");
    expect(await errorOf(program.up({ name: "agents" }))).toMatchObject({ code: "outcome_unknown" });
    program.emulator.faults.clear();
    await program.up({ name: "agents" });
    await program.expectOnly();
  });
});
