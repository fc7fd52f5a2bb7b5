import { BrowserInfraClient } from "../client/index.js";
import { resolveSettings, type Settings } from "../config.js";
import type { LifecycleContext } from "./lifecycle.js";

/** Gives a client for a project; undefined means the project the key belongs to. */
export type ClientFor = (projectId: string | undefined) => BrowserInfraClient;

/** The clients of one provider process: one for each account, so that all resources share its connections and budget. */
export class Connections {
  readonly #clients = new Map<string, BrowserInfraClient>();

  /** A client for `projectId`; undefined means the project the key belongs to. Throws ConfigError for a bad setting. */
  clientFor(projectId: string | undefined, context: LifecycleContext): BrowserInfraClient {
    const { apiKey, baseUrl, origins } = settingsFor(context);
    const account = JSON.stringify([baseUrl, apiKey]);
    let client = this.#clients.get(account);
    if (client === undefined) {
      client = new BrowserInfraClient({ apiKey, baseUrl, origins });
      this.#clients.set(account, client);
    }
    return client.inProject(projectId);
  }
}

/** The settings in force for a resource: the stack configuration, then the environment. Throws ConfigError. */
export function settingsFor(context: LifecycleContext): Settings {
  return resolveSettings({ configuration: context.configuration, environment: context.environment });
}
