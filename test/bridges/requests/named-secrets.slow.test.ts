import { newEmulator } from "../../support/emulator.js";
import { PlayedResource } from "../played-resource.js";
import { bridges, ProviderProcess, programFolder } from "../provider-process.js";

describe.each(bridges)("secrets that a program names through the %s bridge", (bridge) => {
  const namespace = bridge === "plugin" ? "browser-infra" : "pulumi-nodejs";
  const named = {
    domain: "shop.example",
    valuesFromEnv: { password: "SHOP_PASSWORD" },
    valuesFromConfig: { pin: `${namespace}:shopPin` },
  };

  test("the provider reads the named secrets, sends a changed value, and returns no value", async () => {
    const emulator = await newEmulator({ apiKeys: ["sk_named"] });
    const started = async <T>(password: string, play: (shop: PlayedResource) => Promise<T>): Promise<T> => {
      const environment = {
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: "sk_named",
        SHOP_PASSWORD: password,
        PULUMI_CONFIG: JSON.stringify({ shopPin: "73-91-55" }),
      };
      const provider = await ProviderProcess.start(programFolder(), { bridge, environment });
      try {
        return await play(new PlayedResource(provider, { kind: "Credential" }));
      } finally {
        await provider.stop();
      }
    };
    const fields = () => emulator.credentials.list().map((each) => each.fields);

    const created = await started("correct horse", async (shop) => {
      const other = await shop.check({ ...named, valuesFromConfig: { pin: "shop:shopPin" } });
      expect(other.failures).toEqual([
        {
          property: "valuesFromConfig.pin",
          reason: expect.stringContaining(`begins with "${namespace}:"`),
        },
      ]);
      return shop.deploy(named);
    });
    expect(fields()).toEqual([{ password: "correct horse", pin: "73-91-55" }]);

    const updated = await started("correct mule", async (shop) => {
      const inputs = await shop.accepted(named, created.inputs);
      // For a dynamic resource, the engine itself compares the inputs.
      const changes = bridge === "plugin" ? "some" : "unknown";
      expect(await shop.diff(created, inputs)).toMatchObject({ changes, replaces: [] });
      expect(inputs).not.toEqual(created.inputs);
      return shop.update(created, inputs);
    });
    expect(fields()).toEqual([{ password: "correct mule", pin: "73-91-55" }]);

    await started("correct mule", async (shop) => {
      const inputs = await shop.accepted(named, updated.inputs);
      expect(await shop.diff(updated, inputs)).toMatchObject({ changes: "none" });
    });
    expect(JSON.stringify([created, updated])).not.toMatch(/correct|73-91/);
    await emulator.close();
  });
});
