import { join } from "node:path";
import { useEmulator } from "../../support/emulator.js";
import { PlayedResource } from "../played-resource.js";
import type { ProviderProcess } from "../provider-process.js";
import { startPlugin } from "./plugin-requests.js";

/** Longest time that a plugin may outlive the engine, in milliseconds. */
const endsWithinMs = 2_000;

describe("a plugin whose engine was killed", () => {
  const emulator = useEmulator();
  let provider: ProviderProcess;
  let login: PlayedResource;
  let connectionId: string;

  beforeEach(() => {
    ({ id: connectionId } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: "buyer",
    }));
  });

  afterEach(() => provider.stop());

  async function start(environment: NodeJS.ProcessEnv = {}): Promise<void> {
    const settings = {
      BROWSER_INFRA_BASE_URL: emulator.url,
      BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
    };
    provider = await startPlugin({ environment: { ...settings, ...environment } });
    login = new PlayedResource(provider, { kind: "LoginFlow" });
  }

  async function said(text: string): Promise<void> {
    while (!provider.logged.some(({ message }) => message.includes(text))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  test("an idle plugin ends after its engine was killed", async () => {
    await start();
    provider.loseEngine();
    expect(await provider.endsWithin(endsWithinMs)).toBe(true);
  });

  test("the plugin cancels a running login and ends after its engine was killed", async () => {
    await start();
    login.deploy({ connectionId }).catch(() => undefined);
    await said("no login at shop.example has begun yet");
    provider.loseEngine();
    expect(await provider.endsWithin(endsWithinMs)).toBe(true);
  });

  test("the plugin ends after its engine was killed, although a running call hangs", async () => {
    await start({ NODE_OPTIONS: `--require ${join(__dirname, "hanging-login.cjs")}` });
    login.deploy({ connectionId }).catch(() => undefined);
    await said("hangs");
    provider.loseEngine();
    expect(await provider.endsWithin(endsWithinMs)).toBe(true);
  });
});
