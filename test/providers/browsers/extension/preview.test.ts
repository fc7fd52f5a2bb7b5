import { main } from "../../played-program.js";
import { ExtensionProgram, path } from "./extensions.js";

describe("a preview of an extension", () => {
  let program: ExtensionProgram;

  beforeEach(async () => {
    program = await ExtensionProgram.start();
  });

  const theirs = (name?: string) => program.uploadTheirs(name);
  const viewerOf = (news: object) => ({ others: { viewer: { path, ...news } } });

  test.each(["other", "the same"])(
    "the preview names the holder of a fixed name that is taken by %s bytes",
    async (bytes) => {
      const { id } = await theirs("reader");
      if (bytes === "other") {
        program.writeVersion("2.0.0");
      }
      const { failures, warnings } = await program.preview({ name: "reader" });
      expect(failures).toEqual([]);
      expect(warnings).toEqual([
        expect.stringMatching(
          new RegExp(
            `The name "reader" is taken by extension ${id}\\. .*add adopt: "${id}" to this resource.*The deployment fails unless it frees that name`,
          ),
        ),
      ]);
    },
  );

  test("the preview does not warn of a name that is free, automatic, unchanged or changed in case only", async () => {
    await program.up({ name: "reader" });
    for (const [news, others] of [
      [{ name: "reader" }, viewerOf({})],
      [{ name: "Reader" }, {}],
      [{ name: "another" }, {}],
    ] as const) {
      await program.preview(news, others);
      expect(program.messages).toEqual([]);
    }
  });

  test("the preview names the holder of a fixed name in the project to which the extension moves", async () => {
    await program.up({ name: "reader" });
    const { id: projectId } = program.emulator.createProject({ name: "other" });
    const { id } = await program.uploadTheirs("reader", projectId);
    const { failures, warnings } = await program.preview({ name: "reader", projectId });
    expect([...failures, ...warnings]).toEqual([expect.stringContaining(`is taken by extension ${id}`)]);
  });

  test("the preview refuses the name of an extension that a different resource of the program keeps", async () => {
    const { id } = await theirs("reader");
    await program.up({ adopt: id });
    expect((await program.preview({ adopt: id }, viewerOf({ name: "reader" }))).failures).toEqual([
      expect.stringMatching(`^viewer: .*extension ${id}`),
    ]);
  });

  test("the preview refuses a fixed name that two resources of a project have, also in a different case", async () => {
    const { id: projectId } = program.emulator.createProject({ name: "other" });
    for (const [news, expected] of [
      [{ name: "reader" }, [expect.stringMatching(/^viewer: .*the other one is \S+::agents/)]],
      [{ name: "Reader" }, [expect.stringMatching(/^viewer: .*the other one is \S+::agents/)]],
      [{ name: "reader", projectId }, []],
    ] as const) {
      expect((await program.preview({ name: "reader" }, viewerOf(news))).failures).toEqual(expected);
    }
  });

  test.each(["the same", "different"])(
    "a forced replacement under a fixed name gets a warning and no failure, with %s bytes",
    async (bytes) => {
      await program.up({ name: "reader" });
      await program.up({ name: "reader" });
      if (bytes === "different") {
        program.writeVersion("2.0.0");
      }
      // For a forced replacement, the engine gives no old inputs.
      program.forget();
      const { failures, warnings } = await program.preview({ name: "reader" });
      expect(failures).toEqual([]);
      expect(warnings).toEqual([expect.stringContaining("The deployment fails unless it frees that name.")]);
    },
  );

  test("the preview of a replacement under the same name lists the changed files, without a warning", async () => {
    await program.up({ name: "reader" });
    program.writeVersion("2.0.0");
    expect(await program.preview({ name: "reader" })).toMatchObject({
      steps: ["replace agents"],
      warnings: [],
    });
    expect(program.messages).toEqual(['1 file changed: "manifest.json".']);
  });

  test("the preview warns of a swap of two names, and explains the two deployments that achieve the swap", async () => {
    await program.up({ name: "one" }, viewerOf({ name: "two" }));
    program.writeVersion("2.0.0");
    const { failures, warnings } = await program.preview({ name: "two" }, viewerOf({ name: "one" }));
    expect(failures).toEqual([]);
    // For the first resource, the holder of the name was still unknown.
    expect(warnings).toEqual([
      expect.stringContaining("If another resource of this program has that name, use two deployments"),
      expect.stringMatching(/another resource of this program, \S+::agents\. To move the name, use two/),
    ]);
  });

  test("the preview refuses the same name for two extensions whose checksums are kept by ignoreChanges", async () => {
    await program.up({ name: "reader" }, viewerOf({ name: "viewer" }));
    const { checksum } = program.stored.inputs;
    const kept = { name: "reader", checksum };
    const { failures } = await program.preview(kept, viewerOf(kept));
    expect(failures).toEqual([
      expect.stringContaining('Two extensions of this program have the name "reader"'),
    ]);
  });

  test("the preview of an extension whose checksum is kept by ignoreChanges warns of a taken name, too", async () => {
    await program.up({ name: "reader" });
    const { checksum } = program.stored.inputs;
    const { id } = await theirs("viewer");
    const { failures, warnings } = await program.preview({ name: "viewer", checksum });
    expect(failures).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(`The name "viewer" is taken by extension ${id}.`)]);
    await program.preview({ name: "reader", checksum });
    expect(program.messages).toEqual([]);
  });

  test("the preview names the extension to adopt, and says that the extension stays unchanged", async () => {
    const { id } = await theirs("theirs");
    for (const adopt of [id, "theirs"]) {
      expect((await program.preview({ adopt })).failures).toEqual([]);
      expect(program.messages).toEqual([
        expect.stringMatching(
          new RegExp(
            `^Adopts extension ${id} \\("theirs", \\d+ bytes, created 20.*\\) unchanged. Nothing is uploaded.$`,
          ),
        ),
      ]);
    }
  });

  test("the preview lists how the extension to adopt differs, and announces the replacement", async () => {
    const { id, checksum } = await theirs("theirs");
    program.writeVersion("2.0.0");
    const { checksum: packed } = await program.checked();
    await program.preview({ adopt: id, name: "reader" });
    expect(program.messages).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Adopts extension ${id} .* and replaces the extension in the same deployment: its name is "theirs", but "reader" is declared; its archive has checksum ${checksum}, but the folder packs to ${packed}\\.$`,
        ),
      ),
    ]);
  });

  test("the preview says that an extension to adopt has no name, and never that the name is null", async () => {
    const { id } = await theirs();
    await program.preview({ adopt: id, name: "reader" });
    expect(program.messages).toEqual([expect.stringContaining('it has no name, but "reader" is declared')]);
  });

  test("the preview says that the bytes of an adopted extension without a checksum must be compared", async () => {
    const { id } = await theirs("theirs");
    program.emulator.extensions.forgetChecksum(id);
    await program.preview({ adopt: id });
    expect(program.messages).toEqual([
      expect.stringContaining(
        "so the deployment downloads the archive, and replaces the extension if the bytes differ",
      ),
    ]);
  });

  test("the preview does not warn of a name that the adopted extension already has", async () => {
    const { id } = await theirs("theirs");
    expect((await program.preview({ adopt: id, name: "theirs" })).warnings).toEqual([]);
    await program.up({ adopt: id });
    await program.preview({ name: "theirs" });
    expect(program.messages).toEqual([]);
  });

  test("the preview refuses to adopt an extension that does not exist, also under a fixed name", async () => {
    for (const news of [{ adopt: "missing" }, { adopt: "missing", name: "reader" }]) {
      expect((await program.preview(news)).failures).toEqual([
        expect.stringContaining('There is no extension "missing" to adopt'),
      ]);
    }
  });

  test("the preview refuses an extension that two resources adopt", async () => {
    const { id } = await theirs("theirs");
    expect((await program.preview({ adopt: id }, viewerOf({ adopt: "theirs" }))).failures).toEqual([
      expect.stringMatching(`^viewer: \\S+::agents already manages extension ${id}\\.`),
    ]);
  });

  test.each([{}, { name: "reader" }])(
    "the preview refuses no forced replacement of an extension that replaced an adopted extension, with %j",
    async (naming) => {
      const { id: adopt } = await theirs("theirs");
      program.writeVersion("2.0.0");
      await program.up({ adopt, ...naming });
      await program.up({ adopt, ...naming });
      program.forget(main);
      const { failures, warnings } = await program.preview({ adopt, ...naming });
      expect(failures).toEqual([]);
      expect(warnings[0]).toContain(`There is no extension "${adopt}" to adopt`);
    },
  );

  test("an adopt without a match is refused although a further stack of the program has an extension", async () => {
    program.writeVersion("2.0.0");
    await program.uploadTheirs("agents-0123abc");
    program.writeVersion("1.0.0");
    const { failures } = await program.preview({ adopt: "nowhere" });
    expect(failures).toEqual([expect.stringContaining('There is no extension "nowhere" to adopt')]);
  });

  test("an adopt without a match is refused by a deployment without a preview", async () => {
    await expect(program.up({ adopt: "nowhere" })).rejects.toMatchObject({
      code: "extension_not_found",
      message: expect.stringContaining('To upload the folder instead, remove "adopt".'),
    });
    expect(program.emulator.extensions.list()).toEqual([]);
  });
});
