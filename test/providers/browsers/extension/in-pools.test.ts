import { unknownMarker } from "../../../../src/bridges/wire-values.js";
import { LifecycleDriver } from "../../../contract/model/drivers/lifecycle-driver.js";
import { errorOf } from "../../../support/error-of.js";
import { ExtensionProgram, path } from "./extensions.js";

const waysOut = 'Remove "name": .+ Or remove the extension from the pool, deploy, and change';

describe("an extension that a browser pool loads", () => {
  let program: ExtensionProgram;

  beforeEach(async () => {
    program = await ExtensionProgram.start();
  });

  function load(id: string, projectId?: string): string {
    const { browserPools } = program.emulator;
    return browserPools.create({ name: "agents", size: 1, extensions: [{ id }], projectId }).id;
  }

  /**
   * Extension that a user uploaded with bytes different from the program's, and a pool that loads
   * the extension.
   */
  async function theirs(name: string) {
    program.writeVersion("0.9.0");
    const { id } = await program.uploadTheirs(name);
    program.writeVersion("1.0.0");
    return { id, pool: load(id) };
  }

  /** Calls `change` after the next upload: the pool then loads the new extension, or nothing. */
  function whenUploaded(change: (uploaded: string) => void): void {
    const before = program.live();
    const call = () => change(program.live().find((id) => !before.includes(id)) ?? "");
    program.emulator.faults.add({
      method: "POST",
      path: "/extensions",
      at: "after-commit",
      action: { call },
    });
  }

  const loadInstead = (pool: string, id: string) =>
    program.emulator.browserPools.update(pool, { extensions: [{ id }] });
  const refusals = async (news: object) => (await program.preview({ ...news })).failures;

  test("a differing extension in a pool is adopted unchanged, and the next deployment replaces the extension", async () => {
    const { id, pool } = await theirs("theirs");
    const news = { adopt: id };
    expect(await refusals(news)).toEqual([]);
    expect(program.messages).toEqual([
      expect.stringMatching(
        `^Adopts extension ${id} .+ unchanged, because browser pool "agents" \\(${pool}\\) loads it\\. The next deployment replaces the extension: its archive has checksum`,
      ),
    ]);
    expect(program.live()).toEqual([id]);

    await program.up(news);
    expect(program.stored).toMatchObject({ id, outputs: { name: "theirs" } });
    expect(program.messages.join()).toMatch(
      `Adopted extension ${id} unchanged, because browser pool "agents"`,
    );
    expect(program.live()).toEqual([id]);

    expect(await refusals(news)).toEqual([]);
    whenUploaded((uploaded) => loadInstead(pool, uploaded));
    expect(await program.up(news)).toBe("replace");
    expect(program.live()).toEqual([program.stored.id]);
    expect(program.stored.id).not.toBe(id);
    expect(await program.up(news)).toBe("same");
  });

  test.each(["theirs", "reader"])(
    "a differing extension in a pool is not adopted under the fixed name %p, and the preview gives the ways out",
    async (name) => {
      const { id, pool } = await theirs("theirs");
      const expected = `Extension ${id} cannot be replaced .+, because browser pool "agents" \\(${pool}\\) loads it\\. .+ ${waysOut}`;
      expect(await refusals({ adopt: id, name })).toEqual([expect.stringMatching(expected)]);
      expect(await errorOf(program.up({ adopt: id, name }))).toMatchObject({
        code: "extension_in_use",
        message: expect.stringMatching(expected),
      });
      expect(program.emulator.extensions.list()).toMatchObject([{ id, name: "theirs" }]);
    },
  );

  test("an extension in a pool is adopted under a fixed name if nothing differs", async () => {
    const { id } = await program.uploadTheirs("reader");
    load(id);
    await program.up({ adopt: id, name: "reader" });
    expect(program.stored.id).toBe(id);
  });

  test("if the service has no operation for pools, a differing extension is adopted and replaced in one deployment", async () => {
    const { id, pool } = await theirs("theirs");
    program.emulator.browserPools.remove(pool);
    const answer = { status: 404, body: { code: "not_found", message: "No such page." } };
    const rule = { method: "GET", path: "/browser_pools", at: "before-reading" } as const;
    program.emulator.faults.add({ ...rule, times: Number.POSITIVE_INFINITY, action: { answer } });
    await program.up({ adopt: id });
    expect(program.live()).toEqual([program.stored.id]);
    expect(program.stored.id).not.toBe(id);
  });

  test.each([
    ["another project", () => program.emulator.createProject({ name: "Other" }).id],
    ["a project that is still to be created", () => unknownMarker],
  ])(
    "an extension in a pool does not move to %s under a fixed name, and the preview explains the refusal",
    async (_where, projectId) => {
      const name = "reader";
      await program.up({ name });
      const { id } = program.stored;
      const pool = load(id);
      expect(await refusals({ name, projectId: projectId() })).toEqual([
        expect.stringMatching(
          `Extension ${id} cannot be replaced by an extension with a fixed name, because browser pool "agents" \\(${pool}\\) loads it\\. The old extension must be deleted before an extension with "name" is uploaded.+ ${waysOut}`,
        ),
      ]);
    },
  );

  test("an extension in a pool is replaced together with its project, also under a fixed name", async () => {
    const { id: projectId } = program.emulator.createProject({ name: "Other" });
    await program.up({ name: "reader", projectId });
    const { stored } = program;
    load(stored.id, projectId);
    // The engine first determines the resources to replace together with the project, and deletes
    // them before the program declares the extension again.
    const driver = new LifecycleDriver(program.folder, program.environment);
    await driver.begin();
    const resource = driver.resource("Extension", "agents");
    const moved = { ...stored.inputs, projectId: unknownMarker };
    expect((await resource.diff(stored, moved)).replaces).toEqual(["projectId"]);
    const news = { path, name: "reader", projectId: unknownMarker };
    expect((await resource.check(news, {}, { isPreview: true })).failures).toEqual([]);
  });

  test("an extension in a pool moves to a different project under an automatic name", async () => {
    await program.up({});
    const pool = load(program.stored.id);
    const { id: projectId } = program.emulator.createProject({ name: "Other" });
    expect(await refusals({ projectId })).toEqual([]);
    whenUploaded(() => program.emulator.browserPools.remove(pool));
    expect(await program.up({ projectId })).toBe("replace");
    expect(program.live()).toEqual([]);
    expect(program.live(projectId)).toEqual([program.stored.id]);
  });

  test.each([
    ["the same name", "reader", "under the same name"],
    ["another fixed name", "reader2", "by an extension with a fixed name"],
  ])(
    "an extension in a pool is not replaced under %s, and the reason names the case",
    async (_what, name, how) => {
      await program.up({ name: "reader" });
      load(program.stored.id);
      program.writeVersion("2.0.0");
      expect(await refusals({ name })).toEqual([expect.stringContaining(`cannot be replaced ${how}, `)]);
    },
  );

  test("the refused deletion of a replaced extension advises to remove the extension from the pool", async () => {
    await program.up({});
    const pool = load(program.stored.id);
    program.writeVersion("2.0.0");
    const { id } = program.stored;
    const { message } = await errorOf(program.up({}));
    expect(message.replace(/req_\w+/, "<id>")).toBe(
      `Extension ${id} was not deleted, because browser pool "agents" (${pool}) loads it (400 resource_in_use, request id <id>). First remove the extension from the pool, and deploy.`,
    );
    expect(program.live()).toHaveLength(2);
  });

  test("a refused deletion during an adoption is not reported as a restored extension", async () => {
    const { id, pool } = await theirs("reader");
    program.emulator.browserPools.remove(pool);
    // At the last moment, a user adds the extension to a pool.
    const call = () => void load(id);
    program.emulator.faults.add({ method: "DELETE", at: "before-reading", action: { call } });
    const { message } = await errorOf(program.up({ adopt: id, name: "reader" }));
    expect(message).toContain("was not deleted");
    expect(message).not.toContain("restored");
    expect(program.live()).toEqual([id]);
  });
});
