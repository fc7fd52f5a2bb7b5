import { shareEmulator } from "../../support/emulator.js";
import type { ProviderProcess } from "../provider-process.js";
import type { Properties } from "../wire-messages.js";
import { invoke, startPlugin } from "./plugin-requests.js";

const ofToday = "sk_of_today_0123456789";
const ofTheState = "sk_of_the_state_0123456789";

describe("the account of the plugin's provider", () => {
  const here = shareEmulator({ apiKeys: [ofToday] });
  const elsewhere = shareEmulator({ apiKeys: [ofTheState] });
  let provider: ProviderProcess | undefined;

  afterEach(async () => {
    await provider?.stop();
    provider = undefined;
  });

  /**
   * Looks up a project through a provider. `stack`: today's stack configuration, which the engine
   * puts into the environment.
   */
  async function ask(
    name: string,
    configuration: Properties,
    stack: Properties = {},
    environment: NodeJS.ProcessEnv = {},
  ): Promise<unknown> {
    provider = await startPlugin({
      name,
      configuration,
      environment: { PULUMI_CONFIG: JSON.stringify(stack), ...environment },
    });
    return (await invoke(provider, "getProject", { name: "Default" })).name;
  }

  test("the default provider uses the account of its configuration, otherwise of the environment", async () => {
    expect(await ask("default", { baseUrl: here.url, apiKey: ofToday })).toBe("Default");
    await provider?.stop();
    const environment = { BROWSER_INFRA_BASE_URL: here.url, BROWSER_INFRA_API_KEY: ofToday };
    expect(await ask("default", {}, {}, environment)).toBe("Default");
  });

  test("today's key in the stack configuration replaces the key of the state in a refresh or destroy", async () => {
    const configuration = { baseUrl: here.url, apiKey: ofTheState };
    await expect(ask("default_0_1_0", configuration)).rejects.toThrow(/401|refused/i);
    await provider?.stop();
    const stack = { baseUrl: here.url, apiKey: ofToday };
    expect(await ask("default_0_1_0", configuration, stack)).toBe("Default");
  });

  test("the key of the state stays in use if today's key is for a different address", async () => {
    const stack = { baseUrl: here.url, apiKey: ofToday };
    expect(await ask("default", { baseUrl: elsewhere.url, apiKey: ofTheState }, stack)).toBe("Default");
  });

  test("an explicit provider uses nothing of the stack configuration", async () => {
    const stack = { baseUrl: elsewhere.url, apiKey: ofTheState };
    expect(await ask("eu", { baseUrl: here.url, apiKey: ofToday }, stack)).toBe("Default");
  });

  test("an explicit provider takes the key only from the environment variable in apiKeyFromEnv", async () => {
    const environment = { THEIR_KEY: ofToday, BROWSER_INFRA_API_KEY: ofTheState };
    const fromVariable = { baseUrl: here.url, apiKeyFromEnv: "THEIR_KEY" };
    expect(await ask("eu", fromVariable, {}, environment)).toBe("Default");
    await provider?.stop();
    await expect(ask("eu", fromVariable, {}, { BROWSER_INFRA_API_KEY: ofToday })).rejects.toThrow(
      'No API key for Provider "eu". The environment variable THEIR_KEY is not set.',
    );
  });

  test("an explicit provider takes the key only from the stack setting in apiKeyFromConfig", async () => {
    const fromSetting = { baseUrl: here.url, apiKeyFromConfig: "browser-infra:theirKey" };
    expect(await ask("eu", fromSetting, { theirKey: ofToday })).toBe("Default");
    await provider?.stop();
    await expect(ask("eu", fromSetting, {}, { BROWSER_INFRA_API_KEY: ofToday })).rejects.toThrow(
      'No API key for Provider "eu". This stack does not have the setting browser-infra:theirKey.',
    );
  });

  test("the error about a missing key contains the command that sets the key, and no key", async () => {
    await expect(ask("default", { baseUrl: here.url })).rejects.toThrow(
      'No API key. Run "pulumi config set --secret browser-infra:apiKey"',
    );
    expect(provider?.output).not.toContain("sk_");
  });
});
