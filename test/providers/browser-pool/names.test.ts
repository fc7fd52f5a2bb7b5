import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { errorOf } from "../../support/error-of.js";
import { PoolProgram } from "./pool-program.js";

describe("a browser pool whose name is taken", () => {
  let emulator: Emulator;
  let program: PoolProgram;

  beforeEach(async () => {
    emulator = await startEmulator();
    program = new PoolProgram(emulator);
  });

  afterEach(() => emulator.close());

  const pools = () => emulator.browserPools.list();

  test("creates nothing, and says what to do", async () => {
    const theirs = emulator.browserPools.create({ name: "Agents", size: 1 });
    expect(await errorOf(program.up({ size: 1, name: "agents" }))).toMatchObject({
      code: "name_taken",
      message: expect.stringMatching(
        /is taken by browser pool \w+, whose name is "Agents".+ To manage that pool here, import it by its id, \w+\. .+ give it an alias instead\..+Nothing was created/,
      ),
    });
    expect(pools()).toMatchObject([{ id: theirs.id }]);
    expect(program.hasNotes).toBe(false);
  });

  test("warns in a preview, which sends nothing that changes anything", async () => {
    const { id } = emulator.browserPools.create({ name: "agents", size: 1 });
    expect(await program.refusals({ size: 1, name: "agents" }, true)).toEqual([]);
    expect(program.messages).toEqual([expect.stringContaining(`is taken by browser pool ${id}`)]);
    expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("by another resource of the program is refused, whatever the case", async () => {
    const lifecycle = program.begin();
    const check = (name: string, { context }: PoolProgram) =>
      lifecycle.check({ olds: undefined, news: { size: 1, name }, memo: undefined }, context);
    expect((await check("agents", program)).failures).toEqual([]);
    const { failures } = await check("Agents", new PoolProgram(emulator, "crew", program));
    expect(failures).toEqual([
      {
        property: "name",
        reason: expect.stringMatching(
          /^Two browser pools of this program have the name "Agents"; the other one/,
        ),
      },
    ]);
  });

  test("is moved to another resource in two deployments, the refusal says", async () => {
    await program.up({ size: 1, name: "agents" });
    const { id, outputs, inputs: olds, memo } = program.stored;
    const other = new PoolProgram(emulator, "crew", program);
    const lifecycle = program.begin();
    const renamed = await lifecycle.check({ olds, news: { size: 1, name: "others" }, memo }, program.context);
    lifecycle.diff({ id, olds: outputs, news: renamed.inputs }, program.context);
    const request = { olds: undefined, news: { size: 1, name: "agents" }, memo: undefined };
    const { inputs } = await lifecycle.check(request, other.context);
    expect(await errorOf(lifecycle.create(inputs, other.context))).toMatchObject({
      code: "name_taken",
      message: expect.stringMatching(/another resource of this program, urn:\S+::agents\. .+two deployments/),
    });
    const { failures } = await lifecycle.check({ ...request, isPreview: true }, other.context);
    expect(failures).toEqual([{ property: "name", reason: expect.stringContaining("two deployments") }]);
  });

  test("is no secret key, and the refusal does not show it", async () => {
    const secret = "sk_1234567890abcdefghij";
    for (const news of [{ name: secret }, { startUrl: secret }, { extensionIds: [secret] }]) {
      const { failures, inputs } = await program
        .begin()
        .check({ olds: undefined, news: { size: 1, ...news }, memo: undefined }, program.context);
      expect(failures).toEqual([{ property: "", reason: expect.stringContaining("is a secret key") }]);
      expect(JSON.stringify([failures, inputs])).not.toContain(secret);
    }
  });

  test("in the project it moves to is named in the preview", async () => {
    const { id: projectId } = emulator.createProject({ name: "Other" });
    const { id } = emulator.browserPools.create({ name: "agents", size: 1, projectId });
    await program.up({ name: "agents", size: 1 });
    expect(await program.refusals({ name: "agents", size: 1, projectId }, true)).toEqual([]);
    expect(program.messages).toEqual([expect.stringContaining(`"agents" is taken by browser pool ${id}`)]);
  });

  test("is not created when somebody was faster, and the error says what to do", async () => {
    let theirs = "";
    const call = () => {
      theirs = emulator.browserPools.create({ name: "agents", size: 1 }).id;
    };
    emulator.faults.add({ method: "POST", at: "before-commit", action: { call } });
    expect(await errorOf(program.up({ size: 2, name: "agents" }))).toMatchObject({
      code: "name_taken",
      message: expect.stringContaining(`import it by its id, ${theirs}.`),
    });
    expect(pools()).toMatchObject([{ id: theirs, size: 1 }]);
  });

  test("leaves alone what somebody creates under it after the service has refused ours", async () => {
    const answer = { status: 403, body: { code: "limit_exceeded", message: "too many" } };
    emulator.faults.add({ method: "POST", at: "before-commit", action: { answer } });
    await errorOf(program.up({ size: 1, name: "agents" }));
    const { id } = emulator.browserPools.create({ name: "agents", size: 1 });
    await program.upWithoutPool();
    expect(pools()).toMatchObject([{ id }]);
    expect(program.hasNotes).toBe(false);
  });

  test("takes no pool whose name is its automatic one in another case", async () => {
    const news = { size: 2 };
    const { inputs } = await program
      .begin()
      .check({ olds: undefined, news, memo: undefined }, program.context);
    const { id } = emulator.browserPools.create({ name: String(inputs.name).toUpperCase(), size: 1 });
    expect(await errorOf(program.up(news))).toMatchObject({ code: "name_taken" });
    expect(pools()).toMatchObject([{ id, size: 1 }]);
  });

  test("takes no pool of another resource, which had its automatic name under an alias", async () => {
    await program.up({ size: 1 });
    const { id, inputs: olds, outputs, memo } = program.stored;
    const renamed = new PoolProgram(emulator, "crew", program);
    const lifecycle = renamed.begin();
    const kept = await lifecycle.check({ olds, news: { size: 1, name: "crew" }, memo }, renamed.context);
    const created = await lifecycle.check(
      { olds: undefined, news: { size: 2 }, memo: undefined },
      program.context,
    );
    lifecycle.diff({ id, olds: outputs, news: kept.inputs, memo: kept.memo }, renamed.context);
    expect(await errorOf(lifecycle.create(created.inputs, program.context))).toMatchObject({
      code: "name_taken",
    });
    expect(pools()).toMatchObject([{ id, size: 1 }]);
  });
});
