import { LifecycleDriver } from "../../../contract/model/drivers/lifecycle-driver.js";
import { errorOf } from "../../../support/error-of.js";
import { ExtensionProgram, path } from "./extensions.js";

// The service compares names without case and accents, and the emulator does so too.
describe("an extension with a namesake in a different case", () => {
  let program: ExtensionProgram;

  beforeEach(async () => {
    program = await ExtensionProgram.start();
  });

  const list = () => program.emulator.extensions.list();

  test("an extension is not uploaded over a namesake in a different case, and the error names the holder", async () => {
    const theirs = await program.uploadTheirs("Reader");
    expect(await errorOf(program.up({ name: "reader" }))).toMatchObject({
      code: "name_taken",
      message: expect.stringMatching(
        `The name "reader" is taken by extension ${theirs.id}, whose name is "Reader": case and accents do not count for the service. .*To adopt this extension, add adopt: "${theirs.id}"`,
      ),
    });
    expect(list()).toMatchObject([{ id: theirs.id }]);
  });

  test("a new spelling of the name deletes the old extension first, and then exists", async () => {
    await program.up({ name: "Reader" });
    expect(await program.up({ name: "reader" })).toBe("replace");
    expect(list()).toMatchObject([{ name: "reader", checksum: program.stored.inputs.checksum }]);
  });

  test("the extension is restored under the old spelling when the upload under the new spelling fails", async () => {
    await program.up({ name: "Reader" });
    program.refuse("POST", 400);
    expect((await errorOf(program.up({ name: "reader" }))).message).toContain('restored under "Reader"');
    expect(list()).toMatchObject([{ name: "Reader" }]);
  });

  test("a new extension gets a replaced extension's name only after the deletion of the replaced extension", async () => {
    await program.up({ name: "Reader" });
    const { stored } = program;
    const driver = new LifecycleDriver(program.folder, program.environment);
    await driver.begin();
    const [old, created] = [driver.resource("Extension", "agents"), driver.resource("Extension", "new")];
    const viewer = { path, name: "viewer" };
    const { inputs: moved } = await old.check(viewer, stored.inputs);
    await old.diff(stored, moved);
    // The engine checks the resource again without the old inputs, to delete the old extension
    // first.
    await old.check(viewer, {}, { deletesFirst: true });
    const { inputs } = await created.check({ path, name: "reader" });
    expect((await errorOf(created.create(inputs))).message).toContain(
      "To move the name, use two deployments",
    );
    await old.delete(stored);
    const { id } = await created.create(inputs);
    expect(list()).toMatchObject([{ id, name: "reader" }]);
  });

  test("an extension adopted under a different spelling is replaced in the same deployment", async () => {
    const { id: adopt } = await program.uploadTheirs("Reader");
    await program.up({ name: "reader", adopt });
    const { checksum } = program.stored.inputs;
    expect(program.stored.outputs).toMatchObject({ name: "reader", checksum });
    expect(list()).toMatchObject([{ name: "reader", checksum }]);
  });

  test("the preview of a new spelling does not warn of the extension's own name", async () => {
    await program.up({ name: "Reader" });
    expect(await program.preview({ name: "reader" })).toMatchObject({
      steps: ["replace agents"],
      failures: [],
      warnings: [],
    });
  });

  test("the warning about a deleted extension names a new holder of the name in a different case", async () => {
    await program.up({ name: "reader" });
    program.emulator.extensions.remove(program.stored.id);
    const theirs = await program.uploadTheirs("READER");
    await program.refresh();
    expect(program.messages.join()).toContain(
      `The name "reader" now belongs to extension ${theirs.id} ("READER", the same for the service)`,
    );
  });
});
