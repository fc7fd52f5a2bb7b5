import type { Settings } from "../config.js";
import { Redaction } from "../text/redact.js";
import type * as clientModule from "./client.js";
import type { BrowserInfraClient } from "./client.js";

/** Clients by account. Loads the client module, half of a provider's code, on first use. */
export class Accounts {
  /** Secrets that no text of the service may repeat, whichever account received the secret. */
  readonly redaction = new Redaction();
  readonly #clients = new Map<string, BrowserInfraClient>();

  /** Returns the client of an account, without a project. Throws `ConfigError`. */
  clientFor({ apiKey, baseUrl, origins }: Omit<Settings, "projectId">): BrowserInfraClient {
    const account = JSON.stringify([baseUrl, apiKey]);
    let client = this.#clients.get(account);
    if (client === undefined) {
      // Not `import()`: Jest cannot run `import()` in CommonJS.
      const { BrowserInfraClient: Client } = require("./client.js") as typeof clientModule;
      client = new Client({ apiKey, baseUrl, origins, redaction: this.redaction });
      this.#clients.set(account, client);
    }
    return client;
  }
}
