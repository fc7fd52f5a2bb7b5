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

  test("a pool whose name is taken is not created, and the error contains the import command", async () => {
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

  test("a preview warns that a pool's name is taken, also in the project to which the pool moves", async () => {
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

  test("a name moves to a different resource in two deployments, as the refusal explains", async () => {
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

  test("a pool of a different owner stays after an unanswered creation under a different name", async () => {
    const theirs = createTheirs("agents");
    program.interrupt("POST", "before-reading");
    await errorOf(program.up({ size: 2, name: "agents-new" }));
    program.emulator.faults.clear();
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("a namesake that a different owner creates an hour after an unanswered creation stays unchanged", async () => {
    program.interrupt("POST", "before-reading");
    await errorOf(program.up({ size: 2, name: "agents" }));
    program.emulator.faults.clear();
    program.emulator.clock.advance(60 * 60_000);
    const theirs = createTheirs("agents");
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("a pool is not created if a rival creates the name first, and the error contains advice", async () => {
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

  test("a namesake in a different case is not taken for the result of an unanswered creation", async () => {
    let theirs = "";
    const call = () => {
      theirs = createTheirs("AGENTS");
    };
    program.emulator.faults.add({ method: "POST", at: "before-reading", action: { call } });
    program.emulator.faults.add({ method: "POST", at: "before-reading", action: "reset" });
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("a pool named like the automatic name in a different case is not reused", async () => {
    program.declare({ size: 2 });
    const [check] = await program.engine.checks("agents");
    const id = createTheirs(String(check?.inputs.name).toUpperCase());
    expect(await errorOf(program.up({ size: 2 }))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id, size: 1 }]);
  });

  test("a pool that a different resource held under the same automatic name is not reused", async () => {
    await program.up({ size: 1 });
    const { id, inputs } = program.stored;
    const { agents, crew } = await inParallel();
    const renamed = await crew.check({ size: 1, name: "crew" }, inputs);
    const created = await agents.check({ size: 2 });
    await crew.diff(program.stored, renamed.inputs);
    expect(await errorOf(agents.create(created.inputs))).toMatchObject({ code: "name_taken" });
    expect(program.pools()).toMatchObject([{ id, size: 1 }]);
  });

  test("a killed creation in a different project does not hide the holder of a pool's name from the preview", async () => {
    const { id: projectId } = program.emulator.createProject({ name: "Other" });
    await program.upKilled({ size: 1, name: "agents", projectId });
    const id = createTheirs("agents");
    expect((await program.preview({ size: 1, name: "agents" })).warnings).toEqual([
      expect.stringContaining(`"agents" is taken by browser pool ${id}`),
    ]);
  });
});
