import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { PlayedResource, type StoredObject } from "../played-resource.js";
import { ProviderProcess } from "../provider-process.js";

/**
 * The engine does not tell a plugin whether the program runs in a preview, unless it creates or
 * updates something. So what an interrupted deployment left of a resource that has left the program
 * needs an update of another one.
 */
describe("what an interrupted deployment left of a resource that has left the program", () => {
  let emulator: Emulator;
  let folder: string;
  let provider: ProviderProcess;
  let stays: StoredObject;

  const news = { path: "./stays" };
  const resource = (name: string) => new PlayedResource(provider, { kind: "Extension", name });

  beforeEach(async () => {
    emulator = await newEmulator();
    folder = temporaryFolder();
    for (const name of ["stays", "leaves"]) {
      mkdirSync(join(folder, name));
      const manifest = { manifest_version: 3, name, version: "1.0.0" };
      writeFileSync(join(folder, name, "manifest.json"), JSON.stringify(manifest));
    }
    await start();
    stays = await resource("stays").deploy(news);
    await provider.end();
    await start();
    await resource("leaves").deploy({ path: "./leaves" });
    await provider.kill();
    await start();
  });

  afterEach(() => provider.kill());

  async function start(): Promise<void> {
    provider = await ProviderProcess.start(folder, {
      bridge: "plugin",
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    });
  }

  /** The engine's comparison of the resource that stays, which is unchanged. */
  async function compare() {
    const inputs = await resource("stays").accepted(news, stays.inputs);
    return { inputs, ...(await resource("stays").diff(stays, inputs)) };
  }

  test("is undone by the next deployment, for which an unchanged resource asks for an update", async () => {
    const { changes, inputs } = await compare();
    expect(changes).toBe("some");
    expect(provider.logged.at(-1)?.message).toContain("An interrupted deployment may have left something");
    const sent = emulator.requests.length;
    expect(await resource("stays").update(stays, inputs)).toMatchObject({ outputs: stays.outputs });
    expect(emulator.requests).toHaveLength(sent);
    await provider.end();
    expect(emulator.extensions.list()).toMatchObject([{ id: stays.id }]);

    await start();
    expect((await compare()).changes).toBe("none");
  });

  test("stays as it is in a preview, which shows that update", async () => {
    const { changes, inputs } = await compare();
    expect(changes).toBe("some");
    expect(await resource("stays").previewUpdate(stays, inputs)).toEqual(stays.outputs);
    await provider.end();
    expect(emulator.extensions.list()).toHaveLength(2);
  });

  test("stays as it is when nobody knows whether it is a preview", async () => {
    await compare();
    await provider.end();
    expect(emulator.extensions.list()).toHaveLength(2);
    await start();
    expect((await compare()).changes).toBe("some");
  });

  test("is declared again without any update", async () => {
    const inputs = await resource("leaves").accepted({ path: "./leaves" });
    expect((await compare()).changes).toBe("none");
    await resource("leaves").create(inputs);
    await provider.end();
    expect(emulator.extensions.list()).toHaveLength(2);
  });
});

describe("what a deployment left that ended in order, but whose state was not written", () => {
  let emulator: Emulator;
  let provider: ProviderProcess;
  let stays: StoredObject;

  const project = (name: string) => new PlayedResource(provider, { kind: "Project", name });
  const start = async (folder: string) => {
    provider = await ProviderProcess.start(folder, {
      bridge: "plugin",
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    });
  };

  beforeEach(async () => {
    emulator = await newEmulator();
    await start(temporaryFolder());
    stays = await project("stays").deploy({ name: "stays" });
    await project("leaves").deploy({ name: "leaves" });
    await provider.end();
    await start(provider.folder);
  });

  afterEach(() => provider.kill());

  /** A run that declares only what stays. Returns its warnings. */
  async function unchanged(): Promise<string[]> {
    const inputs = await project("stays").accepted({ name: "stays" }, stays.inputs);
    expect((await project("stays").diff(stays, inputs)).changes).toBe("none");
    await provider.end();
    return provider.logged.map(({ message }) => message);
  }

  test("is told by each deployment without changes, until the program declares it again", async () => {
    const told = expect.stringMatching(/^Project "leaves" .* was created by an earlier deployment/);
    expect(await unchanged()).toEqual([told]);
    await start(provider.folder);
    expect(await unchanged()).toEqual([told]);
    await start(provider.folder);
    await project("leaves").deploy({ name: "leaves" });
    expect(await unchanged()).not.toContainEqual(told);
    expect(emulator.projects.list().map(({ name }) => name)).toContain("leaves");
  });
});
