import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { ExtensionLifecycle } from "../../../src/providers/extension/lifecycle.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const type = "pulumi-nodejs:dynamic/browser-infra:Extension";
const reader = `urn:pulumi:dev::shop::${type}::reader`;
const viewer = `urn:pulumi:dev::shop::${type}::viewer`;

describe("a preview of an extension", () => {
  let emulator: Emulator;
  let client: BrowserInfraClient;
  let programFolder: string;
  let said: string[];
  let run: ExtensionLifecycle;
  /** Milliseconds by which the clock of the test is ahead of that of the machine. */
  let ahead: number;

  beforeEach(async () => {
    emulator = await startEmulator();
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    programFolder = temporaryFolder();
    said = [];
    run = new ExtensionLifecycle();
    ahead = 0;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, "now").mockImplementation(() => now() + ahead);
    mkdirSync(join(programFolder, "extension"));
    write("1.0.0");
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await client.close();
    await emulator.close();
  });

  function write(version: string): void {
    writeFileSync(
      join(programFolder, "extension", "manifest.json"),
      `{ "manifest_version": 3, "name": "Reader", "version": "${version}" }`,
    );
  }

  function contextOf(urn: string): LifecycleContext {
    const say = (kind: string) => (message: string) => said.push(`${kind}: ${message}`);
    return {
      urn,
      programFolder,
      deployment: "127.0.0.1:1",
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: {
        progress: say("progress"),
        row: say("row"),
        info: say("info"),
        warning: say("warning"),
        debug: say("debug"),
      },
    };
  }

  /** What the engine does with a resource in a preview; `olds` are the inputs in the state. */
  async function preview(
    news: PropertyMap,
    { urn = reader, olds }: { urn?: string; olds?: PropertyMap } = {},
  ) {
    const request = { news: { path: "./extension", ...news }, olds, memo: undefined, isPreview: true };
    const { inputs, failures } = await run.check(request, contextOf(urn));
    return { inputs, failures };
  }

  /** An extension that is in the state, and a new run that has not seen it. */
  async function deployed(news: PropertyMap, urn = reader) {
    const request = { news: { path: "./extension", ...news }, olds: undefined, memo: undefined };
    const { inputs } = await run.check(request, contextOf(urn));
    // Later than this, the engine has compared every resource.
    ahead += 3_000;
    const { id, outputs } = await run.create(inputs, contextOf(urn));
    nextRun();
    run.diff({ id, olds: outputs, news: inputs }, contextOf(urn));
    await run.check({ ...request, olds: inputs }, contextOf(urn));
    run.diff({ id, olds: outputs, news: inputs }, contextOf(urn));
    await run.end(true, contextOf(urn));
    nextRun();
    return { id, inputs, outputs };
  }

  function nextRun(): void {
    run = new ExtensionLifecycle();
    said = [];
  }

  /** An extension that somebody else uploaded. Its bytes are those of the folder now. */
  async function theirs(name?: string) {
    const { bytes } = await packExtension(join(programFolder, "extension"));
    return client.extensions.upload({ name, archive: bytes });
  }

  const warnings = () => said.filter((text) => text.startsWith("warning: "));

  test("names the holder of a fixed name that is taken by other bytes", async () => {
    const { id } = await theirs("reader");
    write("2.0.0");
    expect((await preview({ name: "reader" })).failures).toEqual([]);
    expect(warnings()).toEqual([
      expect.stringMatching(
        new RegExp(
          `The name "reader" is taken by extension ${id}\\. .*adopt: "${id}".*The deployment fails unless it frees that name`,
        ),
      ),
    ]);
  });

  test("names the holder of a fixed name that has the same bytes", async () => {
    const { id } = await theirs("reader");
    await preview({ name: "reader" });
    expect(warnings()).toEqual([expect.stringContaining(`add adopt: "${id}" to this Extension`)]);
  });

  test("says nothing of a name that is free, its own, or made automatically", async () => {
    const { inputs } = await deployed({ name: "reader" });
    await preview({ name: "reader" }, { olds: inputs });
    await preview({ name: "another" });
    await preview({}, { urn: viewer });
    expect(said).toEqual([]);
  });

  test("refuses the name of an extension that another resource of the program keeps", async () => {
    const { id, inputs, outputs } = await deployed({ adopt: (await theirs("reader")).id });
    await run.check(
      { news: { path: "./extension" }, olds: inputs, memo: undefined, isPreview: true },
      contextOf(reader),
    );
    run.diff({ id, olds: outputs, news: inputs }, contextOf(reader));
    expect((await preview({ name: "reader" }, { urn: viewer })).failures).toEqual([
      { property: "name", reason: expect.stringContaining(`extension ${id}`) },
    ]);
  });

  test("refuses a fixed name that two resources have, also in another case", async () => {
    expect((await preview({ name: "reader" })).failures).toEqual([]);
    for (const name of ["reader", "Reader"]) {
      expect((await preview({ name }, { urn: viewer })).failures).toEqual([
        { property: "name", reason: expect.stringContaining(`the other one is ${reader}`) },
      ]);
    }
    const { id: projectId } = emulator.createProject({ name: "other" });
    expect((await preview({ name: "reader", projectId }, { urn: viewer })).failures).toEqual([]);
  });

  test("refuses no forced replacement, for which the engine gives no old inputs", async () => {
    await deployed({ name: "reader" });
    expect((await preview({ name: "reader" })).failures).toEqual([]);
    expect(warnings()).toEqual([expect.stringContaining("The deployment fails unless it frees that name.")]);
    nextRun();
    write("2.0.0");
    expect((await preview({ name: "reader" })).failures).toEqual([]);
  });

  test("says nothing of an ordinary replacement under the same name", async () => {
    const { id, inputs, outputs } = await deployed({ name: "reader" });
    write("2.0.0");
    const { inputs: news } = await preview({ name: "reader" }, { olds: inputs });
    run.diff({ id, olds: outputs, news }, contextOf(reader));
    await preview({ name: "reader" });
    expect(warnings()).toEqual([]);
  });

  test("says nothing of a name whose case changes", async () => {
    const { inputs } = await deployed({ name: "reader" });
    await preview({ name: "Reader" }, { olds: inputs });
    expect(said).toEqual([]);
  });

  test("warns of a swap of two names, and names the two deployments that do it", async () => {
    const one = await deployed({ name: "one" });
    write("2.0.0");
    const two = await deployed({ name: "two" }, viewer);
    for (const [urn, { id, inputs, outputs }, name] of [
      [reader, one, "two"],
      [viewer, two, "one"],
    ] as const) {
      const { inputs: news, failures } = await preview({ name }, { urn, olds: inputs });
      expect(failures).toEqual([]);
      run.diff({ id, olds: outputs, news }, contextOf(urn));
      expect((await preview({ name }, { urn })).failures).toEqual([]);
    }
    // Of the first, nobody could know whose name it takes.
    expect(warnings()).toEqual([
      expect.stringContaining("If another resource of this program has this one, use two deployments"),
      expect.stringContaining(`another resource of this program, ${reader}. To move the name, use two`),
    ]);
  });

  test("refuses nothing that an interrupted run uploaded under the name", async () => {
    const { inputs } = await preview({ name: "reader" });
    await run.create(inputs, contextOf(reader));
    nextRun();
    expect((await preview({ name: "reader" })).failures).toEqual([]);
    write("2.0.0");
    expect((await preview({ name: "reader" })).failures).toEqual([]);
    expect(warnings()).toEqual([]);
  });

  test("says what is adopted, and that it stays as it is", async () => {
    const { id } = await theirs("theirs");
    for (const adopt of [id, "theirs"]) {
      nextRun();
      expect((await preview({ adopt })).failures).toEqual([]);
      expect(said).toEqual([
        expect.stringMatching(
          new RegExp(
            `^info: Adopts extension ${id} \\("theirs", \\d+ bytes, created 20.*\\) as it is. Nothing is uploaded.$`,
          ),
        ),
      ]);
    }
  });

  test("says how the adopted extension differs, and that it is replaced", async () => {
    const { id, checksum } = await theirs("theirs");
    write("2.0.0");
    const { inputs } = await preview({ adopt: id, name: "reader" });
    expect(said).toEqual([
      expect.stringMatching(
        new RegExp(
          `^info: Adopts extension ${id} .* and replaces it in the same deployment: its name is "theirs", but "reader" is declared; its archive has checksum ${checksum}, but the folder packs to ${String(inputs.checksum)}\\.$`,
        ),
      ),
    ]);
  });

  test("says that the bytes of an adopted extension without a checksum must be compared", async () => {
    const { id } = await theirs("theirs");
    emulator.extensions.forgetChecksum(id);
    await preview({ adopt: id });
    expect(said).toEqual([expect.stringContaining("so the deployment compares its bytes")]);
  });

  test("says nothing of the name that an adopted extension already has", async () => {
    const { id } = await theirs("theirs");
    await preview({ adopt: id, name: "theirs" });
    expect(warnings()).toEqual([]);
    const { inputs } = await deployed({ adopt: id });
    await preview({ name: "theirs" }, { olds: inputs });
    expect(said).toEqual([]);
  });

  test("refuses an extension to adopt that does not exist, at its input", async () => {
    const expected = [
      { property: "adopt", reason: expect.stringContaining('There is no extension "nobody" to adopt') },
    ];
    expect((await preview({ adopt: "nobody" })).failures).toEqual(expected);
    expect((await preview({ adopt: "nobody", name: "reader" })).failures).toEqual(expected);
  });

  test("refuses an extension that two resources adopt", async () => {
    const { id } = await theirs("theirs");
    expect((await preview({ adopt: id })).failures).toEqual([]);
    expect((await preview({ adopt: "theirs" }, { urn: viewer })).failures).toEqual([
      { property: "adopt", reason: expect.stringContaining(`${reader} has extension ${id} already`) },
    ]);
  });

  test.each([
    ["an automatic name", {}],
    ["a fixed name", { name: "reader" }],
  ])(
    "refuses no forced replacement of what an adopted extension became under %s",
    async (_naming, naming) => {
      const { id } = await theirs("theirs");
      write("2.0.0");
      await deployed({ adopt: id, ...naming });
      write("3.0.0");
      expect((await preview({ adopt: id, ...naming })).failures).toEqual([]);
      expect(warnings()[0]).toContain(`There is no extension "${id}" to adopt`);
    },
  );
});
