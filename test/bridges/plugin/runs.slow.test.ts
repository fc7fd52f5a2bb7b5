import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PluginAttach, type PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import { GetSchemaRequest, type GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { newEmulator, useEmulator } from "../../support/emulator.js";
import { PlayedResource } from "../played-resource.js";
import type { ProviderProcess } from "../provider-process.js";
import { invoke, startPlugin } from "./plugin-requests.js";

const root = join(__dirname, "../../..");

describe("a run of the plugin", () => {
  const emulator = useEmulator();
  let provider: ProviderProcess;

  afterEach(() => provider.stop());

  async function start(isAttached = false): Promise<void> {
    provider = await startPlugin({
      isAttached,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    });
  }

  function named(keyId: string) {
    return new PlayedResource(provider, { kind: "ApiKeyName" }).deploy({ keyId, name: "ci" });
  }

  test("the plugin accepts secrets with their mark, as components need, and reports its version and its schema", async () => {
    await start(true);
    expect((await provider.handshake(provider.engineAddress)).getAcceptSecrets()).toBe(true);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const info = await provider.call<PluginInfo>("getPluginInfo", new emptyProto.Empty());
    expect(info.getVersion()).toBe(version);
    const schema = await provider.call<GetSchemaResponse>("getSchema", new GetSchemaRequest());
    expect(JSON.parse(schema.getSchema())).toMatchObject({ name: "browser-infra", version });
  });

  test("the plugin prints the port and nothing else", async () => {
    await start();
    await named(emulator.createApiKey({ name: "before" }).id);
    expect(provider.output).toMatch(/^\d+\n$/);
  });

  test("a run of an attached plugin ends with Cancel, and the same process then serves the next engine", async () => {
    await start(true);
    await provider.cancel();
    const { id } = emulator.createApiKey({ name: "before" });
    for (const _run of [1, 2, 3]) {
      // Successive engines may even have the same address.
      await provider.call("attach", new PluginAttach().setAddress(provider.engineAddress));
      await provider.handshake(provider.engineAddress);
      await provider.configure();
      await named(id);
      await provider.cancel();
      await expect(named(id)).rejects.toThrow(/cancel/i);
    }
  });

  test("a running plugin keeps its engine and its settings, and refuses calls that would change engine or settings", async () => {
    const theirs = await newEmulator();
    try {
      await start();
      const { id: keyId } = emulator.createApiKey({ name: "before" });
      const ci = new PlayedResource(provider, { kind: "ApiKeyName" });
      const inputs = await ci.accepted({ keyId, name: "ci" });
      for (const configuration of [{ baseUrl: theirs.url }, { projectId: "p1" }, { apiKey: "sk_theirs" }]) {
        await expect(provider.configure({ configuration })).rejects.toThrow(
          /is already configured, and accepts no second configuration/,
        );
      }
      await expect(provider.configure({ name: "theirs" })).rejects.toThrow(
        /is already configured, and accepts no second configuration/,
      );
      for (const address of [provider.engineAddress, "127.0.0.1:1", ""]) {
        const attach = provider.call("attach", new PluginAttach().setAddress(address));
        await expect(attach).rejects.toThrow(/already serves an engine/);
        await expect(provider.handshake(address)).rejects.toThrow(/already serves an engine/);
      }
      await provider.configure();
      expect((await invoke(provider, "getApiKey", { id: keyId })).name).toBe("before");
      // The run still remembers the resource: no new run began.
      const again = await new PlayedResource(provider, { kind: "ApiKeyName", name: "b" }).check({
        keyId,
        name: "c",
      });
      expect(again.failures).toMatchObject([{ property: "keyId" }]);
      await ci.create(inputs);
      expect(theirs.requests).toEqual([]);
    } finally {
      await theirs.close();
    }
  });

  test("a plugin process serves a single engine, also after the end of the run", async () => {
    await start();
    await provider.cancel();
    for (const address of [provider.engineAddress, "127.0.0.1:1"]) {
      await expect(provider.handshake(address)).rejects.toThrow(/already serves an engine/);
    }
  });

  test("an attached plugin accepts a new engine only after the previous engine has ended", async () => {
    await start(true);
    const other = "127.0.0.1:1";
    await expect(provider.handshake(other)).rejects.toThrow(/already serves an engine/);
    const { id } = emulator.createApiKey({ name: "before" });
    await named(id);
    provider.loseEngine();
    // The third refused connection reveals the end.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await provider.handshake(other);
    await provider.configure();
    expect((await invoke(provider, "getApiKey", { id })).name).toBe("ci");
  });

  test("a new run of an attached plugin accepts an API key that the previous run had declared", async () => {
    await start(true);
    const { id: keyId } = emulator.createApiKey({ name: "before" });
    const declare = (name: string) =>
      new PlayedResource(provider, { kind: "ApiKeyName", name }).check({ keyId, name: "ci" });
    expect((await declare("one")).failures).toEqual([]);
    expect((await declare("two")).failures).toMatchObject([{ property: "keyId" }]);
    await provider.nextRun();
    expect((await declare("two")).failures).toEqual([]);
  });

  test("a new run of an attached plugin reads the names anew", async () => {
    await start(true);
    const preview = async (name: string) => {
      const profile = new PlayedResource(provider, { kind: "Profile", name });
      await profile.refusals(undefined, await profile.accepted({ name }));
    };
    // The second name is looked for in a list, which the run keeps.
    await preview("one");
    await preview("two");
    await provider.nextRun();
    emulator.profiles.createFrom({ name: "one" }, emulator.defaultProject.id);
    await preview("one");
    expect(provider.logged.map(({ message }) => message).join()).toContain('The name "one" is taken');
  });

  test("the error about an unknown resource type lists the types of the plugin", async () => {
    await start();
    for (const type of [
      "browser-infra:index:Nothing",
      "browser-infra:index:constructor",
      "other:index:Extension",
    ]) {
      await expect(provider.check({}, {}, { urn: "urn:a", type })).rejects.toThrow(
        `This version of the provider has no resource type "${type}". Its types are browser-infra:index:AppDeployment,`,
      );
    }
  });

  test("hidden inputs of dynamic resources in an old state are removed from the inputs of a plugin resource", async () => {
    await start(true);
    const { id } = emulator.createApiKey({ name: "before" });
    const ci = await named(id);
    const leftBehind = { __provider: "text", __browserInfra: '{"urn":"urn:a","memo":{"version":1}}' };
    await provider.nextRun();
    const again = new PlayedResource(provider, { kind: "ApiKeyName" });
    const olds = { ...ci.inputs, ...leftBehind };
    const inputs = await again.accepted({ keyId: id, name: "ci" }, olds);
    expect(inputs).not.toHaveProperty("__provider");
    const old = { ...ci, inputs: olds, outputs: { ...ci.outputs, ...leftBehind } };
    expect(await again.diff(old, inputs)).toMatchObject({ changes: "none", replaces: [] });
  });

  test("a check reads its memo from the inputs, as JSON, and ignores an unreadable memo", async () => {
    await start();
    const key = new PlayedResource(provider, { kind: "ApiKey" });
    const { __memo: memo, ...inputs } = await key.accepted({});
    const stored = JSON.stringify({ ...JSON.parse(String(memo)), autoName: { name: "reader-0000000" } });
    expect((await key.accepted({}, { ...inputs, __memo: stored })).name).toBe("reader-0000000");
    // An edited state: the memo is unreadable.
    expect(await key.accepted({}, { ...inputs, __memo: "{" })).toEqual({ ...inputs, __memo: memo });
  });
});
