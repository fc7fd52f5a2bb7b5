import { shortenWaits } from "../../../contract/rows/shorter-waits.js";
import { errorOf } from "../../../support/error-of.js";
import { main } from "../../played-program.js";
import { PoolProgram } from "./pools.js";

describe("a browser pool whose creation got no response", () => {
  let program: PoolProgram;

  shortenWaits();

  beforeEach(async () => {
    program = await PoolProgram.ofSpeed();
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

  test("a pool found after a lost response in a different size is left alone, and the error names the difference", async () => {
    const call = () => void program.emulator.browserPools.update(program.only(), { size: 4 });
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: { call } });
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    expect(await errorOf(program.up({ size: 1, name: "agents" }))).toMatchObject({
      code: "name_taken",
      message: expect.stringContaining("Different from the declaration: size."),
    });
    expect(program.pools()).toMatchObject([{ size: 4 }]);
  });

  test("if the lookup after a lost response is refused, the error says that the pool may exist", async () => {
    const refuse = { method: "GET", at: "before-commit", action: { answer: { status: 403 } } } as const;
    const call = () => void program.emulator.faults.add(refuse);
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: { call } });
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    expect(await errorOf(program.up({ size: 1, name: "agents" }))).toMatchObject({
      code: "outcome_unknown",
      message: expect.stringContaining("it looks for this pool, and finishes or creates it"),
    });
    await program.up({ size: 1, name: "agents" });
    expect(program.only()).toBe(program.stored.id);
  });

  test("the error about a lost creation contains advice for the options protect and retainOnDelete", async () => {
    program.interrupt("POST");
    const { message } = await errorOf(program.up({ size: 1, name: "crew" }));
    const urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:BrowserPool::${main}`;
    expect(message).toContain(`With the option "protect", first run "pulumi state unprotect '${urn}'".`);
    expect(message).toContain(
      'with the option "retainOnDelete", delete the pool "crew" yourself if it exists.',
    );
  });
});
