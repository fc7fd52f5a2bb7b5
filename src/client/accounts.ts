import type { Settings } from "../config.js";
import type * as clientModule from "./client.js";
import type { BrowserInfraClient } from "./client.js";

/**
 * The clients of one process: one for each account (base URL and API key). All calls for an account
 * share its connections and its retry budget. The client is loaded for the first of them: a preview
 * in which nothing has changed needs none, and the client with undici and zod is half of what a
 * provider loads.
 */
export class Accounts {
  readonly #clients = new Map<string, BrowserInfraClient>();

  /**
   * The client of an account, which acts in no particular project; see
   * `BrowserInfraClient.inProject`. Its idle connections do not keep the process alive. Throws
   * `ConfigError` for malformed settings.
   */
  clientFor({ apiKey, baseUrl, origins }: Omit<Settings, "projectId">): BrowserInfraClient {
    const account = JSON.stringify([baseUrl, apiKey]);
    let client = this.#clients.get(account);
    if (client === undefined) {
      // Not with `import()`, which Jest cannot run in CommonJS.
      const { BrowserInfraClient: Client } = require("./client.js") as typeof clientModule;
      client = new Client({ apiKey, baseUrl, origins });
      this.#clients.set(account, client);
    }
    return client;
  }
}
