import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unknownMarker } from "../../../../src/bridges/wire-values.js";
import { craftedZip } from "../../../archive/source/crafted-zip.js";
import { LifecycleDriver } from "../../../contract/model/drivers/lifecycle-driver.js";
import { shortenWaits } from "../../../contract/rows/shorter-waits.js";
import { errorOf } from "../../../support/error-of.js";
import { main } from "../../played-program.js";
import { ExtensionProgram, path } from "./extensions.js";

describe("an extension", () => {
  let program: ExtensionProgram;

  beforeEach(async () => {
    program = await ExtensionProgram.start();
    program.write("content.js", "// one\n");
  });

  const newProject = (name: string) => program.emulator.createProject({ name }).id;
  const list = () => program.emulator.extensions.list();

  test("the preview shows the content of an extension without an absolute path, and sends no write", async () => {
    expect(await program.checked()).toMatchObject({
      path,
      name: expect.stringMatching(/^agents-[0-9a-f]{7}$/),
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      fileCount: 2,
      manifest: { name: "Reader", version: "1.0.0" },
      files: { "content.js": expect.any(String), "manifest.json": expect.any(String) },
    });
    expect(await program.checked({ path: `${program.folder}/extension` })).toMatchObject({
      path: "extension",
    });
    expect(program.writes).toEqual([]);
  });

  test.each([
    ["path", unknownMarker],
    ["exclude", ["a", unknownMarker]],
  ])("an unknown %s leaves all derived inputs of an extension unknown", async (input, value) => {
    expect(await program.checked({ [input]: value })).toMatchObject({
      checksum: unknownMarker,
      name: unknownMarker,
      files: unknownMarker,
    });
  });

  test.each<[string, object, string]>([
    ["path is missing", { path: undefined }, "path"],
    ["path is a number", { path: 1 }, "path"],
    ["the folder is missing", { path: "./nowhere" }, "path"],
    ["the name has a space", { name: "a b" }, "name"],
    ["the name looks like an id", { name: "abcdefghijklmnopqrstuvwx" }, "name"],
    ["the project is only whitespace", { projectId: " " }, "projectId"],
    ["the project has a space", { projectId: "bad id" }, "projectId"],
    ["exclude is a string", { exclude: "*.map" }, "exclude"],
    ["exclude has a number in it", { exclude: [1] }, "exclude"],
    ["exclude leads out of the folder", { exclude: ["../*"] }, "exclude"],
    ["an input is misspelt", { nmae: "a" }, ""],
  ])("an extension is refused, at the input at fault, when %s", async (_what, news, property) => {
    const given = Object.entries({ path, ...news }).filter(([, value]) => value !== undefined);
    const failures = await program.failures(Object.fromEntries(given));
    expect(failures).toEqual([expect.stringMatching(new RegExp(`^${property}: `))]);
    expect(program.emulator.requests).toEqual([]);
  });

  test("an automatic name survives a renamed resource, and follows the new name once the content changes", async () => {
    await program.up({});
    const { name } = program.stored.inputs;
    const renamed = { type: "Extension", properties: { path }, options: { aliases: [main] } } as const;
    await program.up(undefined, { others: { renamed } });
    expect(program.storedAs("renamed").inputs.name).toBe(name);
    program.write("content.js", "// two\n");
    await program.up(undefined, { others: { renamed } });
    expect(program.storedAs("renamed").inputs.name).toMatch(/^renamed-/);
  });

  /** Resource in a separate run. */
  async function inAnotherRun(logicalName = main) {
    const driver = new LifecycleDriver(program.folder, program.environment);
    await driver.begin();
    return driver.resource("Extension", logicalName);
  }

  test("an unchanged folder is not packed again", async () => {
    const resource = await inAnotherRun();
    const { inputs } = await resource.check({ path });
    const memo = inputs.__memo as { archive: object };
    const checksum = "a checksum that no packing gives";
    const known = { ...inputs, __memo: { ...memo, archive: { ...memo.archive, checksum } } };
    program.write("content.js", "// one\n");
    expect((await resource.check({ path }, known)).inputs.checksum).toBe(checksum);
    program.write("content.js", "// two\n");
    expect((await resource.check({ path }, known)).inputs.checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  test("a folder that changed after the check is uploaded as checked, or refused in a new process", async () => {
    const resource = await inAnotherRun();
    const { inputs } = await resource.check({ path });
    program.write("content.js", "// changed after the check\n");
    const elsewhere = await inAnotherRun();
    expect((await errorOf(elsewhere.create(inputs))).message).toContain("Nothing was uploaded");
    expect(program.uploads()).toBe(0);
    await resource.create(inputs);
    expect(list()).toMatchObject([{ checksum: inputs.checksum }]);
  });

  test("a deletion leaves an extension that the same run has found unchanged, and deletes a differing extension", async () => {
    await program.up({});
    const { stored } = program;
    const resource = await inAnotherRun();
    await resource.check({ path }, stored.inputs);
    expect((await resource.diff(stored, stored.inputs)).changes).toBe("none");
    await resource.delete(stored);
    expect(program.live()).toEqual([stored.id]);
    const changed = { ...stored.inputs, checksum: "f".repeat(64), name: "another" };
    expect((await resource.diff(stored, changed)).replaces).toEqual(["checksum", "name"]);
    await resource.delete(stored);
    expect(program.live()).toEqual([]);
  });

  test("an extension whose bytes were changed in the service is replaced", async () => {
    await program.up({});
    const { checksum } = program.stored.inputs;
    program.emulator.extensions.putBytes(program.stored.id, Buffer.from("other bytes"));
    await program.refresh();
    expect(program.stored.inputs.checksum).not.toBe(checksum);
    expect(await program.up({})).toBe("replace");
    expect(program.stored.inputs.checksum).toBe(checksum);
  });

  test("an extension stored with a different checksum stays in the state, and is replaced by the next deployment", async () => {
    const { name } = await program.checked();
    const body = {
      id: "abcdefghijklmnopqrstuvwx",
      name,
      size_bytes: 26,
      created_at: "2026-01-01T00:00:00Z",
      checksum: "e".repeat(64),
    };
    const answer = { status: 201, body };
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: { answer } });
    expect((await errorOf(program.up({}))).message).toContain("e".repeat(64));
    expect(program.stored.id).toBe(body.id);
    expect((await program.preview({})).steps).toEqual(["replace agents"]);
  });

  test("a forced replacement with the same bytes keeps the extension", async () => {
    await program.up({});
    const { id } = program.stored;
    await program.up({}, { replace: main });
    expect(program.live()).toEqual([id]);
    expect(program.messages.join()).toContain("Keeping extension");
  });

  test("a destroy with a refresh deletes the extension", async () => {
    await program.up({});
    await program.destroy({ refresh: true });
    expect(program.live()).toEqual([]);
  });

  test("the extension of an interrupted deployment is deleted if the folder has changed, and a message says so", async () => {
    program.interrupt("POST");
    expect((await errorOf(program.up({}))).message).toContain("may exist now");
    program.emulator.faults.clear();
    const [lost] = program.live();
    program.write("content.js", "// two\n");
    await program.up({});
    expect(program.live()).toEqual([program.stored.id]);
    expect(program.messages.join()).toContain(`(${lost}): a request of this resource had created it`);
  });

  test("an extension whose project was deleted is deleted, too, and the refresh says so", async () => {
    const projectId = newProject("gone");
    await program.up({ projectId });
    program.emulator.extensions.remove(program.stored.id, projectId);
    program.emulator.projects.remove(projectId);
    await program.refresh();
    expect(program.engine.find(main)).toBeUndefined();
    expect(program.warnings.join()).toMatch(/Extension \S+ is gone/);
  });

  test("a refresh returns the declared inputs and outputs of an extension", async () => {
    await program.up({ exclude: ["*.map"] });
    const { inputs, outputs } = program.stored;
    await program.refresh();
    expect(program.stored).toMatchObject({ inputs, outputs });
  });

  test("an extension stays in its project when the default project changes, and a lookup reads from that project", async () => {
    const [first, second] = [newProject("first"), newProject("second")];
    program.environment.BROWSER_INFRA_PROJECT_ID = first;
    await program.up({});
    expect(program.stored.inputs.projectId).toBe(first);
    const { id } = program.stored;
    expect(await program.engine.lookUp("Extension", "found", id)).toBeDefined();
    await expect(program.engine.lookUp("Extension", "missing", "nowhere")).rejects.toThrow(
      `There is no extension "nowhere" in project ${first}.`,
    );
    program.environment.BROWSER_INFRA_PROJECT_ID = second;
    expect(await program.up({})).toBe("same");
    program.environment.BROWSER_INFRA_PROJECT_ID = first;
    await program.up({ projectId: second });
    expect(program.stored.inputs.projectId).toBe(second);
  });

  test("the preview refuses an extension without projectId if KERNEL_PROJECT contains a project's name", async () => {
    program.environment.KERNEL_PROJECT = "first";
    const { failures } = await program.preview({});
    expect(failures).toEqual([expect.stringContaining("KERNEL_PROJECT is not an id")]);
    const projectId = newProject("first");
    expect((await program.checked({ projectId })).projectId).toBe(projectId);
    program.environment.KERNEL_PROJECT = projectId;
    expect((await program.checked()).projectId).toBe(projectId);
  });

  test("a destroy deletes an extension in one request, without saving the bytes", async () => {
    await program.up({ name: "reader" });
    const { length } = program.emulator.requests;
    await program.destroy();
    expect(program.emulator.requests.slice(length).map(({ method }) => method)).toEqual(["DELETE"]);
    expect(list()).toEqual([]);
  });

  test("an uploaded extension that is missing in the state is reused under its automatic name", async () => {
    await program.upUnwritten({});
    const [id] = program.live();
    const { length } = program.writes;
    expect(await program.up({})).toBe("create");
    expect(program.stored.id).toBe(id);
    expect(program.messages.join()).toContain("reusing it");
    expect(program.writes).toHaveLength(length);
  });

  test("a ready zip is uploaded byte for byte, and different bytes with the same files replace the extension", async () => {
    const contents = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';
    const file = { name: "manifest.json", contents };
    const did: string[] = [];
    for (const bytes of [craftedZip([file]), craftedZip([{ ...file, deflated: true }])]) {
      writeFileSync(join(program.folder, "reader.zip"), bytes);
      did.push(await program.up({ path: "./reader.zip" }));
      const checksum = createHash("sha256").update(bytes).digest("hex");
      expect(list()).toMatchObject([{ id: program.stored.id, checksum }]);
      expect(Buffer.from(await program.download(program.stored.id))).toEqual(bytes);
    }
    expect(did).toEqual(["create", "replace"]);
  });

  describe("during an unanswered upload", () => {
    shortenWaits();

    test("an extension that a different program uploaded during an unanswered upload is left alone", async () => {
      let theirs = "";
      const call = async () => {
        program.writeVersion("2.0.0");
        theirs = (await program.uploadTheirs("reader")).id;
        program.writeVersion("1.0.0");
        // Only now, so that the fault strikes our request.
        const action = { answer: { status: 500 } };
        program.emulator.faults.add({ method: "POST", at: "before-commit", action });
      };
      program.emulator.faults.add({ method: "POST", at: "before-reading", action: { call } });
      expect(await errorOf(program.up({ name: "reader" }))).toMatchObject({ code: "name_taken" });
      expect(await errorOf(program.up({ name: "reader" }))).toMatchObject({ code: "name_taken" });
      expect(program.live()).toEqual([theirs]);
    });
  });
});
