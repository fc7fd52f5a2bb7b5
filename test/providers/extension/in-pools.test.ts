import { BrowserInfraClient } from "../../../src/client/index.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { unknownValue } from "../../../src/providers/properties.js";
import { errorOf } from "../../support/error-of.js";
import { storedZip } from "../../support/stored-zip.js";
import { ExtensionProgram } from "./extension-program.js";

const waysOut = 'Leave "name" out: .+ Or remove the extension from the pool and deploy that';

describe("an extension that a browser pool loads", () => {
  let emulator: Emulator;
  let client: BrowserInfraClient;
  let program: ExtensionProgram;

  beforeEach(async () => {
    emulator = await startEmulator();
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    program = new ExtensionProgram(emulator);
    // An adoption waits until the engine has been quiet for two seconds.
    const now = performance.now.bind(performance);
    jest.spyOn(performance, "now").mockImplementation(() => now() * 1_000);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await client.close();
    await emulator.close();
  });

  /** An extension that somebody uploaded with other bytes than the program's, and its pool. */
  async function theirs(name: string) {
    const contents = '{ "manifest_version": 3, "name": "Reader", "version": "0.9.0" }';
    const archive = storedZip([{ name: "manifest.json", contents }]);
    const { id } = await client.extensions.upload({ archive, name });
    return { id, pool: load(id) };
  }

  function load(id: string, projectId?: string) {
    return emulator.browserPools.create({ name: "agents", size: 1, extensions: [{ id }], projectId });
  }

  const live = () => emulator.extensions.list().map(({ id }) => id);

  test("is adopted as it is when it differs, and the next deployment replaces it", async () => {
    const { id, pool } = await theirs("theirs");
    const news = { adopt: id };
    expect(await program.preview(news)).toEqual([]);
    expect(program.said).toEqual([
      expect.stringMatching(
        `^info: Adopts extension ${id} .+ as it is, because browser pool "agents" \\(${pool.id}\\) loads it\\. The deployment after that replaces it: its archive has checksum`,
      ),
    ]);
    expect(live()).toEqual([id]);

    expect(await program.up(news)).toBe("created");
    expect(program.stored).toMatchObject({ id, outputs: { name: "theirs" } });
    expect(program.said.join()).toMatch(`Adopted extension ${id} as it is, because browser pool "agents"`);
    expect(live()).toEqual([id]);

    expect(await program.preview(news)).toEqual([]);
    program.beforeDeletion = () => {
      emulator.browserPools.update(pool.id, { extensions: [{ id: program.stored.id }] });
    };
    expect(await program.up(news)).toBe("replaced");
    expect(live()).toEqual([program.stored.id]);
    expect(program.stored.id).not.toBe(id);
    expect(await program.up(news)).toBe("unchanged");
  });

  test.each(["theirs", "reader"])(
    "is not adopted under the fixed name %p when it differs, and the preview gives the ways out",
    async (name) => {
      const { id, pool } = await theirs("theirs");
      const expected = `Extension ${id} cannot be replaced .+, because browser pool "agents" \\(${pool.id}\\) loads it\\. .+ ${waysOut}`;
      expect(await program.preview({ adopt: id, name })).toEqual([expect.stringMatching(expected)]);
      const error = await errorOf(program.up({ adopt: id, name }));
      expect(error).toMatchObject({ code: "extension_in_use", message: expect.stringMatching(expected) });
      expect(emulator.extensions.list()).toMatchObject([{ id, name: "theirs" }]);
    },
  );

  test("is adopted under a fixed name when it is as declared", async () => {
    await program.up({ name: "reader" });
    const { id } = program.stored;
    load(id);
    const other = new ExtensionProgram(emulator, "other");
    expect(await other.up({ adopt: id, name: "reader" })).toBe("created");
    expect(other.stored.id).toBe(id);
  });

  test("is replaced by the deployment that adopts it when the service has no pools", async () => {
    const { id, pool } = await theirs("theirs");
    emulator.browserPools.remove(pool.id);
    const answer = { status: 404, body: { code: "not_found", message: "No such page." } };
    const rule = { method: "GET", path: "/browser_pools", at: "before-reading" } as const;
    emulator.faults.add({ ...rule, times: Number.POSITIVE_INFINITY, action: { answer } });
    expect(await program.up({ adopt: id })).toBe("created");
    expect(live()).toEqual([program.stored.id]);
    expect(program.stored.id).not.toBe(id);
  });

  test.each<[string, () => string | typeof unknownValue]>([
    ["another project", () => emulator.createProject({ name: "Other" }).id],
    ["a project that is still to be created", () => unknownValue],
  ])("does not move to %s under a fixed name, and the preview says so", async (_where, projectId) => {
    const name = "reader";
    await program.up({ name });
    const { id } = program.stored;
    const pool = load(id);
    expect(await program.preview({ name, projectId: projectId() })).toEqual([
      expect.stringMatching(
        `Extension ${id} cannot be replaced by one with a fixed name, because browser pool "agents" \\(${pool.id}\\) loads it\\. The old one must be deleted before one with "name" is uploaded.+ ${waysOut}`,
      ),
    ]);
  });

  test("is replaced together with its project, also under a fixed name: its pool goes first", async () => {
    const { id: projectId } = emulator.createProject({ name: "Other" });
    await program.up({ name: "reader", projectId });
    load(program.stored.id, projectId);
    expect(await program.previewWithReplacedProject({ name: "reader" })).toEqual([]);
  });

  test("moves to another project under an automatic name", async () => {
    await program.up({});
    const pool = load(program.stored.id);
    const { id: projectId } = emulator.createProject({ name: "Other" });
    expect(await program.preview({ projectId })).toEqual([]);
    program.beforeDeletion = () => emulator.browserPools.remove(pool.id);
    expect(await program.up({ projectId })).toBe("replaced");
    expect(live()).toEqual([]);
    expect(emulator.extensions.list(projectId)).toMatchObject([{ id: program.stored.id }]);
  });

  test.each([
    ["the same name", "reader", "under the same name"],
    ["another fixed name", "reader2", "by one with a fixed name"],
  ])("is not replaced under %s, and the reason says which", async (_what, name, how) => {
    await program.up({ name: "reader" });
    load(program.stored.id);
    program.write("2.0.0");
    expect(await program.preview({ name })).toEqual([expect.stringContaining(`cannot be replaced ${how}, `)]);
  });

  test.each([
    ["an automatic name", {}],
    ["a fixed name", { name: "reader" }],
  ])("under %s is kept after a deletion in doubt that has not happened", async (_what, news) => {
    await program.up(news);
    const { id } = program.stored;
    load(id);
    const lost = { method: "DELETE", path: "/extensions", at: "before-reading" } as const;
    emulator.faults.add({ ...lost, action: { call: () => program.cancel() } });
    emulator.faults.add({ ...lost, action: "reset" });
    expect((await errorOf(program.destroy())).message).toContain("was interrupted");

    expect(await program.up(news)).toBe("replaced");
    expect(program.said).toContain(`info: Keeping extension ${id}: it exists.`);
    expect(program.stored.id).toBe(id);
    expect(await program.up(news)).toBe("unchanged");
    expect(live()).toEqual([id]);
  });

  test("whose replacement exists already is to be removed from the pool, says the refusal of its deletion", async () => {
    await program.up({});
    const { id } = program.stored;
    const pool = load(id);
    program.write("2.0.0");
    const refused = await errorOf(program.up({}));
    expect(refused.message).toContain(
      `Nothing was deleted, because browser pool "agents" (${pool.id}) loads it. Remove the extension from the pool and deploy that first.`,
    );
    expect(live()).toHaveLength(2);
  });

  test("goes one deployment later when a killed run had uploaded it and the program went back", async () => {
    await program.up({});
    const pool = load(program.stored.id);
    program.write("2.0.0");
    await program.upKilled({});
    const [orphan = ""] = live().filter((id) => id !== program.stored.id);
    emulator.browserPools.update(pool.id, { extensions: [{ id: orphan }] });
    program.write("1.0.0");

    expect(await program.up({})).toBe("updated");
    const warning = `^warning: Extension ".+" \\(${orphan}\\) was left in place: .+ because browser pool "agents" \\(${pool.id}\\) loads it\\.`;
    expect(program.said).toContainEqual(expect.stringMatching(warning));
    emulator.browserPools.update(pool.id, { extensions: [{ id: program.stored.id }] });
    expect(await program.up({})).toBe("updated");
    expect(live()).toEqual([program.stored.id]);
    expect(await program.up({})).toBe("unchanged");
  });

  test("is not said to be restored when its deletion was refused for an adoption under its name", async () => {
    const { id, pool } = await theirs("reader");
    emulator.browserPools.remove(pool.id);
    // Somebody changes a pool to it in the last moment.
    emulator.faults.add({
      method: "DELETE",
      path: "/extensions",
      at: "before-reading",
      action: { call: () => void load(id) },
    });
    const error = await errorOf(program.up({ adopt: id, name: "reader" }));
    expect(error.message).toContain("Nothing was deleted");
    expect(error.message).not.toContain("restored");
    expect(live()).toEqual([id]);
  });
});
