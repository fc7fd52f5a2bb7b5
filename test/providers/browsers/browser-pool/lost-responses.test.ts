import { shortenWaits } from "../../../contract/rows/shorter-waits.js";
import { errorOf } from "../../../support/error-of.js";
import { PoolProgram } from "./pools.js";

describe("a browser pool", () => {
  let program: PoolProgram;

  shortenWaits();

  beforeEach(async () => {
    program = await PoolProgram.ofSpeed();
  });

  describe("after a refused change", () => {
    test("a 404 for a change with a new proxy is not reported as a deleted pool", async () => {
      await program.up({ size: 1 });
      program.refuse("PATCH", 404);
      expect(await errorOf(program.up({ size: 1, proxyId: "proxy_1" }))).toMatchObject({
        status: 404,
        message: expect.stringContaining("refused by a fault"),
      });
    });
  });

  describe("after a killed run", () => {
    test("a pool that a killed run created keeps a viewport that left the program, and a message says so", async () => {
      await program.upKilled({ size: 1, viewport: { width: 800, height: 600 } });
      await program.up({ size: 1 });
      expect(program.messages).toContainEqual(expect.stringMatching(/which stay unchanged: viewport\.$/));
      expect(await program.up({ size: 1 })).toBe("same");
    });
  });

  test("a pool whose creation lost its response is found although the service lists the pool only after some seconds", async () => {
    const hide = () => {
      const look = { method: "GET", path: "/browser_pools", at: "before-commit", times: 5 } as const;
      program.emulator.faults.add({ ...look, action: { answer: { status: 200, body: [] } } });
    };
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: { call: hide } });
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    await program.up({ size: 1, name: "agents" });
    expect(program.only()).toBe(program.stored.id);
    expect(program.messages.join()).toContain("The response to the creation was lost, but it succeeded");
  });

  test("a pool found after a lost response gets the declared size, whoever has changed the size meanwhile", async () => {
    const call = () => void program.emulator.browserPools.update(program.only(), { size: 4 });
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: { call } });
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    await program.up({ size: 1, name: "agents" });
    expect(program.pools()).toMatchObject([{ id: program.stored.id, size: 1 }]);
  });

  test("if the lookup after a lost response is refused, the error says that the pool may exist", async () => {
    const refuse = { method: "GET", at: "before-commit", action: { answer: { status: 403 } } } as const;
    const call = () => void program.emulator.faults.add(refuse);
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: { call } });
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    expect(await errorOf(program.up({ size: 1, name: "agents" }))).toMatchObject({
      code: "outcome_unknown",
      message: expect.stringContaining("it deletes this pool if it exists, and creates it again"),
    });
    await program.up({ size: 1, name: "agents" });
    expect(program.only()).toBe(program.stored.id);
  });
});
