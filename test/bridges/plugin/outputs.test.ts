import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { specialSecretSig, specialSigKey } from "@pulumi/pulumi/runtime/rpc.js";
import { unknownMarker } from "../../../src/bridges/wire-values.js";

import { shareEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { own, PlayedResource, type StoredObject } from "../played-resource.js";
import { type ProcessOptions, ProviderProcess } from "../provider-process.js";

const secret = (value: unknown) => ({ [specialSigKey]: specialSecretSig, value });

describe("outputs in the responses of the plugin", () => {
  const emulator = shareEmulator({ speed: 50 });
  let options: ProcessOptions;
  let provider: ProviderProcess;
  /** Number of writes before the test. */
  let sent = 0;

  beforeAll(async () => {
    options = {
      bridge: "plugin",
      isAttached: true,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    };
    provider = await ProviderProcess.start(temporaryFolder(), options);
  });

  beforeEach(async () => {
    await provider.nextRun();
    for (const { id } of emulator.extensions.list()) {
      emulator.extensions.remove(id);
    }
    rmSync(join(provider.folder, "extension"), { recursive: true, force: true });
    mkdirSync(join(provider.folder, "extension"));
    write("1.0.0");
    sent = 0;
    sent = writes().length;
  });

  afterAll(() => provider.stop());

  function write(version: string): void {
    writeFileSync(
      join(provider.folder, "extension", "manifest.json"),
      `{ "manifest_version": 3, "name": "Reader", "version": "${version}" }`,
    );
  }

  function writes(): string[] {
    const methods = emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");
    return methods.slice(sent);
  }

  /** Names of the unknown outputs. */
  function unknownIn(outputs: Record<string, unknown>): string[] {
    const marker = JSON.stringify(unknownMarker);
    return Object.keys(outputs).filter((name) => JSON.stringify(outputs[name]).includes(marker));
  }

  describe("in the preview of a creation", () => {
    test("the preview of an extension's creation knows every output but the creation time, and sends no write", async () => {
      const reader = new PlayedResource(provider, { kind: "Extension" });
      const inputs = await reader.accepted({ path: "./extension" });
      const outputs = await reader.previewCreate(inputs);
      expect(unknownIn(outputs)).toEqual(["createdAt"]);
      expect(outputs).toMatchObject({ name: inputs.name, checksum: inputs.checksum, fileCount: 1 });
      expect(writes()).toEqual([]);
    });

    test("with an unknown path, the preview of an extension leaves the outputs that the folder decides unknown", async () => {
      const reader = new PlayedResource(provider, { kind: "Extension" });
      const outputs = await reader.previewCreate(
        await reader.accepted({ path: unknownMarker, name: "reader" }),
      );
      expect(unknownIn(outputs)).toEqual(expect.arrayContaining(["checksum", "files", "createdAt"]));
      expect(outputs.name).toBe("reader");
    });

    test("the preview of an adoption without a declared name leaves the name of the extension unknown", async () => {
      const theirs = await new PlayedResource(provider, { kind: "Extension", name: "theirs" }).deploy({
        path: "./extension",
        name: "theirs",
      });
      await provider.nextRun();
      const reader = new PlayedResource(provider, { kind: "Extension" });
      const inputs = await reader.accepted({ path: "./extension", adopt: theirs.id });
      expect(unknownIn(await reader.previewCreate(inputs))).toEqual(
        expect.arrayContaining(["name", "createdAt"]),
      );
    });

    test("the preview of an API key's name knows the outputs that the program declares", async () => {
      const { id: keyId } = emulator.createApiKey({ name: "before" });
      const ci = new PlayedResource(provider, { kind: "ApiKeyName" });
      const outputs = await ci.previewCreate(await ci.accepted({ keyId, name: "ci" }));
      expect(outputs).toMatchObject({ keyId, name: "ci", onDelete: "restore" });
      expect(unknownIn(outputs)).toEqual(
        expect.arrayContaining(["previousName", "maskedKey", "createdAt", "createdBy", "expiresAt"]),
      );
      expect(writes()).toEqual([]);
    });

    test("the preview of a login does not wait, and marks the unknown login addresses as secrets", async () => {
      const { id: connectionId } = emulator.authConnections.create({
        domain: "shop.example",
        profileName: randomUUID(),
      });
      const login = new PlayedResource(provider, { kind: "LoginFlow" });
      const outputs = await login.previewCreate(await login.accepted({ connectionId }));
      expect(outputs).toMatchObject({
        connectionId,
        flowStatus: unknownMarker,
        hostedUrl: secret(unknownMarker),
        liveViewUrl: secret(unknownMarker),
      });
    });
  });

  describe("in the preview of an update", () => {
    test("the preview of an update knows every output, and sends no write", async () => {
      const { id: keyId } = emulator.createApiKey({ name: "before" });
      const ci = new PlayedResource(provider, { kind: "ApiKeyName" });
      const old = await ci.deploy({ keyId, name: "ci" });
      await provider.nextRun();
      const before = writes();
      const inputs = await ci.accepted({ keyId, name: "ci 2" }, old.inputs);
      expect((await ci.diff(old, inputs)).detailed).toEqual({ name: "update" });
      const outputs = await ci.previewUpdate(old, inputs);
      expect(outputs).toEqual({ ...old.outputs, name: "ci 2" });
      expect(writes()).toEqual(before);
    });

    test("the preview of an update refuses a key that no longer exists", async () => {
      const { id: keyId } = emulator.createApiKey({ name: "before" });
      const ci = new PlayedResource(provider, { kind: "ApiKeyName" });
      const old = await ci.deploy({ keyId, name: "ci" });
      await provider.nextRun();
      emulator.apiKeyRecords.remove(keyId);
      const inputs = await ci.accepted({ keyId, name: "ci 2" }, old.inputs);
      await expect(ci.previewUpdate(old, inputs)).rejects.toThrow(`There is no API key "${keyId}"`);
    });
  });

  describe("in the preview of a replacement", () => {
    test("the preview of a pool's replacement warns of the name's holder only in a new project, and only once", async () => {
      const other = emulator.createProject({ name: "Other" }).id;
      const theirs = emulator.browserPools.create({ name: "agents", size: 1, projectId: other });
      const pool = new PlayedResource(provider, { kind: "BrowserPool" });
      const old = await pool.deploy({ name: "agents", size: 1, region: "us-east" });
      for (const [news, warnings] of [
        [{ name: "agents", size: 1, region: "us-east", projectId: other }, [theirs.id]],
        [{ name: "agents", size: 1, region: "eu-west" }, []],
      ] as const) {
        await provider.nextRun();
        const { length } = provider.logged;
        const inputs = await pool.accepted(news, old.inputs);
        expect((await pool.diff(old, inputs)).replaces).not.toEqual([]);
        // The engine checks a replacement without the old inputs.
        await pool.previewCreate(await pool.accepted(news));
        const said = provider.logged
          .slice(length)
          .map(({ message }) => message)
          .filter((message) => message.includes("is taken"));
        expect(said).toEqual(warnings.map((id) => expect.stringContaining(id)));
      }
    });
  });

  describe("for an existing resource", () => {
    test("an unchanged resource is compared without a request to the service", async () => {
      const { id: keyId } = emulator.createApiKey({ name: "before" });
      const declared = [
        { kind: "ApiKeyName", news: { keyId, name: "ci" } },
        { kind: "Extension", news: { path: "./extension", name: "reader" } },
      ] as const;
      const olds: StoredObject[] = [];
      for (const { kind, news } of declared) {
        olds.push(await new PlayedResource(provider, { kind }).deploy(news));
      }
      // Has read nothing yet that a preview could know.
      const fresh = await ProviderProcess.start(provider.folder, options);
      const { length } = emulator.requests;
      try {
        for (const [index, { kind, news }] of declared.entries()) {
          const resource = new PlayedResource(fresh, { kind });
          const old = olds[index] as StoredObject;
          const inputs = await resource.accepted(news, old.inputs);
          expect((await resource.diff(old, inputs)).changes).toBe("none");
        }
        expect(emulator.requests).toHaveLength(length);
      } finally {
        await fresh.kill();
      }
    });

    test("every output without a value is null, and therefore not unknown in the next preview", async () => {
      const { id: keyId } = emulator.createApiKey({ name: "before" });
      const ci = await new PlayedResource(provider, { kind: "ApiKeyName" }).deploy({ keyId, name: "ci" });
      expect(ci.outputs).toMatchObject({ expiresAt: null, projectId: null, projectName: null });
      const reader = new PlayedResource(provider, { kind: "Extension" });
      const extension = await reader.deploy({ path: "./extension" });
      expect(own(extension.outputs)).toMatchObject({ projectId: null });
      expect(extension.outputs).not.toHaveProperty("unfinished");
      expect((await reader.read(extension))?.outputs).toEqual(extension.outputs);
    });

    test("what a program marks as secret stays marked in every response: members one by one, lists as a whole", async () => {
      const agents = new PlayedResource(provider, { kind: "BrowserPool", name: "marked" });
      const news = {
        size: 1,
        name: secret("marked"),
        viewport: { width: secret(800), height: 600 },
        network: { allowedHosts: ["shop.example", secret("bank.example")] },
      };
      const marked = {
        size: 1,
        name: secret("marked"),
        viewport: { width: secret(800), height: 600 },
        network: { allowedHosts: secret(["shop.example", "bank.example"]) },
      };
      const inputs = await agents.accepted(news);
      expect(inputs).toMatchObject(marked);
      expect(await agents.previewCreate(inputs)).toMatchObject(marked);
      const old = await agents.deploy(news);
      expect(old.outputs).toMatchObject(marked);
      expect(await agents.previewUpdate(old, { ...inputs, size: 2 })).toMatchObject({ ...marked, size: 2 });
      expect((await agents.read(old))?.outputs).toMatchObject(marked);
      expect(emulator.browserPools.get(old.id)).toMatchObject({ name: "marked", viewport: { width: 800 } });
    });

    test("a secret without a value counts as not declared", async () => {
      const crawler = new PlayedResource(provider, { kind: "Profile", name: "crawler" });
      const { outputs } = await crawler.deploy({ name: secret(null) });
      expect(outputs.name).toEqual(secret(expect.stringMatching(/^crawler-[0-9a-f]{7}$/)));
    });

    test("X2: the secrets of a proxy are marked in inputs and outputs, whether or not the program marked the secrets", async () => {
      const exit = new PlayedResource(provider, { kind: "Proxy", name: "exit" });
      const config = { host: "proxy.example", port: 3128, password: "pr0xy-password" };
      const marked = { ...config, password: secret("pr0xy-password") };
      const inputs = await exit.accepted({ type: "custom", config });
      expect(inputs.config).toEqual(marked);
      expect((await exit.previewCreate(inputs)).config).toEqual(marked);
      const created = await exit.create(inputs);
      expect(created.outputs.config).toEqual(marked);
      expect(await exit.read(created)).toMatchObject({
        inputs: { config: marked },
        outputs: { config: marked },
      });
      await provider.nextRun();
      const other = await exit.accepted(
        { type: "custom", config: { ...config, password: "another" } },
        inputs,
      );
      expect(await exit.diff(created, other)).toMatchObject({
        detailed: { "config.password": "update_replace" },
      });
    });

    test("the addresses of a login are secrets, and an address without a value is null", async () => {
      const { id: connectionId } = emulator.authConnections.create({
        domain: "shop.example",
        profileName: randomUUID(),
      });
      const login = new PlayedResource(provider, { kind: "LoginFlow" });
      const state = {
        id: connectionId,
        inputs: { connectionId },
        outputs: { connectionId, flowStatus: "SUCCESS", hostedUrl: "https://login.example/1" },
      };
      expect((await login.read(state))?.outputs).toMatchObject({
        flowStatus: "SUCCESS",
        hostedUrl: secret("https://login.example/1"),
        liveViewUrl: null,
      });
    });
  });

  test("the comparison names the files that the replacement of an extension changes", async () => {
    const reader = new PlayedResource(provider, { kind: "Extension" });
    const old = await reader.deploy({ path: "./extension", name: "reader" });
    await provider.nextRun();
    write("2.0.0");
    writeFileSync(join(provider.folder, "extension", "popup.js"), "// new\n");
    const inputs = await reader.accepted({ path: "./extension", name: "reader" }, old.inputs);
    expect((await reader.diff(old, inputs)).detailed).toEqual({
      checksum: "update_replace",
      fileCount: "update",
      'files["manifest.json"]': "update",
      'files["popup.js"]': "add",
      "manifest.version": "update",
      sizeBytes: "update",
    });
  });
});
