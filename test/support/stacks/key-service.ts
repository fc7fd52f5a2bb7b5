import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Value for `pulumi stack init --secrets-provider`. */
export const keyServiceUrl = "hashivault://tests";

let started: Promise<NodeJS.ProcessEnv> | undefined;

/**
 * Environment that leads Pulumi to a stand-in for the key service of a pipeline. The stand-in runs
 * in this process and handles the two requests of HashiCorp Vault's "transit" engine that Pulumi
 * sends for the data key of a stack. With the stand-in, the data key is no secret.
 *
 * Pulumi encrypts with the data key as always, but skips the derivation from a passphrase in a
 * million rounds: a third of the processor time of a command with a YAML program.
 *
 * Source: developer.hashicorp.com/vault/api-docs/secret/transit, "Encrypt data", "Decrypt data".
 */
export function keyService(): Promise<NodeJS.ProcessEnv> {
  started ??= startKeyService();
  return started;
}

async function startKeyService(): Promise<NodeJS.ProcessEnv> {
  const prefix = "vault:v1:";
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) {
      text += chunk;
    }
    const { plaintext, ciphertext } = JSON.parse(text);
    const data = request.url?.includes("/encrypt/")
      ? { ciphertext: `${prefix}${plaintext}` }
      : { plaintext: ciphertext.slice(prefix.length) };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The server runs as long as the tests, but does not keep the process alive.
  server.unref();
  return {
    VAULT_SERVER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    VAULT_SERVER_TOKEN: "token of a test",
  };
}
