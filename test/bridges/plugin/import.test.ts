import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { shareEmulator } from "../../support/emulator.js";
import { own, PlayedResource } from "../played-resource.js";
import type { ProviderProcess } from "../provider-process.js";
import { startPlugin } from "./plugin-requests.js";

describe("an import through the plugin", () => {
  const emulator = shareEmulator();
  let client: BrowserInfraClient;
  let provider: ProviderProcess;
  let reader: PlayedResource;

  beforeAll(async () => {
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    provider = await startPlugin({
      isAttached: true,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    });
    mkdirSync(join(provider.folder, "extension"));
    write("manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
  });

  beforeEach(async () => {
    await provider.nextRun();
    reader = new PlayedResource(provider, { kind: "Extension" });
  });

  afterAll(async () => {
    await provider.stop();
    await client.close();
  });

  function write(file: string, content: string): void {
    writeFileSync(join(provider.folder, "extension", file), content);
  }

  /** Uploads the current folder outside of the program. */
  async function theirs(name: string, projectId?: string) {
    const { bytes } = await packExtension(join(provider.folder, "extension"));
    return client.inProject(projectId).extensions.upload({ name, archive: bytes });
  }

  test("an imported extension has all data of the service and of its archive", async () => {
    const { id, checksum, createdAt } = await theirs("one");
    const { id: found, inputs, outputs } = await reader.import(id);
    expect(found).toBe(id);
    expect(own(inputs)).toMatchObject({
      name: "one",
      checksum,
      fileCount: 1,
      files: { "manifest.json": expect.any(String) },
      manifest: { name: "Reader" },
    });
    expect(outputs).toMatchObject({ ...own(inputs), createdAt });
  });

  test("an imported extension is unchanged when the program declares a folder with the same bytes", async () => {
    const imported = await reader.import((await theirs("same")).id);
    await provider.nextRun();
    const inputs = await reader.accepted({ path: "./extension" }, imported.inputs);
    expect(await reader.diff(imported, inputs)).toMatchObject({ changes: "none", replaces: [] });
  });

  test("an imported extension shows the files that differ from the declared folder", async () => {
    const imported = await reader.import((await theirs("other")).id);
    await provider.nextRun();
    write("popup.js", "// new\n");
    const inputs = await reader.accepted({ path: "./extension", name: "other" }, imported.inputs);
    const { replaces, detailed } = await reader.diff(imported, inputs);
    expect(replaces).toEqual(["checksum"]);
    expect(detailed).toMatchObject({ 'files["popup.js"]': "add", checksum: "update_replace" });
  });

  test("an extension of a different project is imported by <project>/<id>, and stays in that project", async () => {
    const { id: projectId } = emulator.createProject({ name: "Shop" });
    const { id } = await theirs("elsewhere", projectId);
    const imported = await reader.import(`${projectId}/${id}`);
    expect(imported).toMatchObject({ id, outputs: { projectId, name: "elsewhere" } });
    expect(await reader.read(imported)).toMatchObject({ id, outputs: { projectId } });
  });

  test.each(["a/b/c", "/a", "a/"])("the import of an extension refuses the id %j", async (id) => {
    await expect(reader.import(id)).rejects.toThrow(
      `To import or look up an extension, give its id, or "<project id>/<extension id>". "${id}" is neither.`,
    );
  });

  test("the error about the import of an unknown id contains the id", async () => {
    await expect(reader.import("ckv9w8q2f000001l5r3j7k9m")).rejects.toThrow("ckv9w8q2f000001l5r3j7k9m");
  });

  test("an imported project has its name, imported limits have every cap, and both are then unchanged", async () => {
    const { id } = emulator.createProject({ name: "theirs", limits: { maxConcurrentSessions: 5 } });
    const project = new PlayedResource(provider, { kind: "Project" });
    const limits = new PlayedResource(provider, { kind: "ProjectLimits" });
    const imported = await project.import(id);
    expect(imported).toMatchObject({ id, inputs: { name: "theirs", onDelete: "delete" } });
    const importedLimits = await limits.import(id);
    expect(own(importedLimits.inputs)).toEqual({
      projectId: id,
      maxConcurrentSessions: 5,
      uncapped: ["maxConcurrentInvocations"],
      onDelete: "restore",
    });
    await provider.nextRun();
    const unnamed = await project.accepted({}, imported.inputs);
    expect(await project.diff(imported, unnamed)).toMatchObject({ changes: "none" });
    const same = await limits.accepted(
      { projectId: id, maxConcurrentSessions: 5, maxConcurrentInvocations: null },
      importedLimits.inputs,
    );
    expect(await limits.diff(importedLimits, same)).toMatchObject({ changes: "none" });
  });

  test("the deletion of an imported API key name restores the name that the key had at the import", async () => {
    const { id } = emulator.createApiKey({ name: "theirs" });
    const ci = new PlayedResource(provider, { kind: "ApiKeyName" });
    const imported = await ci.import(id);
    expect(imported).toMatchObject({
      id,
      inputs: { keyId: id, name: "theirs", onDelete: "restore" },
      outputs: { previousName: "theirs" },
    });
    await provider.nextRun();
    const inputs = await ci.accepted({ keyId: id, name: "theirs" }, imported.inputs);
    expect(await ci.diff(imported, inputs)).toMatchObject({ changes: "none" });
    const renamed = await ci.update(imported, await ci.accepted({ keyId: id, name: "ci" }, imported.inputs));
    await provider.nextRun();
    await ci.delete(renamed);
    expect(emulator.apiKeyRecords.list().find((key) => key.id === id)?.name).toBe("theirs");
  });
});
