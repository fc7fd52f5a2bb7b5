import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { extensionZip } from "../stored-zip.js";

/**
 * Creates the project "shop" with two objects of every kind, the second with references, secrets
 * and names that programs must escape. Returns the id of the project.
 */
export async function createWholeProject(emulator: Emulator): Promise<string> {
  const organization = new BrowserInfraClient({
    baseUrl: emulator.url,
    apiKey: emulator.apiKeys[0] ?? "",
    environment: {},
  });
  try {
    const { id: projectId } = await organization.projects.create("shop");
    await organization.projects.setLimits(projectId, { maxConcurrentSessions: 9 });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in YAML.
    for (const name of ["ci", 'the "${night}" job']) {
      await organization.apiKeys.create({ name, projectId });
    }
    const client = organization.inProject(projectId);
    const reader = await client.extensions.upload({ name: "reader", archive: extensionZip("reader") });
    const unnamed = await client.extensions.upload({ archive: extensionZip("other") });
    const [shopper] = [
      await client.profiles.create({ name: "shopper" }),
      await client.profiles.create({ name: "shop" }),
    ];
    await client.proxies.create({ name: "isp", type: "isp", config: { country: "US" } });
    const proxy = await client.proxies.create({
      name: "exit",
      type: "custom",
      bypassHosts: ["localhost"],
      config: { host: "proxy.example.com", port: 3128, username: "agent", password: "secret of the proxy" },
    });
    const buyer = { domain: "shop.example.com", values: { username: "buyer", password: "secret of buyer" } };
    await client.credentials.create({ ...buyer, name: "buyer" });
    await client.credentials.create({ ...buyer, name: "seller", totpSecret: "JBSWY3DPEHPK3PXP" });
    await client.browserPools.create({ name: "plain", size: 1 });
    await client.browserPools.create({
      name: "agents",
      size: 2,
      extensionIds: [reader.id, unnamed.id],
      profileId: shopper.id,
      proxyId: proxy.id,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in YAML.
      chromePolicy: { HomepageLocation: "https://shop.example.com/${home}", On: { no: [1, null] } },
      viewport: { width: 1280, height: 800 },
      network: { proxyRoutes: [{ hosts: ["*.example.com"], proxyId: proxy.id }] },
    });
    await client.authConnections.create({ domain: "shop.example.com", profileName: "shopper" });
    await client.authConnections.create({
      domain: "store.example.com",
      profileName: "shopper",
      credential: { name: "buyer" },
      proxyId: proxy.id,
    });
    return projectId;
  } finally {
    await organization.close();
  }
}
