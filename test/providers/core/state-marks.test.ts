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
    [1_000, -2_000, "deleted"],
    [1_001, -2_000, "not deleted"],
    [1_000, -2_001, "not deleted"],
  ])(
    "a pool whose creation was sent %i ms after the pool's time, and given up after %i ms, is %s by a destroy",
    async (sentAfterMs, gaveUpAfterMs, what) => {
      const program = await PoolProgram.ofSpeed();
      program.interrupt("POST");
      expect(await errorOf(program.up({ size: 1 }))).toMatchObject({ code: "outcome_unknown" });
      program.emulator.faults.clear();
      const [pool] = program.pools();
      const lost = program.stored.outputs.lost as object;
      const createdAt = Date.parse(String(pool?.createdAt));
      const times = { sentAt: createdAt + sentAfterMs, gaveUpAt: createdAt + gaveUpAfterMs };
      Object.assign(program.stored.outputs, { lost: { ...lost, ...times } });
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
