import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator, EmulatorOptions } from "../../../src/emulator/index.js";
import { appFiles } from "../../emulator/apps/app-code.js";
import { storedZip } from "../stored-zip.js";
import { manifest, startService } from "./service.js";
import type { Stack } from "./stack.js";

const seed: NonNullable<EmulatorOptions["seed"]> = {
  projects: [{ id: "staging", name: "staging", limits: { maxConcurrentSessions: 5 } }],
  apiKeys: [
    { id: "ckv9w8q2f000001l5r3j7k9m", name: "ci", expiresAt: "2099-01-01T00:00:00Z" },
    { id: "ckd3p7l0y000001l5r3j7k9m", name: "deploy" },
  ],
  profiles: [{ id: "crawler", name: "crawler" }],
  proxies: [{ id: "office", name: "office", type: "isp" }],
  credentials: [{ name: "intranet", domain: "intranet.example", values: { username: "ada" } }],
  telemetryDestinations: [{ name: "traces", endpoint: "https://otlp.example.com" }],
  credentialProviders: [{ id: "company", name: "company", token: "ops_secret" }],
  browserPools: [{ id: "nightly", name: "nightly", size: 2 }],
  deployments: [{ id: "dep-crawler", appName: "crawler" }],
  authConnections: [
    {
      id: "cac1s9h2m000001l7k4w8p3x",
      domain: "bank.example",
      profileName: "crawler",
      status: "AUTHENTICATED",
    },
  ],
};

/** Starts an emulator with every object that the examples in schema.json look up. */
export async function startExampleService(): Promise<{
  readonly emulator: Emulator;
  readonly environment: NodeJS.ProcessEnv;
}> {
  const { emulator, environment } = await startService({ seed, speed: 50 });
  const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
  const archive = storedZip([{ name: "manifest.json", contents: manifest("1.0.0", "Translator") }]);
  await client.extensions.upload({ name: "translator", archive });
  await client.close();
  return {
    emulator,
    environment: {
      ...environment,
      SHOP_PASSWORD: "secret",
      PROXY_PASSWORD: "secret",
      OTLP_KEY: "secret",
      VAULT_TOKEN: "ops_secret",
    },
  };
}

/** Writes the extension and the app of the examples in schema.json. */
export function writeExampleExtension(stack: Stack): void {
  stack.write("extension/manifest.json", manifest());
  stack.write("extension/tests/reader.js", "");
  for (const [path, contents] of Object.entries(appFiles())) {
    stack.write(`agent/${path}`, contents);
  }
}
