import { PlayedResource } from "../played-resource.js";
import { checkConfig } from "../plugin/plugin-requests.js";
import { bridges, ProviderProcess, programFolder } from "../provider-process.js";
import { field, inputsWith, type NamedPlace, namedPlaces, refusedValueFor } from "./named-places.js";

const pulumiVariables = [
  "PULUMI_ACCESS_TOKEN",
  "PULUMI_CONFIG_PASSPHRASE",
  "PULUMI_CONFIG",
  "pulumi_anything",
];
const keyVariables = ["BROWSER_INFRA_API_KEY", "KERNEL_API_KEY"];

/** Name of the place with the refused value for an input: a variable or a setting. */
const refusedPlace = ({ path }: NamedPlace) => `REFUSED_${path.replace(".", "_")}`;

/** Places with refused values, by name. */
function refusedIn(place: NamedPlace["place"]): Record<string, string> {
  const places = namedPlaces.filter((each) => each.place === place);
  return Object.fromEntries(
    places.map((each) => [refusedPlace(each), refusedValueFor(each)?.value ?? "fine"]),
  );
}

describe.each(bridges)("places that a program names, through the %s bridge", (bridge) => {
  const namespace = bridge === "plugin" ? "browser-infra" : "pulumi-nodejs";
  let provider: ProviderProcess;

  beforeAll(async () => {
    provider = await ProviderProcess.start(programFolder(), {
      bridge,
      environment: {
        // A check sends no request.
        BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9",
        BROWSER_INFRA_API_KEY: "sk_of_the_shell",
        KERNEL_API_KEY: "sk_of_the_service",
        PULUMI_CONFIG: JSON.stringify({ apiKey: "sk_of_the_stack", ...refusedIn("Config") }),
        ...refusedIn("Env"),
        PULUMI_ACCESS_TOKEN: "pul-0123456789",
        PULUMI_CONFIG_PASSPHRASE: "correct horse",
        pulumi_anything: "correct horse",
      },
    });
  });

  afterAll(() => provider.stop());

  const reasons = async (place: NamedPlace, name: string) => {
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

  test.each(namedPlaces)(
    "a message of $kind about the value of $path names the place of the value",
    async (place) => {
      const refused = refusedValueFor(place);
      const name = `${place.place === "Env" ? "" : `${namespace}:`}${refusedPlace(place)}`;
      const source = `in the ${place.place === "Env" ? "environment variable" : "setting"} ${name}`;
      expect(await reasons(place, name)).toEqual(
        refused === null ? [] : [`The ${refused.noun} ${source} ${refused.problem}`],
      );
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
