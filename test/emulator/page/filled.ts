import type { Emulator } from "../../../src/emulator/index.js";
import { extensionZip } from "../../support/stored-zip.js";
import { stored } from "../calls.js";

/** Secrets that a state and the page never show, by place. */
export const secrets = {
  key: "sk_of_the_shop_0123456789",
  value: "hunter2-of-ada",
  totp: "JBSWY3DPEHPK3PXP",
  token: "ops_token_of_the_vault",
  proxyPassword: "proxy-password-1",
  header: "header-of-ada-1",
};

/** Kinds of records in a state and in the addresses of the page, except browsers and faults. */
export const nouns =
  "projects apiKeys credentialProviders extensions browserPools profiles proxies credentials telemetryDestinations authConnections deployments".split(
    " ",
  );

/** Archive of the extension that `filled` uploads. */
export const archive = extensionZip("reader");

/** Puts a record of every kind into an emulator, with the secrets. */
export async function filled(emulator: Emulator) {
  const project = emulator.createProject({ name: "Shop", limits: { maxConcurrentSessions: 5 } });
  const key = emulator.createApiKey({
    name: "Shop",
    key: secrets.key,
    projectId: project.id,
    expiresAt: new Date(emulator.clock.now().getTime() + 86_400_000),
  });
  const extension = await stored(emulator, { name: "reader", bytes: archive });
  const pool = emulator.browserPools.create({ name: "crawlers", size: 3, extensions: [{ name: "reader" }] });
  emulator.profiles.ensure("work");
  emulator.proxies.create({
    name: "office",
    type: "custom",
    config: { host: "proxy.example.com", port: 3128, username: "ada", password: secrets.proxyPassword },
  });
  const totp = { secret: secrets.totp, algorithm: "SHA1", digits: 6, period: 30 } as const;
  const credential = { name: "ada", domain: "example.com", fields: { password: secrets.value }, totp };
  emulator.credentials.create(credential);
  const endpoint = "https://otlp.example.com";
  emulator.telemetryDestinations.create({ name: "logs", endpoint, headers: { "X-Key": secrets.header } });
  emulator.credentialProviders.create({ name: "vault", token: secrets.token });
  const connection = emulator.authConnections.create({ domain: "example.com", profileName: "work" });
  emulator.deployments.createFrom({ appName: "agent", envVarNames: ["TOKEN"] }, emulator.defaultProject.id);
  emulator.faults.add({ method: "POST", path: /^\/none/, at: "after-commit", action: "reset", times: 2 });
  return { project, key, extension, pool, connection };
}
