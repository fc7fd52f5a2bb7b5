import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { useEmulator } from "../../../support/emulator.js";
import { PlayedResource } from "../../played-resource.js";
import type { ProviderProcess } from "../../provider-process.js";
import { structOf } from "../../wire-messages.js";
import { checkConfig, startPlugin } from "../plugin-requests.js";
import { PlayedMonitor } from "./played-monitor.js";

const preload = join(__dirname, "hidden-tables.cjs");
const openMethods = ["handshake", "getSchema", "getPluginInfo"];

describe("the callers of the plugin, on a system that does not show their users", () => {
  const emulator = useEmulator();
  let provider: ProviderProcess;
  let other: ResourceProviderClient;

  async function start(isConfigured: boolean): Promise<void> {
    provider = await startPlugin({
      isConfigured,
      environment: {
        NODE_OPTIONS: `--require ${preload}`,
        HIDDEN_TABLES: "all",
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
        PULUMI_CONFIG: JSON.stringify({ vaultToken: "ops_setting_0123456789" }),
        VAULT_TOKEN: "ops_variable_0123456789",
        OTHER_SECRET: "ops_other_0123456789",
      },
    });
    // A pool of its own, so the client opens a second connection.
    const options = { "grpc.use_local_subchannel_pool": 1 };
    other = new ResourceProviderClient(
      `127.0.0.1:${provider.port}`,
      grpc.credentials.createInsecure(),
      options,
    );
  }

  afterEach(async () => {
    other.close();
    await provider.stop();
  });

  function callOther<R>(name: string, request: unknown): Promise<R> {
    const { path, requestSerialize, responseDeserialize } = ResourceProviderService[
      name as "create"
    ] as unknown as grpc.MethodDefinition<unknown, R>;
    return new Promise((resolve, reject) => {
      other.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, response) =>
        error === null ? resolve(response as R) : reject(error),
      );
    });
  }

  function createOther(kind: string, inputs: Record<string, unknown>) {
    const request = new messages.CreateRequest()
      .setUrn(`urn:pulumi:dev::shop::browser-infra:index:${kind}::theirs`)
      .setType(`browser-infra:index:${kind}`)
      .setProperties(structOf(inputs));
    return callOther<messages.CreateResponse>("create", request);
  }

  test("X20: before Configure, another connection gets only public responses, from every method", async () => {
    await start(false);
    const refused: string[] = [];
    for (const [name, method] of Object.entries(ResourceProviderService)) {
      const { requestType: Request } = method as unknown as { readonly requestType: new () => unknown };
      const code = await callOther(name, new Request()).then(
        () => grpc.status.OK,
        (error) => error.code,
      );
      // The server has no such method: there is nothing to guard.
      if (code === grpc.status.PERMISSION_DENIED || code === grpc.status.UNIMPLEMENTED) {
        refused.push(name);
      }
    }
    const methods = Object.keys(ResourceProviderService);
    expect(refused).toEqual(methods.filter((name) => !openMethods.includes(name)));
  });

  test("the engine's connection checks and configures the provider, and deploys", async () => {
    await start(false);
    expect((await checkConfig(provider, "default", {})).failures).toEqual([]);
    await provider.configure();
    const vault = new PlayedResource(provider, { kind: "CredentialProvider" });
    await vault.deploy({ name: "engine", tokenFromEnv: "VAULT_TOKEN" });
    expect(emulator.credentialProviders.list()).toMatchObject([
      { name: "engine", token: "ops_variable_0123456789" },
    ]);
  });

  test("X20: another connection reads a variable or a setting only after the engine has named it in a check", async () => {
    await start(true);
    for (const [at, inputs] of [
      { tokenFromEnv: "OTHER_SECRET" },
      { tokenFromConfig: "browser-infra:vaultToken" },
    ].entries()) {
      const name = `theirs-${at}`;
      await expect(createOther("CredentialProvider", { name, ...inputs })).rejects.toThrow(
        /is not read\. No check of this deployment has named it/,
      );
      const vault = new PlayedResource(provider, { kind: "CredentialProvider", name });
      await vault.accepted({ name, ...inputs });
      await createOther("CredentialProvider", { name, ...inputs });
      expect(emulator.credentialProviders.list().map((each) => each.name)).toContain(name);
    }
  });

  test("X20: a component of another connection does not learn which provider deploys", async () => {
    await start(true);
    const monitor = new PlayedMonitor();
    const request = new messages.ConstructRequest()
      .setType("browser-infra:index:BrowserEnvironment")
      .setName("shop")
      .setProject("shop")
      .setStack("dev")
      .setMonitorendpoint(await monitor.start())
      .setInputs(structOf({ size: 1 }));
    /** Providers of the children that the monitor has registered since. */
    const providersOf = (from: number) => [
      ...new Set(monitor.registered.slice(from).flatMap(({ custom, provider: of }) => (custom ? [of] : []))),
    ];
    try {
      await provider.call("construct", request);
      const { length } = monitor.registered;
      expect(length).toBe(5);
      expect(providersOf(0)).toEqual(["urn:pulumi:dev::shop::pulumi:providers:browser-infra::default::id_1"]);
      await callOther("construct", request);
      expect(providersOf(length)).toEqual([""]);
    } finally {
      monitor.stop();
    }
  });

  test("another connection packs a folder only after the engine has named it in a check", async () => {
    await start(true);
    const folder = join(provider.folder, "extension");
    mkdirSync(folder);
    const manifest = { manifest_version: 3, name: "Blocker", version: "1.0.0" };
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
    const extension = new PlayedResource(provider, { kind: "Extension" });
    const check = new messages.CheckRequest()
      .setUrn("urn:pulumi:dev::shop::browser-infra:index:Extension::theirs")
      .setType("browser-infra:index:Extension")
      .setNews(structOf({ path: "./extension" }));
    const refused = await callOther<messages.CheckResponse>("check", check);
    expect(refused.getFailuresList().map((failure) => failure.getReason())).toEqual([
      expect.stringMatching(/^The folder .* is not read\. No check of this deployment has named it/),
    ]);
    await extension.accepted({ path: "./extension" });
    expect((await callOther<messages.CheckResponse>("check", check)).getFailuresList()).toEqual([]);
  });
});
