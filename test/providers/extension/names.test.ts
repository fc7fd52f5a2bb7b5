import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { ExtensionLifecycle } from "../../../src/providers/extension/lifecycle.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { stored } from "../../emulator/calls.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

// The service compares names without case and accents, and the emulator does so too.
describe("an extension whose name differs from another one's by case alone", () => {
  let emulator: Emulator;
  let programFolder: string;
  let messages: string[];
  beforeEach(async () => {
    emulator = await startEmulator();
    programFolder = temporaryFolder();
    messages = [];
    write("// one\n");
  });
  afterEach(() => emulator.close());

  function write(content: string): void {
    const folder = join(programFolder, "extension");
    mkdirSync(folder, { recursive: true });
    const manifest = { manifest_version: 3, name: "Reader", version: "1.0.0" };
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "content.js"), content);
  }

  function contextOf(name = "reader"): LifecycleContext {
    const say = (message: string) => messages.push(message);
    return {
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::${name}`,
      programFolder,
      deployment: "127.0.0.1:1",
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: say, row: say, info: say, warning: say, debug: say },
    };
  }

  const newsOf = (name: string): PropertyMap => ({ path: "./extension", name });

  async function checked(run: ExtensionLifecycle, name: string, olds?: PropertyMap, context = contextOf()) {
    const request = { news: newsOf(name), olds, memo: undefined };
    const { inputs, failures } = await run.check(request, context);
    expect(failures).toEqual([]);
    return inputs;
  }

  test("is not uploaded over somebody else's, and the message names theirs, also with the same bytes", async () => {
    const theirs = await stored(emulator, { name: "Reader" });
    const run = new ExtensionLifecycle();
    const inputs = await checked(run, "reader");
    const message = `The name "reader" is taken by extension ${theirs.id}, whose name is "Reader": case and accents do not count for the service. To take it over, add adopt: "${theirs.id}"`;
    const refused = { code: "name_taken", message: expect.stringContaining(message) };
    await expect(run.create(inputs, contextOf())).rejects.toMatchObject(refused);
    emulator.extensions.remove(theirs.id);
    const first = await run.create(await checked(run, "READER"), contextOf());
    // The same bytes under the other spelling would be a different name in the state.
    const second = new ExtensionLifecycle();
    await expect(second.create(await checked(second, "reader"), contextOf("other"))).rejects.toThrow(
      `taken by extension ${first.id}, whose name is "READER"`,
    );
    expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(2);
  });

  test("is renamed by deleting the old one first, and is there under the new spelling", async () => {
    const first = new ExtensionLifecycle();
    const before = await checked(first, "Reader");
    const { id, outputs } = await first.create(before, contextOf());
    const run = new ExtensionLifecycle();
    const inputs = await checked(run, "reader", before);
    expect(run.diff({ id, olds: outputs, news: inputs }, contextOf())).toMatchObject({
      replaces: ["name"],
      deleteBeforeReplace: true,
    });
    await checked(run, "reader");
    await run.delete({ id, state: outputs }, contextOf());
    await run.create(inputs, contextOf());
    expect(emulator.extensions.list()).toMatchObject([{ name: "reader", checksum: inputs.checksum }]);
  });

  test("is restored under its own spelling when the upload under the new one fails", async () => {
    const first = new ExtensionLifecycle();
    const before = await checked(first, "Reader");
    const { id, outputs } = await first.create(before, contextOf());
    const run = new ExtensionLifecycle();
    const inputs = await checked(run, "reader", before);
    run.diff({ id, olds: outputs, news: inputs }, contextOf());
    await checked(run, "reader");
    await run.delete({ id, state: outputs }, contextOf());
    const refused = { status: 400, body: { code: "bad_request", message: "no" } };
    emulator.faults.add({ method: "POST", at: "before-commit", action: { answer: refused } });
    await expect(run.create(inputs, contextOf())).rejects.toThrow('restored under "Reader"');
    expect(emulator.extensions.list()).toMatchObject([{ name: "Reader" }]);
  });

  test("takes over the name of one that the same run replaces only once that one is deleted", async () => {
    const first = new ExtensionLifecycle();
    const before = await checked(first, "Reader");
    const { id, outputs } = await first.create(before, contextOf());
    const run = new ExtensionLifecycle();
    const moved = await checked(run, "viewer", before);
    run.diff({ id, olds: outputs, news: moved }, contextOf());
    // The engine checks it again without its old inputs, to delete the old one first.
    const request = { news: newsOf("viewer"), olds: undefined, memo: undefined, deletesFirst: true };
    await run.check(request, contextOf());
    const inputs = await checked(run, "reader", undefined, contextOf("new"));
    await expect(run.create(inputs, contextOf("new"))).rejects.toThrow(
      "To move the name, use two deployments",
    );
    await run.delete({ id, state: outputs }, contextOf());
    const created = await run.create(inputs, contextOf("new"));
    expect(emulator.extensions.list()).toMatchObject([{ id: created.id, name: "reader" }]);
  });

  test("is replaced under the new spelling in the deployment that adopts it", async () => {
    const theirs = await stored(emulator, { name: "Reader" });
    const run = new ExtensionLifecycle();
    const news = { ...newsOf("reader"), adopt: theirs.id };
    const { inputs } = await run.check({ news, olds: undefined, memo: undefined }, contextOf());
    const { outputs } = await run.create(inputs, contextOf());
    expect(outputs).toMatchObject({ name: "reader", checksum: inputs.checksum });
    expect(emulator.extensions.list()).toMatchObject([{ name: "reader", checksum: inputs.checksum }]);
  });

  test("brings no warning about its own name in the preview of a new spelling", async () => {
    const first = new ExtensionLifecycle();
    const before = await checked(first, "Reader");
    const { id, outputs } = await first.create(before, contextOf());
    const run = new ExtensionLifecycle();
    const request = { news: newsOf("reader"), olds: before, memo: undefined, isPreview: true };
    const { inputs, failures } = await run.check(request, contextOf());
    expect([failures, messages]).toEqual([[], []]);
    expect(run.diff({ id, olds: outputs, news: inputs }, contextOf())).toMatchObject({ replaces: ["name"] });
  });

  test("is named in the warning about an extension that is gone", async () => {
    const run = new ExtensionLifecycle();
    const { id, outputs } = await run.create(await checked(run, "reader"), contextOf());
    emulator.extensions.remove(id);
    const theirs = await stored(emulator, { name: "READER" });
    expect(await run.read({ id, state: outputs }, contextOf())).toBeUndefined();
    expect(messages.join()).toContain(
      `its name "reader" now belongs to extension ${theirs.id} ("READER", the same for the service)`,
    );
  });
});
