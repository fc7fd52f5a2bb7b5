import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { ExtensionLifecycle } from "../../../src/providers/extension/lifecycle.js";
import { journalFolder } from "../../../src/providers/journal/files.js";
import { type LifecycleContext, PartiallyCreatedError } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { errorOf } from "../../support/error-of.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const urnOf = (stack: string) =>
  `urn:pulumi:${stack}::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader`;

describe("an extension that exists already", () => {
  let emulator: Emulator;
  let client: BrowserInfraClient;
  let programFolder: string;
  let said: string[];
  let deployments: number;
  /** Milliseconds by which the clock of the test is ahead of that of the machine. */
  let ahead: number;

  beforeEach(async () => {
    emulator = await startEmulator();
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    programFolder = temporaryFolder();
    said = [];
    deployments = 0;
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

  /** A deployment that creates the resource in a stack, as the engine drives it. */
  async function up(stack: string, news: PropertyMap) {
    deployments += 1;
    const run = new ExtensionLifecycle();
    const context = contextOf(stack);
    const request = { news: { path: "./extension", ...news }, olds: undefined, memo: undefined };
    const { inputs, failures } = await run.check({ ...request, deletesFirst: true }, context);
    expect(failures).toEqual([]);
    // Later than this, the engine has compared every resource.
    ahead += 3_000;
    return run.create(inputs, context);
  }

  function contextOf(stack: string): LifecycleContext {
    const say = (message: string) => said.push(message);
    return {
      urn: urnOf(stack),
      programFolder,
      deployment: `127.0.0.1:${deployments}`,
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: say, row: say, info: say, warning: say, debug: say },
    };
  }

  async function theirs(name?: string) {
    const { bytes } = await packExtension(join(programFolder, "extension"));
    return client.extensions.upload({ name, archive: bytes });
  }

  const live = () => emulator.extensions.list().map(({ id }) => id);

  test("under the same fixed name in another stack is not shared, and the error gives the line to add", async () => {
    const { id } = await up("dev", { name: "reader" });
    const error = await errorOf(up("prod", { name: "reader" }));
    expect(error).toMatchObject({ name: "ConflictError", code: "name_taken" });
    expect(error.message).toContain(`add adopt: "${id}" to this Extension`);
    expect(live()).toEqual([id]);
    expect((await up("prod", { name: "reader", adopt: id })).id).toBe(id);
    expect(live()).toEqual([id]);
  });

  test("under an automatic name is another one in each stack", async () => {
    const { id } = await up("dev", {});
    expect((await up("prod", {})).id).not.toBe(id);
  });

  test("under a fixed name is reused after a run that was killed, as the journal says", async () => {
    const { id } = await up("dev", { name: "reader" });
    expect((await up("dev", { name: "reader" })).id).toBe(id);
    expect(said.join()).toContain("reusing it");
  });

  test("under a fixed name is somebody's in a fresh checkout, until it is adopted", async () => {
    const { id } = await up("dev", { name: "reader" });
    rmSync(join(programFolder, journalFolder), { recursive: true });
    expect((await errorOf(up("dev", { name: "reader" }))).message).toContain(`adopt: "${id}"`);
    expect((await up("dev", { name: "reader", adopt: id })).id).toBe(id);
  });

  test("under a fixed name is not ours when somebody uploaded it again after ours was deleted", async () => {
    const { id } = await up("dev", { name: "reader" });
    emulator.extensions.remove(id);
    const again = await theirs("reader");
    expect((await errorOf(up("dev", { name: "reader" }))).message).toContain(again.id);
  });

  test("that somebody uploads at the same moment is not shared", async () => {
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      at: "before-reading",
      action: { call: async () => void (await theirs("reader")) },
    });
    expect(await errorOf(up("dev", { name: "reader" }))).toMatchObject({ code: "name_taken" });
    expect(live()).toHaveLength(1);
    // Nothing of it is taken for ours later.
    expect(await errorOf(up("dev", { name: "reader" }))).toMatchObject({ code: "name_taken" });
  });

  test("is not shared by two resources with the same bytes that swap their names: the error names two deployments", async () => {
    const run = new ExtensionLifecycle();
    const swapped: {
      id: string;
      outputs: PropertyMap;
      inputs: PropertyMap;
      context: LifecycleContext;
    }[] = [];
    for (const [stack, before, after] of [
      ["one", "left", "right"],
      ["two", "right", "left"],
    ] as const) {
      const { id, outputs } = await up(stack, { name: before });
      const context = contextOf(stack);
      const request = { news: { path: "./extension", name: after }, memo: undefined };
      const { inputs } = await run.check({ ...request, olds: outputs }, context);
      expect(run.diff({ id, olds: outputs, news: inputs }, context).replaces).toEqual(["name"]);
      await run.check({ ...request, olds: undefined, deletesFirst: true }, context);
      swapped.push({ id, outputs, inputs, context });
    }
    const [one, two] = swapped;
    if (one === undefined || two === undefined) {
      throw new Error("There are two of them.");
    }
    await run.delete({ id: one.id, state: one.outputs }, one.context);
    const error = await errorOf(run.create(one.inputs, one.context));
    expect(error.message).toContain(
      `It is that of another resource of this program, ${two.context.urn}. To move the name, use two deployments: in the first, give that resource a name that nobody has; in the second, give this one its name.`,
    );
    // What made room is there again.
    expect(error.message).toContain('The previous version was restored under "left"');
    expect(emulator.extensions.list()).toMatchObject([{ name: "left" }, { id: two.id, name: "right" }]);
  });

  test("with other bytes is adopted and replaced in one deployment, under a new name", async () => {
    const old = await theirs("theirs");
    write("2.0.0");
    const { id, outputs } = await up("dev", { adopt: old.id });
    const { checksum } = await packExtension(join(programFolder, "extension"));
    expect(outputs).toMatchObject({ checksum, name: expect.stringMatching(/^reader-[0-9a-f]{7}$/) });
    expect(live()).toEqual([id]);
    expect(said.join()).toContain(`Replaced extension ${old.id} ("theirs"`);
  });

  test("with other bytes is adopted and replaced in one deployment, under its own name", async () => {
    const old = await theirs("reader");
    write("2.0.0");
    const { id } = await up("dev", { adopt: old.id, name: "reader" });
    expect(id).not.toBe(old.id);
    expect(live()).toEqual([id]);
  });

  test("is restored when what replaces it after its adoption is refused", async () => {
    const old = await theirs("reader");
    const bytes = await client.extensions.download(old.id);
    write("2.0.0");
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      at: "before-commit",
      action: { answer: { status: 422, body: { code: "refused", message: "not this one" } } },
    });
    const error = await errorOf(up("dev", { adopt: old.id, name: "reader" }));
    expect(error).toBeInstanceOf(PartiallyCreatedError);
    expect(error.message).toContain('The previous version was restored under "reader"');
    expect(await client.extensions.download("reader")).toEqual(bytes);
  });

  test("stays when the upload of what is to replace it is refused", async () => {
    const old = await theirs("theirs");
    write("2.0.0");
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      at: "before-commit",
      action: { answer: { status: 422, body: { code: "refused", message: "not this one" } } },
    });
    await errorOf(up("dev", { adopt: old.id }));
    expect(live()).toEqual([old.id]);
  });

  test("is replaced once after its adoption was killed in between", async () => {
    const old = await theirs("theirs");
    write("2.0.0");
    const refused = emulator.faults.add({
      method: "DELETE",
      at: "before-commit",
      action: { answer: { status: 403, body: { code: "forbidden", message: "no" } } },
    });
    await errorOf(up("dev", { adopt: old.id }));
    expect(refused.hits).toBe(1);
    expect(live()).toHaveLength(2);
    const { id } = await up("dev", { adopt: old.id });
    expect(live()).toEqual([id]);
    said = [];
    // Killed once more, before the state was written.
    expect((await up("dev", { adopt: old.id })).id).toBe(id);
    expect(said.join()).not.toContain("to adopt");
  });
});
