import { newEmulator } from "../../support/emulator.js";
import { PlayedResource } from "../played-resource.js";
import { checkConfig } from "../plugin/plugin-requests.js";
import { bridges, ProviderProcess, programFolder } from "../provider-process.js";
import { field, inputsWith, namedPlaces } from "./named-places.js";

const pulumiVariables = [
  "PULUMI_ACCESS_TOKEN",
  "PULUMI_CONFIG_PASSPHRASE",
  "PULUMI_CONFIG",
  "pulumi_anything",
];
const keyVariables = ["BROWSER_INFRA_API_KEY", "KERNEL_API_KEY"];

describe.each(bridges)("places that a program names, through the %s bridge", (bridge) => {
  const namespace = bridge === "plugin" ? "browser-infra" : "pulumi-nodejs";
  let provider: ProviderProcess;

  beforeAll(async () => {
    const emulator = await newEmulator();
    provider = await ProviderProcess.start(programFolder(), {
      bridge,
      environment: {
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
        KERNEL_API_KEY: "sk_of_the_service",
        PULUMI_CONFIG: JSON.stringify({ apiKey: "sk_of_the_stack" }),
        PULUMI_ACCESS_TOKEN: "pul-0123456789",
        PULUMI_CONFIG_PASSPHRASE: "correct horse",
        pulumi_anything: "correct horse",
      },
    });
  });

  afterAll(() => provider.stop());

  const reasons = async (place: (typeof namedPlaces)[number], name: string) => {
    const resource = new PlayedResource(provider, { kind: place.kind });
    return (await resource.check(inputsWith(place, name))).failures.map(({ reason }) => reason);
  };

  test.each(namedPlaces.filter(({ place }) => place === "Env"))(
    "X20: $kind reads no variable of Pulumi and no API key of the deployment for $path",
    async (place) => {
      const input = `The "${place.path}${place.isMap ? `.${field}` : ""}"`;
      for (const name of pulumiVariables) {
        expect(await reasons(place, name)).toEqual([
          `${input} must not name a variable of Pulumi (PULUMI_…), such as the access token or the passphrase.`,
        ]);
      }
      for (const name of keyVariables) {
        expect(await reasons(place, name)).toEqual([
          `${input} must not name ${name}, the API key of the deployment itself.`,
        ]);
      }
    },
  );

  test.each(namedPlaces.filter(({ place }) => place === "Config"))(
    "X20: $kind reads no API key of the stack for $path",
    async (place) => {
      // Pulumi passes settings of the namespace `browser-infra` only to the plugin.
      expect(await reasons(place, "browser-infra:apiKey")).toEqual([
        expect.stringMatching(
          namespace === "browser-infra"
            ? /must not name browser-infra:apiKey, the API key of the deployment itself\.$/
            : /must be the name of a setting that begins with "pulumi-nodejs:"/,
        ),
      ]);
    },
  );

  test("a Provider of the plugin takes no variable of Pulumi for the API key", async () => {
    for (const name of bridge === "plugin" ? pulumiVariables : []) {
      expect((await checkConfig(provider, "eu", { apiKeyFromEnv: name })).failures).toEqual([
        {
          property: "apiKeyFromEnv",
          reason: expect.stringMatching(/must not name a variable of Pulumi/),
        },
      ]);
    }
  });
});
