import { LifecycleDriver } from "../../../contract/model/drivers/lifecycle-driver.js";
import { errorOf } from "../../../support/error-of.js";
import { ExtensionProgram, path } from "./extensions.js";

describe("an extension that exists already", () => {
  let program: ExtensionProgram;

  beforeEach(async () => {
    program = await ExtensionProgram.start();
  });

  /** Empties the state, like in a different stack. */
  const forgetAll = () => program.engine.reset();

  test.each(["the same", "different"])(
    "an extension of a different stack under the same fixed name, with %s bytes, is not shared, and the error shows the adopt line",
    async (bytes) => {
      await program.up({ name: "reader" });
      const { id } = program.stored;
      forgetAll();
      if (bytes === "different") {
        program.emulator.extensions.putBytes(id, Buffer.from("other bytes"));
      }
      const error = await errorOf(program.up({ name: "reader" }));
      expect(error).toMatchObject({ name: "ConflictError", code: "name_taken" });
      expect(error.message).toContain(`The name "reader" is taken by extension ${id}`);
      expect(error.message).toContain(`add adopt: "${id}" to this resource`);
      expect(program.uploads()).toBe(1);
      await program.up({ name: "reader", adopt: id });
      expect(program.stored.id === id).toBe(bytes === "the same");
      expect(program.live()).toEqual([program.stored.id]);
    },
  );

  test("an extension uploaded elsewhere after the deletion of the program's extension is not reused", async () => {
    await program.upKilled({ name: "reader" });
    program.emulator.extensions.remove(String(program.live()[0]));
    const again = await program.uploadTheirs("reader");
    expect((await errorOf(program.up({ name: "reader" }))).message).toContain(again.id);
  });

  test("an extension that a rival uploads at the same moment is neither shared nor reused later", async () => {
    const call = async () => void (await program.uploadTheirs("reader"));
    program.emulator.faults.add({ method: "POST", at: "before-reading", action: { call } });
    for (const _run of [1, 2]) {
      expect(await errorOf(program.up({ name: "reader" }))).toMatchObject({ code: "name_taken" });
      expect(program.live()).toHaveLength(1);
    }
  });

  test("two resources with the same bytes cannot swap names at once, and the error explains two deployments", async () => {
    await program.up({ name: "left" }, { others: { other: { path, name: "right" } } });
    const two = program.storedAs("other");
    const driver = new LifecycleDriver(program.folder, program.environment);
    await driver.begin();
    for (const [name, news] of [
      ["agents", { path, name: "right" }],
      ["other", { path, name: "left" }],
    ] as const) {
      const resource = driver.resource("Extension", name);
      const { inputs } = await resource.check(news, program.storedAs(name).inputs);
      expect((await resource.diff(program.storedAs(name), inputs)).replaces).toEqual(["name"]);
    }
    const one = driver.resource("Extension", "agents");
    const { inputs } = await one.check({ path, name: "right" }, {}, { deletesFirst: true });
    await one.delete(program.stored);
    const { message } = await errorOf(one.create(inputs));
    expect(message).toMatch(
      /The extension belongs to another resource of this program, urn:\S+::other\. To move the name, use two deployments: in the first, give that resource an unused name; in the second, give this one its name\./,
    );
    // The extension that made room exists again.
    expect(message).toContain('The previous version was restored under "left"');
    expect(program.emulator.extensions.list()).toMatchObject([
      { name: "left" },
      { id: two.id, name: "right" },
    ]);
  });

  test.each([
    ["theirs", {}, /^agents-[0-9a-f]{7}$/],
    ["reader", { name: "reader" }, /^reader$/],
  ])(
    "an extension named %j with different bytes is adopted and replaced in one deployment, with the inputs %j",
    async (theirs, news, name) => {
      const old = await program.uploadTheirs(theirs);
      program.writeVersion("2.0.0");
      await program.up({ adopt: old.id, ...news });
      const { id, outputs } = program.stored;
      expect(id).not.toBe(old.id);
      expect(outputs).toMatchObject({ checksum: program.stored.inputs.checksum });
      expect(outputs.name).toMatch(name);
      expect(program.live()).toEqual([id]);
      expect(program.messages.join()).toContain(`Replaced extension ${old.id} ("${theirs}"`);
    },
  );

  test("the adopted extension is restored when the service refuses the replacement", async () => {
    const old = await program.uploadTheirs("reader");
    const bytes = await program.download(old.id);
    program.writeVersion("2.0.0");
    program.refuse("POST", 422);
    expect((await errorOf(program.up({ adopt: old.id, name: "reader" }))).message).toContain(
      'The previous version was restored under "reader"',
    );
    expect(program.engine.find("agents")).toBeDefined();
    expect(await program.download("reader")).toEqual(bytes);
  });

  test("the adopted extension stays when the upload of an automatically named replacement is refused", async () => {
    const old = await program.uploadTheirs("theirs");
    program.writeVersion("2.0.0");
    program.refuse("POST", 422);
    await errorOf(program.up({ adopt: old.id }));
    expect(program.live()).toEqual([old.id]);
  });
});
