import { LifecycleDriver } from "../../../contract/model/drivers/lifecycle-driver.js";
import { errorOf } from "../../../support/error-of.js";
import { PoolProgram } from "./pools.js";

describe("a browser pool whose name is taken", () => {
  let program: PoolProgram;

  beforeEach(async () => {
    program = await PoolProgram.ofSpeed();
  });

  const createTheirs = (name: string, projectId?: string) =>
    program.emulator.browserPools.create({ name, size: 1, projectId }).id;

  test("creates nothing, and says what to do", async () => {
    const theirs = createTheirs("Agents");
    expect(await errorOf(program.up({ size: 1, name: "agents" }))).toMatchObject({
      code: "name_taken",
      message: expect.stringMatching(
        /is taken by browser pool \w+, whose name is "Agents".+ To manage that pool here, import it by its id, \w+: "browser-infra import pools \w+ --as agents --force" and then "pulumi import --file import-pools\.json --protect=false --generate-code=false"\. .+ give it an alias instead\..+Nothing was created/,
      ),
    });
    await program.upWithout();
    expect(program.pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("warns in a preview, also of the name in the project that it moves to", async () => {
    const theirs = createTheirs("agents");
    const { failures, warnings } = await program.preview({ size: 1, name: "agents" });
    expect(failures).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(`is taken by browser pool ${theirs}`)]);
    expect(program.writes).toEqual([]);
    program.emulator.browserPools.remove(theirs);
    await program.up({ name: "agents", size: 1 });
    const { id: projectId } = program.emulator.createProject({ name: "Other" });
    const id = createTheirs("agents", projectId);
    expect((await program.preview({ name: "agents", size: 1, projectId })).warnings).toEqual([
      expect.stringContaining(`"agents" is taken by browser pool ${id}`),
    ]);
  });

  /** Resources of a run whose calls come in an order that the engine produces only in parallel. */
  async function inParallel() {
    const driver = new LifecycleDriver(program.folder, program.environment);
    await driver.begin();
    const resource = (name: string) => driver.resource("BrowserPool", name);
    return { agents: resource("agents"), crew: resource("crew") };
  }

  test("is moved to another resource in two deployments, the refusal says", async () => {
    await program.up({ size: 1, name: "agents" });
    const { agents, crew } = await inParallel();
    const { inputs } = await agents.check({ size: 1, name: "others" }, program.stored.inputs);
    await agents.diff(program.stored, inputs);
    const moved = await crew.check({ size: 1, name: "agents" });
    expect(await errorOf(crew.create(moved.inputs))).toMatchObject({
      code: "name_taken",
      message: expect.stringMatching(/another resource of this program, urn:\S+::agents\. .+two deployments/),
    });
    const { failures } = await crew.check({ size: 1, name: "agents" }, {}, { isPreview: true });
    expect(failures).toEqual([{ property: "name", reason: expect.stringContaining("two deployments") }]);
  });

  test("leaves another owner's pool alone after a creation under another name whose answer was lost", async () => {
    const theirs = createTheirs("agents");
    program.interrupt("POST", "before-reading");
    await errorOf(program.up({ size: 2, name: "agents-new" }));
    program.emulator.faults.clear();
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("leaves alone what another owner creates under the name an hour after a creation without an answer", async () => {
    program.interrupt("POST", "before-reading");
    await errorOf(program.up({ size: 2, name: "agents" }));
    program.emulator.faults.clear();
    program.emulator.clock.advance(60 * 60_000);
    const theirs = createTheirs("agents");
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("is not created when another program was faster, and the error says what to do", async () => {
    let theirs = "";
    const call = () => {
      theirs = createTheirs("agents");
    };
    program.emulator.faults.add({ method: "POST", at: "before-commit", action: { call } });
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({
      code: "name_taken",
      message: expect.stringContaining(`import it by its id, ${theirs}: `),
    });
    expect(program.pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("in another case is not what a creation became whose answer was lost", async () => {
    let theirs = "";
    const look = { method: "GET", path: "/browser_pools", at: "before-commit", nth: 2 } as const;
    const call = () => {
      theirs = createTheirs("AGENTS");
      program.emulator.faults.add({ ...look, action: { call: () => program.engine.end("cancel") } });
    };
    program.emulator.faults.add({ method: "POST", at: "before-reading", action: { call } });
    program.emulator.faults.add({ method: "POST", at: "before-reading", action: "reset" });
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({
      code: "outcome_unknown",
    });
    expect(program.pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("takes no pool whose name is its automatic one in another case", async () => {
    program.declare({ size: 2 });
    const [check] = await program.engine.checks("agents");
    const id = createTheirs(String(check?.inputs.name).toUpperCase());
    expect(await errorOf(program.up({ size: 2 }))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id, size: 1 }]);
  });

  test("takes no pool of another resource, which had its automatic name under an alias", async () => {
    await program.up({ size: 1 });
    const { id, inputs } = program.stored;
    const { agents, crew } = await inParallel();
    const renamed = await crew.check({ size: 1, name: "crew" }, inputs);
    const created = await agents.check({ size: 2 });
    await crew.diff(program.stored, renamed.inputs);
    expect(await errorOf(agents.create(created.inputs))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id, size: 1 }]);
  });

  test("is named in the preview also when a killed run created its namesake in another project", async () => {
    const { id: projectId } = program.emulator.createProject({ name: "Other" });
    await program.upKilled({ size: 1, name: "agents", projectId });
    const id = createTheirs("agents");
    expect((await program.preview({ size: 1, name: "agents" })).warnings).toEqual([
      expect.stringContaining(`"agents" is taken by browser pool ${id}`),
    ]);
  });
});
